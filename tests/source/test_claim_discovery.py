"""Claims are found in all three forms, on everything that can bear one, with exact ranges."""

from __future__ import annotations

from pathlib import Path

import pytest

from dplint.claims import Categories, Columns, Fixed, Interval, Mechanism, Parameter, ParameterKind, Receiver, Span
from dplint.source.bindings import AMBIGUOUS
from dplint.source.read import SourceFile, read_source


def read(text: str, path: str = "module_under_test.py") -> SourceFile:
    return read_source(Path(path), file=path, text=text)


def mechanisms(text: str) -> list[Mechanism]:
    source = read(text)
    assert source.errors == ()
    assert source.findings == ()
    return [found.mechanism for found in source.mechanisms]


def only(text: str) -> Mechanism:
    (mechanism,) = mechanisms(text)
    return mechanism


def untestable(text: str) -> str:
    reason = only(text).untestable
    assert reason is not None
    return reason


# the three forms


@pytest.mark.parametrize(
    ("imports", "decorator"),
    [
        ("from dplint import dp", "dp"),
        ("from dplint import dp as promise", "promise"),
        ("import dplint", "dplint.dp"),
        ("import dplint as d", "d.dp"),
        ("from dplint.decorator import dp", "dp"),
        ("import dplint.decorator", "dplint.decorator.dp"),
        ("from dplint import *", "dp"),
        ("try:\n    from dplint import dp\nexcept ImportError:\n    dp = None", "dp"),
        ("if True:\n    import numpy, dplint as d", "d.dp"),
        ("import dplint\npromise = dplint.dp", "promise"),
    ],
)
def test_every_spelling_of_the_import(imports: str, decorator: str) -> None:
    mechanism = only(f"{imports}\n@{decorator}(epsilon=1)\ndef f(q): 0\n")
    assert (mechanism.qualname, mechanism.claim.epsilon) == ("f", 1.0)


@pytest.mark.parametrize("text", ["from other import dp\n", "# dplint\nimport other as dplint\ndp = dplint.dp\n", ""])
def test_another_dp_is_no_claim(text: str) -> None:
    assert mechanisms(f"# dplint\n{text}@dp(epsilon=1)\ndef f(q): 0\n") == []


@pytest.mark.parametrize(
    "above",
    [
        "@first\n@dp(epsilon=1)\n@second(3)\n",
        "@dp(epsilon=1)\n# a comment\n@first\n",
        "# dplint: dp(epsilon=1)\n@first\n",
        "@first\n# dplint: dp(epsilon=1)\n@second\n",
        "@first\n# dplint: dp(epsilon=1)\n",
        "#dplint:dp(epsilon=1)\n# another comment\n",
        "    # dplint: dp(epsilon=1)\n",
    ],
)
def test_between_other_decorators_and_comments(above: str) -> None:
    assert only(f"from dplint import dp\n{above}def f(q): 0\n").claim.epsilon == 1.0


def test_a_comment_needs_no_import_and_may_be_indented() -> None:
    text = "class C:\n    @staticmethod\n    # dplint: dp(epsilon='eps', neighbors=\"l1\")\n    def f(q, eps): 0\n"
    mechanism = only(text)
    assert mechanism.qualname == "C.f"
    assert mechanism.claim.relation == "l1"
    assert mechanism.claim_span == Span(3, 5, 3, 48)
    assert mechanism.untestable is None


def test_ranges_of_name_claim_and_lines() -> None:
    text = "from dplint import dp\n\n@dp(\n    epsilon=1,\n)\n@other\nasync def name(q):\n    return q\n\nx = 1\n"
    mechanism = only(text)
    assert mechanism.span == Span(7, 11, 7, 15)
    assert mechanism.claim_span == Span(3, 1, 5, 2)
    assert mechanism.source_lines == ("async def name(q):", "    return q")


