"""A name put into `known-noise` of a pyproject.toml, and nothing else changed."""

import tomllib

import pytest

from dplint.config import with_known_noise


@pytest.mark.parametrize(
    ("text", "known"),
    [
        ("", ["m.f"]),
        ('[project]\nname = "shop"', ["m.f"]),
        ('[tool.dplint]\nprofile = "ci"\n', ["m.f"]),
        ("[tool.dplint]  # ours", None),
        ('[tool.dplint]\nknown-noise = ["a.b"]\n', ["m.f", "a.b"]),
        ("[tool.dplint]\nknown-noise = [\n]\n", ["m.f"]),
        ('[tool.dplint.severity]\nDP2 = "warning"\n', ["m.f"]),
        ("[tool.dplint]\n[tool.other]\nknown-noise = [1]\n", ["m.f"]),
        ('[tool.dplint]\nknown-noise = ["m.f"]\n', None),
        ('[tool.dplint]\nknown-noise = "m.f"\n', None),
        ('tool.dplint.profile = "ci"\n', None),
        ("[tool\n", None),
    ],
)
def test_the_name_is_added_or_nothing_is(text, known):
    found = with_known_noise(text, "m.f")
    if known is None:
        assert found is None
        return
    place, inserted = found
    before, after = tomllib.loads(text), tomllib.loads(text[:place] + inserted + text[place:])
    assert after["tool"]["dplint"].pop("known-noise") == known
    before.setdefault("tool", {}).setdefault("dplint", {}).pop("known-noise", None)
    assert before == after
