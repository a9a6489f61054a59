"""What a claim observes besides what is returned: the program that gives both as a pair, in place of a refusal.

Whoever observes what is printed, logged or written sees a function of what was shown, in its order
(`dplint.source.lowering.observed`); so the claim about all that is observed follows from that about the pair (Dwork and
Roth, The Algorithmic Foundations of Differential Privacy, 2014, proposition 2.1). A run that ends by an exception gives
no pair, and what it has shown before would be lost: so no run of such a program may raise (`Walk.shows`).

NumPy warns on the standard error where numbers overflow or are divided by zero, which no program tells. So where that
is observed, nothing of NumPy's may have a part in it.
"""

from __future__ import annotations

from dataclasses import replace

from dplint.claims import Mechanism
from dplint.inputs.forms import data_form
from dplint.program.nodes import Call, Draw, MethodCall, Node, Program
from dplint.program.walk import walk

_LIBRARIES = ("numpy.", "scipy.")


def with_all_that_is_observed(program: Program, mechanism: Mechanism) -> Program:
    """The program whose output is all that the claim observes; as it is where that is what it returns, or not known."""
    if not program.observed or any(isinstance(one, Call) and one.function == "print" for one in walk(program)):
        return program  # a print that nobody has written down
    if "stderr" in mechanism.claim.observe and not _warns_never(program, mechanism):
        return program
    return replace(program, body=program.body[1:])


def _warns_never(program: Program, mechanism: Mechanism) -> bool:
    return data_form(mechanism) in ("list", "scalar", "tuple") and not any(map(_is_of_numpy, walk(program)))


def _is_of_numpy(node: Node) -> bool:
    """Whether numbers of NumPy may come of a node."""
    if isinstance(node, Draw):
        return node.size is not None or node.family not in ("generator", "python")
    return isinstance(node, MethodCall) or (isinstance(node, Call) and node.function.startswith(_LIBRARIES))