@pytest.mark.parametrize(
    ("text", "span"),
    [
        ("if 1:\n\t# dplint: dp(epsilon=1)\n\tdef f(q): 0\n", Span(3, 6, 3, 7)),
        ("# 😀\r\n# dplint: dp(epsilon=1)\r\ndef f(q): return\r\n", Span(3, 5, 3, 6)),
        ("\f\n\f# dplint: dp(epsilon=1)\n\fdef f(q): 0\n", Span(3, 6, 3, 7)),
        ("from dplint import dp\n\f@dp(epsilon=1)\n \fdef f(q): 0\n", Span(3, 7, 3, 8)),
        ("if 1:\n\f    # dplint: dp(epsilon=1)\n  \f    def f(q): 0\n", Span(3, 12, 3, 13)),
        ("# dplint: dp(epsilon=1)\ndef f(q): 0", Span(2, 5, 2, 6)),
        ("\ufeff# dplint: dp(epsilon=1)\ndef f(q): 0", Span(2, 5, 2, 6)),
        ("from dplint import dp\nx = '😀ä'; f = dp(epsilon=1)(lambda q: q)\n", Span(2, 29, 2, 40)),
        ("# dplint: dp(epsilon=1)\rdef f(q): return\r", Span(2, 5, 2, 6)),
    ],
)
def test_columns_count_code_points_from_one(text: str, span: Span) -> None:
    mechanism = only(text)
    assert mechanism.qualname == "f"
    assert mechanism.span == span


# what can bear a claim


def test_methods() -> None:
    found = mechanisms(
        "from dplint import dp\n"
        "class C:\n    def __init__(self, bound): 0\n"
        "    @staticmethod\n    @dp(epsilon=1)\n    def static(q, eps): 0\n"
        "    @classmethod\n    @dp(epsilon=1)\n    def of_class(cls, q): 0\n"
        "    @dp(epsilon=1)\n    def of_instance(self, q): 0\n"
        "    @property\n    @dp(epsilon=1, data='q')\n    def prop(self, q=1): 0\n"
        "    class D:\n        @staticmethod\n        @dp(epsilon=1)\n        def inner(q): 0\n"
        "    @staticmethod\n    @dp(epsilon=1)\n    def __hidden(q): 0\n"
    )
    assert [item.qualname for item in found] == [
        "C.static", "C.of_class", "C.of_instance", "C.prop", "C.D.inner", "C.__hidden"
    ]  # fmt: skip
    assert {item.data for item in found} == {"q"}
    assert [item.untestable is None for item in found] == [True, True, False, False, True, False]
    assert "instance of C" in (found[2].untestable or "")
    assert "property" in (found[3].untestable or "")
    assert [parameter.name for parameter in found[1].parameters] == ["q"]


