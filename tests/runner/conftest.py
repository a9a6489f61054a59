"""What the runner's tests share: mechanisms from source text, and one runner for tests that do not break it."""

from __future__ import annotations

import ast
import sys
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from dplint.claims import Claim, Mechanism, Parameter, ParameterKind, Span
from dplint.runner import deadline
from dplint.runner.client import Runner

ROOT = Path(__file__).parents[2]
_NOWHERE = Span(1, 1, 1, 1)
_RNG_NAMES = ("rng", "prng", "random_state", "generator", "key", "seed")

Describe = Callable[..., Mechanism]
Write = Callable[..., Mechanism]


def described(path: Path, qualname: str, *, root: Path | None = None, source: str | None = None) -> Mechanism:
    """The mechanism of that name: the first parameter that is not the generator bears the data."""
    source = path.read_text() if source is None else source
    node: ast.AST = ast.parse(source)
    for part in qualname.split("."):
        node = next(
            item for item in ast.walk(node) if isinstance(item, ast.FunctionDef | ast.ClassDef) and item.name == part
        )
    assert isinstance(node, ast.FunctionDef)
    groups = (
        (node.args.posonlyargs, ParameterKind.POSITIONAL_ONLY),
        (node.args.args, ParameterKind.NORMAL),
        (node.args.kwonlyargs, ParameterKind.KEYWORD_ONLY),
    )
    parameters = tuple(
        Parameter(item.arg, kind, ast.unparse(item.annotation) if item.annotation else None)
        for items, kind in groups
        for item in items
        if item.arg not in ("self", "cls")
    )
    names = [item.name for item in parameters]
    rng = next((name for name in names if name in _RNG_NAMES), None)
    root = path.parent if root is None else root
    return Mechanism(
        file=path.name,
        path=str(path),
        import_root=str(root),
        project_root=str(root),
        module=".".join(path.relative_to(root).with_suffix("").parts),
        qualname=qualname,
        span=_NOWHERE,
        claim_span=_NOWHERE,
        claim=Claim(epsilon=1.0, relation="linf"),
        parameters=parameters,
        data=next((name for name in names if name != rng), None),
        rng=rng,
        digest="",
        source_lines=tuple(ast.unparse(node).splitlines()),
    )


@pytest.fixture
def describe() -> Describe:
    return described


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a module with a function `m` into a folder of its own and describes that function."""
    count = 0

    def write_module(source: str, qualname: str = "m") -> Mechanism:
        nonlocal count
        count += 1
        # A name of its own: the shared runner keeps the modules of all tests.
        path = tmp_path / f"{tmp_path.name}_{count}.py"
        path.write_text(textwrap.dedent(source))
        return described(path, qualname)

    return write_module


@pytest.fixture(scope="session")
def shared_runner() -> Iterator[Runner]:
    with Runner(sys.executable, deadline=30, memory_mib=1024) as runner:
        yield runner


@pytest.fixture
def own_runner() -> Iterator[Runner]:
    with Runner(sys.executable, deadline=30, memory_mib=512) as runner:
        yield runner


@pytest.fixture
def hasty_runner(monkeypatch: pytest.MonkeyPatch) -> Iterator[Runner]:
    """However busy the machine is, its deadline is over by what the runner itself has had of it."""
    monkeypatch.setattr(deadline, "_MOST_WAITING", 1e3)
    with Runner(sys.executable, deadline=1.5, memory_mib=512) as runner:
        yield runner
