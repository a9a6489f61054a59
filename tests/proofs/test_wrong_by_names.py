"""Wrong mechanisms whose names mean something else than they seem to: of nothing here anything may be proved.

Names that NFKC makes equal, private names of classes, libraries that another module changes, by whatever way, and
generators and tables whose class is the project's own.
"""

import pytest

from dplint.proofs.searching import search
from tests.proofs.proof_tools import of_text

HEAD = "import math\nimport random\nimport typing\nimport numpy as np\nimport pandas as pd\nfrom dplint import dp\n"
TABLE = '@dp(epsilon="epsilon", neighbors="add-remove", domain={"age": (0, 120), "sex": ["m", "f"]})\n'
NUMBER = '@dp(epsilon="epsilon", neighbors="linf")\n'
NOISE = "rng.laplace(scale=1 / epsilon)"
CLIP, MINIMUM = 'people["age"].clip(0, 1).sum()', 'np.minimum(people["age"], 1).sum()'
SELF, FIRST = "lambda self, low, high: self", "lambda a, b: a"

EQUAL = {
    "a constant": ('people["age"].clip(0, LIMIT).sum()', "LIMIT = 1\nＬIMIT = 100\n"),
    "a function": (
        'cap(people["age"]).sum()',
        "def cap(x):\n    return x.clip(0, 1)\n\ndef ｃap(x):\n    return x\n",
    ),
    "an import": (MINIMUM, "import other as ｎp\n"),
    "an argument": ("cap(len(people), ﬁ=9)", "fi = 0\n\ndef cap(x, ﬁ=1):\n    return x * fi\n"),
    "an attribute": (
        "len(people) * Thing().k",
        "class Thing:\n    def __init__(self):\n        self.k = 1\n        self.ｋ = 9\n",
    ),
}
PRIVATE = {
    "a constant": ("__k = 1\n_Thing__k = 9\n", "len(people) * __k"),
    "a function": ("def __k(x):\n    return x\n\ndef _Thing__k(x):\n    return 9 * x\n", "__k(len(people))"),
    "a module": ("import math as __m\nimport other as _Thing__m\n", "len(people) * __m.fabs(1)"),
}
BY_OTHERS = {
    "an attribute": (MINIMUM, f"import numpy\nnumpy.minimum = {FIRST}\n"),
    "a parameter": (MINIMUM, f"import numpy\ndef install(module):\n    module.minimum = {FIRST}\ninstall(numpy)\n"),
    "sys.modules": (MINIMUM, f'import sys\nsys.modules["numpy"].minimum = {FIRST}\n'),
    "a namespace": (MINIMUM, f"import numpy\nvars(numpy).update(minimum={FIRST})\n"),
    "a text that is executed": (MINIMUM, f'exec("import numpy\\nnumpy.minimum = {FIRST}")\n'),
    "a builtin": ("len(people)", "import builtins\nreal = len\nbuiltins.len = lambda x: 9 * real(x)\n"),
    "an accessor": (
        CLIP,
        "from pandas.api.extensions import register_series_accessor\n\n"
        '@register_series_accessor("clip")\nclass Clip:\n    pass\n',
    ),
    "a class by its own module": (CLIP, f"import pandas.core.series\npandas.core.series.Series.clip = {SELF}\n"),
}
BY_ITSELF = {
    "a class": f"pd.Series.clip = {SELF}\n",
    "another name of it": f"S = pd.Series\nS.clip = {SELF}\n",
    "a name of an import": f"from pandas import Series\nSeries.clip = {SELF}\n",
    "its base class": f"pd.core.generic.NDFrame.clip = {SELF}\n",
    "its type": f"type(pd.Series([1])).clip = {SELF}\n",
    "a loop": f"for kind in (pd.Series, pd.DataFrame):\n    kind.clip = {SELF}\n",
    "a parameter": f"def install(kind, f):\n    kind.clip = f\n\ninstall(pd.Series, {SELF})\n",
    "setattr": f'setattr(pd.Series, "clip", {SELF})\n',
    "setattr by a variable": f'for name in ["clip"]:\n    setattr(pd.Series, name, {SELF})\n',
    "setattr of type": f'type.__setattr__(pd.Series, "clip", {SELF})\n',
    "a mock": f'from unittest import mock\nmock.patch.object(pd.Series, "clip", {SELF}).start()\n',
    "another method": "pd.Series.sum = lambda self: 9 * float(self.to_numpy().sum())\n",
    "items": "real = pd.DataFrame.__getitem__\npd.DataFrame.__getitem__ = lambda self, name: 9 * real(self, name)\n",
}
DRAWS = {
    "of the system": ("random.SystemRandom.expovariate = lambda self, rate: 0.5\n", "random.SystemRandom()"),
    "by what they are made of": ("random.SystemRandom.random = lambda self: 0.5\n", "random.SystemRandom()"),
    "of Python": ("random.Random.expovariate = lambda self, rate: 0.5\n", "random.Random()"),
    "of the module": ("random.expovariate = lambda rate: 0.5\n", "random"),
}
MUTE = "class Mute(np.random.RandomState):\n    def laplace(self, scale):\n        return 0.0\n\n\n"
ANNOTATIONS = {
    "its name": ("Mute", ""),
    "a text": ("'Mute'", ""),
    "an option": ("typing.Optional[Mute]", ""),
    "an annotated one": ("typing.Annotated[Mute, 1]", ""),
    "an alias": ("Alias", "Alias = Mute\n\n\n"),
    "an import": ("Foreign", "from other import Foreign\n\n\n"),
}
LIBRARIES = {
    "NumPy's": ("np.random.Generator", ""),
    "a text": ("'np.random.Generator'", ""),
    "of type checkers": ("Generator", "if typing.TYPE_CHECKING:\n    from numpy.random import Generator\n\n\n"),
    "an alias": ("Alias", "Alias = np.random.Generator\n\n\n"),
    "a protocol": ("Drawing", "class Drawing(typing.Protocol):\n    def laplace(self, scale): ...\n\n\n"),
}
HARMLESS = {
    "an option": "pd.options.mode.chained_assignment = None\n",
    "a type": "np.int = int\n",
    "its own class": "class Thing:\n    pass\n\nThing.clip = lambda x: x\n",
    "its own object": "class Thing:\n    def __init__(self, clip):\n        self.clip = clip\n",
    "data": "def tell(found):\n    found.clip = 3\n    found.sum += 1\n",
    "a decorator": "def wrap(f):\n    def inner():\n        f()\n    inner.__name__ = f.__name__\n    return inner\n",
}