@pytest.mark.parametrize(
    ("body", "receiver", "data"),
    [
        ("class C:\n    @dp(epsilon=1)\n    def f(self, q): 0\n", Receiver(":C", True), "q"),
        ("class C:\n    def __init__(self, a=1, *b): 0\n    @dp(epsilon=1)\n    def f(self, q): 0\n",
         Receiver(":C", True), "q"),
        ("class B:\n    pass\nclass C(B):\n    @dp(epsilon=1)\n    def f(self, q): 0\n", Receiver(":C", True), "q"),
        ("class C:\n    class D:\n        @dp(epsilon=1)\n        def f(self, q): 0\n", Receiver(":C.D", True), "q"),
        ("class C:\n    @dp(epsilon=1, data='self.rows')\n    def f(self, e): 0\n",
         Receiver(":C", True, None, "rows"), "self.rows"),
        ("class C:\n    def __init__(self, *, rows): 0\n    @dp(epsilon=1, data='self.rows')\n    def f(self): 0\n",
         Receiver(":C", True, Parameter("rows", ParameterKind.KEYWORD_ONLY)), "make.rows"),
        ("def m(): 0\nclass C(B):\n    @dp(epsilon=1, make=m)\n    def f(self, q): 0\n", Receiver(":m", True), "q"),
        ("def m(rows, k=1): 0\nclass C(B):\n    @dp(epsilon=1, make=m)\n    def f(self, e): 0\n",
         Receiver(":m", True, Parameter("rows")), "make.rows"),
        ("class C:\n    def __init__(self, rows: set): 0\n    @dp(epsilon=1, make='m:C')\n    def f(self, q): 0\n",
         Receiver("m:C", True), "q"),
        ("class C:\n    def __init__(self, rows: set): 0\n    @dp(epsilon=1, make=':C')\n    def f(self): 0\n",
         Receiver(":C", True, Parameter("rows", annotation="set")), "make.rows"),
        ("@dataclasses.dataclass\nclass C:\n    rows: list\n    @dp(epsilon=1, make=':C')\n    def f(self): 0\n",
         Receiver(":C", True, Parameter("rows", annotation="list")), "make.rows"),
        ("def m():\n    @dp(epsilon=1)\n    def f(q): 0\n    return f\n", Receiver(":m", False), "q"),
        ("print(dp(epsilon=1, make='m:of')(lambda q: q))\n", Receiver("m:of", False), "q"),
    ],
)  # fmt: skip
def test_what_makes_an_object_or_a_function(body: str, receiver: Receiver, data: str) -> None:
    """The class where its constructor needs nothing, or what the claim names; its parameter may take the data."""
    mechanism = only(f"import dataclasses\nfrom dplint import dp\n{body}")

    assert mechanism.untestable is None
    assert (mechanism.receiver, mechanism.data) == (receiver, data)


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ("@dp(epsilon=1, make=f)\ndef f(q): 0\n", "DP009"),
        ("class C(B):\n    @dp(epsilon=1, make=3)\n    def f(self, q): 0\n", "DP009"),
        ("class C:\n    @dp(epsilon=1)\n    def f(self): 0\n", "DP018"),
        ("class C:\n    @dp(epsilon=1, data='self.a.b')\n    def f(self): 0\n", "DP007"),
        ("@dp(epsilon=1, data='self.rows')\ndef f(q): 0\n", "DP007"),
    ],
)
def test_what_makes_nothing_is_a_finding(body: str, code: str) -> None:
    found = read(f"from dplint import dp\n{body}")

    assert [finding.code for finding in found.findings] == [code]


def test_a_nested_function_says_where_it_is_hidden() -> None:
    text = "from dplint import dp\ndef make():\n    class C:\n        @dp(epsilon=1)\n        def f(self, q): 0\n"
    mechanism = only(text)
    assert mechanism.qualname == "make.<locals>.C.f"
    assert "inside make()" in (mechanism.untestable or "")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("print(dp(epsilon=1)(lambda q: q))\n", "without a name"),
        ("if __name__ == '__main__':\n    @dp(epsilon=1)\n    def f(q): 0\n", "__main__"),
        ("@dp(epsilon=1)\ndef f(*queries): 0\n", "*queries"),
        ("@dp(epsilon=1)\ndef f(q): 0\ndef f(q): 0\n", "line 4"),
        ("class C(B):\n    f = dp(epsilon=1)(lambda self, q: q)\n", "instance of C"),
        (
            "class C:\n    def __init__(self, q): 0\n    @dp(epsilon=1)\n    def f(self, q): 0\n",
            "constructor needs",
        ),
        ("def make(k):\n    @dp(epsilon=1)\n    def f(q): 0\n    return f\n", "make= of the claim"),
        ("def make():\n    @dp(epsilon=1)\n    def f(q): 0\n    return f(1)\n", "make= of the claim"),
    ],
)
def test_what_cannot_be_run_says_why(text: str, words: str) -> None:
    assert words in untestable(f"from dplint import dp\n{text}")


