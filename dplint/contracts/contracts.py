"""The budgets of the mechanisms of one module."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from dplint.amounts import name
from dplint.claims import Mechanism
from dplint.contracts.calls import claimed
from dplint.contracts.judging import judge
from dplint.contracts.objects import takes_object
from dplint.contracts.reading import read_spending
from dplint.contracts.tree import Budget, Series, Standing, Unclear
from dplint.contracts.values import Public
from dplint.contracts.views import View
from dplint.source.module import ParsedModule
from dplint.source.project import ProjectIndex


class Contracts:
    """What the claims of a module say of one another. Nothing is read before it is asked for.

    project: where functions of other modules are looked for; it knows afterwards which files an answer rests on.
    """

    def __init__(
        self, module: ParsedModule, file: str, mechanisms: Sequence[Mechanism], project: ProjectIndex | None = None
    ) -> None:
        self._make = (module, file, mechanisms, project)
        self._known: dict[str, Budget] = {}

    @cached_property
    def _view(self) -> View:
        return View(*self._make)

    def budget(self, mechanism: Mechanism) -> Budget:
        """What one of the mechanisms spends. A method of an object that is not understood has no parts."""
        if mechanism.qualname not in self._known:
            self._known[mechanism.qualname] = self._read(mechanism)
        return self._known[mechanism.qualname]

    def _read(self, mechanism: Mechanism) -> Budget:
        node, owner = self._view.function(mechanism), self._view.owner(mechanism)
        if owner is None and node is not None and ("." in mechanism.qualname and takes_object(node)):
            node = None
        reason: tuple[Unclear, ...] = ()
        if node is not None:
            try:
                return judge(mechanism, *read_spending(mechanism, node, self._view, owner))
            except RecursionError:  # nobody writes this, but a machine may
                reason = (Unclear(mechanism.file, mechanism.span, "this is nested too deeply to be followed"),)
        return self._without_parts(mechanism, reason)

    def _without_parts(self, mechanism: Mechanism, reason: tuple[Unclear, ...]) -> Budget:
        given = {one.name: Public(one.name, amount=name(one.name)) for one in mechanism.parameters}
        epsilon, delta = (claimed(one, given) for one in (mechanism.claim.epsilon, mechanism.claim.delta))
        standing = Standing.UNDECIDED if reason else Standing.LEAF
        return Budget(mechanism, epsilon, delta, Series(), standing, unclear=reason)
