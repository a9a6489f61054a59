"""The text of an exception that a handler has caught: `except ValueError as error: return str(error)`.

It is known where a `raise` of the `try` itself says it: there it gets a variable. What Python or a function that is
called raises has a text that no program knows, and where a handler asks for that, the run is refused.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import libcst as cst

from dplint.program.nodes import (
    Assign,
    Call,
    Compare,
    Constant,
    Expression,
    For,
    If,
    Name,
    Raise,
    Statement,
    Try,
    While,
)
from dplint.program.opaque import opaque
from dplint.program.refusals import Unsupported
from dplint.program.walk import walk
from dplint.source.lowering.reader import Reader

USED = ("a caught exception used as a value", "return or raise something else")
_UNKNOWN = ("the text of what Python raises", "say what happened in a text of your own")


class CaughtTexts:
    """Lowers what asks for such texts."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader
        self._scope = reader.scope
        self._open: list[tuple[str, Name]] = []
        """What the handlers around call what they have caught, and the variables of their texts."""
        self._asked: dict[int, Name] = {}
        """Those of handlers that ask for them, by the identity of the handler."""
        self._others = reader.text
        reader.text = self._text
        reader.register({cst.Call: self._called})

    def begin(self, name: str, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> None:
        """From here on a name stands for what a handler has caught."""
        self._open.append((name, Name(self._scope.rename({"text"})["text"], self._reader.span(handler))))

    def end(self, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> None:
        """From here on it stands for nothing."""
        _, text = self._open.pop()
        if text.id in {one.id for one in self._asked.values()}:
            self._asked[id(handler)] = text

    def _text(self, node: cst.BaseExpression) -> Expression | None:
        return self._of(node) or self._others(node)

    def _called(self, node: cst.Call) -> Expression | None:
        """`str(error)`; None for everything else."""
        match node.args:
            case [cst.Arg(value=cst.Name() as asked, keyword=None, star="")] if (
                self._scope.canonical(node.func) == "str"
            ):
                return self._of(asked)
        return None

    def _of(self, node: cst.BaseExpression) -> Expression | None:
        """The text of what a name stands for; None for everything else."""
        if not isinstance(node, cst.Name):
            return None
        text = next((one for name, one in reversed(self._open) if name == node.value), None)
        if text is None or (self._scope.local(node.value) or node.value) not in self._scope.unusable:
            return None
        self._asked[id(node)] = text
        span = self._reader.span(node)
        unknown = opaque(Unsupported(_UNKNOWN[0], span, _UNKNOWN[1]))
        test = Compare(text, ("is",), (Constant(None, span),), span)
        return self._reader.staged((If(test, (unknown,), (), span),), text, span)

    def told(
        self, body: tuple[Statement, ...], handlers: Sequence[cst.ExceptHandler | cst.ExceptStarHandler]
    ) -> tuple[Statement, ...]:
        """What a `try` does, with texts for the handlers that ask for them."""
        for handler in handlers:
            text = self._asked.get(id(handler))
            if text is not None:
                start = Assign((text,), Constant(None, text.span), text.span)
                # What an inner handler has caught would be taken for what is raised later.
                inner = any(isinstance(one, Try) for one in walk(body))
                body = (start, *(body if inner else self._said(body, text)))
        return body

    def _said(self, body: Sequence[Statement], text: Name) -> tuple[Statement, ...]:
        """Statements, with the text of each exception that they raise in a variable."""
        said: list[Statement] = []
        for one in body:
            match one:
                case If() | For() | While():
                    inside, rest = self._said(one.body, text), self._said(one.orelse, text)
                    said.append(replace(one, body=inside, orelse=rest))
                case Raise(exception=str() as exception, arguments=() | (_,)) if exception:
                    given = (Name(f"{text.id}[given]", one.span),) if one.arguments else ()
                    said += (*self._noted(one, text), replace(one, arguments=given))
                case _:
                    said.append(one)
        return tuple(said)

    def _noted(self, one: Raise, text: Name) -> tuple[Statement, ...]:
        if not one.arguments:
            return (Assign((text,), Constant("", one.span), one.span),)
        given, span = Name(f"{text.id}[given]", one.span), one.span
        # The text of a KeyError shows the key as it is written.
        shown = "repr" if one.exception == "KeyError" else "str"
        return Assign((given,), one.arguments[0], span), Assign((text,), Call(shown, (given,), (), span), span)
