"""Calls: of claimed functions, of functions that are followed, of accountants, and of what is not understood."""

from __future__ import annotations

import ast
from dataclasses import replace
from fractions import Fraction

from dplint.amounts import ZERO, Amount, number
from dplint.amounts import name as named
from dplint.claims import Fixed, Interval
from dplint.contracts.accountants import keeper
from dplint.contracts.engines import given_away, of_library, of_model, of_trained
from dplint.contracts.expressions import Expressions, counted_in, dominated, literal
from dplint.contracts.frames import Credit, Frame, Reader, leak, spoil_containers
from dplint.contracts.relations import domain_fits, steps
from dplint.contracts.tree import Limit, Spend, sampled_epsilon
from dplint.contracts.values import Accountant, Data, Hidden, Public, Trained, Value, shown, spoil, touch
from dplint.contracts.views import Contract, Follow, Library, View, is_seedless, signature_of, tool
from dplint.definitions import definition_of
from dplint.distributions.signatures import MAKERS
from dplint.relations import DataKind, Neighbourhood, relation_of
from dplint.source.static_values import dotted_name

_DEEPEST = 6
_ACCOUNTANT = frozenset({"diffprivlib.BudgetAccountant", "diffprivlib.accountant.BudgetAccountant"})
_ACCOUNTANT_PARAMETERS = ("epsilon", "delta", "slack", "spent_budget")
_COPIES = frozenset({"list", "tuple", "numpy.array", "numpy.asarray", "copy.copy", "copy.deepcopy"})
_PURE = frozenset(
    {"len", "min", "max", "abs", "float", "int", "round", "range", "enumerate", "zip", "str", "isinstance", "sorted"}
    | {"set", "list", "tuple", "dict", "bool", "reversed", "print"}
)
_PURE_PACKAGES = ("numpy.", "math.", "statistics.", "collections.Counter")
_CHANGING = frozenset({"numpy.put", "numpy.place", "numpy.copyto", "numpy.putmask", "numpy.fill_diagonal"})


