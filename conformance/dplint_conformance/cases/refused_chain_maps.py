"""ChainMaps that change, or whose dicts do. No interpretation follows these."""

from collections import ChainMap


def chain_that_is_changed(rng, queries):
    first = {}
    both = ChainMap(first, {"a": 1})
    both["a"] = rng.random()
    return first, both["a"]


def dict_of_a_chain_that_grows(rng, queries):
    first = {}
    both = ChainMap(first, {"a": 1})
    first["a"] = rng.random()
    return both["a"]


def dict_of_a_chain_that_loses_a_key(rng, queries):
    first = {"a": rng.random()}
    both = ChainMap(first, {"a": 1})
    first.pop("a")
    return both["a"], rng.random()


def dict_of_a_chain_that_another_name_changes(rng, queries):
    first = {"a": 2}
    other = first
    both = ChainMap(first, {"a": 1})
    other["a"] = rng.random()
    return both["a"]


def chain_that_is_asked_for_its_dicts(rng, queries):
    both = ChainMap({"a": rng.random()}, {"a": 1})
    return both.maps[0], both.new_child({"a": 3})["a"]


LIMITS = {"low": 0}


def constant_that_a_chain_changes(rng, queries):
    both = ChainMap(LIMITS, {"high": 1})
    return both["high"] + rng.random()


def _raised(key, value):
    both = ChainMap(LIMITS, {"high": 1})
    both[key] = value


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
