"""Helpers and constants of other modules: followed where it is certain what a name stands for, opaque elsewhere."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from dplint.check.loading import Target, load_file
from dplint.check.programs import obstacles
from dplint.config import Settings
from dplint.program.nodes import Constant, Draw, Program, Raise
from dplint.program.walk import walk

HELPERS = """
import math
from .limits import HIGH, Ages

LOW = 0.0

def _clipped(value):
    return min(max(value, LOW), HIGH)

def clip_sum(values):
    return sum([_clipped(value) for value in values])

def noisy(rng, value, scale=1.0):
    return value + rng.laplace(scale=scale * Ages.FACTOR)
"""
LIMITS = """
import numpy as np
HIGH = 5 * 10
EDGES = np.linspace(0, 1, 3)
TABLE = [1.0, 2.0]

class Ages:
    FACTOR: float = 2.0
    table = [1]
"""
MECHANISM = """
from dplint import dp
{head}

@dp(epsilon="epsilon", neighbors="l1")
def total(rng, values, epsilon):
    return {call}
"""
PLAIN = "from .helpers import clip_sum, noisy"
CALL = "noisy(rng, clip_sum(values), HIGH / epsilon)"


def target_of(folder: Path, head: str, call: str, **modules: str) -> Target:
    """The mechanism of `shop.m` beside other modules of the package `shop`."""
    package = folder / "shop"
    package.mkdir()
    files = {"__init__": "", "helpers": HELPERS, "limits": LIMITS, **modules}
    for name, content in files.items():
        (package / f"{name}.py").write_text(dedent(content))
    (package / "m.py").write_text(MECHANISM.format(head=head, call=call))
    (target,) = (one for one in load_file(package / "m.py", Settings()) if isinstance(one, Target))
    return target


@pytest.mark.parametrize(
    ("head", "call"),
    [
        (PLAIN + "\nfrom .limits import HIGH", CALL),
        (
            "from shop.helpers import clip_sum as c, noisy as n\nimport shop.limits",
            "n(rng, c(values), shop.limits.HIGH)",
        ),
        ("from . import helpers, limits", "helpers.noisy(rng, helpers.clip_sum(values), limits.HIGH)"),
        ("import shop.helpers\nimport shop.limits", "shop.helpers.noisy(rng, shop.helpers.clip_sum(values))"),
        ("from .api import clip_sum, noisy, HIGH", CALL),
        ("from .helpers import *", CALL),
        ("from math import *\nfrom .helpers import *", CALL),
        ("from .stars import *\nfrom .limits import HIGH", CALL),
        (PLAIN + "\nfrom .limits import *", CALL),
    ],
)
def test_a_helper_of_another_module_is_read_along_and_its_places_name_its_file(
    tmp_path: Path, head: str, call: str
) -> None:
    target = target_of(tmp_path, head, call, api=API, stars=STARS)

    assert not obstacles(target)
    program = target.program
    assert isinstance(program, Program)
    assert {one.name for one in program.functions} == {
        "shop.helpers.clip_sum",
        "shop.helpers.noisy",
        "shop.helpers._clipped",
    }
    file = str(tmp_path / "shop" / "helpers.py")
    assert {one.span.file for one in program.functions} == {file}
    (draw,) = (node for node in walk(program) if isinstance(node, Draw))
    line = (tmp_path / "shop" / "helpers.py").read_text().split("\n")[draw.span.line - 1]
    assert (draw.span.file, line[draw.span.column - 1 : draw.span.end_column - 1]) == (
        file,
        "rng.laplace(scale=scale * Ages.FACTOR)",
    )
    values = [node.value for node in walk(program) if isinstance(node, Constant)]
    assert {50, 2.0, 0.0} <= set(values), "constants of both modules and of a class"
    own = [node for node in walk(program.body) if not isinstance(node, Constant)]
    assert {node.span.file for node in own} == {""}, "what the mechanism itself says stands in its file"


STARS = "__all__ = ['clip_sum', 'noisy']\nfrom .helpers import *\nHIGH = 3\n"
API = "from .helpers import clip_sum, noisy\nfrom .limits import HIGH\n"


@pytest.mark.parametrize(
    ("head", "modules"),
    [
        pytest.param("from .helpers import *\nfrom numpy import *", {}, id="a star of a library"),
        pytest.param("from .helpers import *\nfrom .lost import *", {}, id="a star of what is not there"),
        pytest.param(f"{PLAIN}\nfrom .m2 import *", {"m2": "def noisy(rng, v, s=1): return v\n"}, id="shadowed"),
        pytest.param("from .m2 import *", {"m2": "from .helpers import *\nfrom numpy import *\n"}, id="one below"),
        pytest.param("from .m2 import *", {"m2": f"{PLAIN}\n__all__ = ['no' + 'isy', 'clip_sum']\n"}, id="a list"),
        pytest.param(
            "from .helpers import *", {"helpers": HELPERS + "__all__ = ['noisy']\n__all__.remove('noisy')\n"}, id="less"
        ),
        pytest.param("from .helpers import *", {"helpers": HELPERS + "sum = max\n"}, id="a builtin"),
        pytest.param(f"{PLAIN}\nclip_sum = sum", {}, id="rebound here"),
        pytest.param(f"{PLAIN}\ndef patch():\n    global clip_sum\n    clip_sum = sum", {}, id="global here"),
        pytest.param(f"try:\n    {PLAIN}\nexcept ImportError:\n    pass", {}, id="a conditional import"),
        pytest.param(f"{PLAIN}\nfrom . import helpers\nhelpers.clip_sum = sum", {}, id="patched here"),
        pytest.param(f"{PLAIN}\nimport shop.helpers as h\nsetattr(h, 'clip_sum', sum)", {}, id="setattr here"),
        pytest.param(f"{PLAIN}\nimport sys\nsys.modules['shop.helpers'] = None", {}, id="sys.modules"),
        pytest.param(PLAIN, {"helpers": HELPERS + "clip_sum = max\n"}, id="rebound there"),
        pytest.param(PLAIN, {"helpers": HELPERS + "if HIGH > 3:\n    clip_sum = max\n"}, id="rebound in a branch"),
        pytest.param(PLAIN, {"helpers": HELPERS + "for clip_sum in [max]:\n    pass\n"}, id="rebound by a loop"),
        pytest.param(PLAIN, {"helpers": HELPERS + "from .limits import *\n"}, id="a star there"),
        pytest.param(
            PLAIN, {"helpers": HELPERS + "def f():\n    global clip_sum\n    clip_sum = max\n"}, id="global there"
        ),
        pytest.param(PLAIN, {"helpers": HELPERS + "globals()['clip_' + 'sum'] = max\n"}, id="globals there"),
        pytest.param(
            PLAIN, {"helpers": HELPERS.replace("def clip_sum", "@staticmethod\ndef clip_sum")}, id="decorated"
        ),
        pytest.param(
            PLAIN, {"helpers": HELPERS.replace("def clip_sum(values)", "async def clip_sum(values)")}, id="async"
        ),
        pytest.param(
            PLAIN, {"helpers": HELPERS + "if True:\n    def noisy(rng, v, scale): return v\n"}, id="two definitions"
        ),
        pytest.param(
            PLAIN,
            {"limits": LIMITS + "from . import fast\n", "fast": "import shop.helpers\nshop.helpers.noisy = max\n"},
            id="patched by a module that is imported along",
        ),
        pytest.param(
            PLAIN, {"__init__": "import shop.patches", "patches": "exec('x = 1')\n"}, id="exec in the package"
        ),
        pytest.param("from . import helpers\nnoisy = helpers.noisy", {}, id="an alias by assignment"),
        pytest.param(
            "from . import helpers\nfrom .helpers import noisy\nclip_sum = None",
            {"__init__": "from .limits import HIGH as helpers"},
            id="the package gives the name to something else",
        ),
        pytest.param("from .lost import clip_sum, noisy", {}, id="no such module"),
    ],
)
def test_what_is_not_certain_is_opaque(tmp_path: Path, head: str, modules: dict[str, str]) -> None:
    target = target_of(tmp_path, head, "noisy(rng, clip_sum(values))", **modules)

    assert not isinstance(target.program, Program)


@pytest.mark.parametrize(
    ("head", "expression", "value"),
    [
        ("from .limits import HIGH", "HIGH", 50),
        ("from . import limits", "limits.HIGH", 50),
        ("from .limits import Ages", "Ages.FACTOR", 2.0),
        ("import shop.limits", "shop.limits.Ages.FACTOR", 2.0),
        ("class Own:\n    PAIR = (1, 2)", "Own.PAIR", (1, 2)),
        ("from .limits import TABLE", "TABLE[0]", [1, 2]),
        ("from . import limits", "limits.TABLE[0] + sum(limits.TABLE)", [1, 2]),
        ("from .limits import TABLE\nTABLE.append(3)", "TABLE[0]", None),
        ("from . import limits\nlimits.TABLE.append(3)", "limits.TABLE[0]", None),
        ("from . import limits\nlimits.TABLE[0] = 3", "limits.TABLE[0]", None),
        ("from .limits import TABLE\nown = [TABLE]", "TABLE[0]", None),
        ("from . import limits\ndef g(keep):\n    keep(limits.TABLE)", "limits.TABLE[0]", None),
        ("from .limits import TABLE as other\ndef g():\n    x = other\n    x += [1]", "other[0]", None),
        ("import numpy as np\nDRAWN = np.random.random(3)", "DRAWN[0]", None),
        ("import numpy as np\nfrom .limits import EDGES\nnp.copyto(EDGES, 0)", "EDGES[0]", None),
        ("from .limits import EDGES", "EDGES[0] + 50", None),
        ("from .limits import Ages", "Ages.table[0]", None),
        ("from . import limits\nlimits.HIGH = 3", "limits.HIGH", None),
        ("from .limits import Ages\nAges.FACTOR = 3", "Ages.FACTOR", None),
        ("class Own(tuple):\n    PAIR = (1, 2)", "Own.PAIR", None),
        ("class Own:\n    PAIR = (1, 2)\n    PAIR = 3", "Own.PAIR", None),
    ],
)
def test_constants_that_nobody_can_change_are_read(tmp_path: Path, head: str, expression: str, value: object) -> None:
    target = target_of(tmp_path, head, f"values[0] + {expression}")

    if value is None:
        assert not isinstance(target.program, Program)
    else:
        assert isinstance(target.program, Program)
        assert value in [node.value for node in walk(target.program) if isinstance(node, Constant)]


@pytest.mark.parametrize(
    ("use", "read"),
    [
        ("table['dept'].isin(NAMES)", True),
        ("table['dept'].value_counts().reindex(NAMES)", True),
        ("pl.col('dept').is_in(NAMES)", True),
        ("table.take(NAMES)", False),
        ("table['dept'].isin(NAMES)\n    NAMES.append('x')", False),
        ("keep(table['dept'].reindex, NAMES)", False),
    ],
)
def test_a_list_of_categories_that_tables_are_asked_for_stays_what_it_is(tmp_path: Path, use: str, read: bool) -> None:
    head = f"NAMES = [1.5, 2.5]\n\n\ndef other(table, keep, pl):\n    {use}"
    target = target_of(tmp_path, head, "values[0] + len([x for x in NAMES if x > 2])")

    assert isinstance(target.program, Program) is read


@pytest.mark.parametrize(
    ("head", "raised", "name"),
    [
        ('class Full(ValueError):\n    """Too many."""', "Full('x')", "Full"),
        ("class Base(Exception): ...\nclass Full(Base):\n    pass", "Full", "Full"),
        ("from .errors import Full as F", "F('x')", "Full"),
        ("from . import errors", "errors.Full()", "Full"),
        ("from .errors import Full\nclass Own(Full): pass", "Own()", "Own"),
        ("class Full(ValueError):\n    __str__ = lambda self: 'y'", "Full('x')", None),
        ("class Full(ValueError):\n    code = 3", "Full('x')", None),
        ("class Full(KeyError): pass", "Full('x')", None),
        ("class Full(OSError): pass", "Full('x')", None),
        ("class ValueError(OSError): pass\nclass Full(ValueError): pass", "Full('x')", None),
        ("class TimeoutError(ValueError): pass", "TimeoutError('x')", None),
        ("class Full(ValueError): pass\nFull.__str__ = lambda self: 'y'", "Full('x')", None),
        ("class Full(ValueError): pass\nFull = ValueError", "Full('x')", None),
        ("class Full(ValueError, metaclass=type): pass", "Full('x')", None),
        ("class Full: pass", "Full()", None),
    ],
)
def test_exceptions_with_nothing_of_their_own_are_raised_by_name(
    tmp_path: Path, head: str, raised: str, name: str | None
) -> None:
    path = Path(target_of(tmp_path, head, "None", errors="class Full(RuntimeError):\n    pass\n").mechanism.path)
    text = MECHANISM.format(head=head, call="values[0]")
    path.write_text(text.replace("    return", f"    if values[0] > 3:\n        raise {raised}\n    return"))
    (target,) = (one for one in load_file(path, Settings()) if isinstance(one, Target))

    assert isinstance(target.program, Program)
    found = [node.exception for node in walk(target.program) if isinstance(node, Raise)]
    assert found == ([] if name is None else [name])
    assert bool(obstacles(target)) == (name is None)


def test_an_import_inside_of_the_function_is_followed_unless_there_are_two(tmp_path: Path) -> None:
    single = target_of(tmp_path, "", "None").mechanism
    text = MECHANISM.format(head="", call="clip_sum(values)").replace(
        "    return", "    from .helpers import clip_sum\n    return"
    )
    twice = text.replace("    return", "    from .limits import HIGH as clip_sum\n    return")
    outcomes = []
    for content in (text, twice):
        Path(single.path).write_text(content)
        (target,) = (one for one in load_file(Path(single.path), Settings()) if isinstance(one, Target))
        outcomes.append(isinstance(target.program, Program))

    assert outcomes == [True, False]


@pytest.mark.parametrize(
    ("head", "draw", "generator"),
    [
        ("import numpy as np\nown = np.random.default_rng()", "own.laplace()", "own"),
        ("import numpy as np\nown: np.random.Generator = np.random.default_rng(None)", "own.laplace()", "own"),
        ("import random\nown = random.SystemRandom()", "own.gauss(0, 1)", "own"),
        ("from .noise import source", "source.laplace()", "source"),
        ("from .noise import source as s", "s.laplace()", "s"),
        ("from . import noise", "noise.source.laplace()", "noise.source"),
        ("from .noise import add", "add(values[0])", "source"),
        ("from .noise import seeded", "seeded.laplace()", None),
        ("from .noise import either", "either.laplace()", None),
        ("import numpy as np\nown = np.random.default_rng(0)", "own.laplace()", None),
        ("import numpy as np\nSEED = 0\nown = np.random.default_rng(SEED)", "own.laplace()", None),
        ("import numpy as np\nown = np.random.default_rng()\nown = None", "own.laplace()", None),
        (
            "import numpy as np\nown = np.random.default_rng()\ndef f():\n    global own\n    own = 1",
            "own.laplace()",
            None,
        ),
        ("from . import noise\nnoise.source = None", "noise.source.laplace()", None),
        ("def made(): ...\nown = made()", "own.laplace()", None),
    ],
)
def test_a_generator_that_a_module_keeps(tmp_path: Path, head: str, draw: str, generator: str | None) -> None:
    noise = """
    import numpy as np
    source = np.random.default_rng()
    seeded = np.random.default_rng(1)
    if seeded:
        either = np.random.default_rng()
    else:
        either = np.random.default_rng(1)

    def add(value):
        return value + source.laplace()
    """
    target = target_of(tmp_path, head, f"values[0] + {draw}", noise=noise)

    found = [node.generator for node in walk(target.lowered) if isinstance(node, Draw)]
    assert found == ([] if generator is None else [generator])
    assert bool(obstacles(target)) == (generator is None)
