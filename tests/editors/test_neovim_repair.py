"""Neovim: a violation, the repair that is proved by one key, saved, and the proof."""

import pytest

from tests.editors.editor_tools import HERE, block, has, make_project, story_of
from tests.editors.test_neovim import heading

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not has("nvim"), reason="there is no Neovim here: nvim is not on the path"),
]

WRONG = """\
import numpy as np
from dplint import dp


@dp(epsilon="epsilon", neighbors="l1")
def visits(rng, counts, epsilon):
    # One person visits once.
    return [count + rng.laplace(scale=0.1 / epsilon) for count in counts]
"""
REPAIR = "Multiply the scale by 10 (proved)"


def test_refuted_repaired_saved_and_green(tmp_path):
    project = make_project(tmp_path)
    (project.folder / "pyproject.toml").write_text('[project]\nname = "sample"\nversion = "1"\n')
    project.file.write_text(WRONG)
    settings = project.home / ".config" / "nvim" / "init.lua"
    settings.parent.mkdir(parents=True)
    settings.write_text(block(heading()))
    file = project.home / "story.json"
    done = project.run(
        "nvim",
        *("--headless", "-n", "-c", f"luafile {HERE / 'neovim_repair.lua'}"),
        STORY=str(file),
        STORY_FILE=str(project.file),
        STORY_ACTION=REPAIR,
    )
    story = story_of(project, done, file)

    mended = WRONG.replace("0.1 / epsilon", "1 / epsilon")
    assert any(" violated: " in title for title in story["lenses"])
    assert REPAIR in story["actions"]
    assert story["text"] == mended.splitlines()
    assert project.file.read_text() == mended
    assert story["after_save"] == []
