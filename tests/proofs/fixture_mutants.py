"""Wrong mechanisms made of the right ones in the fixtures about inputs, outputs, libraries and pipelines.

Each kind says what is changed, one place after the other, and under which conditions the mutant is wrong.
"""

import ast
import copy
import itertools
from collections import Counter
from functools import cache

from tests.proofs.proof_tools import FIXTURES

FOLDERS = ("inputs", "outputs", "pipelines", "published_bugs", "machine")
NOISE = {"laplace", "exponential", "expovariate", "gumbel", "logistic", "geometric", "normal", "gauss", "rvs"}
RELEASES = {"Laplace", "mean", "sum", "histogram", "count_nonzero"}
NO_DATA = {"rng", "seed", "random_state", "generator", "epsilon"}


@cache
def right_ones():
    """(file, name) of the functions with a claim, without those that say that they are wrong."""
    return [
        (file, function.name)
        for folder in FOLDERS
        for file in sorted((FIXTURES / folder).rglob("*.py"))
        for function in ast.parse(file.read_text()).body
        if isinstance(function, ast.FunctionDef) and claim_of(function) and not _is_wrong(function)
    ]


def mutants(file, name):
    """(kind and number, text) of all that are made of one."""
    for kind, change in KINDS.items():
        for number in itertools.count():
            tree, function = alone(file, name)
            if not change(tree, function, number):
                break
            yield f"{kind} {number}", ast.unparse(ast.fix_missing_locations(tree))


def claim_of(function):
    """The call of `dp` above a function, None if there is none."""
    calls = [one for one in function.decorator_list if isinstance(one, ast.Call) and ast.unparse(one.func) == "dp"]
    return calls[0] if calls else None


def _is_wrong(function):
    text = ast.get_docstring(function) or ""
    return function.name.endswith("_leaks") or text.startswith(("Leaks", "Wrong")) or "Loss infinite" in text


def alone(file, name):
    """A copy of the module and of the function in it, without other functions with claims, if nothing mentions them."""
    tree = copy.deepcopy(_alone(file, name))
    return tree, next(one for one in tree.body if getattr(one, "name", "") == name)


@cache
def _alone(file, name):
    tree = ast.parse(file.read_text())
    used = Counter(one.id for one in ast.walk(tree) if isinstance(one, ast.Name))
    claimed = [isinstance(one, ast.FunctionDef) and claim_of(one) for one in tree.body]
    kept = zip(tree.body, claimed, strict=True)
    tree.body = [one for one, bears in kept if not bears or one.name == name or used[one.name]]
    return tree


# parts of a mechanism


def _data(function):
    """The parameter with the data: the first that is neither a generator, a seed, nor epsilon."""
    return next((one.arg for one in function.args.args if one.arg not in NO_DATA), None)


def _said(function, name):
    """An argument of its claim, None if there is none, or if it is not written out there."""
    values = [one.value for one in claim_of(function).keywords if one.arg == name]
    return ast.literal_eval(values[0]) if values and isinstance(values[0], ast.Constant | ast.List) else None


