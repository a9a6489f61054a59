"""What the mechanisms of diffprivlib say of themselves: epsilon and delta of their constructors, for a sensitivity.

Runs in the user's interpreter, as a script, and prints a JSON list; `dplint.check.library` says what is in it. No claim
is written by hand: arguments by their names are offered to every mechanism. What it takes is a number, a value of its
own, or the utilities that it chooses by.
"""

from __future__ import annotations

import importlib.metadata
import inspect
import itertools
import json
import sys
from collections.abc import Iterator
from typing import Any

from diffprivlib import mechanisms

SETUP = "from diffprivlib import mechanisms"
VALUES = ("a", "b", "c")
ARGUMENTS: dict[str, tuple[Any, ...]] = {
    "epsilon": (1.0, 0.2),
    "delta": (0.1,),
    "sensitivity": (1,),
    "lower": (0,),
    "upper": (4,),
    "gamma": (0.5,),
    "value0": (VALUES[0],),
    "value1": (VALUES[1],),
    "utility_list": ([["a", "b", 1.0], ["a", "c", 2.0], ["b", "c", 2.0]],),
    "hierarchy": ([["a", "b"], ["c"]],),
}
NUMBERS = ("float", "int")
"""Annotations of what a mechanism takes, of which the first that it takes is tried."""


def arguments_of(mechanism: type) -> Iterator[dict[str, Any]]:
    """The arguments of a constructor, with everything that they may be, as far as that is known by their names."""
    names, options = [], []
    for name, parameter in inspect.signature(mechanism).parameters.items():
        if name in ARGUMENTS and (parameter.default is inspect.Parameter.empty or name == "sensitivity"):
            names.append(name)
            options.append(ARGUMENTS[name])
        elif parameter.default is inspect.Parameter.empty and name != "utility":
            return
    for chosen in itertools.product(*options):
        yield dict(zip(names, chosen, strict=True))


def described(name: str, arguments: dict[str, Any]) -> dict[str, Any] | None:
    """What a mechanism claims of itself; None where it is not made of these, or takes nothing that is known here."""
    written = ", ".join(f"{key}={value!r}" for key, value in arguments.items())
    loss = {"epsilon": arguments.get("epsilon"), "delta": arguments.get("delta", 0.0)}
    if loss["epsilon"] is None:
        return None
    if "utility" in inspect.signature(getattr(mechanisms, name)).parameters:
        call = f"lambda scores: mechanisms.{name}({written}, utility=list(scores)).randomise()"
        tried: list[tuple[dict[str, Any], Any]] = [({"neighbors": "linf", "kind": "list[float]"}, [0.0, 1.0])]
    else:
        # Made anew for each run, as a mechanism keeps its generator.
        call = f"lambda value: mechanisms.{name}({written}).randomise(value)"
        known = VALUES[:2] if "value0" in arguments else VALUES
        tried = [({"neighbors": "linf", "kind": kind}, eval(kind)(1)) for kind in NUMBERS]
        tried.append(({"neighbors": "any", "domain": str(list(known))}, known[0]))
    for space, value in tried:
        try:
            eval(call)(value)
        except Exception:
            continue
        return {**space, **loss, "make": call}
    return None


def claims() -> list[dict[str, Any]]:
    """What all mechanisms claim."""
    made = [
        described(name, arguments)
        for name, mechanism in sorted(vars(mechanisms).items())
        if inspect.isclass(mechanism)
        for arguments in arguments_of(mechanism)
    ]
    return [one for one in made if one is not None]


if __name__ == "__main__":
    version = f"diffprivlib {importlib.metadata.version('diffprivlib')}"
    sys.stdout.write(json.dumps({"library": version, "setup": SETUP, "claims": claims()}))