@pytest.mark.parametrize(
    "text",
    [
        "@dp(epsilon=1)\ndef f(q):\n    yield q\n",
        "@dp(epsilon=1)\ndef f(q):\n    return f(q)\n",
        "@dp(epsilon=1)\nasync def f(q): 0\n",
        "if True:\n    @dp(epsilon=1)\n    def f(q): 0\nelse:\n    def f(q): 0\n",
        "f = dp(epsilon=1)(lambda q: q)\n",
        "f: object = dp(epsilon=1)(lambda q: q)\n",
        "# dplint: dp(epsilon=1)\nf = lambda q: q\n",
        "def f(q): 0\ng = dp(epsilon=1)(f)\n",
        "@dp(epsilon=1)\ndef f(q, *rest, **options): 0\n",
        "@dp(epsilon=1)\ndef f(*, q): 0\n",
    ],
)
def test_what_can_be_run(text: str) -> None:
    mechanism = only(f"from dplint import dp\n{text}")
    assert (mechanism.qualname, mechanism.untestable) == ("f", None)


def test_a_file_that_cannot_be_imported() -> None:
    text = "# dplint: dp(epsilon=1)\ndef f(q): 0\n"
    reasons = [read(text, path).mechanisms[0].mechanism.untestable for path in ("a.b.py", "script", "my-script.py")]
    assert [reason is None for reason in reasons] == [False, False, True]


def test_mechanisms_come_in_source_order() -> None:
    text = "from dplint import dp\ndef b(q): 0\n# dplint: dp(epsilon=1)\ndef a(q): 0\ndp(epsilon=1)(b)\n"
    assert [item.qualname for item in mechanisms(text)] == ["b", "a"]


# parameters


def test_parameters_as_written() -> None:
    mechanism = only("# dplint: dp(epsilon=1)\ndef f(a, /, b: 'list[int]', *c, d: int = 2 + 1, **e): 0\n")
    assert [(p.name, p.kind, p.annotation, p.default) for p in mechanism.parameters] == [
        ("a", ParameterKind.POSITIONAL_ONLY, None, None),
        ("b", ParameterKind.NORMAL, "'list[int]'", None),
        ("c", ParameterKind.VAR_POSITIONAL, None, None),
        ("d", ParameterKind.KEYWORD_ONLY, "int", "2 + 1"),
        ("e", ParameterKind.VAR_KEYWORD, None, None),
    ]


@pytest.mark.parametrize(
    ("signature", "rng", "data"),
    [
        ("rng, q", "rng", "q"),
        ("q, prng", "prng", "q"),
        ("q, *, random_state=None", "random_state", "q"),
        ("generator, q", "generator", "q"),
        ("q, random_state: int = 0", None, "q"),
        ("g: np.random.Generator, q", "g", "q"),
        ("g: 'numpy.random.Generator', q", "g", "q"),
        ("g: npr.Generator, q", "g", "q"),
        ("g: Generator | None, q", "g", "q"),
        ("g: 'Optional[Gen]', q", "g", "q"),
        ("g: typing.Generator, q", None, "g"),
        ("g: Iter, q", None, "g"),
    ],
)
def test_the_generator_by_name_or_annotation(signature: str, rng: str | None, data: str) -> None:
    imports = (
        "import numpy as np\nfrom numpy import random as npr\nfrom numpy.random import Generator\n"
        "from numpy.random import Generator as Gen\nfrom typing import Generator as Iter\n"
    )
    mechanism = only(f"{imports}# dplint: dp(epsilon=1)\ndef f({signature}): 0\n")
    assert (mechanism.rng, mechanism.data) == (rng, data)


def test_a_generator_of_typing_is_no_random_generator() -> None:
    mechanism = only("from typing import Generator\n# dplint: dp(epsilon=1)\ndef f(g: Generator[int], q): 0\n")
    assert (mechanism.rng, mechanism.data) == (None, "g")


# reading a claim