def _reached(tree, function):
    """The parts of a module that a function mentions, and those that these mention, in an order that stays the same."""
    parts = {one.name: one for one in tree.body if isinstance(one, ast.FunctionDef | ast.ClassDef)}
    parts |= {ast.unparse(one.targets[0]): one for one in tree.body if isinstance(one, ast.Assign)}
    found, new = [], [function]
    while new:
        found.append(part := new.pop())
        names = {one.id: one for one in ast.walk(part) if isinstance(one, ast.Name)}
        if isinstance(part, ast.FunctionDef):
            bound = {one.arg for one in ast.walk(part) if isinstance(one, ast.arg)}
            bound |= {one.id for one in ast.walk(part) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
            names = {name: one for name, one in names.items() if name not in bound}
        new += [parts[name] for name in names if name in parts and parts[name] not in (*found, *new)]
    return found


def _calls(tree, function, names, own=False):
    """The calls of functions or methods of these names, in all that is reached, or in what is the function's own."""
    for part in [function] if own else _reached(tree, function):
        for child in ast.iter_child_nodes(part):
            if child not in getattr(part, "decorator_list", ()):
                for node in ast.walk(child):
                    if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in names:
                        yield node


def _returns(function):
    return [one.value for one in ast.walk(function) if isinstance(one, ast.Return) and one.value is not None]


def _become(node, text):
    """Puts another expression in the place of a node."""
    new = ast.parse(text, mode="eval").body
    node.__class__ = new.__class__
    node.__dict__.clear()
    node.__dict__.update(vars(new))


def _changed(nodes, number, form):
    """Puts another text in the place of one of some nodes; whether there is one of that number."""
    node = next(itertools.islice(nodes, number, None), None)
    if node is None:
        return False
    _become(node, form.format(ast.unparse(node)))
    return True


# kinds of mutants


def smaller_claim(_, function, number):
    """Nine tenths of the claimed epsilon: wrong where the claim is tight."""
    said = _said(function, "epsilon")
    less = f"0.9 * ({said})" if isinstance(said, str) else 0.9 * (said or 1.0)
    return _changed((one.value for one in claim_of(function).keywords if one.arg == "epsilon"), number, repr(less))


def less_noise(tree, function, number):
    """One draw times 0.9: wrong where the claim is tight and the draw shows."""
    return _changed(_calls(tree, function, NOISE), number, "0.9 * {}")


def no_noise(tree, function, number):
    """Zero in place of a draw: wrong where it shows."""
    return _changed(_calls(tree, function, NOISE), number, "0.0")


def one_draw(tree, function, number):
    """One draw for all numbers of an array: their differences are exact."""
    calls = [call for call in _calls(tree, function, NOISE) if any(one.arg == "size" for one in call.keywords)]
    if number >= len(calls):
        return False
    calls[number].keywords = [one for one in calls[number].keywords if one.arg != "size"]
    return True


def more_spent(tree, function, number):
    """The epsilon of one call of a library doubled: wrong where the calls together spend the claim."""
    given = (one for call in _calls(tree, function, RELEASES) for one in call.keywords)
    return _changed((one.value for one in given if one.arg == "epsilon"), number, "2 * ({})")


def told_beside(what, relations):
    """What is returned, and something exact that differs between some neighbours."""

    def change(_, function, number):
        if _data(function) is None or (relations and _said(function, "neighbors") not in relations):
            return False
        return _changed(_returns(function), number, f"({{}}, {what.format(_data(function))})")

    return change


def nothing_if_odd(_, function, number):
    """Where the number of records is odd, nothing is given back, and without one of them something is."""
    if _said(function, "neighbors") != "add-remove" or _data(function) is None:
        return False
    return _changed(_returns(function), number, f"None if len({_data(function)}) % 2 else ({{}})")


def drawn_by_data(tree, function, number):
    """A draw is made where the data allows it, and else is 0."""
    asked = {"add-remove": "len({}) % 2", "linf": "{}[0] > 0", "l1": "{}[0] > 0"}.get(_said(function, "neighbors"))
    if asked is None or _data(function) is None:
        return False
    calls = _calls(tree, function, NOISE, own=True)
    return _changed(calls, number, f"({{}} if {asked.format(_data(function))} else 0.0)")


def records_twice(_, function, number):
    """Each record counts twice: wrong where the claim is tight and the answers are sums."""
    data = _data(function)
    annotations = {one.arg: ast.unparse(one.annotation) for one in function.args.args if one.annotation}
    kind = annotations.get(data, "list").partition("[")[0]
    doubled = {"list": f"{data} + {data}", "np.ndarray": f"np.concatenate([{data}, {data}])"}
    if number or kind not in doubled or _said(function, "neighbors") not in ("add-remove", "replace-one"):
        return False
    _first(function, f"{data} = {doubled[kind]}")
    return True


def shown(_, function, number):
    """What is exact is shown first of all, where the claim observes that."""
    lines = {
        "stdout": "print({}[0])",
        "stderr": "import sys\nprint({}[0], file=sys.stderr)",
        "logging": "log.info('%s', {}[0])",
        "files": "Path('other').write_text(str({}[0]))",
    }
    texts = [text for channel, text in lines.items() if channel in (_said(function, "observe") or ())]
    if number >= len(texts):
        return False
    _first(function, texts[number].format(_data(function)))
    return True


def _first(function, text):
    """Puts statements in front of all others, behind the docstring."""
    place = 1 if ast.get_docstring(function) else 0
    function.body[place:place] = ast.parse(text).body


def seed_again(_, function, number):
    """The first draw of another generator of the run's own seed is told as well."""
    required = function.args.args[: len(function.args.args) - len(function.args.defaults)]
    seeds = [one.arg for one in required if one.arg in ("seed", "random_state")]
    if number or not seeds:
        return False
    return _changed(_returns(function), 0, f"({{}}, np.random.default_rng({seeds[0]}).laplace())")


def labels_of_data(tree, function, number):
    """Groups are those that the data has: without `reindex`."""
    call = next(itertools.islice(_calls(tree, function, {"reindex"}), number, None), None)
    if call is None:
        return False
    _become(call, ast.unparse(call.func.value))
    return True


def filled_by_data(tree, function, number):
    """Missing values are filled with the mean of the others, of which more than one differs between neighbours."""
    call = next(itertools.islice(_calls(tree, function, {"fillna", "fill_null", "fill_nan"}), number, None), None)
    if call is None:
        return False
    _become(call.args[0], f"({ast.unparse(call.func.value)}).mean()")
    return True


KINDS = {
    "claim": smaller_claim,
    "less noise": less_noise,
    "no noise": no_noise,
    "one draw": one_draw,
    "epsilon of a call": more_spent,
    "size told": told_beside("len({})", ("add-remove",)),
    "first told": told_beside("{}[0]", ("linf", "l1", "l2", "linf-monotone")),
    "data told": told_beside("{}", ()),
    "nothing if odd": nothing_if_odd,
    "noise by data": drawn_by_data,
    "records twice": records_twice,
    "shown": shown,
    "seed again": seed_again,
    "labels of data": labels_of_data,
    "filled by data": filled_by_data,
}
