"""`dplint library`: a library's constructors against their own maps of stability and privacy, in one table."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import click

from dplint.check import check_paths
from dplint.check.library import MODULE, AdapterError, adapter_of, adapters, ask, claimed_module
from dplint.cli.output import report_stream, require_writable, watched
from dplint.cli.overrides import overrides, settings_for
from dplint.config import Settings, hint
from dplint.config.settings import choose_interpreter
from dplint.outcomes import CheckError, Failed, NotRefuted, NoViolation, Result, Underpowered, Unstable, Violation
from dplint.report.document import Code, Document, Head, Items, Say, Strong
from dplint.report.documents import message
from dplint.report.gathered import verdict_name
from dplint.report.json_document import result_json
from dplint.report.json_evidence import VERSION, json_text
from dplint.report.stability_words import NOT_STABLE, chance_words
from dplint.report.words import NOT_PRIVATE

ASKED = 600.0
"""Seconds that an adapter may take."""
LONGER = 10
"""Times as long as a claim of stability has one of privacy, which no single pair refutes."""


def run_library(name: str, options: Mapping[str, Any]) -> int:
    """Ask the constructors, test what they claim, and write the table; 1 if a claim is refuted, 2 if one failed.

    name: of a library with an adapter, or the path of one. Raises click.ClickException if there is none, or it fails.
    """
    adapter = adapter_of(name)
    if adapter is None:
        raise click.UsageError(f"there is no adapter {name!r}. {hint(name, adapters(), noun='libraries')}")
    require_writable(options["output_file"])
    settings = settings_for(Path.cwd(), overrides({"budget": options["budget"], "interpreter": options["interpreter"]}))
    if isinstance(settings, CheckError):
        raise click.ClickException(f"{settings.file}: {settings.message}")
    try:
        document = ask(adapter, choose_interpreter(settings, str(Path.cwd())), ASKED)
    except AdapterError as error:
        raise click.ClickException(f"the adapter {adapter.name} does not tell what there is: {error}") from None
    results = tested(document, settings, shown=not options["no_progress"])
    with report_stream(options["output_file"]) as out:
        if options["form"] == "json":
            out.write(
                json_text({"version": VERSION, "library": document["library"], "results": _json(document, results)})
            )
        else:
            from dplint.cli.people import write_document  # noqa: PLC0415 - rich is imported only where it is used

            write_document(_told(document, results), out)
    if any(isinstance(one.outcome, Failed) for one in results):
        return 2
    return int(any(isinstance(one.outcome, Unstable | Violation) for one in results))


def tested(document: Mapping[str, Any], settings: Settings, *, shown: bool) -> list[Result]:
    """The verdicts of all claims of an adapter's document, in their order. shown: whether the progress is."""
    found: list[Result] = []
    with tempfile.TemporaryDirectory() as folder:
        for stable, budget in ((True, settings.budget), (False, LONGER * settings.budget)):
            path = Path(folder) / f"{MODULE}_{'stability' if stable else 'privacy'}.py"
            path.write_text(claimed_module(dict(document), stable=stable), encoding="utf-8")
            prepared = replace(settings, proofs=False, budget=budget)
            with closing(watched(check_paths([path], prepared), shown=shown)) as events:
                found += [event for event in events if isinstance(event, Result)]
    return sorted(found, key=_number)


def _number(result: Result) -> int:
    return int(result.mechanism.qualname.rpartition("_")[2])


def constructor_of(document: Mapping[str, Any], result: Result) -> str:
    """The expression that made what a verdict is about."""
    return str(document["claims"][_number(result)]["make"])


def _json(document: Mapping[str, Any], results: list[Result]) -> Any:
    return [{**result_json(one), "make": constructor_of(document, one)} for one in results]


def witness_of(result: Result) -> str:
    """What refutes a claim, in a line."""
    outcome = result.outcome
    if isinstance(outcome, Unstable):
        pair = outcome.pair
        said = f"{pair.output1} on {json.dumps(pair.d1)}, {pair.output2} on {json.dumps(pair.d2)}; "
        said += f"outputs {pair.distance:g} apart ({outcome.stability.metric}), {outcome.d_out:g} claimed"
        return said + chance_words(outcome)
    assert isinstance(outcome, Violation)
    witness = outcome.counterexample.witness
    return f"{message(result)}, with D1 = {json.dumps(witness.d1)} and D2 = {json.dumps(witness.d2)}"


def _told(document: Mapping[str, Any], results: list[Result]) -> Document:
    """What was refuted, with its pair; what could not be tested; and how many were not refuted."""
    refuted = [one for one in results if isinstance(one.outcome, Unstable | Violation)]
    weak = [one for one in results if isinstance(one.outcome, Underpowered)]
    kept = (Unstable, Violation, Underpowered, NotRefuted, NoViolation)
    others = [one for one in results if not isinstance(one.outcome, kept)]
    lines = [(Code(constructor_of(document, one)), f": {witness_of(one)}") for one in refuted]
    told = [(Code(constructor_of(document, one)), f" {verdict_name(one.outcome)}: {message(one)}") for one in others]
    tried = len(results) - len(refuted) - len(others) - len(weak)
    head = f"{len(refuted)} of {len(results)} claims of constructors are refuted"
    little = f", of {len(weak)} too little was tried to tell" if weak else ""
    means = [NOT_STABLE] * any(isinstance(one.outcome, NotRefuted | Unstable) for one in results)
    means += [NOT_PRIVATE] * any(isinstance(one.outcome, NoViolation) for one in results)
    counted = f"{tried} are not refuted{little}, and {len(others)} could not be tested. {' '.join(means)}"
    kind = "violation" if refuted else "info"
    body = (Items(tuple(lines)), Items(tuple(told)), Say((counted,), "dim"))
    return Document(Head(f"{document['library']}:", None, None, "", (Strong(head),), kind), body)
