"""Claims that observe more than what is returned: prints, logs, files, and arguments that are changed in place.

Two answers move by 1 each; each wrong one shows something exact, or more than noise of scale 2 on each hides, in one of
the observed channels. A thing that is shown may never be lost.
"""

from dataclasses import replace

import pytest

from dplint.program.nodes import Call, Return
from dplint.proofs.checker.observed import with_all_that_is_observed
from dplint.proofs.searching import search
from tests.proofs.proof_tools import of_text, searched

HEAD = """import json
import logging
import sys
import warnings
from pathlib import Path
from warnings import warn

log = logging.getLogger(__name__)
other = logging.getLogger("other")


def told(value):
    log.info("told %s", value)
    return value


def said(value):
    print(value)


def twice(value):
    def inner():
        log.info("%s", value)
        return value
    return inner() + value


class Teller:
    def __init__(self, value):
        log.info("made of %s", value)
        self.value = value


"""


def claim(observe, body, data="answers", more=""):
    return (
        f'@dp(epsilon=1.0, neighbors="linf", size=2, observe={observe!r}{more})\n'
        f"def release(rng, {data}):\n    " + body.replace("\n", "\n    ")
    )


ONE = "noisy = answers[0] + rng.laplace(scale=1)\n"
BOTH = "a = answers[0] + rng.laplace(scale=2)\nb = answers[1] + rng.laplace(scale=2)\n"
RIGHT = {
    "printed": claim(["stdout"], ONE + "print('first:', round(noisy, 2))"),
    "two lines": claim(["stdout"], BOTH + "print(f'{a:.2f}', end='')\nprint(b, file=sys.stderr)"),
    "printed and returned": claim(["stdout"], BOTH + "print('first:', a)\nreturn b"),
    "decided by what is returned": claim(
        ["stderr"], ONE + "if noisy > 1:\n    print('large', file=sys.stderr)\nreturn noisy"
    ),
    "logged": claim(["logging"], ONE + "log.info('noisy %s', noisy)\nreturn noisy + 1"),
    "logged by the module": claim(["logging"], ONE + "logging.warning('noisy %s', noisy)"),
    "noise that is used nowhere else": claim(["logging"], "log.info('%s', rng.laplace())\n" + ONE + "return noisy"),
    "in a loop": claim(["stdout"], "for k in range(2):\n    print(k)\n" + ONE + "return noisy"),
    "a file": claim(["files"], ONE + "Path('a.json').write_text(json.dumps({'mean': noisy}))"),
    "an open file": claim(
        ["files"], ONE + "with open('a.txt', 'w') as file:\n    file.write('mean ')\n    file.write(str(noisy))"
    ),
    "a file by its name": claim(
        ["files"], ONE + "with open('a' if noisy > 1 else 'b', 'a') as file:\n    file.write('x')"
    ),
    "changed in place": claim(["arguments"], "for i in range(2):\n    answers[i] += rng.laplace(scale=2)"),
    "an array in place": claim(
        ["arguments"], "answers += rng.laplace(scale=2, size=2)\nreturn len(answers)", "answers: np.ndarray"
    ),
    "cut off in place": claim(["arguments"], "for i in range(2):\n    answers[i] = 0.0\nreturn 1"),
    "read in": claim(["stdout", "logging"], ONE + "shown = Shown(noisy)\nshown.tell()").replace(
        "@dp",
        "class Shown:\n    def __init__(self, value):\n        self.value = value\n\n"
        "    def tell(self):\n        log.info('%s', self.value)\n\n\n@dp",
    ),
}
WRONG = {
    "the exact answer printed": claim(["stdout"], ONE + "print(answers[0])\nreturn noisy"),
    "half the noise": claim(["stdout"], "print(answers[0] + rng.laplace(scale=0.5))"),
    "half the noise for two": claim(["stdout"], (BOTH + "print(a)\nreturn b").replace("scale=2", "scale=1")),
    "half the noise for two lines": claim(["stdout"], (BOTH + "print(a)\nprint(b)").replace("scale=2", "scale=1")),
    "the noise printed": claim(["stdout"], "noise = rng.laplace()\nprint(noise)\nreturn answers[0] + noise"),
    "the noise logged": claim(["logging"], "noise = rng.laplace()\nlog.info('%s', noise)\nreturn answers[0] + noise"),
    "whether it is large": claim(["stdout"], "if answers[0] > 1:\n    print('large')\n" + ONE + "return noisy"),
    "how often": claim(
        ["stdout"], "for k in range(2):\n    if answers[k] > 1:\n        print('x')\n" + ONE + "return noisy"
    ),
    "which of two": claim(["stdout"], "print('a') if answers[0] > 1 else print('b')\n" + ONE + "return noisy"),
    "to which stream": claim(
        ["stdout", "stderr"],
        "if answers[0] > 1:\n    print('x')\nelse:\n    print('x', file=sys.stderr)\n" + ONE + "return noisy",
    ),
    "by which logger": claim(
        ["logging"], "if answers[0] > 1:\n    log.info('x')\nelse:\n    other.info('x')\n" + ONE + "return noisy"
    ),
    "at which level": claim(
        ["logging"], "if answers[0] > 1:\n    log.info('x')\nelse:\n    log.debug('x')\n" + ONE + "return noisy"
    ),
    "in which order": claim(
        ["stdout"],
        "if answers[0] > 1:\n    print('a')\n    print('b')\nelse:\n    print('b')\n    print('a')\n"
        + ONE
        + "return noisy",
    ),
    "how a line ends": claim(["stdout"], "print('x', end=str(answers[0]))\n" + ONE + "return noisy"),
    "logged in a helper": claim(["logging"], "told(answers[0])\n" + ONE + "return noisy"),
    "logged in a helper that gives it back": claim(["logging"], "return told(answers[0]) + rng.laplace(scale=1)"),
    "printed in a helper": claim(["stdout"], "said(answers[0])\n" + ONE + "return noisy"),
    "logged in a function in a function": claim(["logging"], "return twice(answers[0]) + rng.laplace(scale=2)"),
    "logged by a constructor": claim(
        ["logging"], "teller = Teller(answers[0])\nreturn teller.value + rng.laplace(scale=1)"
    ),
    "a warning": claim(["stderr"], "warnings.warn(f'{answers[0]}')\n" + ONE + "return noisy"),
    "a warning by its name": claim(["stderr"], "warn(f'{answers[0]}')\n" + ONE + "return noisy"),
    "logged to the standard error": claim(["stderr"], "log.error('%s', answers[0])\n" + ONE + "return noisy"),
    "written to the standard output": claim(["stdout"], "sys.stdout.write(str(answers[0]))\n" + ONE + "return noisy"),
    "a comprehension that prints": claim(["stdout"], "[print(x) for x in answers]\n" + ONE + "return noisy"),
    "printed on the way": claim(["stdout"], "x = print(answers[0])\n" + ONE + "return noisy"),
    "a lambda that prints": claim(["stdout"], "show = lambda x: print(x)\nshow(answers[0])\n" + ONE + "return noisy"),
    "a name for print": claim(["stdout"], "show = print\nshow(answers[0])\n" + ONE + "return noisy"),
    "extra of a log": claim(["logging"], "log.info('x', extra={'a': answers[0]})\n" + ONE + "return noisy"),
    "a file with the exact answer": claim(["files"], ONE + "Path('a').write_text(str(answers[0]))\nreturn noisy"),
    "a file of a name": claim(
        ["files"], ONE + "with open(f'{answers[0]}', 'w') as file:\n    file.write('x')\nreturn noisy"
    ),
    "a file with exact lines": claim(
        ["files"], ONE + "with open('a', 'w') as file:\n    file.write(str(answers[1]))\nreturn noisy"
    ),
    "a file that is dumped to": claim(
        ["files"], ONE + "with open('a', 'w') as file:\n    json.dump(answers[1], file)\nreturn noisy"
    ),
    "a file of NumPy": claim(["files"], ONE + "np.savetxt('a', answers)\nreturn noisy"),
    "an exception behind a print": claim(
        ["stdout"], "print(answers[0])\nif answers[0] != answers[0]:\n    pass\nraise ValueError('x')"
    ),
    "an exception behind a noisy print": claim(
        ["stdout"], "print(answers[0] + rng.laplace(scale=0.5))\nraise ValueError('x')"
    ),
    "whether it is large, behind an exception": claim(
        ["stdout"], "if answers[0] > 1:\n    print('large')\nraise ValueError('x')"
    ),
    "whether it is large, behind a division by zero": claim(
        ["stdout"], "if answers[0] > 1:\n    print('large')\nreturn 1 / 0"
    ),
    "whether it is large, behind an index": claim(
        ["stdout"], "if answers[0] > 1:\n    print('large')\nreturn [1][len(answers)]"
    ),
    "an index behind a print": claim(["stdout"], "print(answers[0])\nreturn [1][len(answers)]"),
    "division by zero behind a print": claim(["stdout"], "print(answers[0])\nreturn 1 / 0"),
    "one of two changed": claim(["arguments"], "answers[0] += rng.laplace(scale=1)\nreturn 1"),
    "half the noise on each": claim(["arguments"], "for i in range(2):\n    answers[i] += rng.laplace(scale=1)"),
    "nothing changed": claim(["arguments"], ONE + "return noisy"),
    "a copy changed": claim(["arguments"], "answers = [x + rng.laplace(scale=2) for x in answers]\nreturn 1"),
    "a copy by the same name": claim(
        ["arguments"], "answers = list(answers)\nfor i in range(2):\n    answers[i] += rng.laplace(scale=2)"
    ),
    "a sum that is another array": claim(
        ["arguments"], "answers = answers + rng.laplace(scale=2, size=2)\nreturn 1", "answers: np.ndarray"
    ),
    "the name of a loop": claim(["arguments"], "for answers in [[0.0, 0.0]]:\n    pass\nreturn 1"),
    "a pair of names": claim(["arguments"], "answers, k = [0.0, 0.0], 1\nreturn k"),
    "a list that is longer": claim(["arguments"], "answers += [rng.laplace(scale=2)]\nreturn 1"),
    "a tuple": claim(["arguments"], "answers += (0.0,)\nreturn 1", "answers: tuple"),
    "an array of whole numbers": claim(
        ["arguments"], "answers += rng.laplace(scale=2, size=2)\nreturn 1", "answers: np.ndarray", ", domain=(0, 10)"
    ),
    "another argument": claim(["arguments"], "kept.append(answers[0])\n" + ONE + "return noisy", "answers, kept: list"),
    "NumPy's warnings": claim(["stderr"], "np.log(np.array(answers))\n" + ONE + "return noisy"),
    "warnings of an array": claim(["stderr"], "1 / answers\n" + ONE + "return noisy", "answers: np.ndarray"),
    "a number of NumPy or none": claim(
        ["stdout"], "print([max(0.0, np.float64(answers[0]) * 0)])\n" + ONE + "return noisy"
    ),
}