def test_values_of_all_kinds() -> None:
    claim = only(
        "import math as m\nfrom dplint import dp\nLIMIT = 2 * 10\nCOLUMNS = {'age': (0, LIMIT), 'sex': ['f', 'm']}\n"
        "@dp(epsilon=m.log(3) / 2, delta=1e-6, neighbors='add-remove', sensitivity=2, data='rows', domain=COLUMNS,\n"
        "    size=[5, 10], args={'a': -1, 'b': [1, None], 'c': (0, 1), 'd': (0, 1.5), 'e': [[1, 2]]}, rng='g')\n"
        "def f(a, b, c, d, e, g, rows): 0\n"
    ).claim
    assert claim.epsilon == pytest.approx(0.5493061443340549)
    assert (claim.delta, claim.sensitivity, claim.size) == (1e-6, 2.0, (5, 10))
    assert claim.domain == Columns((("age", Interval(0, 20, integer=True)), ("sex", Categories(("f", "m")))))
    assert claim.args == (
        ("a", Fixed(-1)),
        ("b", Categories((1, None))),
        ("c", Interval(0, 1, integer=True)),
        ("d", Interval(0.0, 1.5, integer=False)),
        ("e", Fixed([1, 2])),
    )
    assert (claim.data, claim.rng) == ("rows", "g")


@pytest.mark.parametrize(
    ("value", "pairs"),
    [
        ("pairs", ":pairs"),
        ("made", ":made"),
        ("Family.pairs", ":Family.pairs"),
        ("imported", "elsewhere:imported"),
        ("renamed", "elsewhere:original"),
        ("elsewhere.pairs", "elsewhere:pairs"),
        ("'pkg.module:function'", "pkg.module:function"),
    ],
)
def test_neighbours_from_a_function(value: str, pairs: str) -> None:
    text = (
        "import elsewhere\nfrom elsewhere import imported, original as renamed\nfrom dplint import dp\n"
        "def pairs(): 0\nmade = partial(pairs)\nclass Family: ...\n"
    )
    claim = only(f"{text}@dp(epsilon=1, neighbors={value})\ndef f(q): 0\n").claim
    assert (claim.relation, claim.pairs) == ("custom", pairs)


def test_neighbours_from_a_relative_import(tmp_path: Path) -> None:
    package = tmp_path / "pkg" / "sub"
    package.mkdir(parents=True)
    for folder in (package, package.parent):
        (folder / "__init__.py").touch()
    text = "from ..gen import make\nfrom . import near\nfrom dplint import dp\n"
    text += "@dp(epsilon=1, neighbors=make)\ndef f(q): 0\n@dp(epsilon=1, neighbors=near.make)\ndef g(q): 0\n"
    source = read_source(package / "mod.py", file="mod.py", text=text)
    assert [found.mechanism.claim.pairs for found in source.mechanisms] == ["pkg.gen:make", "pkg.sub.near:make"]
    assert source.mechanisms[0].mechanism.module == "pkg.sub.mod"
    assert source.mechanisms[0].mechanism.import_root == str(tmp_path)


@pytest.mark.parametrize(
    ("annotation", "relation", "values"),
    [
        ("bool", "any", (False, True)),
        ("'bool'", "any", (False, True)),
        ("Literal['a', 'b']", "any", ("a", "b")),
        ("list[bool]", "replace-one", (False, True)),
        ("Sequence[typing.Literal[1, 2]]", "add-remove", (1, 2)),
    ],
)
def test_a_domain_from_the_annotation(annotation: str, relation: str, values: tuple[object, ...]) -> None:
    mechanism = only(f'# dplint: dp(epsilon=1, neighbors="{relation}")\ndef f(x: {annotation}): 0\n')
    assert mechanism.claim.domain == Categories(values)  # type: ignore[arg-type]


def test_constants_are_names_assigned_once_to_a_value() -> None:
    source = read(
        "# dplint\nA = 1\nB: float = A / 2\nC = 1\nC += 1\nfor D in []: pass\nE = 1\ndef f():\n    global E\n"
        "if A:\n    F = 1\nG = H = 1\nI, J = 1, 2\nK = call()\nL = [1]\nM = 'x'\nM = 'y'\n"
        "N = len(L)\nO = list(range(3))\nP, (Q, *R) = 1, (2, 3)\nS, T = L\nU, (V, W) = [1, (2, 'z')]\n"
        "X = L[0] + max(O)\nsum = 3\nY = sum(L)\nZ = len(UNKNOWN)\n"
    )
    assert source.module is not None
    assert source.module.constants == {
        "A": 1, "B": 0.5, "G": 1, "H": 1, "I": 1, "J": 2, "L": [1], "N": 1, "O": [0, 1, 2], "P": 1, "U": 1, "V": 2,
        "W": "z", "X": 3, "sum": 3,
    }  # fmt: skip


