"""The truth about `fixtures/readings`, from the functions themselves: nothing of dplint but its decorator is used.

A wrong mechanism names, in a comment, two neighbours, an event, and its two probabilities. It is called on both.
"""

import ast
import importlib.util
import inspect
import math
import multiprocessing
import os
import pickle
import re
import select
import signal
import sys
import warnings
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pandas as pd
import polars as pl

FOLDER = Path(__file__).resolve().parents[2] / "fixtures" / "readings"
_PATIENCE = 300
_WITNESS = re.compile(r"\s*# D1 = (.*?); D2 = (.*?); (.*): ([\d.]+) against ([\d.]+)$")


@dataclass(frozen=True)
class Written:
    """A mechanism as its file has it. witness: D1, D2, the event and its probabilities, all as text."""

    file: Path
    name: str
    keywords: dict
    witness: tuple[str, ...] | None


def mechanisms(file):
    """Those of a file, in order; a method by `Class.name`."""
    text = file.read_text(encoding="utf-8")
    lines = text.splitlines()
    before = 0
    for outer, function in _functions(ast.parse(text)):
        claims = [d for d in function.decorator_list if isinstance(d, ast.Call) and getattr(d.func, "id", "") == "dp"]
        if not claims:
            continue
        comments = [_WITNESS.match(line) for line in lines[before : claims[0].lineno]]
        witness = next((match.groups() for match in reversed(comments) if match), None)
        keywords = {keyword.arg: ast.unparse(keyword.value) for keyword in claims[0].keywords}
        yield Written(file, f"{outer}.{function.name}" if outer else function.name, keywords, witness)
        before = function.end_lineno


def _functions(tree):
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            yield None, node
        elif isinstance(node, ast.ClassDef):
            yield from ((node.name, inner) for inner in node.body if isinstance(inner, ast.FunctionDef))