@pytest.mark.parametrize("name", RIGHT)
def test_what_is_shown_is_part_of_the_output(tmp_path, name):
    found = searched(tmp_path, HEAD + RIGHT[name])

    assert found.proof is not None, found.reason


@pytest.mark.parametrize("name", WRONG)
def test_what_is_shown_is_never_lost(tmp_path, name):
    assert searched(tmp_path, HEAD + WRONG[name]).proof is None


def test_attributes_are_not_read(tmp_path):
    text = """from dplint import dp


class Tally:
    @dp(epsilon=1.0, neighbors="linf", size=2, observe=["stdout", "self.exact"])
    def release(self, rng, answers):
        self.exact = answers[0]
        return answers[0] + rng.laplace(scale=1)
"""
    assert search(*of_text(tmp_path, text, "Tally.release"), 10.0).proof is None


OF_NUMPY = {
    "an array": (ONE + "b = noisy", "answers: np.ndarray"),
    "an array of noise": ("b = [answers[k] + one for k, one in enumerate(rng.laplace(scale=2, size=2))]", "answers"),
    "a function": (ONE + "b = np.exp(noisy)", "answers"),
    "a method": (ONE + "b = answers.count(noisy)", "answers"),
    "noise of scipy": ("b = answers[0] + scipy.stats.laplace.rvs(scale=1)", "answers"),
}


@pytest.mark.parametrize("name", OF_NUMPY)
def test_where_the_standard_error_is_observed_nothing_is_of_numpy_which_may_warn(tmp_path, name):
    body, data = OF_NUMPY[name]
    head = "import numpy as np\nimport scipy.stats\nfrom dplint import dp\n" + HEAD

    def read(channel, body):
        text = head + claim([channel], body + "\nprint(b, file=sys.stderr)", data)
        program, mechanism = of_text(tmp_path, text, "release")
        return with_all_that_is_observed(program, mechanism) is not program

    assert read("stdout", body)
    assert not read("stderr", body)
    assert read("stderr", ONE + "b = noisy") is (data == "answers")


def test_a_print_that_nobody_has_written_down_is_not_lost(tmp_path):
    text = "from dplint import dp\n" + HEAD + claim(["stdout"], ONE + "print(noisy)")
    program, mechanism = of_text(tmp_path, text, "release")
    span = program.body[-1].span
    more = replace(program, body=(*program.body, Return(Call("print", (), (), span), span)))

    assert with_all_that_is_observed(program, mechanism) is not program
    assert with_all_that_is_observed(more, mechanism) is more
