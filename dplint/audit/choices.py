"""Choices of arguments: values for the parameters that nothing else settles."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dplint.audit.session import AuditSession
from dplint.audit.settings import Setting
from dplint.claims import Categories, Fixed, Literal, Mechanism, Pair, ParameterKind, is_number
from dplint.inputs.neighbours import allows_argument, are_neighbours
from dplint.jobs import Job, SourceJob
from dplint.outcomes import Argument
from dplint.program.refusals import Unsupported

_CHOICES, _MOST_CHOICES = 8, 16
"""Choices of arguments that are screened; more are not worth their runs, but for values that the claim lists."""
_NAMED = 6
"""Values that were not tried are named up to this number."""


@dataclass(frozen=True)
class Choice:
    """Values for the parameters other than data, generator and claim. `fixed` are those that the claim depends on."""

    arguments: tuple[Argument, ...]
    fixed: tuple[Argument, ...]

    @property
    def values(self) -> dict[str, Literal]:
        """What the function is called with."""
        return {a.name: a.value for a in (*self.fixed, *self.arguments)}


def find_choices(
    job: Job, session: AuditSession, pairs: Sequence[Pair], setting: Setting, *, quick: bool = False
) -> list[Choice]:
    """The choices of arguments for one value of the claim, most promising first. At least one, perhaps empty.

    quick: only the first, from a look at a few pairs. Both are looked for once in an audit.
    """
    key = repr((setting, len(pairs), quick))
    if key not in session.choices:
        session.choices[key] = _found(job, session, pairs, setting, quick=quick)
    return session.choices[key]


def _found(job: Job, session: AuditSession, pairs: Sequence[Pair], setting: Setting, *, quick: bool) -> list[Choice]:
    session.announce("choosing arguments")
    fixed = [*setting.parameters]
    named = {a.name for a in fixed}
    for name, spec in job.mechanism.claim.args:
        if isinstance(spec, Fixed) and name not in named:
            fixed.append(Argument(name, spec.value, "fixed by the claim"))
    values = {a.name: a.value for a in fixed}
    shown = tuple(fixed)
    needed = _open_parameters(job.mechanism, values)
    if not needed:
        return [Choice((), shown)]
    if quick and isinstance(job, SourceJob) and job.worst is not None:
        known = {one.name: one for one in job.worst.arguments}
        if all(name in known for name in needed):
            return [Choice(tuple(known[name] for name in needed), shown)]
    # z3 takes a fifth of a second to import, which mechanisms without open parameters need not wait for.
    from dplint.inputs.arguments import choose_arguments, simple_arguments  # noqa: PLC0415

    if job.settings.use_solver:
        found = choose_arguments(job.program, job.mechanism, pairs, values, quick=quick)
    else:
        found = simple_arguments(job.mechanism, values)
    choices = [Choice(choice.arguments, shown) for choice in found.choices[:_CHOICES]] or [Choice((), shown)]
    return choices if quick else _with_all_values(job.mechanism, choices)


def _with_all_values(mechanism: Mechanism, choices: list[Choice]) -> list[Choice]:
    """The choices, and as many more as there may be in which the values stand that the claim lists and none has yet.

    One choice has a value of each argument; other arguments are as in the first of all.
    """
    found, first = [*choices], choices[0]
    settled = {argument.name for argument in first.fixed}
    while len(found) < _MOST_CHOICES:
        untried = {name: values[0] for name, values in _untried(mechanism, found).items() if name not in settled}
        if not untried:
            break
        of_first = {argument.name: argument for argument in first.arguments}
        listed = {name: Argument(name, value, "a value that the claim lists") for name, value in untried.items()}
        found.append(Choice(tuple((of_first | listed).values()), first.fixed))
    return found


def untried_note(mechanism: Mechanism, tried: Sequence[Choice]) -> str | None:
    """The values that the claim lists for its arguments and that none of these choices has; None if there are none."""
    words = [f"{name} = {value!r}" for name, values in _untried(mechanism, tried).items() for value in values]
    if not words:
        return None
    more = f" and {len(words) - _NAMED:,} more" if len(words) > _NAMED else ""
    return f"of the values that the claim lists, runs have not tried {', '.join(words[:_NAMED])}{more}"


def _untried(mechanism: Mechanism, choices: Sequence[Choice]) -> dict[str, list[Literal]]:
    """For each argument the values that the claim lists and none of these choices has, if there are such."""
    tried = {(name, _spelled(value)) for choice in choices for name, value in choice.values.items()}
    listed = {name: spec.values for name, spec in mechanism.claim.args if isinstance(spec, Categories)}
    untried = {name: [one for one in values if (name, _spelled(one)) not in tried] for name, values in listed.items()}
    return {name: list(values) for name, values in untried.items() if values}


def _spelled(value: Literal) -> str:
    """A value as text: 1 as 1.0, which a parameter annotated `float` gets, and not as True."""
    return repr(float(value) if is_number(value) else value)


def translated(choices: Sequence[Choice], setting: Setting) -> list[Choice]:
    """The same arguments for another value of the claim; what the solver finds rarely depends on it."""
    fixed = {a.name: a for a in setting.parameters}
    return [Choice(choice.arguments, tuple(fixed.get(a.name, a) for a in choice.fixed)) for choice in choices]


def _open_parameters(mechanism: Mechanism, values: Mapping[str, Literal]) -> list[str]:
    """The parameters that somebody has to choose a value for."""
    named = {name for name, _ in mechanism.claim.args}
    return [
        parameter.name
        for parameter in mechanism.parameters
        if parameter.name not in values
        and parameter.name not in mechanism.roles
        and parameter.kind not in (ParameterKind.VAR_POSITIONAL, ParameterKind.VAR_KEYWORD)
        and (parameter.default is None or parameter.name in named)
    ]


def program_note(job: Job, choices: Sequence[Choice]) -> str | None:
    """What the reader must know if arguments had to be chosen for a mechanism that could not be lowered."""
    if not isinstance(job.program, Unsupported) or not any(choice.arguments for choice in choices):
        return None
    place = job.program
    return (
        f"arguments were chosen without reading the function: {place.construct} at {place.span.words} is not understood"
    )


def is_claimed(session: AuditSession, pair: Pair, choice: Choice, setting: Setting) -> bool:
    """Whether the claim speaks of an input at this value."""
    return (
        are_neighbours(session.mechanism, pair.d1, pair.d2)
        and setting.fitting([pair]) == [pair]
        and all(allows_argument(session.mechanism, one.name, one.value) for one in choice.arguments)
    )
