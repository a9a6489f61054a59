"""From pairs and choices of arguments to inputs that can be run: a first look at whether runs work at all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dplint.audit.choices import Choice
from dplint.audit.inputs import Inputs, gather_inputs
from dplint.audit.session import AuditSession
from dplint.audit.trying import Tried, try_choices
from dplint.claims import Pair
from dplint.inputs.forms import AS_ARRAY, PLAIN_FORMS, array_form, data_annotation, form_words
from dplint.outcomes import FailureKind
from dplint.relations import DataKind, relation_of
from dplint.runner.batch import Batch
from dplint.runner.client import RunnerError


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

    If none can, the data is tried as an array instead of a list. needed: whether that is a failure, RunnerError of kind
    INPUT; otherwise there may be no choices in the answer, and the form of the data stays. remember: whether choices
    that cannot be used with these pairs are of no use at all.
    """
    inputs = gather_inputs(session, pairs)
    tried = try_choices(session, inputs, choices, stream, remember=remember)
    notes = tried.notes if remember else []
    if not tried.running and needed:
        inputs, tried, more = _as_array(session, pairs, choices, stream, tried)
        notes = [*more, *tried.notes]
    if session.form not in (*PLAIN_FORMS, "frame") and session.mechanism.claim.pairs is None:
        notes = [*notes, f"the data is given as {form_words(session.form)}"]
    running = tried.running
    session.has_run = session.has_run or bool(running)
    if session.lanes is None and running:
        session.measure_speed(inputs.data, running[0].values, (*stream, len(choices)))
    # In machine numbers nothing is known of a run without noise: its draws would be replaced.
    noise_free = tuple(() if session.machine else session.noise_free(inputs.data, choice.values) for choice in running)
    without = tuple(tried.without[number] for number in range(len(running)))
    return Prepared(inputs, tuple(running), noise_free, tuple(notes), without)


def _as_array(
    session: AuditSession, pairs: Sequence[Pair], choices: Sequence[Choice], stream: tuple[int, ...], before: Tried
) -> tuple[Inputs, Tried, list[str]]:
    """The same with arrays in place of lists, and a note. Raises RunnerError if that does not help."""
    complaint = before.complaint
    if complaint and session.form == "list" and not session.has_run:
        session.form = array_form(session.mechanism)
        session.rejected.clear()
        inputs = gather_inputs(session, pairs)
        tried = try_choices(session, inputs, choices, stream)
        if tried.running:
            return inputs, tried, [f"{AS_ARRAY}: with a list every run raised {complaint}"]
        session.form = "list"
    if not complaint:
        raise RunnerError(FailureKind.INPUT, "; ".join(before.notes) or "no choice of arguments is left", "")
    raise RunnerError(
        FailureKind.INPUT,
        f"every run raised {complaint}, whatever the input{_how_given(session)}: annotate the data parameter (list, "
        "numpy.ndarray, pandas.DataFrame, float, ...), give the values that the function expects in the claim's "
        "`args`, or let `neighbors` be a function that yields pairs",
        "",
    )


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
