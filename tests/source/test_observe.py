"""What a claim says of `observe`, and that nothing which knows of the value returned alone speaks of such a claim."""

import pytest

from dplint.check.loading import Target, load_file
from dplint.config import Settings
from dplint.program.refusals import Unsupported

MODULE = """
from dplint import dp

@dp(epsilon=1.0{given})
def noisy_sum(rng, queries):
    print(queries)
    return sum(queries) + rng.laplace(scale=len(queries))
"""


def target_of(tmp_path, given):
    path = tmp_path / "claims.py"
    path.write_text(MODULE.format(given=given))
    (target,) = load_file(path, Settings())
    assert isinstance(target, Target), target
    return target


@pytest.mark.parametrize(
    ("given", "observed"),
    [
        ("", ()),
        (", observe=None", ()),
        (", observe=[]", ()),
        (", observe='logging'", ("logging",)),
        (", observe=('arguments', 'stdout', 'stdout')", ("stdout", "arguments")),
    ],
)
def test_names_are_read_once_and_in_order(tmp_path, given, observed):
    assert target_of(tmp_path, given).mechanism.claim.observe == observed


def test_an_attribute_of_the_object_of_a_method_follows_the_others(tmp_path):
    path = tmp_path / "tally.py"
    path.write_text("""
from dplint import dp

class Tally:
    @dp(epsilon=1.0, observe=["self.total", "stdout", "self.mean", "self.total"])
    def fit(self, rng, queries):
        self.total = self.mean = sum(queries) + rng.laplace(scale=len(queries))
""")
    (target,) = load_file(path, Settings())
    assert isinstance(target, Target), target
    assert target.mechanism.claim.observe == ("stdout", "self.total", "self.mean")


def test_another_claim_is_another_mechanism(tmp_path):
    digests = {target_of(tmp_path, given).mechanism.digest for given in (", observe='stdout'", ", observe='stderr'")}
    assert len(digests) == 2


def test_what_is_observed_is_no_matter_of_programs(tmp_path):
    """Or a proof about the value returned would be taken for one of the claim."""
    seen = target_of(tmp_path, ", observe=['stdout']").program
    plain = target_of(tmp_path, "").program

    assert isinstance(seen, Unsupported)
    assert seen.construct == "a claim with observe=['stdout']"
    assert not isinstance(plain, Unsupported) or "observe" not in plain.construct
