"""The parameters of a function, and which of them take the data and the generator."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

import libcst as cst

from dplint.claims import Fixed, Parameter, ParameterKind
from dplint.runner.generators import SEED_NAMES
from dplint.source.static_values import Names, NotStaticError, dotted_name, read_value
from dplint.syntax import parse_expression

GENERATOR = "numpy.random.Generator"
_GENERATOR_NAMES = ("rng", "prng", "random_state", "generator")
_VARIADIC = (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)


def read_parameters(
    tree: cst.Module, node: cst.FunctionDef | cst.Lambda, names: Names, *, bound: bool
) -> tuple[Parameter, ...]:
    """The parameters that a caller gives, in their order.

    names: what names mean in the module, for defaults. bound: the first one is `self` or `cls` and is left out.
    """
    params = node.params
    groups: list[tuple[ParameterKind, Sequence[cst.Param]]] = [
        (ParameterKind.POSITIONAL_ONLY, params.posonly_params),
        (ParameterKind.NORMAL, params.params),
        (ParameterKind.VAR_POSITIONAL, [params.star_arg] if isinstance(params.star_arg, cst.Param) else []),
        (ParameterKind.KEYWORD_ONLY, params.kwonly_params),
        (ParameterKind.VAR_KEYWORD, [params.star_kwarg] if params.star_kwarg is not None else []),
    ]
    found = tuple(_parameter(tree, param, kind, names) for kind, group in groups for param in group)
    drop_first = bound and found and found[0].kind in (ParameterKind.POSITIONAL_ONLY, ParameterKind.NORMAL)
    return found[1:] if drop_first else found


def is_variadic(parameter: Parameter) -> bool:
    """Whether the parameter is `*args` or `**kwargs`."""
    return parameter.kind in _VARIADIC


def default_generator(parameters: Sequence[Parameter], names: Names, settled: Collection[str] = ()) -> str | None:
    """The parameter that is named or annotated as a generator, or that takes a seed; None if there is none.

    settled: parameters that the claim gives values, of which none is a seed.
    """
    ordinary = [one for one in parameters if not is_variadic(one)]
    return next((one.name for one in ordinary if _is_generator(one, names, settled)), None)


def default_data(parameters: Sequence[Parameter], generator: str | None) -> str | None:
    """The first parameter that is not the generator; `*args` if nothing else is left."""
    others = [parameter for parameter in parameters if parameter.name != generator]
    ordinary = [parameter.name for parameter in others if not is_variadic(parameter)]
    variadic = [parameter.name for parameter in others if parameter.kind is ParameterKind.VAR_POSITIONAL]
    return next(iter((*ordinary, *variadic)), None)


def _parameter(tree: cst.Module, param: cst.Param, kind: ParameterKind, names: Names) -> Parameter:
    annotation = None if param.annotation is None else tree.code_for_node(param.annotation.annotation)
    if param.default is None:
        return Parameter(param.name.value, kind, annotation)
    default = tree.code_for_node(param.default)
    return Parameter(param.name.value, kind, annotation, default, _value(default, names))


def _value(default: str, names: Names) -> Fixed | None:
    """The default where the module tells it."""
    try:
        return Fixed(read_value(parse_expression(default.strip()), names))
    except (NotStaticError, SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _is_generator(parameter: Parameter, names: Names, settled: Collection[str]) -> bool:
    annotated = {names.full_name(name) for name in _annotated_names(parameter.annotation)}
    if any(name.startswith("torch.") for name in annotated):
        return False  # nobody makes one here: its default is what it gets
    if parameter.name in SEED_NAMES or (parameter.name in _GENERATOR_NAMES and "int" in annotated):
        # A seed, of which every run needs its own; `seed=None` stays None.
        return parameter.default is None and parameter.name not in settled
    if parameter.name in _GENERATOR_NAMES:
        return True
    return GENERATOR in annotated or ("Generator" in annotated and "Generator" not in names.bound)


def _annotated_names(annotation: str | None) -> Iterator[str]:
    """The dotted names in an annotation, also in a string and inside `Optional[...]` or `... | None`."""
    if annotation is None:
        return
    try:
        tree = parse_expression(annotation)
        pending = [tree]
        while pending:
            node = pending.pop()
            dotted = dotted_name(node)
            if dotted is not None:
                yield dotted
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                pending.append(parse_expression(node.value))
            else:
                pending.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
