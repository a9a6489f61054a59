"""Mutants of every right mechanism on vectors in the fixtures, by kind; the exact reading says which of them are wrong.

Kinds: a comparison turned, a scale times 0.9, a draw that is made anew left out, a `break` dropped, the sensitivity
doubled. Many of them keep the claim: a sparse vector that looks for small answers does. What is proved may lose no more
than it claims, on any pair of small data within the scope of the proof; losses are integrals that `tests/exact` holds
against quadrature, and share no code with proofs.
"""

import ast
import copy
import itertools
import math

import pytest

from dplint.claims import Categories, Fixed
from dplint.program.refusals import UnsupportedConstruct
from dplint.proofs.searching import search
from dplint.relations import DataKind, relation_of
from tests.exact.exact_tools import largest, losses
from tests.proofs.proof_tools import FIXTURES, FOLDERS, of_text, sampled, targets, truths

TURNED = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
MOVES = {"linf": (-1, 0, 1), "l1": (-1, 0, 1), "linf-monotone": (0, 1)}
LONGEST = 3
SECONDS = 2.0


def changed(function):
    """The function with one change each: (kind, where, syntax tree)."""
    for number, node in enumerate(ast.walk(function)):
        changes = list(changes_of(node))
        for kind in range(len(changes)):
            mutant = copy.deepcopy(function)
            name, change = list(changes_of(next(itertools.islice(ast.walk(mutant), number, None))))[kind]
            change()
            yield name, number, ast.fix_missing_locations(mutant)


def changes_of(node):
    """What may be changed at a node of a copy: (kind, function that does it)."""
    if isinstance(node, ast.Compare) and len(node.ops) == 1 and type(node.ops[0]) in TURNED:
        yield "turned", lambda: setattr(node, "ops", [TURNED[type(node.ops[0])]()])
    if isinstance(node, ast.keyword) and node.arg == "scale":
        yield "scale", lambda: setattr(node, "value", ast.BinOp(ast.Constant(0.9), ast.Mult(), node.value))
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "dp":
        yield "sensitivity", lambda: node.keywords.append(ast.keyword("sensitivity", ast.Constant(2)))
    if isinstance(node, ast.For | ast.If):
        for block in (node.body, node.orelse):
            for place, statement in enumerate(block):
                if isinstance(statement, ast.Break):
                    yield "break", lambda block=block, place=place: block.__setitem__(place, ast.Pass())
                if isinstance(statement, ast.Assign) and "rng." in ast.unparse(statement):
                    yield "redraw", lambda block=block, place=place: block.__setitem__(place, ast.Pass())


def mutants():
    for folder in FOLDERS:
        for file in sorted((FIXTURES / folder).glob("*.py")):
            tree = ast.parse(file.read_text())
            for place, function in enumerate(tree.body):
                name = getattr(function, "name", "")
                _, mechanism = targets(file).get(name, (None, None))
                wanted = mechanism is not None and truths().get((folder, name), not name.endswith("leaks"))
                if wanted and mechanism.claim.relation in MOVES:
                    for kind, number, mutant in changed(function):
                        body = [*tree.body[:place], mutant, *tree.body[place + 1 :]]
                        text = ast.unparse(ast.Module(body, []))
                        yield pytest.param(name, text, id=f"{file.stem}:{name}:{kind} at {number}")


MUTANTS = list(mutants())


def argument(values):
    """One value within the scope."""
    if isinstance(values, Fixed):
        return values.value
    if isinstance(values, Categories):
        return values.values[0]
    least = 1.0 if math.isinf(values.low) else values.low + values.above
    return int(least) if values.integer else least


def neighbours(mechanism, sizes):
    """Pairs of data up to three long, within the sizes of a proof: all move, one does, or they move in turn."""
    up, down = max(MOVES[mechanism.claim.relation]), min(MOVES[mechanism.claim.relation])
    far = int(mechanism.claim.sensitivity)
    most = LONGEST if sizes.largest is None else min(LONGEST, sizes.largest)
    for size in range(max(sizes.smallest, 1), most + 1):
        single = {(*(0 for _ in range(size - 1)), up), (up, *(0 for _ in range(size - 1)))}
        several = {(up,) * size, tuple(down if k % 2 else up for k in range(size)), (*(down,) * (size - 1), up)}
        for moves in sorted(single if mechanism.claim.relation == "l1" else single | several):
            yield [1] * size, [1 + far * one for one in moves]


def largest_loss(program, mechanism, sizes, arguments):
    """Over all of these pairs that the exact reading follows; and how many that are."""
    found, count = 0.0, 0
    for one, two in neighbours(mechanism, sizes):
        try:
            both = losses(program, one, two, **arguments)
        except UnsupportedConstruct:
            continue
        count += 1
        found = max([found, *(largest(side)[0] for side in (both.forwards, both.backwards) if side)])
    return found, count


@pytest.mark.parametrize("kind", ["turned", "scale", "sensitivity", "break", "redraw"])
def test_there_are_mutants_of_every_kind(kind):
    assert sum(f":{kind} at " in param.id for param in MUTANTS) >= 5


def test_these_pairs_show_what_is_wrong():
    """A sparse vector without noise for its answers, and one that spends more the more answers there are."""
    for file, name in (("checkdp/sparse_vector.py", "bad_svt1"), ("statdp/sparse_vector.py", "isvt1")):
        program, mechanism = targets(FIXTURES / file)[name]
        assert relation_of(mechanism.claim).data is DataKind.VECTOR
        found = search(*targets(FIXTURES / "checkdp/sparse_vector.py")["svt"], 10.0).proof
        loss, _ = largest_loss(program, mechanism, found.scope.sizes, {"epsilon": 1.0, "T": 0.0, "N": 1})
        assert loss > 1


@pytest.mark.parametrize(("name", "text"), sampled(MUTANTS, 150))
def test_what_is_proved_of_a_mutant_loses_no_more_than_it_claims(tmp_path, name, text):
    program, mechanism = of_text(tmp_path, text, name)
    proof = search(program, mechanism, SECONDS).proof
    if proof is None or proof.scope.sizes is None:
        return
    given = {one.name: argument(one.values) for one in proof.scope.arguments}
    claimed = mechanism.claim.epsilon
    claimed = eval(claimed, {}, given) if isinstance(claimed, str) else claimed

    loss, _ = largest_loss(program, mechanism, proof.scope.sizes, given)

    assert loss <= claimed + 1e-9
