"""Continuous distributions that are seldom noise: what draws from them, and their parameters."""

from __future__ import annotations

import math
from typing import Any

from ..distribution import Distribution, Formulas, ShiftCost, above, of_location_and_scale
from ..parameters import Parameter, positive, real
from ..sampling import scaled
from ..signatures import numpy, outside, python, scipy, standard, torch_class


def _pareto_sample(generator: Any, parameters: Any, shape: Any) -> Any:
    return parameters["loc"] + generator.pareto(parameters["a"], shape)


def _student_t_sample(generator: Any, parameters: Any, shape: Any) -> Any:
    return scaled(lambda shape: generator.standard_t(parameters["df"], shape), parameters, shape)


def _weibull_sample(generator: Any, parameters: Any, shape: Any) -> Any:
    return scaled(lambda shape: generator.weibull(parameters["a"], shape), parameters, shape)


DISTRIBUTIONS = (
    # The beta distribution: density x^(a - 1) (1 - x)^(b - 1) / B(a, b) on [0, 1].
    Distribution(
        name="beta",
        parameters=(positive("a"), positive("b")),
        draws=(
            *numpy("beta", "a", "b"),
            *python("betavariate", "alpha=a", "beta=b"),
            *scipy("beta", "a", "b"),
            *torch_class("Beta", "concentration1=a", "concentration0=b"),
        ),
        formulas=Formulas(
            centre=lambda a, b: a / (a + b),  # the mean
            support=lambda: (0.0, 1.0),
        ),
    ),
    # The chi-square distribution with df degrees of freedom: a gamma distribution of shape df / 2 and scale 2.
    Distribution(
        name="chisquare",
        parameters=(positive("df"),),
        draws=(*numpy("chisquare", "df"), *scipy("chi2", "df"), *torch_class("Chi2", "df")),
        formulas=Formulas(centre=lambda: 0.0, support=above(0.0)),  # as for gamma noise
    ),
    # The F distribution with dfnum and dfden degrees of freedom.
    Distribution(
        name="f",
        parameters=(positive("dfnum"), positive("dfden")),
        draws=(
            *numpy("f", "dfnum", "dfden"),
            *scipy("f", "dfn=dfnum", "dfd=dfden"),
            *torch_class("FisherSnedecor", "df1=dfnum", "df2=dfden"),
        ),
        formulas=Formulas(centre=lambda: 1.0, support=above(0.0)),  # where numerator and denominator are alike
    ),
    # The gamma distribution: density z^(shape - 1) e^(-z) / Gamma(shape) of z = x / scale >= 0.
    Distribution(
        name="gamma",
        parameters=(positive("shape"), positive("scale", 1.0)),
        draws=(
            *numpy("gamma", "shape", ("scale", 1.0)),
            *standard("standard_gamma", "shape", fixed=(("scale", 1.0),)),
            *python("gammavariate", "alpha=shape", "beta=scale"),
            *scipy("gamma", "a=shape"),
            *torch_class("Gamma", "concentration=shape", "rate=1/scale"),
        ),
        formulas=Formulas(
            centre=lambda: 0.0,  # nothing is added, as for exponential noise
            support=above(0.0),
            scale=lambda scale: scale,
        ),
    ),
    # The lognormal distribution: its logarithm is normal, with that mean and standard deviation.
    Distribution(
        name="lognormal",
        parameters=(real("mean", 0.0), positive("sigma", 1.0)),
        draws=(
            *numpy("lognormal", ("mean", 0.0), ("sigma", 1.0)),
            *python("lognormvariate", "mu=mean", "sigma"),
            *scipy("lognorm", "s=sigma"),
            *torch_class("LogNormal", "loc=mean", "scale=sigma"),
        ),
        formulas=Formulas(centre=lambda mean: math.exp(mean), support=above(0.0)),  # the median
        noise=True,
    ),
    # The noncentral chi-square distribution: the sum of df squares of normal draws, whose squared means sum to
    # nonc.
    Distribution(
        name="noncentral_chisquare",
        parameters=(positive("df"), Parameter("nonc", low=0.0)),
        draws=(*numpy("noncentral_chisquare", "df", "nonc"), *scipy("ncx2", "df", "nc=nonc")),
        formulas=Formulas(centre=lambda nonc: nonc, support=above(0.0)),  # the sum of the squares of the means
    ),
    # The noncentral F distribution: F, with a numerator that is noncentral chi-square.
    Distribution(
        name="noncentral_f",
        parameters=(positive("dfnum"), positive("dfden"), Parameter("nonc", low=0.0)),
        draws=(
            *numpy("noncentral_f", "dfnum", "dfden", "nonc"),
            *scipy("ncf", "dfn=dfnum", "dfd=dfden", "nc=nonc"),
        ),
        formulas=Formulas(centre=lambda: 1.0, support=above(0.0)),  # as for F
    ),
    # The Pareto distribution: survival function (1 + z)^(-a) of z = x - loc >= 0. NumPy draws it with loc = 0,
    # which is also called the Lomax distribution, `random` with loc = 1.
    Distribution(
        name="pareto",
        parameters=(positive("a"), real("loc", 0.0)),
        draws=(
            *numpy("pareto", "a", fixed=(("loc", 0.0),)),
            *python("paretovariate", "alpha=a", fixed=(("loc", 1.0),)),
            *scipy("lomax", "c=a"),
            *scipy("pareto", "b=a"),
            *torch_class("Pareto", "scale", "alpha=a"),
        ),
        formulas=Formulas(
            centre=lambda loc: loc,  # the lowest: nothing is added
            support=lambda loc: (loc, math.inf),
            location=lambda loc: loc,
        ),
        sampler=_pareto_sample,
    ),
    # The power distribution: distribution function x^a on [0, 1].
    Distribution(
        name="power",
        parameters=(positive("a"),),
        draws=(*numpy("power", "a"), *scipy("powerlaw", "a")),
        formulas=Formulas(
            centre=lambda a: a / (a + 1),  # the mean
            support=lambda: (0.0, 1.0),
        ),
    ),
    # Student's t distribution with df degrees of freedom, of z = (x - loc) / scale.
    Distribution(
        name="student_t",
        parameters=(positive("df"), real("loc", 0.0), positive("scale", 1.0)),
        draws=(
            *numpy("standard_t", "df", fixed=(("loc", 0.0), ("scale", 1.0)), distinctive=True),
            *scipy("t", "df"),
            *torch_class("StudentT", "df", ("loc", 0.0), ("scale", 1.0)),
        ),
        formulas=of_location_and_scale(-6, 6),
        sampler=_student_t_sample,
        # As for Cauchy noise, with z / sqrt(df) for z and the power (df + 1) / 2.
        shift=ShiftCost("bounded", downward=True),
        noise=True,
    ),
    # The triangular distribution: the density rises from `left` to `mode` and falls to `right`.
    Distribution(
        name="triangular",
        parameters=(real("left"), real("mode"), real("right")),
        draws=(
            *numpy("triangular", "left", "mode", "right"),
            # Its mode may be left out, and is then the middle.
            *outside("python", "triangular", ("low=left", 0.0), ("high=right", 1.0), ("mode", None)),
            *scipy("triang", "c=mode"),
        ),
        formulas=Formulas(
            centre=lambda left, mode, right: (left + right) / 2 if mode is None else mode,
            support=lambda left, right: (left, right),
        ),
        condition=lambda left, mode, right: (left <= mode) & (mode <= right) & (left < right),
    ),
    # The von Mises distribution of angles: density proportional to e^(kappa cos(x - mu)) on [-pi, pi]. `random`
    # gives angles from 0 to 2 pi, which is no draw of a program.
    Distribution(
        name="vonmises",
        parameters=(real("mu"), Parameter("kappa", low=0.0)),
        draws=(
            *numpy("vonmises", "mu", "kappa"),
            *outside("python", "vonmisesvariate", "mu", "kappa"),
            *scipy("vonmises", "kappa"),
            *torch_class("VonMises", "loc=mu", "concentration=kappa"),
        ),
        formulas=Formulas(
            centre=lambda mu: mu,
            support=lambda: (-math.pi, math.pi),
        ),
        noise=True,
    ),
    # The Wald (inverse Gaussian) distribution with a mean, and a scale that is its usual parameter lambda.
    Distribution(
        name="wald",
        parameters=(positive("mean"), positive("scale")),
        draws=(*numpy("wald", "mean", "scale"), *scipy("invgauss", "mu=mean")),
        formulas=Formulas(centre=lambda mean: mean, support=above(0.0)),
    ),
    # The Weibull distribution: survival function e^(-z^a) of z = x / scale >= 0.
    Distribution(
        name="weibull",
        parameters=(positive("a"), positive("scale", 1.0)),
        draws=(
            *numpy("weibull", "a", fixed=(("scale", 1.0),)),
            *python("weibullvariate", "alpha=scale", "beta=a"),
            *scipy("weibull_min", "c=a"),
            *torch_class("Weibull", "scale", "concentration=a"),
        ),
        formulas=Formulas(centre=lambda: 0.0, support=above(0.0), scale=lambda scale: scale),  # nothing is added
        sampler=_weibull_sample,
    ),
)
