"""Reads draws, and the generators that they come from."""

from __future__ import annotations

from dataclasses import replace
from typing import Protocol

import libcst as cst

from dplint.program.vocabulary import Signature
from dplint.rules.flow.expressions import ExpressionFlow, is_sequence
from dplint.rules.flow.terms import Draw, Kind, Term
from dplint.rules.flow.vocabulary import (
    DISTRIBUTIONS,
    FUNCTION_DRAWS,
    GENERATOR_NAME,
    GENERATORS,
    METHOD_DRAWS,
    RENAMED,
    UNMISTAKABLE,
    only_checks,
    short_name,
)


class Given(Protocol):
    """The arguments of a call."""

    @property
    def positional(self) -> list[Term]:
        """Those without a name."""
        ...

    @property
    def named(self) -> dict[str, Term]:
        """Those with one."""
        ...

    def all(self) -> list[Term]:
        """All of them."""
        ...

    def keys(self) -> list[str]:
        """The names that go with `all`."""
        ...


class DrawFlow(ExpressionFlow):
    """Makes terms of draws."""

    def draw(self, signature: Signature, draw: Draw, node: cst.Call, given: Given) -> Term:
        """The term of a draw; its arguments bear the canonical names of the parameters."""
        order = [name for name, _ in signature.parameters]
        if signature.sized and "size" not in order and not signature.dims:
            order.append("size")
        keys: list[str] = []
        terms: list[Term] = []
        for position, term in enumerate(given.positional):
            keys.append("size" if signature.dims else order[position] if position < len(order) else "?")
            terms.append(term)
        for name, term in given.named.items():
            keys.append(name if name in order or name not in RENAMED else RENAMED[name])
            terms.append(term)
        plain = [argument for argument in node.args if not argument.star]
        nodes = {key: argument.value for key, argument in zip(keys, plain, strict=False)}
        for name, default in (*signature.parameters, *signature.fixed):
            if name not in keys and name != "size" and isinstance(default, int | float):
                keys.append(name)
                terms.append(self.constant(default, None))
        if signature.distribution == "normal" and "scale" not in keys:
            keys.append("scale")
            terms.append(self.constant(1.0, None))
        if signature.distribution == "exponential" and "rate" in keys:
            position = keys.index("rate")
            rate = terms[position]
            one = self.constant(1.0, None)
            keys[position], terms[position] = "scale", self.make(Kind.OPERATION, "/", rate.node, [one, rate])
        sized = any(
            (key in ("size", "like", "sample_shape") and not (one.kind is Kind.CONSTANT and one.value is None))
            or (key == "loc" and is_sequence(one))
            for key, one in zip(keys, terms, strict=True)
        )
        return self.make(
            Kind.DRAW,
            signature.distribution,
            node,
            terms,
            keys=keys,
            value=replace(draw, sized=draw.sized or sized, nodes=nodes),
        )

    def noise(self, source: str, name: str, node: cst.CSTNode, args: list[Term], keys: list[str]) -> Term:
        """The term of a call that adds noise in a way that is not known in detail; of one that only checks, not."""
        if only_checks(name):
            return self.make(Kind.CALL, short_name(name), node, args, keys=keys, value=name)
        return self.make(Kind.DRAW, source, node, args, keys=keys, value=Draw(source, name, None, sized=True))

    def generator(self, canonical: str, node: cst.Call, given: Given) -> Term:
        """The term of a generator that is made here."""
        if len(given.positional) == 1 and given.positional[0].kind is Kind.GENERATOR:
            inner = given.positional[0]
            if inner.value == "parameter" or canonical == "numpy.random.default_rng":
                return inner
        return self.make(Kind.GENERATOR, GENERATORS[canonical], node, given.all(), keys=given.keys(), value=canonical)

    def method_draw(self, receiver: Term, path: str | None, name: str, node: cst.Call, given: Given) -> Term | None:
        """A draw by a method, None if it is none."""
        if receiver.kind is Kind.GENERATOR:
            if name in METHOD_DRAWS:
                source = "parameter" if receiver.value == "parameter" else "local"
                return self.draw(METHOD_DRAWS[name], Draw(source, f".{name}", receiver, False), node, given)
            if name == "spawn":
                return receiver
            return self.make(Kind.SYMBOL, f"<{name}>", node)
        if receiver.kind is Kind.CALL and receiver.value in DISTRIBUTIONS and name in ("sample", "rsample"):
            shape = Draw("module", str(receiver.value), None, bool(given.all()))
            positional = dict(zip(("loc", "scale"), receiver.args, strict=False))
            named = {key: one for key, one in zip(receiver.keys, receiver.args, strict=True) if key}
            return self.draw(DISTRIBUTIONS[str(receiver.value)], shape, node, _Named({**positional, **named}))
        if receiver.kind is Kind.SYMBOL and f"{receiver.name}.{name}" in FUNCTION_DRAWS:
            full = f"{receiver.name}.{name}"
            return self.draw(FUNCTION_DRAWS[full], Draw("module", full, None, False), node, given)
        named_so = path is not None and GENERATOR_NAME.search(path) is not None
        if receiver.kind is Kind.SYMBOL and name in METHOD_DRAWS and (named_so or name in UNMISTAKABLE):
            return self.draw(METHOD_DRAWS[name], Draw("attribute", f".{name}", receiver, False), node, given)
        return None


class _Named:
    """Arguments that all have names."""

    def __init__(self, named: dict[str, Term]) -> None:
        self.positional: list[Term] = []
        self.named = named

    def all(self) -> list[Term]:
        return list(self.named.values())

    def keys(self) -> list[str]:
        return list(self.named)
