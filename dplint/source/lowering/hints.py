"""Ways to write what the lowering does not know, so that it does."""

from __future__ import annotations

from collections.abc import Mapping

FUNCTION_HINTS: Mapping[str, str] = {
    "numpy.random.seed": "leave the seeding to the caller",
    "random.seed": "leave the seeding to the caller",
    "set": "ask it for its length, `sorted(set(xs))` or what is in it, under a name that holds nothing else",
    "frozenset": "use a tuple",
    "hasattr": "leave the check of types to the caller, and annotate the parameter",
    "type": "leave the check of types to the caller, and annotate the parameter",
    "map": "use a list comprehension",
    "filter": "use a list comprehension",
    "iter": "loop over the list itself",
    "next": "give it a generator that is written out, and a default: next((x for x in xs), None)",
    "itertools.chain.from_iterable": "use a list comprehension: [x for row in rows for x in row]",
    "itertools.count": "use while True and a counter",
    "itertools.takewhile": "write a loop that ends with break",
    "itertools.dropwhile": "write a loop that appends once the test has failed",
    "itertools.groupby": "group by d.setdefault(key, []).append(x) into a dict made as {}",
    "functools.reduce": "write the loop",
    "collections.OrderedDict": "use {}: dicts keep the order of their keys",
    "collections.ChainMap": "merge the dicts: {**second, **first}",
    "collections.Counter": "give it a name of its own that holds nothing else, and ask that for items",
    "collections.defaultdict": "count with defaultdict(int) or (float), under a name that holds nothing else",
    "collections.deque": "use a list",
    "functools.partial": "call the function with all its arguments",
    "copy.copy": "use list(x) or x.copy()",
    "copy.deepcopy": "use [list(row) for row in rows]",
    "numpy.empty": "use numpy.zeros",
    "numpy.empty_like": "use numpy.zeros_like",
    "numpy.vectorize": "use a list comprehension",
    "numpy.apply_along_axis": "loop over the rows",
    **dict.fromkeys(["numpy.float16", "numpy.float32", "numpy.single"], "use float: programs compute with 64 bits"),
    "numpy.put": "assign the elements in a loop",
    "time.time": "no rewrite: the time is no randomness that can be tested",
    "exit": "raise an exception",
    "sys.exit": "raise an exception",
    "open": "read the file before, and pass in what it holds",
    "input": "pass the value in as a parameter",
    "eval": "write the expression",
    "exec": "write the statements",
    "vars": "use plain local variables",
    "globals": "use constants of the module",
    "getattr": "use plain parameters and local variables",
    "super": "use a plain function",
    "hash": "compute the number with arithmetic",
    "id": "compare values, not objects",
}
_MODULE_HINTS: Mapping[str, str] = {
    "numpy": "no rewrite: docs/program.md lists the functions of NumPy that programs have",
    "math": "use the functions of math that docs/program.md lists",
    "scipy": "no rewrite, but that laws of scipy.stats are draws of a numpy.random.Generator, too",
    "secrets": "draw from random.SystemRandom()",
    "logging": "leave it out: only what is returned should leave a mechanism",
    "os": "no rewrite: do it outside of the mechanism",
    "torch": "use NumPy",
    "pandas": "pass the columns in as lists or arrays",
}
METHOD_HINTS: Mapping[str, str] = {
    "pop": "take it on a line of its own: x = xs.pop()",
    "sort": "use sorted(xs)",
    "setdefault": "group by d.setdefault(key, []).append(x) into a dict made as {}; else use get, and assign",
    "update": "change the dict on a line of its own",
    "add": "use a list and append",
    "discard": "use a list and remove",
    "union": "join the lists with +",
    "diagonal": "use numpy.diag",
    "fill": "use numpy.full",
    "swapaxes": "loop over the columns",
    "view": "use astype",
    "encode": "keep it a string",
    **dict.fromkeys(["debug", "info", "warning"], "leave it out: only what is returned should leave a mechanism"),
}
DRAW_HINTS: Mapping[str, str] = {
    "permuted": "use permutation",
    "shuffle": "draw an order: xs = [xs[place] for place in rng.permutation(len(xs))]",
    "getrandbits": "use integers or randrange",
    "bytes": "use integers",
    "randbytes": "use randrange",
    "triangular": "use the triangular of a numpy.random.Generator",
    "binomialvariate": "use the binomial of a numpy.random.Generator",
    "vonmisesvariate": "use the vonmises of a numpy.random.Generator",
    "spawn": "draw from the generator itself",
    "seed": "leave the seeding to the caller",
}
KEYWORD_HINTS: Mapping[str, str] = {
    "out": "assign the result instead",
    "where": "choose the elements with an index or numpy.where",
    "copy": "leave it out",
    "overwrite_input": "leave it out",
    "casting": "leave it out",
    "order": "leave it out",
    "subok": "leave it out",
    "key": "use key= with sorted, max or min",
}
"""Arguments that NumPy's functions have, and that change something in place or what the result shares."""


def function_hint(canonical: str) -> str:
    """How to do without a function."""
    hint = FUNCTION_HINTS.get(canonical) or _MODULE_HINTS.get(canonical.partition(".")[0])
    if hint is None:
        hint = "define the function in this module" if "." in canonical else "write it with the builtins that are known"
    return hint
