"""Right mechanisms made wrong: none may be proved, for every length or for the length at which the claim breaks.

Each kind of mutant comes with the closed form that shows it wrong: the claims of these mechanisms are tight, so nine
tenths of the noise cost ten ninths of the claim on some input.
"""

import re

import pytest

from dplint.proofs.proving import NoProof
from tests.proofs.proof_tools import FIXTURES, for_every_length, of_text, sampled, up_to

TIGHT = {
    "statdp/histogram.py": ["histogram"],
    "statdp/noisy_max.py": ["noisy_max_v1a", "noisy_max_v2a"],
    "statdp/sparse_vector.py": ["svt"],
    "checkdp/noisy_max.py": ["noisy_max"],
    "checkdp/sparse_values.py": ["num_svt", "gap_svt"],
    "checkdp/sparse_vector.py": ["svt"],
    "checkdp/sums.py": ["partial_sum", "smart_sum"],
    "dpsniper/laplace.py": ["laplace_mechanism", "laplace_parallel"],
    "dpsniper/sparse_vector.py": ["svt2", "numerical_svt"],
    "dpfinder/selection.py": ["exp_mech", "report_noisy_max"],
    "dpfinder/sparse_vector.py": ["alg1", "alg2"],
    "dpfinder/sums.py": ["private_sum"],
}
"""Mechanisms whose true epsilon is the claim, by the tables of truth or the papers that they come from."""
NEVER_DRAWN = {("svt2", 2), ("alg2", 2)}
"""Fresh noise for the threshold after an answer above, where the claim's arguments stop after the first one."""
TIGHT_AT = {
    "histogram": 1,
    "partial_sum": 1,
    "laplace_mechanism": 1,
    "laplace_parallel": 1,
    "private_sum": 1,
    "noisy_max_v2a": 3,
    "noisy_max_v1a": 3,
    "noisy_max": 3,
    "exp_mech": 3,
    "report_noisy_max": 3,
}
"""Lengths from which on a shift costs the whole claim. A sparse vector comes near its claim for long data only."""
SHARES = [0.9, 0.5, 0.75, 0.95, 0.99, 0.8, 0.7, 0.6, 0.3, 0.85, 0.65, 0.97, 0.55, 0.45, 0.35]


def bodies():
    for file, names in TIGHT.items():
        text = (FIXTURES / file).read_text()
        for name in names:
            start = text.index(f"def {name}(")
            ends = [found for found in (text.find("\n@dp", start), text.find("\ndef ", start)) if found >= 0]
            yield file, name, text, start, min(ends, default=len(text))


def less_noise():
    """One scale of each mechanism times a share: (file, name, text, which)."""
    for share in SHARES:
        for file, name, text, start, end in bodies():
            for number, found in enumerate(re.finditer(r"scale=((?:[^()]|\([^()]*\))*)\)", text[start:end])):
                if (name, number) in NEVER_DRAWN:
                    continue
                scale = slice(start + found.start(1), start + found.end(1))
                mutant = f"{text[: scale.start]}{share} * ({text[scale]}){text[scale.stop :]}"
                yield pytest.param(name, mutant, id=f"{file}:{name}:scale {number} times {share}")


def more_sensitive():
    """The claim's sensitivity doubled, which is its noise halved: the loss doubles."""
    for file, name, text, start, _ in bodies():
        claim = text.rindex("@dp(", 0, start)
        mutant = f"{text[:claim]}@dp(sensitivity=2, {text[claim + 4 :]}"
        if 'neighbors="l' in text[claim:start]:
            yield pytest.param(name, mutant, id=f"{file}:{name}:twice the sensitivity")


def without_stop():
    """Sparse vectors that go on: with N = 1 each answer above costs half of epsilon, and there may be three."""
    for file, name, text, start, end in bodies():
        if "break" in text[start:end] and name != "smart_sum":
            body = text[start:end].replace("break", "pass")
            yield pytest.param(name, text[:start] + body + text[end:], id=f"{file}:{name}:no break")


def without_threshold_noise():
    """Sparse vectors whose threshold is known: answers below it cost, too, and there is no end of them."""
    for file, name, text, start, end in bodies():
        if "threshold = " in text[start:end]:
            body = re.sub(r"(threshold = \w) \+ rng.laplace\(.*\)", r"\1", text[start:end])
            yield pytest.param(name, text[:start] + body + text[end:], id=f"{file}:{name}:a known threshold")


def without_fresh_noise():
    """Sparse vectors that report the noisy answer itself in place of one with fresh noise, or of the gap."""
    for file, name, text, start, end in bodies():
        body = text[start:end].replace("noisy - threshold", "noisy")
        body = re.sub(r"output.append\(query \+ rng.laplace\(.*\)\)", "output.append(query)", body)
        if body != text[start:end]:
            yield pytest.param(name, text[:start] + body + text[end:], id=f"{file}:{name}:no fresh noise")


LESS_NOISE = list(less_noise())
OTHERS = [*more_sensitive(), *without_stop(), *without_threshold_noise(), *without_fresh_noise()]
MUTANTS = LESS_NOISE + OTHERS


def test_there_are_enough_mutants():
    assert len(MUTANTS) >= 500


@pytest.mark.parametrize(("name", "text"), sampled(MUTANTS, 5))
def test_no_mutant_is_proved_for_every_length(tmp_path, name, text):
    program, mechanism = of_text(tmp_path, text, name)

    found, _ = for_every_length(program, mechanism)

    assert isinstance(found, NoProof)


@pytest.mark.parametrize(("name", "text"), sampled([one for one in LESS_NOISE if one.values[0] in TIGHT_AT], 5))
def test_no_mutant_with_less_noise_is_proved_for_a_few_values(tmp_path, name, text):
    program, mechanism = of_text(tmp_path, text, name)

    found, _ = up_to(program, mechanism, TIGHT_AT[name])

    assert isinstance(found, NoProof)
