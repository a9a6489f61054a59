"""From pairs and choices of arguments to inputs that can be run: a first look at whether runs work at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dplint.audit.inputs import Choice, Inputs, Tried, gather_inputs, try_choices
from dplint.audit.session import AuditSession
from dplint.claims import Literal, Pair
from dplint.inputs.forms import data_annotation, form_notes, form_words
from dplint.outcomes import FailureKind
from dplint.relations import DataKind, relation_of
from dplint.runner.batch import Batch
from dplint.runner.client import RunnerError

_SHOWN = 60
"""Characters of a data value in a note."""


@dataclass(frozen=True)
class Prepared:
    """Inputs that run, the choices that do, and one noise-free output for each data value where that worked.

    without: sizes of data that each choice is not to be used with, because its noise is none there.
    """

    inputs: Inputs
    choices: tuple[Choice, ...]
    noise_free: tuple[tuple[Batch, ...], ...]
    notes: tuple[str, ...]
    without: tuple[frozenset[int], ...]


def prepare(
    session: AuditSession,
    pairs: Sequence[Pair],
    choices: Sequence[Choice],
    stream: tuple[int, ...],
    *,
    needed: bool = True,
    remember: bool = True,
) -> Prepared:
    """Try a few runs of every choice, and leave out those that cannot be used: see `trying`.

    needed: whether it is a failure if none can, RunnerError of kind INPUT, NotTaken where another form of the data may
    help; otherwise there may be no choices in the answer. remember: whether choices that cannot be used with these
    pairs are of no use at all. Where nothing says which numbers the data may hold, pairs are left out of which a side
    makes every run raise.
    """
    inputs = gather_inputs(session, pairs)
    tried = try_choices(session, inputs, choices, stream, remember=remember)
    notes = list(tried.notes) if remember else []
    if not tried.running and needed:
        raise why_none(session, tried)
    if tried.running and tried.refused:
        inputs, more = _taken(session, inputs, tried)
        notes += more
        if not inputs.pairs and needed:
            raise NotTaken(min(tried.refused.items())[1], more[0])
        tried.running = tried.running if inputs.pairs else []
    notes += form_notes(session.mechanism)
    running = tried.running
    session.has_run = session.has_run or bool(running)
    if session.lanes is None and running:
        session.measure_speed(inputs.data, running[0].values, (*stream, len(choices)))
    # In machine numbers nothing is known of a run without noise: its draws would be replaced.
    noise_free = tuple(() if session.machine else session.noise_free(inputs.data, choice.values) for choice in running)
    without = tuple(tried.without[number] for number in range(len(running)))
    return Prepared(inputs, tuple(running), noise_free, tuple(notes), without)


class NotTaken(RunnerError):
    """Every run raised in the form in which the data was handed over. complaint: what."""

    def __init__(self, complaint: str, reason: str) -> None:
        super().__init__(FailureKind.INPUT, reason)
        self.complaint = complaint


def shown(value: Literal) -> str:
    """A data value in a note."""
    text = repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."


def _taken(session: AuditSession, inputs: Inputs, tried: Tried) -> tuple[Inputs, list[str]]:
    """The inputs without the pairs of which a side makes all runs raise under some choice that runs, and a note."""
    refused = tried.refused
    pairs = [pair for pair, sides in zip(inputs.pairs, inputs.sides, strict=True) if not refused.keys() & set(sides)]
    if len(pairs) == len(inputs.pairs):
        return inputs, []
    number, complaint = min(refused.items())
    note = (
        f"{shown(inputs.data[number].value)} and the like are not an input that the function takes ({complaint}): "
        "where they are, say so with domain= in the claim, or annotate the numbers of the data"
    )
    return gather_inputs(session, pairs), [note]


def why_none(session: AuditSession, before: Tried) -> RunnerError:
    """Why there is no choice of arguments that can be used."""
    complaint = before.complaint
    if not complaint:
        return RunnerError(FailureKind.INPUT, "; ".join(before.notes) or "no choice of arguments is left", "")
    owner = session.mechanism.qualname.rpartition(".")[0].rpartition(".")[2]
    if session.mechanism.receiver is not None and f"'{owner}' object has no attribute" in complaint:
        cure = "another method sets that: let make= of the claim name a function that makes the object and prepares it"
        return RunnerError(FailureKind.INPUT, f"every run raised {complaint}: {cure}", "")
    reason = (
        f"every run raised {complaint}, whatever the input{_how_given(session)}: if that is for its data, annotate the "
        "data parameter (list, numpy.ndarray, pandas.DataFrame, float, ...), or let `neighbors` be a function that "
        "yields pairs; if for another argument, give the values that the function expects in the claim's `args`"
    )
    return RunnerError(FailureKind.INPUT, reason, "") if session.has_run else NotTaken(complaint, reason)


def _how_given(session: AuditSession) -> str:
    """How the data is handed over, where that is not plain from the function."""
    claim = session.mechanism.claim
    if claim.pairs is None and relation_of(claim).data is DataKind.VALUE:
        return f" (with neighbors={claim.relation!r} the data is one value of the domain, in no list)"
    annotation = data_annotation(session.mechanism)
    if session.form == "scalar" and claim.pairs is None and relation_of(claim).data is DataKind.RECORDS:
        return (
            f" (the data is annotated {annotation}, but neighbors={claim.relation!r} is about a list of records; "
            'where it is the value of one person, write neighbors="any")'
        )
    if not annotation or session.mechanism.claim.pairs is not None or session.form == "scalar":
        return ""
    return f" (the data is taken for {annotation}, and given as {form_words(session.form)})"