class Calls:
    """Reads calls."""

    def __init__(self, reader: Reader, expressions: Expressions) -> None:
        self._reader = reader
        self._expressions = expressions

    def value(self, frame: Frame, node: ast.Call) -> Value:
        """What a call gives; what it spends is entered."""
        dotted = dotted_name(node.func)
        local = dotted is not None and dotted.partition(".")[0] in frame.env
        found = frame.view.resolve(dotted) if dotted is not None and not local else None
        if isinstance(found, Library):
            found = tool(found.full) or found
        frame.run.met = frame.run.met or isinstance(found, Contract)
        if any(isinstance(one, ast.Starred) for one in node.args) or any(one.arg is None for one in node.keywords):
            if isinstance(found, Contract):
                frame.unclear(node, f"the arguments of {found.name} are not written out")
            return self._unknown(frame, node)
        if local or dotted is None or (found is None and isinstance(node.func, ast.Attribute)):
            return self._method(frame, node)
        if isinstance(found, Contract):
            return self._contract(frame, node, found)
        if isinstance(found, Follow):
            return self._follow(frame, node, found)
        if isinstance(found, ast.ClassDef):
            return self._made(frame, node, found)
        return self._known(frame, node, found.full) if isinstance(found, Library) else self._unknown(frame, node)

    # what spends

    def _contract(self, frame: Frame, node: ast.Call, contract: Contract) -> Value:
        given = self._bound(frame, node, contract)
        if given is None:
            frame.unclear(node, f"the arguments of {contract.name} do not fit its parameters")
            return self._unknown(frame, node)
        if contract.data.partition(".")[2] and frame.run.owner is not None:
            given[contract.data] = frame.env[f"self.{frame.run.owner.data}"]
        data = given.get(contract.data)
        for name, value in given.items():
            why = leak(value, frame, node, f"the data is given to `{name}` of {contract.name}")
            if name != contract.data and why is not None:
                frame.run.unclear[why] = None
                return Hidden(why)
        if isinstance(data, Hidden) or (isinstance(data, Public) and shown(data) is not None):
            why = leak(data, frame, node, f"how far the data that {contract.name} is given moves is not understood")
            assert why is not None
            frame.run.unclear[why] = None
            frame.unclear(node, f"{contract.name} is given data of which it is not understood how far it moves")
        elif isinstance(data, Data):
            self._spend(frame, node, contract, given, data)
        if frame.control is not None:
            frame.run.unclear[frame.control] = None
            frame.unclear(node, f"the data decides whether {contract.name} is called")
        return Public(frame.run.fresh(ast.unparse(node)))

    def _spend(self, frame: Frame, node: ast.Call, contract: Contract, given: dict[str, Value], data: Data) -> None:
        whole = frame.run.claim
        reason = self._mismatch(contract, given, data)
        factor = steps(whole, contract.claim, data)
        if data.box.data is not None:
            frame.run.unclear[data.box.data] = None
            reason = reason or f"the data that {contract.name} is given was changed before"
        if reason is None and factor is None:
            reason = (
                f"{contract.name} promises for {contract.claim.neighbors!r}, and neighbours here are "
                f"{whole.neighbors!r}" + (" of which records were left out" if data.cut else "")
            )
        epsilon, delta = counted_in(whole, contract.claim, given)
        times = None if factor is None else definition_of(whole).steps(factor)
        if reason is None and whole.promise is not None and (epsilon is None or times is None):
            reason = f"what {contract.name} claims is not composed in {whole.promise.kind} here"
        if reason is None and whole.promise is not None and (frame.credits or contract.accountant is not None):
            reason = f"an accountant counts epsilon, and {whole.promise.kind} is claimed"
        if reason is None and (epsilon is None or delta is None):
            reason = f"what {contract.name} claims is not understood"
        if reason is None and factor != 1 and delta is not None and not delta.is_zero:
            reason = f"neighbours here are {factor} steps apart for {contract.name}, which claims a delta"
        if reason is not None:
            frame.unclear(node, reason)
            return
        assert epsilon is not None
        assert delta is not None
        assert factor is not None
        assert times is not None
        cost = number(times) * epsilon
        # By sampling rho gains nothing that is known here.
        rate = self._rate(frame, data, cost) if whole.promise is None else None
        kept = dominated(contract.claim, given, rate) if factor == 1 else None
        if rate is not None and cost.value is not None:
            found = sampled_epsilon(cost.value, rate)
            cost, delta = (cost, delta) if found is None else (number(found), number(rate) * delta)
        accountant = self._allowed(frame, contract, given, cost)
        own = contract.claim.promise
        most = whole.promise is not None and (own is None or own.kind != whole.promise.kind)
        span, file = frame.view.span(node), frame.view.file
        frame.items.append(Spend(contract.name, file, span, cost, delta, data.part, factor, accountant, most, kept))

    def _rate(self, frame: Frame, data: Data, epsilon: Amount) -> Fraction | None:
        """With which coins have chosen the records of a call that is the cheaper for it, where all is in numbers.

        Only the first call on a sample is the cheaper for it: a later one may know who is in it. With p the gain of the
        first, p + epsilon is no less than what both cost together, ln(1 + rate * (e^(2 * epsilon) - 1)).
        """
        sample = data.sample
        whole = relation_of(frame.run.claim).definition is Neighbourhood.ONE_MORE
        if sample is None or sample.used or sample.loops != frame.loops or epsilon.value is None or not whole:
            return None
        sample.used = True
        return sample.rate.value

    def _mismatch(self, contract: Contract, given: dict[str, Value], data: Data) -> str | None:
        """Why the claim does not speak of this call, None if it does."""
        for name in sorted(contract.required):
            value = given.get(name)
            if value is None or (isinstance(value, Public) and value.key == "None"):
                return f"{contract.name} promises nothing without `{name}`"
        if not domain_fits(contract.claim, data):
            return f"{contract.name} promises for values of its domain, and whether these lie in it is not known"
        for name, spec in contract.claim.args:
            value = given.get(name)
            amount = value.amount.value if isinstance(value, Public) and value.amount is not None else None
            match spec:
                case Fixed(value=wanted):
                    fits = isinstance(value, Public) and value.key == literal(wanted).key
                case Interval(low=low, high=high):
                    fits = amount is not None and low <= amount <= high
                case _:
                    keys = {literal(one).key for one in spec.values}
                    fits = isinstance(value, Public) and value.key in keys
            if not fits:
                return f"{contract.name} promises for certain values of `{name}` only, and this may be another"
        return None

    def _allowed(self, frame: Frame, contract: Contract, given: dict[str, Value], cost: Amount) -> str | None:
        """The accountant that has allowed what is spent."""
        if contract.accountant is not None:
            own = given.get(contract.accountant)
            chosen = own if isinstance(own, Accountant) else frame.standard
            if chosen is not None:
                return chosen.label
        for place, credit in enumerate(frame.credits):
            left = credit.left - cost
            if left.sign() in (0, 1):
                rest = () if left.is_zero else (replace(credit, left=left),)
                frame.credits = (*frame.credits[:place], *rest, *frame.credits[place + 1 :])
                return credit.accountant
        return None

    def _bound(self, frame: Frame, node: ast.Call, contract: Contract) -> dict[str, Value] | None:
        """The arguments by their parameters, None if they do not fit."""
        places = [one for one in contract.parameters if one not in contract.keyword_only]
        if len(node.args) > len(places):
            return None
        given = dict(zip(places, (self._reader.value(frame, one) for one in node.args), strict=False))
        for keyword in node.keywords:
            value = self._reader.value(frame, keyword.value)
            if keyword.arg is None or keyword.arg not in contract.parameters or keyword.arg in given:
                return None
            given[keyword.arg] = value
        view = contract.view or frame.view
        inner = Frame(frame.run, view)
        for name, default in contract.defaults.items():
            if name not in given:
                given[name] = self._reader.value(inner, default)
        return given if set(given) >= set(contract.parameters) else None

    # what is followed

    def _follow(self, frame: Frame, node: ast.Call, found: Follow, *, own: bool = False) -> Value:
        """Reads a function where it is called. own: it is a method of the same object."""
        arguments = found.node.args
        name = f"{found.view.file}:{found.node.name}"
        odd = arguments.vararg or arguments.kwarg or isinstance(found.node, ast.AsyncFunctionDef)
        if odd or len(frame.run.calls) >= _DEEPEST or name in frame.run.calls:
            return self._unknown(frame, node)
        given = self._bound(frame, node, signature_of(found.node, found.view, frame.run.claim, "", bound=own))
        if given is None:
            return self._unknown(frame, node)
        if own and frame.run.own is not None:
            held = {name: value for name, value in frame.env.items() if name.startswith("self.")}
            given = {**given, **held, arguments.args[0].arg: frame.run.own}
        inner = Frame(frame.run, found.view, given, credits=frame.credits, control=frame.control)
        inner.standard, inner.depth = frame.standard, frame.depth + 1
        inner.times, inner.batch = frame.times, frame.batch
        frame.run.calls.append(name)
        self._reader.block(inner, found.node.body)
        frame.run.calls.pop()
        frame.items += inner.items
        frame.credits = ()
        if frame.run.claimless:
            frame.env |= {name: value for name, value in inner.env.items() if own and name.startswith("self.")}
        values = inner.returned
        if len(values) == 1 and isinstance(found.node.body[-1], ast.Return):
            return values[0]
        return self._expressions.derived(frame, node, values, fresh=True)

    # accountants

    def accountant(self, frame: Frame, made: ast.expr) -> Accountant | None:
        """What a call makes, or what is of a type; None if it is no accountant.

        What is passed in has no known total.
        """
        kind = made.func if isinstance(made, ast.Call) else made
        dotted = dotted_name(kind)
        found = frame.view.resolve(dotted) if dotted is not None else None
        kept = keeper(found) if isinstance(found, ast.ClassDef) else None
        library = isinstance(found, Library) and found.full in _ACCOUNTANT
        if kept is None and not library:
            return None
        if isinstance(made, ast.Call):
            value = self._reader.value(frame, made)
            if not isinstance(value, Accountant):
                return None
            total = frame.run.limits[value.label].epsilon
            # Between two calls, somebody may have spent a negative number.
            if not all(value.spends.values()) or total is None or total.value is None:
                frame.run.broken.add(value.label)
            return value
        spends = {"spend": True} if kept is None else kept.spends
        return _accountant(frame, str(dotted), Limit(str(dotted), None, None), spends, library=library)

    def _made(self, frame: Frame, node: ast.Call, found: ast.ClassDef) -> Value:
        kept = keeper(found)
        if kept is None:
            return self._unknown(frame, node)
        shape = Contract(found.name, frame.run.claim, kept.parameters, "", view=frame.view)
        given = self._bound(frame, node, shape)
        total = given.get(kept.total) if given is not None else None
        if not isinstance(total, Public) or shown(total) is not None:
            return self._unknown(frame, node)
        return _accountant(frame, found.name, Limit(found.name, total.number, ZERO), kept.spends, library=False)

    def _diffprivlib(self, frame: Frame, node: ast.Call) -> Value:
        given = {
            **dict(zip(_ACCOUNTANT_PARAMETERS, (self._reader.value(frame, one) for one in node.args), strict=False)),
            **{one.arg: self._reader.value(frame, one.value) for one in node.keywords if one.arg is not None},
        }
        if any(not isinstance(one, Public) or shown(one) is not None for one in given.values()):
            return self._unknown(frame, node)
        epsilon, delta, slack = (given.get(one) for one in ("epsilon", "delta", "slack"))
        exact = slack is None or (isinstance(slack, Public) and slack.key in ("0", "0.0", "None"))
        limit = Limit(
            "BudgetAccountant",
            epsilon.number if isinstance(epsilon, Public) else None,
            delta.number if isinstance(delta, Public) else number(1),
            exact,
        )
        return _accountant(frame, "BudgetAccountant", limit, {"spend": True}, library=True)

    def _of_accountant(self, frame: Frame, node: ast.Call, owner: Accountant, method: str) -> Value:
        values = [self._reader.value(frame, one) for one in (*node.args, *(k.value for k in node.keywords))]
        if method in owner.spends and values and all(isinstance(one, Public) for one in values):
            amount = values[0].number if isinstance(values[0], Public) else ZERO
            further = values[1] if len(values) > 1 else None
            plain = further is None or (isinstance(further, Public) and further.key in ("0", "0.0"))
            if not owner.spends[method] and amount.sign() not in (0, 1):
                frame.run.broken.add(owner.label)
                frame.unclear(node, f"`{method}` may be given a negative number, which would raise what is left")
            elif frame.control is None and plain:
                frame.credits = (*frame.credits, Credit(owner.label, amount))
            elif frame.control is not None:
                frame.run.broken.add(owner.label)
        elif owner.library and method == "set_default":
            frame.standard = owner
        for one in values:
            why = frame.control or leak(one, frame, node, "the data is given to an accountant")
            if why is not None:
                # It may refuse now or later, and its numbers tell of the data.
                frame.run.unclear[why] = None
                spoil(owner, why)
                return Hidden(why)
        return Public(frame.run.fresh(ast.unparse(node)))

    # the rest

    def _known(self, frame: Frame, node: ast.Call, full: str) -> Value:
        if full in _ACCOUNTANT:
            return self._diffprivlib(frame, node)
        if full in MAKERS and not all(map(is_seedless, (*node.args, *(one.value for one in node.keywords)))):
            frame.unclear(node, "a generator with a seed repeats itself, so that no claim holds of what draws from it")
        values = [self._reader.value(frame, one) for one in (*node.args, *(k.value for k in node.keywords))]
        made = of_library(frame, node, full, values)
        if made is not None:
            return made
        relation = relation_of(frame.run.claim)
        if len(values) == 1 and isinstance(values[0], Data) and values[0].box.data is None:
            data = values[0]
            if full in _COPIES or (full == "sorted" and relation.data is DataKind.RECORDS):
                return replace(data)
            if full == "len" and relation.same_size and not data.cut:
                return Public("len", parts=())
        changes = full in _CHANGING or full.startswith("numpy.random.") or any(k.arg == "out" for k in node.keywords)
        if full in _PURE or (full.startswith(_PURE_PACKAGES) and not changes):
            return self._pure(frame, node, full, values)
        return self._outcome(frame, node, values)

    def _pure(self, frame: Frame, node: ast.Call, full: str, values: list[Value]) -> Value:
        result = self._expressions.derived(frame, node, values)
        if not isinstance(result, Public):
            return result
        first = values[0] if values else None
        if full == "range":
            result.distinct = True
            if len(values) == 1 and isinstance(first, Public):
                result.items, result.count = _counted(first), first.number
            elif len(values) == 2 and isinstance(first, Public) and isinstance(last := values[1], Public):
                turns = last.number - first.number
                result.count = turns if turns.sign() in (0, 1) else None
        elif full == "len" and isinstance(first, Public) and not first.box.changed:
            result = _length(first)
        elif full in ("list", "tuple", "sorted", "reversed", "enumerate", "set") and isinstance(first, Public):
            result.distinct = full == "set" or (first.distinct and not first.box.changed and full != "enumerate")
        elif full == "float" and isinstance(first, Public):
            result.amount = first.amount
        return result

    def _method(self, frame: Frame, node: ast.Call) -> Value:
        """A call of what a local variable holds, or of a method of it."""
        if not isinstance(node.func, ast.Attribute):
            return self._unknown(frame, node)
        if frame.is_own(node.func.value) and frame.run.owner is not None:
            found = frame.view.method(frame.run.owner, node.func.attr)
            if isinstance(found, Contract):
                frame.run.met = True
                return self._contract(frame, node, found)
            return self._follow(frame, node, found, own=True) if found is not None else self._unknown(frame, node)
        owner = self._reader.value(frame, node.func.value)
        if isinstance(owner, Accountant):
            return self._of_accountant(frame, node, owner, node.func.attr)
        if isinstance(owner, Data) and node.func.attr == "copy" and not node.args and owner.box.data is None:
            return replace(owner)
        values = [self._reader.value(frame, one) for one in (*node.args, *(k.value for k in node.keywords))]
        made = of_trained(frame, node, owner, values) if isinstance(owner, Trained) else None
        return made if made is not None else self._outcome(frame, node, [owner, *values])

    def _unknown(self, frame: Frame, node: ast.Call) -> Value:
        inner = [one.value if isinstance(one, ast.Starred) else one for one in node.args]
        values = [self._reader.value(frame, one) for one in (*inner, *(k.value for k in node.keywords))]
        if not isinstance(node.func, ast.Name) or node.func.id in frame.env:
            called = self._reader.value(frame, node.func)
            if isinstance(called, Trained) and called.role == "model":
                return of_model(frame, node, called.engine, values)
            values.append(called)
        return self._outcome(frame, node, values)

    def _outcome(self, frame: Frame, node: ast.Call, values: list[Value]) -> Value:
        """The result of a call that is not followed: it may change its arguments, and put data into them."""
        given_away(frame, node, values)
        why = frame.control
        for one in values:
            name = ast.unparse(node.func)
            why = why or leak(one, frame, node, f"what `{name}` makes of the data is not understood")
            if isinstance(one, Accountant):
                frame.run.broken.add(one.label)
        for one in values:
            touch(one)
            if why is not None:
                spoil(one, why)
        if why is not None:
            spoil_containers(frame, node, why)
        return Hidden(why) if why is not None else self._expressions.derived(frame, node, values, fresh=True)


def calls_contract(view: View, node: ast.Call, frame: Frame) -> bool:
    """Whether a call is one of a function that claims something."""
    owner = frame.run.owner
    if owner is not None and isinstance(node.func, ast.Attribute) and frame.is_own(node.func.value):
        return isinstance(view.method(owner, node.func.attr), Contract)
    dotted = dotted_name(node.func)
    found = view.resolve(dotted) if dotted is not None else None
    return isinstance(found, Contract) or (isinstance(found, Library) and tool(found.full) is not None)


def _accountant(frame: Frame, name: str, limit: Limit, spends: dict[str, bool], *, library: bool) -> Accountant:
    label = frame.run.fresh(name)
    frame.run.limits[label] = limit
    return Accountant(label, spends, library)


def _counted(value: Public) -> tuple[Value, ...] | None:
    count = value.amount.value if value.amount is not None else None
    return tuple(literal(one) for one in range(int(count))) if count is not None and 0 <= count <= 20 else None


def _length(value: Public) -> Public:
    if value.items is not None:
        return literal(len(value.items))
    key = f"len({value.key})"
    return Public(key, amount=value.count or named(key))
