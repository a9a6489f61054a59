"""`collections.ChainMap`, which is only read."""

from collections import ChainMap

DEFAULTS = {"scale": 2.0, "low": 0.0, "high": 3.0}


def settings_before_defaults(rng, queries):
    defaults = {"scale": 1.0, "high": 5.0}
    settings = ChainMap({"high": rng.random()}, defaults)
    noisy = [min(q, settings["high"]) + settings["scale"] for q in queries]
    return noisy, settings.get("low"), settings.get("scale", 3), "low" in settings, len(settings)


def order_of_the_keys(rng, queries):
    first, last = {"b": 1, "a": rng.random()}, {"a": 2, "c": 3, "b": 4}
    both = ChainMap(first, last)
    return list(both), list(both.items()), [k for k in both], dict(both), sorted(both), list(both.values())


def key_that_no_dict_of_a_chain_has(rng, queries):
    found = ChainMap({"a": 1}, {"b": 2})
    try:
        return found["abc"[int(rng.integers(3))]]
    except KeyError:
        return "missing"


def without_a_name(rng, queries, options=None):
    return dict(ChainMap({"low": rng.random()}, options or {}, DEFAULTS)), len(ChainMap({}, DEFAULTS))


def of_constants_and_nothing(rng, queries):
    all_of_them = ChainMap({}, DEFAULTS)
    none = ChainMap()
    if rng.random() < 0.5:
        none = ChainMap({"x": 1})
    return all_of_them["low"], len(none), "x" in none, {**all_of_them}


def _scaled(x, options):
    settings = ChainMap(options, {"scale": 1.0, "shift": 0})
    return x * settings["scale"] + settings["shift"]


def chained_settings_of_a_helper(rng, queries):
    return _scaled(rng.random(), {"scale": 3}), _scaled(rng.random(), {})
