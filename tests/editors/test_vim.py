"""Vim with ALE, with the block of docs/editors.md as its whole configuration."""

import shlex
from pathlib import Path

import pytest

from tests.editors.editor_tools import FIXES, HERE, block, check_story, has, story_of

ALE = [Path("/usr/share/vim-ale"), *Path("/usr/share/vim").glob("vimfiles/pack/*/opt/ale")]
"""Where the package of a distribution puts it."""

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(not has("vim"), reason="there is no Vim here: vim is not on the path"),
    pytest.mark.skipif(not any(one.exists() for one in ALE), reason="there is no ALE for Vim here"),
    pytest.mark.skipif(not has("script"), reason="Vim needs a terminal, and the command script is not there to be one"),
]


@pytest.fixture(scope="module")
def story(project):
    settings, file = project.home / ".vimrc", project.home / "story.json"
    settings.write_text(block("Vim with ALE"))
    vim = shlex.join(["vim", "-n", "-S", str(HERE / "ale.vim")])
    done = project.run("script", "-qec", vim, "/dev/null", STORY=str(file), STORY_FILE=str(project.file))
    return story_of(project, done, file)


def test_problems_come_and_go(story, project):
    check_story(story, project)


def test_the_menu_has_the_fix_first(story):
    assert story["actions"] == FIXES


def test_the_hover_says_what_is_known(story):
    assert "wrong_histogram" in story["hover"]
    assert "violated" in story["hover"]
