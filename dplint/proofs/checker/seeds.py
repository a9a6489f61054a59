"""Noise of a generator that a mechanism makes of the seed of a run: as if of a generator without one.

That each run has a seed of its own, which nobody knows, and that what is made of it is as good as independent draws, is
taken for granted, and the scope says so. The program has one generator of the seed, and nothing else is made of it
(`Program.seeded`), so no draw comes twice.
"""

from __future__ import annotations

from dataclasses import replace

from dplint.program.nodes import Program

FRESH = "each run has a seed of its own, which nobody knows"


def as_without_seed(program: Program) -> Program:
    """The program behind the refusal of its seed, which stands behind that of what is observed."""
    if not program.seeded:
        return program
    place = int(program.observed)
    return replace(program, body=(*program.body[:place], *program.body[place + 1 :]))
