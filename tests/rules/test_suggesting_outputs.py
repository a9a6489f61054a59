"""Claims for functions that keep, change in place, make inside of others, or get their noise from elsewhere."""

from __future__ import annotations

import pytest

from tests.rules.test_suggesting import only, suggestions


def test_what_a_method_keeps_is_observed():
    one = only(
        """
        class NoisyShares:
            def blur(self, epsilon):
                noise = np.random.laplace(scale=1 / epsilon, size=len(self.shares))
                self.shares = np.abs(self.shares + noise)
        """
    )

    assert one.text == 'dp(epsilon="epsilon", neighbors="l1", data="self.shares", observe=["self.shares"])'
    assert one.confidence == "high"


def test_records_that_a_method_counts_into_an_attribute():
    one = only(
        """
        class Clipping:
            def _update(self, results, epsilon):
                count = 0
                for result in results:
                    if result.clipped:
                        count += 1
                self.norm *= math.exp(count + np.random.laplace(scale=1 / epsilon))
        """
    )

    assert (one.data, one.claim["neighbors"], one.claim["observe"]) == ("results", "add-remove", ["self.norm"])


def test_an_epsilon_that_an_object_changes_is_not_its_data():
    one = only(
        """
        class NoisyScaler:
            def __init__(self, epsilon=0.0):
                self.epsilon = epsilon
            def finish(self):
                self.epsilon -= 0.1
                self.mean = np.clip(self.vals, 0, 1).mean() + np.random.laplace(scale=1 / self.epsilon)
        """
    )

    assert one.data == "self.vals"
    assert one.claim["epsilon"] == 1.0  # 0 stands for one that is to be given
    assert "epsilon is `self.epsilon`" in one.doubts[0]


@pytest.mark.parametrize(
    ("body", "observed"),
    [
        ("for array in arrays:\n        array += np.random.laplace(0, 1 / epsilon, array.shape)", ["arguments"]),
        ("for i in range(len(arrays)):\n        arrays[i] += np.random.laplace(0, 1 / epsilon)", ["arguments"]),
        ("for number in arrays:\n        number += np.random.laplace(0, 1 / epsilon)", None),
        ("arrays = list(arrays)\n    arrays[0] += np.random.laplace(0, 1 / epsilon)", None),
    ],
    ids=["arrays of a list", "elements", "numbers stay as they are", "a copy"],
)
def test_noise_in_place_is_observed_in_the_arguments(body, observed):
    found = suggestions(f"def blur(arrays, epsilon):\n    {body}\n")

    assert [one.claim.get("observe") for one in found] == ([observed] if observed else [])


def test_a_function_inside_of_another_has_a_claim_of_its_own_unless_the_outer_one_has():
    step = "    def noisy_step(grads: np.ndarray, eps):\n        return grads + np.random.laplace(scale=1 / eps)\n"
    one = only(f"def maker(scale):\n{step}    return noisy_step\n")

    assert one.function == "maker.<locals>.noisy_step"
    assert one.confidence == "medium"
    assert "could not be tested as it is: it is defined inside maker()" in one.doubts[0]
    outer = "def whole(grads, epsilon):\n    def one(g):\n        return g + np.random.laplace(scale=1 / epsilon)\n"
    assert only(outer + "    return [one(g) for g in grads]\n").function == "whole"


def test_one_of_two_distributions_of_scipy():
    one = only(
        """
        from scipy.stats import laplace, norm

        def blur(counts, epsilon, delta=1e-6):
            if delta > 0:
                law = norm(0, np.sqrt(2 * np.log(1.25 / delta)) / epsilon)
            else:
                law = laplace(0, 1 / epsilon)
            return counts + law.rvs(size=len(counts))
        """
    )

    assert (one.data, one.claim["epsilon"], one.claim["delta"]) == ("counts", "epsilon", "delta")


@pytest.mark.parametrize(
    "noisy",
    [
        "value + draw_laplace_noise(1 / epsilon)",
        "value + _gauss_dist.sample(1 / epsilon)",
        "laplace(u=value, b=1 / epsilon)",
        "value + laplace_sampler(rng)[0] / epsilon",
    ],
)
def test_samplers_that_cannot_be_read_are_known_by_their_names(noisy):
    imports = "from elsewhere import _gauss_dist, draw_laplace_noise, laplace, laplace_sampler\n"
    one = only(f"{imports}def private_value(value, epsilon, rng):\n    return {noisy}\n")

    assert one.data == "value"


@pytest.mark.parametrize(
    "noisy", ["value + noise_level(epsilon)", "denoise(value)", "value * noise_multiplier(epsilon)"]
)
def test_what_speaks_of_noise_need_not_be_any(noisy):
    imports = "from elsewhere import denoise, noise_level, noise_multiplier\n"
    assert not suggestions(f"{imports}def private_value(value, epsilon):\n    return {noisy}\n")


def test_noise_on_the_weights_of_a_model():
    one = only(
        """
        def blur(model, sensitivity: float, epsilon: float):
            state = dict(model.state_dict())
            for name, weights in model.named_parameters():
                state[name] += np.random.laplace(0, sensitivity / epsilon, weights.shape)
            return state
        """
    )

    assert (one.data, one.claim["neighbors"]) == ("model", "l1")


def test_bounded_noise_with_a_delta_claims_it():
    one = only(
        """
        def blur(x: float, epsilon, delta, rng):
            bound, noise = np.log(1 / delta) / epsilon, math.inf
            while abs(noise) > bound:
                noise = rng.laplace(scale=1 / epsilon)
            return x + noise
        """
    )

    assert one.claim["delta"] == "delta"


def test_tensors_keep_their_values_through_a_change_of_type():
    one = only(
        "import torch\ndef blur(votes, epsilon):\n"
        "    return votes.sum(0).type(torch.double) + np.random.laplace(scale=1 / epsilon)\n"
    )

    assert one.data == "votes"


def test_what_is_printed_is_not_most_of_what_a_method_makes_that_keeps_the_data():
    one = only(
        """
        class Model:
            def fit(self, rows: list[bool], epsilon):
                self.rows = sorted(rows)
                print(len(rows) + np.random.laplace(scale=1 / epsilon))
        """
    )

    assert one.claim["observe"] == ["stdout"]
    assert any("kept in attributes" in doubt for doubt in one.doubts)


def test_statistics_are_no_records():
    text = "def total({0}: list[bool], epsilon):\n    return len({0}) + np.random.laplace(scale=1 / epsilon)\n"

    assert not only(text.format("rows")).doubts
    assert "statistics of them" in only(text.format("stats_list")).doubts[0]
