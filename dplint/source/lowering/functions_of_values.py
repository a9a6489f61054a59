"""Constructs that no program has, and that are certainly a function of the values in them: `Decimal(x)`, `{a, b}`.

What such an expression gives hangs on nothing else, it changes nothing, and looks at the identity of nothing. Certain
are displays, comprehensions, classes of the project that do nothing but keep what they are given, and the functions of
libraries and methods that are named here, none of which calls what it is given.
"""

from __future__ import annotations

from collections.abc import Sequence

import libcst as cst

from dplint.source.bindings import dotted_name, statements
from dplint.source.certain import ModuleFacts
from dplint.source.lowering.scope import Scope
from dplint.source.record_classes import named_tuple, record_class

_IN = {
    "": """abs all any ascii bin bool bytearray bytes chr complex dict divmod enumerate float format frozenset hex int
        len list max min oct ord pow range repr reversed round set slice sorted str sum tuple zip""",
    "base64": "b64encode b64decode b32encode b16encode",
    "collections": "Counter OrderedDict deque",
    "datetime": "date datetime time timedelta timezone",
    "decimal": "Decimal",
    "fractions": "Fraction",
    "io": "BytesIO StringIO",
    "json": "dumps",
    "math": """ceil comb copysign cos exp expm1 fabs floor fsum hypot isclose isfinite isinf isnan ldexp log log10 log1p
        log2 pow prod sin sqrt tan tanh trunc""",
    "numpy": """abs absolute allclose arange argmax argmin argsort around array array_equal asarray atleast_1d
        atleast_2d average bincount bool_ broadcast_to ceil clip column_stack concatenate copysign cos count_nonzero
        cumprod cumsum datetime64 diff digitize dot  exp expm1 expand_dims eye float16 float32 float64 floor
        full full_like hstack int8 int16 int32 int64 isfinite isinf isnan linspace log log10 log1p log2 matmul max
        maximum mean median min minimum nan_to_num ndim ones ones_like outer percentile prod ptp quantile ravel repeat
        reshape rint round searchsorted shape sign sin size sort sqrt square squeeze stack std sum tanh tile timedelta64
        transpose tril triu trunc uint8 uint16 uint32 uint64 unique vander var vstack where zeros zeros_like""",
    "numpy.linalg": "det eigh eigvalsh inv lstsq matrix_rank norm pinv qr solve svd",
    "pandas": "Categorical DataFrame Index Interval Series Timedelta Timestamp concat crosstab cut isna notna",
    "pathlib": "PurePath PurePosixPath PureWindowsPath",
    "polars": "DataFrame Series",
    "scipy.special": "erf erfinv expit gammaln logit logsumexp ndtr ndtri softmax",
    "statistics": "fmean mean median mode pstdev pvariance stdev variance",
    "struct": "pack",
    "torch": "as_tensor bool cat float32 float64 int64 ones stack tensor zeros",
    "types": "MappingProxyType SimpleNamespace",
}
_FUNCTIONS = frozenset(f"{module}.{name}".lstrip(".") for module, names in _IN.items() for name in names.split())
_METHODS = frozenset(
    """
    abs add_prefix add_suffix all any argmax argmin argsort as_integer_ratio as_tuple astype capitalize casefold center
    clip copy count cumsum date decode diff dot encode endswith flatten format fsum hex idxmax idxmin index is_integer
    isdigit isoformat item items join keys limit_denominator ljust lower lstrip max mean median min most_common nlargest
    nonzero nsmallest numpy quantile quantize ravel reindex rename rename_axis repeat replace reset_index reshape rjust
    round rstrip set_axis set_index sort_index sort_values split splitlines squeeze startswith std stack strftime strip
    sum swapaxes swapcase tail head time title to_bytes to_dict to_dicts to_frame to_json to_list to_numpy to_string
    tobytes tolist total total_seconds transpose unstack upper values var with_name with_suffix zfill
    """.split()  # noqa: SIM905 - a word a line would be longer
)
"""Of numbers, texts, arrays, tables and tensors; none changes its receiver unless it is told to by a keyword."""
_ATTRIBUTES = frozenset(
    """
    T columns day days denominator dtype dtypes hour imag index iloc loc microsecond minute month name names nbytes ndim
    numerator real seconds second shape size stem suffix values year
    """.split()  # noqa: SIM905
)
_CHANGING = frozenset({"buffer", "copy", "default", "dtype_backend", "file", "func", "inplace", "key", "out", "where"})
"""Keywords by which a function or method may change or call what it is given."""
_CONSTRUCTORS = ("__init__", "__new__", "__post_init__", "__attrs_post_init__", "__setattr__")
_MADE_BY = frozenset({"attrs.define", "attrs.frozen", "attr.s", "attr.attrs", "attr.define", "attr.frozen"})