def proof_of(folder, text, name="release", other=None):
    if other is not None:
        (folder / "other.py").write_text(other)
    return search(*of_text(folder, HEAD + text, name), 30.0).proof


def table(value, before="", annotation="pd.DataFrame"):
    return f"{before}\n\n{TABLE}def release(rng, people: {annotation}, epsilon):\n    return float({value} + {NOISE})\n"


def drawing(annotation, before):
    return f"{before}{NUMBER}def release(rng: {annotation}, answer: float, epsilon):\n    return answer + {NOISE}\n"


@pytest.mark.parametrize(("value", "before"), EQUAL.values(), ids=EQUAL)
def test_identifiers_that_are_equal(tmp_path, value, before):
    other = "def minimum(a, b):\n    return a\n"

    assert proof_of(tmp_path, table(value, before), other=other) is None


@pytest.mark.parametrize(("before", "value"), PRIVATE.values(), ids=PRIVATE)
def test_private_names_in_a_class(tmp_path, before, value):
    """Outside of a class the names are other ones, and with them the claim is right."""
    method = f"class Thing:\n    {TABLE}    def release(self, rng, people: pd.DataFrame, epsilon):\n"
    text = f"{before}\n\n{method}        return float({value} + {NOISE})\n"
    other = "def fabs(x):\n    return 9\n"

    assert proof_of(tmp_path, text, "Thing.release", other) is None
    assert proof_of(tmp_path, table(value, before), other=other) is not None


@pytest.mark.parametrize(("value", "other"), BY_OTHERS.values(), ids=BY_OTHERS)
def test_a_library_that_another_module_changes(tmp_path, value, other):
    assert proof_of(tmp_path, table(value, "import other\n"), other=other) is None
    assert proof_of(tmp_path, table(value, "import other\n"), other="LIMIT = 1\n") is not None


@pytest.mark.parametrize("before", BY_ITSELF.values(), ids=BY_ITSELF)
def test_a_method_that_is_replaced(tmp_path, before):
    assert proof_of(tmp_path, table(CLIP, before)) is None


@pytest.mark.parametrize("before", HARMLESS.values(), ids=HARMLESS)
def test_what_changes_no_method(tmp_path, before):
    assert proof_of(tmp_path, table(CLIP, before)) is not None


@pytest.mark.parametrize(("before", "maker"), DRAWS.values(), ids=DRAWS)
def test_draws_that_are_replaced(tmp_path, before, maker):
    text = f"gen = {maker}\n    return answer + gen.expovariate(epsilon) - gen.expovariate(epsilon)\n"
    text = text if maker != "random" else text.partition("\n    ")[2].replace("gen.", "random.")
    claimed = f"{NUMBER}def release(answer: float, epsilon):\n    {text}"

    assert proof_of(tmp_path, f"{before}\n\n{claimed}") is None
    assert proof_of(tmp_path, claimed) is not None


@pytest.mark.parametrize(("annotation", "before"), ANNOTATIONS.values(), ids=ANNOTATIONS)
def test_generators_of_a_class_of_the_project(tmp_path, annotation, before):
    other = "import numpy as np\n\n" + MUTE.replace("Mute", "Foreign")

    assert proof_of(tmp_path, drawing(annotation, MUTE + before), other=other) is None


@pytest.mark.parametrize(("annotation", "before"), LIBRARIES.values(), ids=LIBRARIES)
def test_generators_of_a_library(tmp_path, annotation, before):
    assert proof_of(tmp_path, drawing(annotation, before)) is not None


def test_tables_of_a_class_of_the_project(tmp_path):
    wide = "class Wide(pd.DataFrame):\n    def __len__(self):\n        return 9 * super().__len__()\n"

    assert proof_of(tmp_path, table("len(people)", wide, "Wide")) is None
    assert proof_of(tmp_path, table("len(people)", wide)) is not None


def test_a_file_with_the_name_of_a_library(tmp_path):
    (tmp_path / "bisect.py").write_text("def bisect_left(a, x):\n    return 9 * x\n")
    text = f"import bisect\n\n\n{table('0 * bisect.bisect_left([0.5], 1) + len(people)')}"

    assert proof_of(tmp_path, text) is None
