"""The `dp` and `stable` decorators: each attaches a claim to a function and returns the function unchanged.

This file needs nothing but the standard library and runs on Python 3.9 and later: the runner carries it into
environments where dplint is not installed.
"""

from __future__ import annotations

from typing import Any, Callable, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


def dp(
    *,
    epsilon: float | str | None = None,
    delta: float | str = 0.0,
    neighbors: str | Callable[..., Any] = "linf",
    sensitivity: float = 1.0,
    data: str | tuple[str, ...] | list[str] | None = None,
    domain: Any = None,
    size: int | tuple[int, ...] | list[int] | None = None,
    args: dict[str, Any] | None = None,
    rng: str | None = None,
    make: str | Callable[..., Any] | None = None,
    observe: str | tuple[str, ...] | list[str] | None = None,
    numerics: str | None = None,
    user: str | None = None,
    labels: str | None = None,
    rho: float | str | None = None,
    mu: float | str | None = None,
    renyi: Any = None,
    curve: str | Callable[[float], float] | None = None,
    sample_rate: float | None = None,
    steps: int | None = None,
) -> Callable[[F], F]:
    """Claim that a function is differentially private: by epsilon and delta, or by one of rho, mu, renyi and curve.

    The function is returned as it is, with the claim attached as the attribute `__dplint_claim__`. Nothing is
    checked here: `dplint check` reads the claim from the source and reports a wrong one at its place.

    epsilon, delta: a number, or an expression over the function's parameters such as `"epsilon"` or `"eps1 + eps2"`.
    neighbors: the name of a relation, such as `"linf"` or `"l1"` (vectors of answers), `"add-remove"` (records) or
        `"any"` (one local value); or a callable or `"module:function"` that yields pairs.
    sensitivity: how far neighbouring vectors may be apart, in the norm that `neighbors` names.
    data: the name of the data parameter; by default the first parameter that is not the generator. `"self.rows"` for an
        attribute of a method's object; a tuple for several, of which each takes the column of its name, and the first
        all columns that are left.
    domain: what a value or record may be: `(low, high)`, categories, `[(low, high), None]` for numbers that may
        be missing, or a dict of those by column.
    size: length or lengths of the data to try.
    args: fixed values, lists of candidates, or `(low, high)` intervals for other parameters.
    rng: the name of the generator parameter.
    make: a callable or `"module:function"` that makes the object of a method, or returns a nested function or a lambda;
        if it has a parameter, that takes the data.
    observe: what is released besides the value returned: some of `"stdout"`, `"stderr"`, `"logging"`, `"files"`,
        `"arguments"`, which the function may change in place, and attributes of a method's object, as `"self.mean"`.
    numerics: `"machine"` for a claim about the numbers that the machine has, `"real"` for one about real numbers; by
        default what the settings say.
    user: the column of the domain that says whose a record is: neighbours differ in all records of one user.
    labels: the name of the parameter that takes the last column of the domain; the data has the others.
    rho: in place of epsilon: zero-concentrated differential privacy (zCDP), a number or an expression; with a delta it
        is approximate.
    mu: in place of epsilon: Gaussian differential privacy (GDP), a number or an expression.
    renyi: in place of epsilon: Renyi differential privacy, a pair `(alpha, bound)`, a list of several, or an expression
        in `alpha` for all orders, as `"alpha * rho"`.
    curve: in place of epsilon: a callable or `"module:function"` that gives the promised delta for an epsilon.
    steps, sample_rate: the function makes one step of a training, and the claim is about so many of them, 1 if nothing
        is said; each sees every record with this probability, by itself (Poisson sampling), 1.0 if nothing is said.
    """
    claim = {
        "epsilon": epsilon,
        "delta": delta,
        "neighbors": neighbors,
        "sensitivity": sensitivity,
        "data": data,
        "domain": domain,
        "size": size,
        "args": args,
        "rng": rng,
        "make": make,
        "observe": observe,
        "numerics": numerics,
        "user": user,
        "labels": labels,
        "rho": rho,
        "mu": mu,
        "renyi": renyi,
        "curve": curve,
        "sample_rate": sample_rate,
        "steps": steps,
    }

    def attach(function: F) -> F:
        function.__dplint_claim__ = claim  # type: ignore[attr-defined]
        return function

    return attach


def stable(
    *,
    d_out: float | str,
    d_in: float = 1,
    metric: str = "absolute",
    neighbors: str | Callable[..., Any] = "add-remove",
    data: str | tuple[str, ...] | list[str] | None = None,
    domain: Any = None,
    size: int | tuple[int, ...] | list[int] | None = None,
    args: dict[str, Any] | None = None,
    make: str | Callable[..., Any] | None = None,
    user: str | None = None,
    labels: str | None = None,
) -> Callable[[F], F]:
    """Claim that a function without noise is stable: neighbouring inputs give outputs at most `d_out` apart.

    As `dp`, it returns the function as it is, with the claim as the attribute `__dplint_claim__`. A single pair of
    inputs refutes it. Where none does, it is not proved.

    d_out: a number, or an expression over the function's parameters such as `"high - low"`.
    d_in: how many records, or users, the inputs differ in; of vectors, how far they are apart in the norm that
        `neighbors` names.
    metric: how outputs are compared: `"absolute"` (numbers), `"l1"`, `"l2"`, `"linf"` (vectors; of a dict or a Series
        with labels, an absent key counts as zero), `"symmetric"` (rows as multisets: how many are in one alone),
        `"changes"` (rows in their order: how many differ) or `"insert-delete"` (how many come and go, in their order).
    neighbors, data, domain, size, args, make, user, labels: as for `dp`.
    """
    claim = {
        "d_out": d_out,
        "d_in": d_in,
        "metric": metric,
        "neighbors": neighbors,
        "data": data,
        "domain": domain,
        "size": size,
        "args": args,
        "make": make,
        "user": user,
        "labels": labels,
    }

    def attach(function: F) -> F:
        function.__dplint_claim__ = claim  # type: ignore[attr-defined]
        return function

    return attach
