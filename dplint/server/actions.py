"""Code actions: mend one thing or all, silence, keep a counterexample as a test, add a claim, and what lenses do."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from lsprotocol import types as lsp

from dplint.check.suggesting import NewClaim
from dplint.claims import Mechanism, Span
from dplint.codes import page_path
from dplint.config import with_known_noise
from dplint.contents import content
from dplint.outcomes import Edit, Finding, Fix, Known, Related, Result, Violation
from dplint.report.pytest_test import TestFile, pytest_test
from dplint.report.repair_words import known_words
from dplint.server.client import Client
from dplint.server.diagnostics import SOURCE, diagnostics
from dplint.server.documents import Document
from dplint.server.lenses import Command, Mode, lenses, result_of, visible_findings
from dplint.source.suppressions import ignore_edit, ignore_function_edit

FIX_ALL = f"{lsp.CodeActionKind.SourceFixAll.value}.dplint"
KINDS: list[lsp.CodeActionKind | str] = [lsp.CodeActionKind.QuickFix, lsp.CodeActionKind.RefactorRewrite, FIX_ALL]
_ESCAPES = "DP2"
"""So begin codes of data that escapes."""
_UNBOUNDED = ("DP210", "DP409")
"""Codes of values that nothing bounds."""
_NUMBER = re.compile(r"(?<![\w.])-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])")
_UNSILENCED = ("DP905",)
"""What could not be checked must not vanish."""


def actions(
    document: Document, params: lsp.CodeActionParams, client: Client, mode: Mode, claim: NewClaim | None = None
) -> list[lsp.CodeAction]:
    """What can be done at a place. claim: one that could be added there."""
    context = params.context
    mine = [item for item in context.diagnostics if item.source == SOURCE] or _standing(document, params.range)
    maker = _Maker(document, client)
    wanted = context.only
    found = [
        *maker.repairing(mine),
        *maker.mending(mine),
        *maker.choosing(mine),
        *maker.keeping(mine),
        *maker.acting(params.range, mode),
        *maker.explaining(mine),
        *maker.stating(mine),
        *maker.silencing(mine),
        *maker.claiming(claim),
        *maker.mending_all(at_least=2 if wanted is None else 1),
    ]
    if wanted is None:
        return found
    return [one for one in found if one.kind is not None and any(_is_kind(one.kind, kind) for kind in wanted)]


def _standing(document: Document, where: lsp.Range) -> list[lsp.Diagnostic]:
    """The diagnostics that touch a place, for an editor that does not say which ones it shows there."""
    return [item for item in diagnostics(document) if item.range.start <= where.end and where.start <= item.range.end]


def _is_kind(kind: str, wanted: str) -> bool:
    return wanted in ("", kind) or kind.startswith(f"{wanted}.")


@dataclass(frozen=True, slots=True)
class _Maker:
    document: Document
    client: Client

    def mending(self, items: list[lsp.Diagnostic]) -> Iterator[lsp.CodeAction]:
        """The fixes of findings that stand there still, or that explain a violation there."""
        offered = set[Fix]()
        for item in items:
            here = self._finding(item)
            result = self._verdict(item)
            for finding in [here] if here else result.explained_by if result else ():
                if finding.fix is not None and finding.fix not in offered:
                    offered.add(finding.fix)
                    yield self._edit(finding.fix.title, finding.fix.edits, [item], preferred=finding.fix.safe)

    def repairing(self, items: list[lsp.Diagnostic]) -> Iterator[lsp.CodeAction]:
        """The repairs of a violation, each with how it is known that the claim holds then."""
        for item in items:
            result = self._verdict(item)
            broken = result is not None and isinstance(result.outcome, Violation)
            for i, repair in enumerate(result.repairs if result is not None and broken else ()):
                preferred = i == 0 and repair.known is Known.PROVED
                yield self._edit(f"{repair.title} ({known_words(repair)})", repair.edits, [item], preferred=preferred)

    def mending_all(self, at_least: int) -> Iterator[lsp.CodeAction]:
        """All fixes that change nothing but what is wrong, if there are so many and they keep out of each other."""
        edits, fixes = list[Edit](), 0
        for finding in visible_findings(self.document):
            fix = finding.fix
            if fix is not None and fix.safe and not any(_touch(one, other) for one in fix.edits for other in edits):
                edits += fix.edits
                fixes += 1
        if fixes >= at_least:
            yield self._edit("Apply all safe fixes of dplint", edits, [], kind=FIX_ALL)

    def choosing(self, items: list[lsp.Diagnostic]) -> Iterator[lsp.CodeAction]:
        """Another interpreter, where that one, or a module in it, is at fault."""
        for item in items:
            if self.client.select_interpreter and isinstance(item.data, dict) and "functions" in item.data:
                command = lsp.Command("Select another interpreter", "dplint.selectInterpreter")
                yield _command(command, [item], preferred=True)

    def acting(self, where: lsp.Range, mode: Mode) -> Iterator[lsp.CodeAction]:
        """What the lenses above a mechanism do, at its head and its claim, for editors that may show no lenses."""
        line, _ = self.document.text.place(where.start)
        view = None if self.client.panel else self.document.view_at(line)
        if view is None or line > view.mechanism.span.line:
            return
        for lens in lenses(self.document, mode, view.mechanism.qualname):
            command = lens.command
            if command is not None and command.command and " · " not in command.title:
                title = f"{command.title.capitalize()}: {view.mechanism.qualname}"
                yield _command(lsp.Command(title, command.command, arguments=command.arguments), [])
        if mode is Mode.ON and self.document.may_run:
            name = view.mechanism.qualname
            command = lsp.Command(f"Worst input: {name}", Command.WORST, arguments=[self.document.uri, name])
            yield _command(command, [])

    def explaining(self, items: list[lsp.Diagnostic]) -> Iterator[lsp.CodeAction]:
        """The page of each code."""
        for code in dict.fromkeys(str(item.code) for item in items if item.code):
            if page_path(code) is not None:
                yield _command(lsp.Command(f"Explain {code}", Command.EXPLAIN, arguments=[code]), [])

    def _verdict(self, item: lsp.Diagnostic) -> Result | None:
        """What is known of the mechanism that a diagnostic is a verdict on."""
        name = item.data.get("function") if isinstance(item.data, dict) else None
        return result_of(self.document, str(name)) if str(item.code).startswith("DP9") else None

    def silencing(self, items: list[lsp.Diagnostic]) -> Iterator[lsp.CodeAction]:
        """Comments that silence, for the line and for the function."""
        text = self.document.text.text
        for item in items:
            code = str(item.code or "")
            if not code or code in _UNSILENCED:
                continue
            line, _ = self.document.text.place(item.range.start)
            yield self._edit(f"Ignore {code} here", [ignore_edit(text, line, code)], [item])
            if any(view.mechanism.span.line <= line <= view.last for view in self.document.views):
                whole = ignore_function_edit(text, line, code)
                yield self._edit(f"Ignore {code} in this function", [whole], [item])

    def stating(self, items: list[lsp.Diagnostic]) -> Iterator[lsp.CodeAction]:
        """Of a value on the way of data: that it is public, or clipped; of a function there, that it adds noise."""
        for item in items:
            finding = self._finding(item)
            if finding is None or not finding.code.startswith((_ESCAPES, *_UNBOUNDED)):
                continue
            made = [one for one in finding.way if one.message.startswith("`") and one.text and not one.helper]
            made = [one for one in made if "#" not in one.text]
            if made and finding.code not in _UNBOUNDED:
                yield self._said(f"{made[-1].message} is public", "public", made[-1], item)
            for one in made if finding.code in _UNBOUNDED else ():
                ends = sorted(_NUMBER.findall(one.text), key=float)
                if len(ends) == 2:
                    clips = f"[{ends[0]}, {ends[1]}]"
                    yield self._said(f"{one.message} is clipped to {clips}", f"clips {clips}", one, item)
            for name in dict.fromkeys(one.helper for one in finding.way if one.helper):
                edits = self._known_noise(name)
                if edits is not None:
                    title = f"`{name}` adds noise: name it in pyproject.toml"
                    yield lsp.CodeAction(title, kind=lsp.CodeActionKind.QuickFix, diagnostics=[item], edit=edits)

    def _said(self, title: str, what: str, made: Related, item: lsp.Diagnostic) -> lsp.CodeAction:
        """A comment in the line where a value gets its name."""
        line = made.span.line
        end = len(self.document.text.text.splitlines()[line - 1].rstrip()) + 1
        edit = Edit(Span(line, end, line, end), f"  # dplint: {what}")
        return self._edit(f"{title}: say so in line {line}", [edit], [item])

    def _finding(self, item: lsp.Diagnostic) -> Finding | None:
        """The finding that a diagnostic tells of, if it stands there still."""
        here = (one for one in visible_findings(self.document) if one.code == item.code)
        return next((one for one in here if self.document.text.range(one.span) == item.range), None)

    def _known_noise(self, name: str) -> lsp.WorkspaceEdit | None:
        """The edit of the project's pyproject.toml; None where there is none, or it cannot be edited so."""
        path = self.document.settings.pyproject
        try:
            text = None if path is None else content(path).decode("utf-8")
        except (OSError, UnicodeDecodeError):
            return None
        found = None if text is None else with_known_noise(text, name)
        if path is None or text is None or found is None:
            return None
        offset, inserted = found
        before = text[:offset].split("\n")
        place = lsp.Position(len(before) - 1, len(before[-1]))
        return lsp.WorkspaceEdit(changes={path.as_uri(): [lsp.TextEdit(lsp.Range(place, place), inserted)]})

    def keeping(self, items: list[lsp.Diagnostic]) -> Iterator[lsp.CodeAction]:
        """For each violation: its counterexample as a test."""
        for item in items:
            result = self._verdict(item)
            test = pytest_test(result) if result is not None and isinstance(result.outcome, Violation) else None
            if result is None or test is None:
                continue
            title = f"{'Copy' if self.client.clipboard else 'Show'} the counterexample as a pytest test"
            arguments: list[object] = [self.document.uri, result.mechanism.qualname]
            yield _command(lsp.Command(title, Command.COPY_TEST, arguments=arguments), [item])
            edit = self._new_file(path_of_test(result.mechanism, test), test.text)
            if edit is not None:
                title = f"Write the counterexample to tests/{test.file_name}"
                yield lsp.CodeAction(title=title, kind=lsp.CodeActionKind.QuickFix, diagnostics=[item], edit=edit)

    def claiming(self, found: NewClaim | None) -> Iterator[lsp.CodeAction]:
        """A claim for a function that adds noise to data and has none."""
        if found is not None:
            title = f"Add a claim to {found.function}: @{found.claim}"
            yield self._edit(title, found.edits, [], kind=lsp.CodeActionKind.RefactorRewrite)

    def _new_file(self, path: Path, text: str) -> lsp.WorkspaceEdit | None:
        """The edit that writes a new file; None if there is one, or the editor cannot make files."""
        if path.exists() or not self.client.create_files:
            return None
        start = lsp.Range(lsp.Position(0, 0), lsp.Position(0, 0))
        identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri=path.as_uri())
        return lsp.WorkspaceEdit(
            document_changes=[
                lsp.CreateFile(uri=path.as_uri(), options=lsp.CreateFileOptions(ignore_if_exists=True)),
                lsp.TextDocumentEdit(identifier, [lsp.TextEdit(start, text)]),
            ]
        )

    def _edit(
        self,
        title: str,
        edits: Iterable[Edit],
        items: list[lsp.Diagnostic],
        *,
        preferred: bool = False,
        kind: lsp.CodeActionKind | str = lsp.CodeActionKind.QuickFix,
    ) -> lsp.CodeAction:
        document = self.document
        changes = [lsp.TextEdit(document.text.range(edit.span), edit.text) for edit in edits]
        if self.client.document_changes:
            identifier = lsp.OptionalVersionedTextDocumentIdentifier(uri=document.uri, version=document.version)
            edit = lsp.WorkspaceEdit(document_changes=[lsp.TextDocumentEdit(identifier, list(changes))])
        else:
            edit = lsp.WorkspaceEdit(changes={document.uri: changes})
        return lsp.CodeAction(
            title=title, kind=kind, diagnostics=items or None, is_preferred=preferred or None, edit=edit
        )


def _command(command: lsp.Command, items: list[lsp.Diagnostic], *, preferred: bool = False) -> lsp.CodeAction:
    kind = lsp.CodeActionKind.QuickFix if items else lsp.CodeActionKind.Empty
    return lsp.CodeAction(
        title=command.title, kind=kind, diagnostics=items or None, is_preferred=preferred or None, command=command
    )


def _touch(one: Edit, other: Edit) -> bool:
    """Whether two edits are about the same text."""
    first, second = sorted((one.span, other.span))
    return (second.line, second.column) < (first.end_line, first.end_column) or first == second


def path_of_test(mechanism: Mechanism, test: TestFile) -> Path:
    """Where a test belongs in the project of its mechanism."""
    return Path(mechanism.project_root) / "tests" / test.file_name
