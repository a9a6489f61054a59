"""`dplint explain` lists the codes; shells complete what there is."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from dplint.cli import main
from dplint.codes import CODES

ROOT = Path(__file__).parents[2]


def test_a_line_for_each_code(capsys):
    assert main(["explain"]) == 0
    lines = [line.split(maxsplit=2) for line in capsys.readouterr().out.splitlines()]
    assert lines == [[page.code, page.severity.value, page.title] for page in CODES.values()]


def test_as_json_with_the_pages(capsys):
    assert main(["explain", "--format", "json"]) == 0
    document = json.loads(capsys.readouterr().out)
    assert document["version"] == 3
    assert [rule["code"] for rule in document["rules"]] == list(CODES)
    page, rule = CODES["DP901"], next(rule for rule in document["rules"] if rule["code"] == "DP901")
    assert rule == {
        "code": "DP901", "title": page.title, "severity": "error", "summary": page.summary,
        "explanation": page.markdown,
    }  # fmt: skip


def completed(*words):
    """What the program answers a bash that asks for the end of these words."""
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "COMP_WORDS": "\n".join(["dplint", *words]),
        "COMP_CWORD": str(len(words)),
        "_DPLINT_COMPLETE": "bash_complete",
    }
    program = "import sys; sys.argv[0] = 'dplint'; from dplint.cli import main; sys.exit(main())"
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    return [line.partition(",")[2] for line in done.stdout.splitlines()]


@pytest.mark.process
@pytest.mark.skipif(shutil.which("bash") is None, reason="click asks bash for its version")
@pytest.mark.parametrize(
    ("words", "answers"),
    [
        (["exp"], ["explain"]),
        (["check", "--format", "s"], ["sarif"]),
        (["explain", "dp90"], ["DP901", "DP904", "DP905", "DP906", "DP907", "DP908", "DP909"]),
        (["check", "--select", "DP001,DP901"], ["DP001,DP901"]),
    ],
)
def test_commands_formats_and_codes_are_completed(words, answers):
    assert completed(*words) == answers
