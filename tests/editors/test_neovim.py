"""Neovim, with the block of docs/editors.md for its version as its whole configuration."""

import re
import subprocess

import pytest

from tests.editors.editor_tools import FIXES, HERE, block, check_story, has, story_of

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not has("nvim"), reason="there is no Neovim here: nvim is not on the path"),
]

HEADINGS = [((0, 11), "Neovim 0.11 and newer"), ((0, 8), "Neovim 0.8 to 0.10"), ((0, 7), "Neovim 0.7")]


def heading():
    """The heading of the block for the Neovim that is installed."""
    said = subprocess.run(["nvim", "--version"], capture_output=True, text=True, check=True).stdout
    version = tuple(int(part) for part in re.findall(r"\d+", said)[:2])
    fitting = [title for first, title in HEADINGS if version >= first]
    return fitting[0] if fitting else pytest.skip(f"docs/editors.md has no block for Neovim {version}")


@pytest.fixture(scope="module")
def story(project):
    settings = project.home / ".config" / "nvim" / "init.lua"
    settings.parent.mkdir(parents=True)
    settings.write_text(block(heading()))
    script, file = HERE / "neovim.lua", project.home / "story.json"
    done = project.run(
        "nvim", "--headless", "-n", "-c", f"luafile {script}", STORY=str(file), STORY_FILE=str(project.file)
    )
    return story_of(project, done, file)


def test_problems_come_and_go(story, project):
    check_story(story, project)


def test_the_menu_has_the_fix_first(story):
    assert story["actions"] == FIXES


def test_a_verdict_has_a_page_places_words_and_a_lens(story):
    (verdict,) = [item for item in story["before"] if item["code"] == "DP901"]

    assert verdict["source"] == "dplint"
    assert verdict["severity"] == 1
    assert verdict["href"].endswith("/DP901.md")
    assert verdict["related"][0] == "the claim that is broken"
    assert any("laplace noise is drawn here" in one for one in verdict["related"])
    assert "wrong_histogram" in story["hover"]
    assert any(" violated: " in title for title in story["lenses"])
    assert "show counterexample" in story["lenses"]