def test_constants_that_are_made_by_comprehensions_are_those_that_python_makes() -> None:
    text = (
        "import math\nL = (1, 2, 3)\nA = [i * i for i in range(4)]\nB = max(A) + len(L)\nC = sum(x / 2 for x in A)\n"
        "D = tuple(2 ** -k for k in range(5))\nE = 7 // 2 + 7 % 4 + math.log2(8)\nF = [[a, 0] for a in L]\ni = 7\n"
        "G = [i for i in L]\nM = {f'c{i}': (0, i + 1) for i in range(3)}\n"
        "N = {k: [k, f'{k}-{len(L)}'] for k in ['a', 'b']}\nJ = [x for x in 'ab']\n"
        "import string\nQ = [str(i) for i in L] + ['x'] + list(string.ascii_lowercase[:2])\nR = [*Q, *range(2)]\n"
        "S = (1,) + (2, *L)[1:]\nT = 'a' + chr(98)\nY = [a * 2 for a, b in F]\nZ = [x for x in enumerate(L)]\n"
        "a = {k: (n, i) for n, (k, i) in enumerate(zip(N, A))}\n"
    )
    unread = "O = {i: 0 for i in L}\nP = {f'{x:.2f}': 0 for x in L}\nU = {f'{x!r}': 0 for x in L}\n"
    unread += (
        "H = [x for x in L if x]\nI = [a for a, *b in F]\nK = [y for x in L]\nV = [1] + (2,)\nW = [*i]\nX = L[::0]\n"
    )
    values: dict[str, object] = {}
    exec(text, values)
    source = read(f"# dplint\n{text}{unread}")
    assert source.module is not None

    assert source.module.constants == {name: values[name] for name in "LABCDEFiGMNJQRSTYZa"}


def test_a_module_knows_its_aliases_and_functions() -> None:
    source = read(
        "# dplint\nimport numpy as np, os.path\nfrom math import log as ln\ndef f(): 0\ndef g(): 0\ng = 1\n"
        "def h():\n    import numpy.random as inner\n"
    )
    module = source.module
    assert module is not None
    assert dict(module.aliases) == {"np": "numpy", "os": "os", "ln": "math.log"}
    assert set(module.functions) == {"f", "h"}
    assert module.span(module.functions["f"].name) == Span(4, 5, 4, 6)


def test_a_name_imported_from_two_places_is_not_guessed() -> None:
    module = read("from math import log, exp, exp\nfrom numpy import log\n# dplint\n").module
    assert module is not None
    assert dict(module.aliases) == {"log": AMBIGUOUS, "exp": "math.exp"}


# the digest


def test_the_digest_follows_source_and_claim_but_not_the_place() -> None:
    def digest(text: str) -> str:
        return only(f"from dplint import dp\nE = 1\n{text}").digest

    plain = digest("@dp(epsilon=E)\ndef f(q):\n    return q\n")
    assert plain == digest("x = 1\n\n\n@dp(epsilon=E)\ndef f(q):\n    return q\n# end\n")
    assert plain == digest("if x:\n    @dp(epsilon=E)\n    def f(q):\n        return q\n")
    assert plain == digest("@dp(epsilon=E)\r\ndef f(q):\r\n    return q\r\n")
    assert plain != digest("@dp(epsilon=E)\ndef f(q):\n    return q + 1\n")
    changed = only("from dplint import dp\nE = 2\n@dp(epsilon=E)\ndef f(q):\n    return q\n").digest
    assert plain != changed