def parts_of_function(scope: Scope, node: cst.BaseExpression) -> Sequence[cst.BaseExpression] | None:
    """The expressions that it is a function of, in the order of their evaluation; None if it may be more than that."""
    match node:
        case cst.Call() if all(one.keyword is None or one.keyword.value not in _CHANGING for one in node.args):
            return _parts_of_call(scope, node)
        case cst.Attribute():
            if _is_known(scope, node):
                return []
            known = scope.canonical(node) is None and node.attr.value in _ATTRIBUTES
            return [node.value] if known and not _stands_for_more(scope, node.value) else None
        case cst.Name():
            made_by = scope.module_call(node)
            if _is_known(scope, node) or (made_by is not None and _is_constant(*made_by)):
                return []
        case cst.Set():
            return [one.value for one in node.elements]
        case cst.Imaginary():
            return []
    return None


def _is_known(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether a name stands for one of the functions that are named here, and no module of the project has its name."""
    canonical = scope.canonical(node)
    return canonical in _FUNCTIONS and not scope.elsewhere.has_module((canonical or "").partition(".")[0])


def _parts_of_call(scope: Scope, node: cst.Call) -> Sequence[cst.BaseExpression] | None:
    given, canonical = [one.value for one in node.args], scope.canonical(node.func)
    if canonical is not None:
        return given if _is_known(scope, node.func) else None
    if isinstance(node.func, cst.Name | cst.Attribute) and _keeps(scope, node.func):
        return given
    if isinstance(node.func, cst.Attribute) and node.func.attr.value in _METHODS:
        return None if _stands_for_more(scope, node.func.value) else [node.func.value, *given]
    return None


def _stands_for_more(scope: Scope, node: cst.BaseExpression) -> bool:
    """Whether it is, or may be, a module, a class, an object of the caller's or a generator of noise."""
    name = dotted_name(node)
    if name is None:
        return False
    first = name.partition(".")[0]
    return scope.stream(first) is not None or scope.local(first) is None or first in scope.parameters


def _keeps(scope: Scope, node: cst.Name | cst.Attribute) -> bool:
    """Whether a name stands for a class whose constructor does nothing but keep what it is given."""
    if any(map(scope.elsewhere.may_change, _CONSTRUCTORS)):
        return False
    found = scope.class_of(node)
    if found is not None:
        has_methods = any(isinstance(one, cst.FunctionDef) for one in statements(found[1].body))
        return _is_plain(*found) or (not has_methods and record_class(*found) is not None)
    made = scope.module_call(node)
    return made is not None and named_tuple(*made) is not None


def _is_plain(facts: ModuleFacts, node: cst.ClassDef) -> bool:
    """Whether a class has fields of attrs alone, or a constructor that only assigns its parameters to attributes."""
    if node.keywords or any(facts.names.full_name(dotted_name(one.value) or "") != "object" for one in node.bases):
        return False
    decorators = [facts.names.full_name(dotted_name(one.decorator) or "") for one in node.decorators]
    body = [*statements(node.body)]
    if decorators:
        fields = [one for one in body if not _is_text(one)]
        return len(decorators) == 1 and decorators[0] in _MADE_BY and all(map(_is_bare_field, fields))
    return all(_is_text(one) or _is_slots(one) or _is_constructor(one) for one in body)


def _is_text(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Pass) or (isinstance(node, cst.Expr) and isinstance(node.value, cst.SimpleString))


def _is_bare_field(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.AnnAssign) and node.value is None


def _is_slots(node: cst.CSTNode) -> bool:
    match node:
        case cst.Assign(targets=[cst.AssignTarget(target=cst.Name(value="__slots__"))]):
            return True
    return False


def _is_constructor(node: cst.CSTNode) -> bool:
    """`def __init__(self, low, high): self.low = low; ...`, with no default."""
    if not isinstance(node, cst.FunctionDef) or node.name.value != "__init__" or node.decorators:
        return False
    names = [one.name.value for one in node.params.params]
    if not names or any(one.default is not None for one in (*node.params.params, *node.params.kwonly_params)):
        return False
    for one in statements(node.body):
        match one:
            case cst.Assign(
                targets=[cst.AssignTarget(target=cst.Attribute(value=cst.Name(value=owner)))],
                value=cst.Name(value=given),
            ) if owner == names[0] and given in names[1:]:
                continue
        if not _is_text(one):
            return False
    return True


def _is_constant(facts: ModuleFacts, made: cst.Call) -> bool:
    """Whether a call at the top level of a module makes what nothing can change, from what is written there."""
    literals = cst.Integer | cst.Float | cst.SimpleString
    unchanging = ("datetime.", "decimal.", "fractions.")
    name = facts.names.full_name(dotted_name(made.func) or "") or ""
    return (
        name in _FUNCTIONS and name.startswith(unchanging) and all(isinstance(one.value, literals) for one in made.args)
    )
