"""Fifteen kinds of real bugs, each as a few lines that bear no claim, with twins that are right.

The kinds are those that were found by reading public code and that no rule had seen.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Kind:
    """A kind of bug. codes: of the rules that may tell it. wrong, right: modules, one bug or none in each."""

    name: str
    codes: frozenset[str]
    wrong: tuple[str, ...]
    right: tuple[str, ...]


def _kind(name: str, codes: str, wrong: list[str], right: list[str]) -> Kind:
    return Kind(name, frozenset(codes.split()), tuple(wrong), tuple(right))


KINDS = (
    _kind(
        "a seed as an integer default",
        "DP302",
        [
            """
            def private_total(values, epsilon, seed=42):
                rng = np.random.default_rng(seed)
                return np.sum(np.clip(values, 0, 1)) + rng.laplace(scale=1 / epsilon)
            """,
            """
            def noisy_count(rows, epsilon, random_state: int = 0):
                np.random.seed(random_state)
                return len(rows) + np.random.laplace(0, 1 / epsilon)
            """,
        ],
        [
            """
            def private_total(values, epsilon, seed=None):
                rng = np.random.default_rng(seed)
                return np.sum(np.clip(values, 0, 1)) + rng.laplace(scale=1 / epsilon)
            """,
            """
            def private_total(values, epsilon, seed):
                rng = np.random.default_rng(seed)
                return np.sum(np.clip(values, 0, 1)) + rng.laplace(scale=1 / epsilon)
            """,
        ],
    ),
    _kind(
        "a seed of the whole module",
        "DP302",
        [
            """
            np.random.seed(0)

            def noisy_count(rows, epsilon):
                return len(rows) + np.random.laplace(0, 1 / epsilon)
            """,
            """
            random.seed(1234)

            def answer(truth: bool, epsilon):
                keep = math.exp(epsilon) / (1 + math.exp(epsilon))
                return truth if random.random() < keep else not truth
            """,
        ],
        [
            """
            def noisy_count(rows, epsilon):
                return len(rows) + np.random.laplace(0, 1 / epsilon)

            if __name__ == "__main__":
                np.random.seed(0)
                print(noisy_count([1, 2, 3], 1.0))
            """,
            """
            random.seed(0)
            ORDER = random.sample(range(10), 10)

            def noisy_count(rows, epsilon):
                return len(rows) + np.random.laplace(0, 1 / epsilon)
            """,
        ],
    ),
    _kind(
        "a seed that an object keeps",
        "DP302",
        [
            """
            class Counter:
                def __init__(self, epsilon, seed=7):
                    self.epsilon = epsilon
                    self.seed = seed

                def release(self, rows):
                    rng = np.random.default_rng(self.seed)
                    return len(rows) + rng.laplace(scale=1 / self.epsilon)
            """,
            """
            class Counter:
                def __init__(self, epsilon):
                    self.epsilon = epsilon
                    self.rng = np.random.default_rng(2024)

                def release(self, rows):
                    return len(rows) + self.rng.laplace(scale=1 / self.epsilon)
            """,
        ],
        [
            """
            class Counter:
                def __init__(self, epsilon, seed=None):
                    self.epsilon = epsilon
                    self.seed = seed

                def release(self, rows):
                    rng = np.random.default_rng(self.seed)
                    return len(rows) + rng.laplace(scale=1 / self.epsilon)
            """,
            """
            class Counter:
                def __init__(self, epsilon, seed=None):
                    self.epsilon = epsilon
                    self.rng = np.random.default_rng(seed)

                def release(self, rows):
                    return len(rows) + self.rng.laplace(scale=1 / self.epsilon)
            """,
        ],
    ),
    _kind(
        "hashed data as the seed",
        "DP302",
        [
            """
            import hashlib

            def stable_count(rows, epsilon):
                digest = hashlib.sha256(repr(rows).encode()).hexdigest()
                rng = np.random.default_rng(int(digest, 16) % 2**32)
                return len(rows) + rng.laplace(scale=1 / epsilon)
            """,
            """
            import zlib

            def stable_total(values, epsilon):
                rng = random.Random(zlib.crc32(str(sorted(values)).encode("utf8")))
                noise = rng.expovariate(epsilon) - rng.expovariate(epsilon)
                return sum(min(max(v, 0), 1) for v in values) + noise
            """,
        ],
        [
            """
            import hashlib

            def keyed_count(rows, epsilon, key: bytes):
                rng = np.random.default_rng(int(hashlib.sha256(key).hexdigest(), 16))
                return len(rows) + rng.laplace(scale=1 / epsilon)
            """,
        ],
    ),
    _kind(
        "the Gaussian formula, but for a factor",
        "DP110 DP102",
        [
            # without the 2
            """
            def gaussian(vector: np.ndarray, sensitivity, epsilon, delta):
                sigma = sensitivity * np.sqrt(np.log(1.25 / delta)) / epsilon
                return vector + np.random.normal(0, sigma, vector.shape)
            """,
            # without the root
            """
            def gaussian(vector: np.ndarray, sensitivity, epsilon, delta):
                sigma = 2 * np.log(1.25 / delta) * sensitivity / epsilon
                return vector + np.random.normal(0, np.sqrt(sigma), vector.shape)
            """,
            # the sensitivity within the root
            """
            def gaussian(vector: np.ndarray, sensitivity, epsilon, delta):
                sigma = math.sqrt(2 * sensitivity * math.log(1.25 / delta)) / epsilon
                return vector + np.random.normal(0, sigma, vector.shape)
            """,
            # the sensitivity squared
            """
            def gaussian(vector: np.ndarray, sensitivity, epsilon, delta):
                sigma = sensitivity**2 * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
                return vector + np.random.normal(0, sigma, vector.shape)
            """,
            # without the logarithm
            """
            def gaussian(vector: np.ndarray, sensitivity, epsilon, delta):
                sigma = sensitivity * math.sqrt(2 * 1.25 / delta) / epsilon
                return vector + np.random.normal(0, math.sqrt(sigma), vector.shape)
            """,
        ],
        [
            """
            def gaussian(vector: np.ndarray, sensitivity, epsilon, delta):
                sigma = sensitivity * np.sqrt(2 * np.log(1.25 / delta)) / epsilon
                return vector + np.random.normal(0, sigma, vector.shape)
            """,
            """
            def gaussian(vector: np.ndarray, sensitivity, epsilon, delta):
                variance = 2 * sensitivity**2 * math.log(1.25 / delta) / epsilon**2
                return vector + np.random.normal(0, math.sqrt(variance), vector.shape)
            """,
            """
            def gaussian(vector: np.ndarray, clip, batch, epsilon, delta):
                sigma = 2 * clip / batch * math.sqrt(2 * math.log(2 / delta)) / epsilon
                return vector + np.random.normal(0, sigma, vector.shape)
            """,
            # without the 1.25, which the classic formula has to spare
            """
            def gaussian(vector: np.ndarray, sensitivity, epsilon, delta):
                sigma = sensitivity * math.sqrt(2 * math.log(1 / delta)) / epsilon
                return vector + np.random.normal(0, sigma, vector.shape)
            """,
            # Dwork and Roth's range of epsilon aside, this is larger than needed
            """
            def gaussian(vector: np.ndarray, rounds, epsilon, delta, clip=1.0):
                sigma = clip * math.sqrt(rounds * 2 * math.log(1.25 / delta)) / epsilon
                return vector + np.random.normal(0, sigma, vector.shape)
            """,
        ],
    ),
    _kind(
        "a selection without the factor 2",
        "DP401 DP111",
        [
            """
            def best(scores: np.ndarray, epsilon):
                noisy = scores + np.random.laplace(0, 1 / epsilon, len(scores))
                return int(np.argmax(noisy))
            """,
            """
            def exponential(scores, options, sensitivity, epsilon):
                weights = np.exp(epsilon * np.asarray(scores) / sensitivity)
                return np.random.choice(options, p=weights / weights.sum())
            """,
            """
            def pick(candidates, utilities, epsilon, sensitivity=1.0):
                weights = [math.exp(epsilon * one / sensitivity) for one in utilities]
                return random.choices(candidates, weights=weights)[0]
            """,
        ],
        [
            """
            def best(scores: np.ndarray, epsilon):
                noisy = scores + np.random.laplace(0, 2 / epsilon, len(scores))
                return int(np.argmax(noisy))
            """,
            """
            def exponential(scores, options, sensitivity, epsilon):
                scores = np.asarray(scores)
                weights = np.exp(epsilon * (scores - scores.max()) / (2 * sensitivity))
                return np.random.choice(options, p=weights / weights.sum())
            """,
            """
            def exponential(scores, options, sensitivity, epsilon, monotonic=False):
                factor = 1 if monotonic else 2
                scores = np.asarray(scores)
                weights = np.exp(epsilon * (scores - scores.max()) / (factor * sensitivity))
                return np.random.choice(options, p=weights / weights.sum())
            """,
        ],
    ),
    _kind(
        "the scale where the centre stands",
        "DP112",
        [
            """
            def noisy_count(rows, epsilon):
                return len(rows) + np.random.laplace(1 / epsilon)
            """,
            """
            def histogram(counts: np.ndarray, sensitivity, epsilon):
                return counts + np.random.laplace(sensitivity / epsilon, size=counts.shape)
            """,
            """
            def released(value: float, sensitivity, epsilon, delta):
                sigma = sensitivity * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
                return value + np.random.normal(loc=sigma)
            """,
        ],
        [
            """
            def noisy_count(rows, epsilon):
                return len(rows) + np.random.laplace(0, 1 / epsilon)
            """,
            """
            def histogram(counts: np.ndarray, sensitivity, epsilon):
                return np.random.laplace(counts, sensitivity / epsilon)
            """,
            """
            def shifted(count: float, epsilon, delta):
                shift = math.log(1 / delta) / epsilon
                return count + np.random.laplace(shift, 1 / epsilon)
            """,
        ],
    ),
    _kind(
        "weights where `replace` stands",
        "DP113",
        [
            """
            def exponential(scores, options, epsilon):
                weights = [math.exp(epsilon * score / 2) for score in scores]
                return np.random.choice(options, 1, [weight / sum(weights) for weight in weights])[0]
            """,
            """
            def keyed(scores, options, epsilon):
                weights = np.exp(epsilon * np.asarray(scores) / 2)
                probabilities = list(weights / np.sum(weights))
                rng = np.random.default_rng()
                return rng.choice(options, None, probabilities)
            """,
        ],
        [
            """
            def exponential(scores, options, epsilon):
                scores = np.asarray(scores)
                weights = np.exp(epsilon * (scores - scores.max()) / 2)
                return np.random.choice(options, 1, True, weights / weights.sum())[0]
            """,
            """
            def some(counts: np.ndarray, epsilon, with_replacement):
                kept = np.random.choice(len(counts), 3, with_replacement)
                return counts[kept] + np.random.laplace(0, 1 / epsilon, 3)
            """,
        ],
    ),
    _kind(
        "bounds of a clip from the data",
        "DP203",
        [
            """
            def mean_gradient(gradients: np.ndarray, sigma, epsilon):
                norms = np.linalg.norm(gradients, axis=1)
                bound = np.median(norms)
                clipped = gradients / np.maximum(1, norms / bound)[:, None]
                return clipped.sum(axis=0) + np.random.normal(0, sigma * bound / epsilon, gradients.shape[1])
            """,
            """
            def private_mean(values, epsilon):
                width = max(values) - min(values)
                return sum(values) / len(values) + np.random.laplace(0, width / (len(values) * epsilon))
            """,
            """
            def scaled_total(values: np.ndarray, epsilon):
                low, high = values.min(), values.max()
                unit = (values - low) / (high - low)
                return unit.sum() + np.random.laplace(0, 1 / epsilon)
            """,
        ],
        [
            """
            def mean_gradient(gradients: np.ndarray, sigma, bound, epsilon):
                norms = np.linalg.norm(gradients, axis=1)
                clipped = gradients / np.maximum(1, norms / bound)[:, None]
                return clipped.sum(axis=0) + np.random.normal(0, sigma * bound / epsilon, gradients.shape[1])
            """,
            """
            def scaled_total(values: np.ndarray, low, high, epsilon):
                unit = np.clip((values - low) / (high - low), 0, 1)
                return unit.sum() + np.random.laplace(0, 1 / epsilon)
            """,
        ],
    ),
    _kind(
        "the batch clipped, and not each sample",
        "DP503 DP504",
        [
            """
            def noisy_step(gradients: np.ndarray, clip, epsilon, delta):
                mean = gradients.mean(axis=0)
                mean = mean * min(1.0, clip / np.linalg.norm(mean))
                sigma = 2 * clip / len(gradients) * np.sqrt(2 * np.log(1.25 / delta)) / epsilon
                return mean + np.random.normal(0, sigma, mean.shape)
            """,
            """
            import torch

            def train(model, loader, loss_function, optimizer, clip, multiplier):
                for features, labels in loader:
                    optimizer.zero_grad()
                    loss = loss_function(model(features), labels)
                    loss.backward()
                    torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                    for parameter in model.parameters():
                        parameter.grad += torch.normal(0, multiplier * clip, parameter.grad.shape)
                    optimizer.step()
            """,
        ],
        [
            """
            def noisy_step(gradients: np.ndarray, clip, epsilon, delta):
                norms = np.linalg.norm(gradients, axis=1, keepdims=True)
                clipped = gradients * np.minimum(1.0, clip / norms)
                sigma = 2 * clip / len(gradients) * np.sqrt(2 * np.log(1.25 / delta)) / epsilon
                return clipped.mean(axis=0) + np.random.normal(0, sigma, clipped.shape[1])
            """,
            """
            import torch

            def train(model, loader, loss_function, optimizer, clip, multiplier):
                for features, labels in loader:
                    total = [torch.zeros_like(one) for one in model.parameters()]
                    for feature, label in zip(features, labels):
                        optimizer.zero_grad()
                        loss_function(model(feature), label).backward()
                        torch.nn.utils.clip_grad_norm_(model.parameters(), clip)
                        for kept, parameter in zip(total, model.parameters()):
                            kept += parameter.grad
                    for kept, parameter in zip(total, model.parameters()):
                        parameter.grad = (kept + torch.normal(0, multiplier * clip, kept.shape)) / len(features)
                    optimizer.step()
            """,
        ],
    ),
    _kind(
        "one attribute exact beside a noisy one",
        "DP201 DP204",
        [
            """
            def summary(values, epsilon):
                total = sum(min(max(v, 0), 1) for v in values)
                return {"total": total + np.random.laplace(0, 1 / epsilon), "count": len(values)}
            """,
            """
            def share(record: dict, epsilon):
                released = dict(record)
                released["income"] = record["income"] + np.random.laplace(0, 1000 / epsilon)
                return released
            """,
            """
            def release(frame: pd.DataFrame, epsilon):
                frame = frame.copy()
                frame["salary"] = frame["salary"] + np.random.laplace(0, 1000 / epsilon, len(frame))
                return frame
            """,
        ],
        [
            """
            def summary(values, epsilon):
                total = sum(min(max(v, 0), 1) for v in values) + np.random.laplace(0, 2 / epsilon)
                return {"total": total, "count": len(values) + np.random.laplace(0, 2 / epsilon)}
            """,
            """
            def share(record: dict, epsilon):
                return {"income": record["income"] + np.random.laplace(0, 1000 / epsilon)}
            """,
        ],
    ),
    _kind(
        "the budget spent in full for each of several attributes",
        "DP401 DP402 DP408",
        [
            """
            def noisy_totals(frame: pd.DataFrame, columns, epsilon):
                totals = {}
                for column in columns:
                    totals[column] = frame[column].clip(0, 1).sum() + np.random.laplace(0, 1 / epsilon)
                return totals
            """,
            """
            def mean_and_variance(values, epsilon):
                kept = np.clip(values, 0, 1)
                mean = kept.sum() + np.random.laplace(0, 1 / epsilon)
                square = (kept**2).sum() + np.random.laplace(0, 1 / epsilon)
                return mean, square
            """,
        ],
        [
            """
            def noisy_totals(frame: pd.DataFrame, columns, epsilon):
                totals = {}
                for column in columns:
                    scale = len(columns) / epsilon
                    totals[column] = frame[column].clip(0, 1).sum() + np.random.laplace(0, scale)
                return totals
            """,
            """
            def mean_and_variance(values, epsilon):
                kept = np.clip(values, 0, 1)
                mean = kept.sum() + np.random.laplace(0, 2 / epsilon)
                square = (kept**2).sum() + np.random.laplace(0, 2 / epsilon)
                return mean, square
            """,
            # each record is in one group
            """
            GROUPS = ["a", "b", "c"]

            def by_group(frame: pd.DataFrame, epsilon):
                return {g: (frame["group"] == g).sum() + np.random.laplace(0, 1 / epsilon) for g in GROUPS}
            """,
        ],
    ),
    _kind(
        "randomised response of many values by the formula for two",
        "DP114",
        [
            """
            def respond(value, domain, epsilon):
                keep = math.exp(epsilon) / (1 + math.exp(epsilon))
                if random.random() < keep:
                    return value
                return random.choice([other for other in domain if other != value])
            """,
            """
            def perturb(value: int, epsilon, k: int):
                p = 1 / (1 + np.exp(-epsilon))
                if np.random.random() < p:
                    return value
                return np.random.randint(k)
            """,
        ],
        [
            """
            def respond(value, domain, epsilon):
                keep = math.exp(epsilon) / (len(domain) - 1 + math.exp(epsilon))
                if random.random() < keep:
                    return value
                return random.choice([other for other in domain if other != value])
            """,
            """
            def respond(value: bool, epsilon):
                keep = math.exp(epsilon) / (1 + math.exp(epsilon))
                return value if random.random() < keep else not value
            """,
            """
            def perturb(value: int, epsilon, k: int):
                p = (np.exp(epsilon) - 1) / (np.exp(epsilon) + k - 1)
                if np.random.random() < p:
                    return value
                return np.random.randint(k)
            """,
        ],
    ),
    _kind(
        "epsilon from a configuration",
        "DP101 DP401",
        [
            """
            CONFIG = {"epsilon": 0.5, "bins": 10}

            def noisy_count(rows):
                return len(rows) + np.random.laplace(0, CONFIG["epsilon"])
            """,
            """
            def noisy_count(rows, config):
                return len(rows) + np.random.laplace(0, config.epsilon)
            """,
            """
            def noisy_count(rows, args):
                scale = args["epsilon"] / 2
                return len(rows) + np.random.laplace(0, scale)
            """,
        ],
        [
            """
            CONFIG = {"epsilon": 0.5, "bins": 10}

            def noisy_count(rows):
                return len(rows) + np.random.laplace(0, 1 / CONFIG["epsilon"])
            """,
            """
            def noisy_count(rows, config):
                return len(rows) + np.random.laplace(0, 1 / config.epsilon)
            """,
        ],
    ),
    _kind(
        "epsilon from a constant of the module",
        "DP101 DP401",
        [
            """
            EPSILON = 0.1

            def noisy_count(rows):
                return len(rows) + np.random.laplace(0, EPSILON)
            """,
            """
            EPSILON = 0.5
            SENSITIVITY = 1.0

            def noisy_pair(rows, others):
                scale = SENSITIVITY / EPSILON
                young = sum(1 for row in rows if row < 30)
                return len(rows) + np.random.laplace(0, scale), young + np.random.laplace(0, scale)
            """,
        ],
        [
            """
            EPSILON = 0.1

            def noisy_count(rows):
                return len(rows) + np.random.laplace(0, 1 / EPSILON)
            """,
        ],
    ),
)  # fmt: skip
