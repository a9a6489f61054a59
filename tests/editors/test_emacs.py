"""Emacs with eglot, with the block of docs/editors.md as its whole configuration."""

import subprocess

import pytest

from tests.editors.editor_tools import FIXES, HERE, block, check_story, has, story_of

PACKAGES = "(progn (require 'package) (package-initialize))"
"""What a normal start does before it reads the init file, and a batch does not."""


def eglot_is_there():
    command = ["emacs", "--batch", "--eval", PACKAGES, "--eval", "(require 'eglot)"]
    return has("emacs") and subprocess.run(command, capture_output=True, check=False).returncode == 0


pytestmark = [pytest.mark.process, pytest.mark.skipif(not eglot_is_there(), reason="there is no Emacs with eglot here")]


@pytest.fixture(scope="module")
def story(project):
    settings, file = project.home / "init.el", project.home / "story.json"
    settings.write_text(block("Emacs with eglot"))
    done = project.run(
        *("emacs", "--batch", "--eval", PACKAGES, "-l", settings, "-l", HERE / "eglot.el"),
        STORY=str(file),
        STORY_FILE=str(project.file),
    )
    return story_of(project, done, file)


def test_problems_come_and_go(story, project):
    check_story(story, project)


def test_problems_stand_at_their_words(story):
    shown = {item["code"]: (item["words"], item["severity"]) for item in story["before"]}

    assert shown == {"DP007": ('"epsilom"', "eglot-error"), "DP901": ("wrong_histogram", "eglot-error")}


def test_the_menu_has_the_fix_first(story):
    assert story["actions"] == FIXES


def test_hover_and_commands_answer(story):
    assert "wrong_histogram" in story["hover"]
    assert "violated" in story["hover"]
    assert story["paused"] is True