def loaded(file):
    """The module, as `import` makes it where its folder is on the path."""
    sys.path.insert(0, str(file.parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module


def called(module, name, columns, data, generator=None, seed=0):
    """What the function returns, or the exception that it raises, on `data` in the form of its annotation."""
    owner, _, method = name.rpartition(".")
    function = getattr(getattr(module, owner)() if owner else module, method)
    values = []
    for parameter in inspect.signature(function).parameters.values():
        wanted = parameter.annotation
        if parameter.name == "rng":
            own = inspect.isclass(wanted) and wanted not in (np.random.Generator, inspect.Parameter.empty)
            values.append(wanted(seed) if own else generator or np.random.default_rng(seed))
        elif parameter.name == "epsilon":
            values.append(1.0)
        elif parameter.default is inspect.Parameter.empty:
            values.append(_formed(data, wanted, columns))
    try:
        return function(*values)
    except Exception as error:
        return error


def _formed(data, wanted, columns):
    if wanted is pd.DataFrame:
        return pd.DataFrame({c: [row[i] for row in data] for i, c in enumerate(columns)}, columns=columns)
    if wanted is pl.DataFrame:
        schema = {c: pl.String if c == "sex" else pl.Int64 for c in columns}
        return pl.DataFrame({c: [row[i] for row in data] for i, c in enumerate(columns)}, schema=schema)
    if wanted in (pd.Series, np.ndarray):
        whole = all(isinstance(value, int) for value in data)
        array = np.array(data, dtype=np.int64 if whole else float)
        return pd.Series(array) if wanted is pd.Series else array
    if isinstance(data, list):
        return [dict(zip(columns, row, strict=True)) if columns else row for row in data]
    return data


def columns_of(module, written):
    """The columns of the claim's domain, none if records are plain values."""
    domain = eval(written.keywords.get("domain", "None"), vars(module))
    return list(domain) if isinstance(domain, dict) else None


def shares(module, written, runs):
    """How often the event occurs on each side."""
    first, second, event, _, _ = written.witness
    names = {**vars(module), "math": math, "np": np}
    columns = columns_of(module, written)
    code = compile(event, written.name, "eval")
    out = []
    for data in (eval(first, names), eval(second, names)):
        outputs = [called(module, written.name, columns, data, seed=seed) for seed in range(runs)]
        out.append(sum(_occurs(code, names, output) for output in outputs) / runs)
    return tuple(out)


def _occurs(code, names, output):
    try:
        return bool(eval(code, names, {"output": output}))
    except TypeError:
        return False  # an exception is not above a number


def in_a_process(work, *arguments):
    """What `work` returns, in a process of its own, since modules here replace functions of libraries."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        warnings.simplefilter("ignore")
        np.seterr(all="ignore")
        try:
            answer = work(*arguments)
        except BaseException as error:
            answer = error
        with os.fdopen(writing, "wb") as pipe:
            pickle.dump(answer, pipe)
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        if not select.select([pipe], [], [], _PATIENCE)[0]:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            raise TimeoutError(f"no answer after {_PATIENCE} s")
        answer = pickle.load(pipe)
    os.waitpid(child, 0)
    if isinstance(answer, BaseException):
        raise answer
    return answer


def in_a_fresh_process(work, *arguments):
    """The same in a process that no other test has been in: polars does not survive a fork once it has computed.

    The function and what it is given are pickled.
    """
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["tests.readings.comparing"])
    reading, writing = context.Pipe(duplex=False)
    child = context.Process(target=_answer, args=(writing, work, arguments))
    child.start()
    writing.close()
    try:
        if not reading.poll(_PATIENCE):
            raise TimeoutError(f"no answer after {_PATIENCE} s")
        answer = reading.recv()
    finally:
        child.kill()
        child.join()
    if isinstance(answer, BaseException):
        raise answer
    return answer


def _answer(writing, work, arguments):
    warnings.simplefilter("ignore")
    np.seterr(all="ignore")
    try:
        answer = work(*arguments)
    except BaseException as error:
        answer = error
    writing.send(answer)


def wrong_of_file(file, runs=60):
    """Of each wrong mechanism its name, what is stated, and what was seen."""
    listed = list(mechanisms(file))
    module = loaded(file)
    return [
        (m.name, m.witness and tuple(map(float, m.witness[3:])), m.witness and shares(module, m, runs)) for m in listed
    ]


class Still:
    """A generator without noise, which notes the scale of each of its draws."""

    def __init__(self):
        self.scales = []

    def laplace(self, loc=0.0, scale=1.0, size=None):
        self.scales += [scale] * (1 if size is None else int(np.prod(size)))
        return loc if size is None else np.full(size, float(loc))


def worst_loss(module, written, pairs, seed):
    """The largest loss over random neighbours at epsilon = 1: what each number moves by, in scales of its noise.

    It is infinite where scales differ, or an exception comes out.
    """
    columns = columns_of(module, written)
    generator = np.random.default_rng(seed)
    domain = eval(written.keywords.get("domain", "None"), vars(module))
    size = eval(written.keywords.get("size", "None"), vars(module))
    worst = 0.0
    for _ in range(pairs):
        sides = _neighbours(written, domain, size, generator)
        outputs, scales = [], []
        for data in sides:
            still = Still()
            outputs.append(called(module, written.name, columns, data, still))
            scales.append(still.scales)
        worst = max(worst, _loss(outputs, scales))
    return worst


def _loss(outputs, scales):
    if any(isinstance(output, Exception) for output in outputs) or scales[0] != scales[1] or not scales[0]:
        return math.inf
    numbers = [np.atleast_1d(np.asarray(output, dtype=float)) for output in outputs]
    if len({len(n) for n in numbers} | {len(scales[0])}) > 1:
        return math.inf
    return float((np.abs(numbers[0] - numbers[1]) / scales[0]).sum())


def _neighbours(written, domain, size, generator):
    relation = eval(written.keywords["neighbors"])
    if relation in ("linf", "l1"):
        first = generator.normal(0, 10, size or 1)
        moves = generator.uniform(-1, 1, size or 1)
        second = first + (moves / np.abs(moves).sum() if relation == "l1" else moves)
        return (list(first), list(second)) if size else (float(first[0]), float(second[0]))
    if relation == "any":
        return tuple(_record(domain, generator) for _ in range(2))
    longer = [_record(domain, generator) for _ in range(size or int(generator.integers(1, 12)))]
    place = int(generator.integers(len(longer)))
    other = [_record(domain, generator)] if relation == "replace-one" else []
    shorter = longer[:place] + other + longer[place + 1 :]
    return (longer, shorter) if generator.random() < 0.5 else (shorter, longer)


def _record(domain, generator):
    if isinstance(domain, dict):
        return tuple(_record(part, generator) for part in domain.values())
    if isinstance(domain, list):
        return domain[int(generator.integers(len(domain)))]
    low, high = domain
    if generator.random() < 0.3:
        return (low, high)[int(generator.integers(2))]
    return int(generator.integers(low, high + 1)) if isinstance(low, int) else float(generator.uniform(low, high))


def right_of_file(file, pairs=60, seed=41):
    """Of each right mechanism its name and the largest loss that random neighbours show."""
    listed = list(mechanisms(file))
    module = loaded(file)
    return [(m.name, worst_loss(module, m, pairs, seed)) for m in listed]
