"""Right mechanisms in many styles of writing: nothing may be said of any of them."""

from __future__ import annotations

import pytest

from tests.rules.snippets import findings_in

RIGHT = """
@dp(epsilon="epsilon", neighbors="linf")
def noisy_max_np(rng, queries, epsilon):
    q = np.asarray(queries, dtype=float)
    return int(np.argmax(q + rng.laplace(0.0, 2.0 / epsilon, q.shape)))
---
@dp(epsilon="epsilon", neighbors="l1")
def hist_np(rng, counts, epsilon):
    counts = np.array(counts)
    return counts + rng.laplace(loc=0, scale=1/epsilon, size=counts.shape)
---
@dp(epsilon="epsilon", neighbors="l1")
def hist_np2(counts, epsilon):
    noisy = np.empty(len(counts))
    for i in range(len(counts)):
        noisy[i] = counts[i] + np.random.laplace(scale=1/epsilon)
    return noisy
---
@dp(epsilon="epsilon", neighbors="l1")
def zipped(rng, counts, epsilon):
    noise = rng.laplace(scale=1/epsilon, size=len(counts))
    return [c + n for c, n in zip(counts, noise)]
---
@dp(epsilon="epsilon", neighbors="l1")
def mapped(rng, counts, epsilon):
    return list(map(lambda c: c + rng.laplace(scale=1/epsilon), counts))
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
def noisy_mean(rng, values, epsilon):
    clipped = np.clip(values, 0, 100)
    s = clipped.sum() + rng.laplace(scale=2*100/epsilon)
    n = len(values) + rng.laplace(scale=2/epsilon)
    return float(np.clip(s / max(n, 1), 0, 100))
---
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def noisy_var(rng, values, epsilon):
    x = np.clip(np.asarray(values), 0, 100)
    n = len(x)
    mean = x.mean()
    var = ((x - mean) ** 2).sum() / n
    return var + rng.laplace(scale=100**2 / (n * epsilon))
---
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def quantile(rng, values, epsilon, candidates):
    ordered = sorted(values)
    target = len(values) // 2
    scores = []
    for c in candidates:
        rank = sum(1 for v in ordered if v < c)
        scores.append(-abs(rank - target))
    top = max(scores)
    w = [math.exp(epsilon * (s - top) / 2) for s in scores]
    total = sum(w)
    u = rng.random() * total
    acc = 0.0
    for c, x in zip(candidates, w):
        acc += x
        if u <= acc:
            return c
    return candidates[-1]
---
@dp(epsilon="epsilon", neighbors="any", domain=[0, 1, 2, 3])
def k_rr(rng, value: int, epsilon):
    k = 4
    p = math.exp(epsilon) / (math.exp(epsilon) + k - 1)
    if rng.random() < p:
        return value
    other = rng.integers(0, k - 1)
    return int(other if other < value else other + 1)
---
@dp(epsilon="epsilon", neighbors="any", domain=[0, 1, 2, 3])
def unary(rng, value: int, epsilon):
    bits = [1 if i == value else 0 for i in range(4)]
    q = 1 / (1 + math.exp(epsilon / 2))
    return [b if rng.random() > q else 1 - b for b in bits]
---
@dp(epsilon="epsilon", neighbors="any", domain=[0, 1, 2, 3])
def unary_np(rng, value: int, epsilon):
    bits = np.zeros(4, dtype=int)
    bits[value] = 1
    q = 1 / (1 + math.exp(epsilon / 2))
    flips = rng.random(4) < q
    return np.where(flips, 1 - bits, bits)
---
@dp(epsilon="epsilon", neighbors="any", domain=[0, 1, 2, 3])
def unary_xor(rng, value: int, epsilon):
    bits = np.zeros(4, dtype=int)
    bits[value] = 1
    q = 1 / (1 + math.exp(epsilon / 2))
    return bits ^ (rng.random(4) < q)
---
@dp(epsilon="epsilon", neighbors="any", domain=(-1.0, 1.0))
def duchi(rng, x: float, epsilon):
    e = math.exp(epsilon)
    p = 0.5 + x * (e - 1) / (2 * (e + 1))
    sign = 1 if rng.random() < p else -1
    return sign * (e + 1) / (e - 1)
---
@dp(epsilon="epsilon", neighbors="any", domain=(-1.0, 1.0))
def binom(rng, x: float, epsilon):
    e = math.exp(epsilon)
    p = 0.5 + x * (e - 1) / (2 * (e + 1))
    return int(rng.binomial(1, p))
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def tree(rng, values, epsilon, height=4):
    out = []
    eps_level = epsilon / height
    for level in range(height):
        width = 10 / 2 ** level
        row = []
        for k in range(2 ** level):
            c = sum(1 for v in values if k * width <= v < (k + 1) * width)
            row.append(c + rng.laplace(scale=1 / eps_level))
        out.append(row)
    return out
---
@dp(epsilon="epsilon", neighbors="l1")
def geometric_noise(rng, count: int, epsilon):
    a = math.exp(-epsilon)
    return count + rng.geometric(1 - a) - rng.geometric(1 - a)
---
@dp(epsilon="epsilon", neighbors="l1")
def inverse_cdf(rng, value: float, epsilon):
    u = rng.random() - 0.5
    b = 1 / epsilon
    return value - b * np.sign(u) * math.log(1 - 2 * abs(u))
---
@dp(epsilon="epsilon", neighbors="l1")
def diff_exp(rng, value: float, epsilon):
    return value + (rng.exponential() - rng.exponential()) / epsilon
---
@dp(epsilon="epsilon", delta="delta", neighbors="l2", args={"delta": 1e-5})
def sgd_step(rng, grads, epsilon, delta, clip_norm=1.0):
    g = np.asarray(grads, dtype=float)
    norm = np.linalg.norm(g)
    g = g / max(1.0, norm / clip_norm)
    sigma = clip_norm * math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    return (g + rng.normal(0, sigma, size=g.shape)).tolist()
---
@dp(epsilon="epsilon", neighbors="linf", args={"k": (1, 3)})
def topk_peel(rng, scores, epsilon, k):
    noisy = [s + rng.gumbel(scale=2 * k / epsilon) for s in scores]
    order = sorted(range(len(noisy)), key=lambda i: -noisy[i])
    return order[:k]
---
@dp(epsilon="epsilon", neighbors="linf")
def permflip(rng, scores, epsilon):
    best = max(scores)
    order = list(range(len(scores)))
    rng.shuffle(order)
    for i in order:
        if rng.random() < math.exp(epsilon * (scores[i] - best) / 2):
            return i
    return order[0]
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=["a", "b", "c"])
def noisy_counts(rng, answers, epsilon):
    counts = {"a": 0, "b": 0, "c": 0}
    for answer in answers:
        counts[answer] += 1
    return {k: v + rng.laplace(scale=1 / epsilon) for k, v in counts.items()}
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=["a", "b", "c"])
def counter(rng, answers, epsilon):
    from collections import Counter
    exact = Counter(answers)
    return {k: exact[k] + rng.laplace(scale=1 / epsilon) for k in ["a", "b", "c"]}
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=["a", "b", "c"])
def counter_get(rng, answers, epsilon, categories=("a", "b", "c")):
    exact = {}
    for answer in answers:
        exact[answer] = exact.get(answer, 0) + 1
    out = {}
    for c in categories:
        out[c] = max(0, round(exact.get(c, 0) + rng.laplace(scale=1 / epsilon)))
    return out
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def bincount(rng, values, epsilon):
    c = np.bincount(values, minlength=10)
    return c + rng.laplace(scale=1 / epsilon, size=10)
---
@dp(epsilon="epsilon", neighbors="linf")
def sparse_gen(rng, queries, epsilon, T):
    noisy_T = T + rng.laplace(scale=2 / epsilon)
    for q in queries:
        above = q + rng.laplace(scale=4 / epsilon) >= noisy_T
        yield above
        if above:
            return
---
@dp(epsilon="epsilon", neighbors="linf", args={"c": (1, 4)})
def sparse_while(rng, queries, epsilon, T, c):
    out = []
    count = 0
    i = 0
    noisy_T = T + rng.laplace(scale=2 / epsilon)
    while i < len(queries) and count < c:
        if queries[i] + rng.laplace(scale=4 * c / epsilon) >= noisy_T:
            out.append(1)
            count += 1
        else:
            out.append(0)
        i += 1
    return out
---
@dp(epsilon="epsilon", neighbors="linf")
def split_budget(rng, queries, epsilon):
    each = epsilon / len(queries)
    return [q + rng.laplace(scale=1 / each) for q in queries]
---
@dp(epsilon="epsilon", neighbors="linf")
def validated(rng, queries, epsilon):
    queries = list(queries)
    if not all(isinstance(q, (int, float)) for q in queries):
        raise TypeError("numbers")
    n = len(queries)
    if n == 0:
        return []
    return [q + rng.laplace(scale=n / epsilon) for q in queries]
---
class Mech:
    def __init__(self, scale):
        self.scale = scale
    @staticmethod
    def noise(rng, epsilon):
        return rng.laplace(scale=1 / epsilon)
    @staticmethod
    @dp(epsilon="epsilon", neighbors="l1")
    def release(rng, value: float, epsilon):
        return value + Mech.noise(rng, epsilon)
---
@dp(epsilon="eps1 + eps2", neighbors="add-remove", domain=(0, 1))
def two_budgets(rng, values, eps1, eps2):
    s = sum(values) + rng.laplace(scale=1 / eps1)
    n = len(values) + rng.laplace(scale=1 / eps2)
    return s / max(n, 1.0)
---
@dp(epsilon="epsilon", neighbors="l1")
def postproc(rng, counts, epsilon):
    noisy = np.asarray(counts) + rng.laplace(scale=1 / epsilon, size=len(counts))
    noisy[noisy < 0] = 0
    total = noisy.sum()
    if total > 0:
        noisy = noisy / total
    top = int(np.argmax(noisy))
    return {"dist": noisy.tolist(), "top": top, "mode": float(noisy[top]), "n": len(counts)}
---
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 10))
def subsample(rng, values, epsilon, m):
    idx = rng.permutation(len(values))[:m]
    sample = [values[i] for i in idx]
    return sum(sample) / m + rng.laplace(scale=10 / (m * epsilon))
---
@dp(epsilon="epsilon", neighbors="linf")
def recursion(rng, queries, epsilon, start=0):
    if start == len(queries):
        return []
    head = queries[start] + rng.laplace(scale=len(queries) / epsilon)
    return [head] + recursion(rng, queries, epsilon, start + 1)
---
@dp(epsilon="epsilon", neighbors="l1")
def trycatch(rng, values, epsilon):
    try:
        total = sum(values)
    except TypeError:
        total = 0.0
    return total + rng.laplace(scale=1 / epsilon)
---
@dp(epsilon="epsilon", neighbors="l1")
def matched(rng, values, epsilon, mode):
    noisy = sum(values) + rng.laplace(scale=1 / epsilon)
    match mode:
        case "int":
            return int(noisy)
        case _:
            return noisy
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def em_median(rng, values, epsilon):
    values = sorted(values)
    best, arg = -math.inf, None
    for c in range(10):
        below = sum(1 for v in values if v < c)
        above = sum(1 for v in values if v > c)
        u = -max(below, above) * epsilon / 2
        g = u + rng.gumbel()
        if g > best:
            best, arg = g, c
    return arg
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
def partition_sel(rng, values, epsilon):
    parts = [values[i::3] for i in range(3)]
    return [len(p) + rng.laplace(scale=1 / epsilon) for p in parts]
---
@dp(epsilon="epsilon", neighbors="l1")
def with_default(values, epsilon, rng=None):
    rng = np.random.default_rng() if rng is None else rng
    return sum(values) + rng.laplace(scale=1.0 / epsilon)
---
@dp(epsilon="epsilon", neighbors="l1", sensitivity=2.0)
def sens(rng, value: float, epsilon, sensitivity=2.0):
    b = sensitivity / epsilon
    assert b > 0
    return value + rng.laplace(0, b)
---
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 10))
def trimmed(rng, values, epsilon):
    total = 0
    for v in values:
        total += max(0, min(10, v))
    noisy = total + rng.laplace(scale=10 / epsilon)
    lo, hi = 0, 10 * len(values)
    return min(max(noisy, lo), hi)
---
@dp(epsilon="epsilon", neighbors="l1")
def cumsum_after(rng, counts, epsilon):
    noisy = [c + rng.laplace(scale=1 / epsilon) for c in counts]
    return list(np.cumsum(noisy))
---
@dp(epsilon="epsilon", neighbors="l1")
def retry(rng, value: float, epsilon):
    noisy = value + rng.laplace(scale=1 / epsilon)
    attempts = 0
    while noisy < 0 and attempts < 3:
        noisy = abs(noisy)
        attempts += 1
    return noisy
---
import pandas as pd
@dp(epsilon="epsilon", neighbors="add-remove", data="df", domain={"age": (0, 120), "city": ["a", "b"]})
def by_city(rng, df: pd.DataFrame, epsilon):
    counts = df["city"].value_counts().reindex(["a", "b"], fill_value=0)
    return [int(c) + rng.laplace(scale=1 / epsilon) for c in counts]
---
import pandas as pd
@dp(epsilon="epsilon", neighbors="add-remove", data="df", domain={"age": (0, 120), "city": ["a", "b"]})
def by_city2(rng, df: pd.DataFrame, epsilon):
    out = {}
    for city in ["a", "b"]:
        out[city] = float(len(df[df["city"] == city]) + rng.laplace(scale=1 / epsilon))
    return out
---
import pandas as pd
@dp(epsilon="epsilon", neighbors="replace-one", data="df", domain={"age": (0, 120)})
def mean_age(rng, df: pd.DataFrame, epsilon):
    ages = df["age"].clip(0, 120)
    n = len(df)
    return ages.sum() / n + rng.laplace(scale=120 / (n * epsilon))
---
import pandas as pd
@dp(epsilon="epsilon", neighbors="replace-one", data="df", domain={"age": (0, 120)})
def mean_age2(rng, df: pd.DataFrame, epsilon):
    if df.empty:
        return 0.0
    n, _ = df.shape
    return df.age.mean() + rng.laplace(scale=120 / n / epsilon)
---
import opendp.prelude as odp
@dp(epsilon="epsilon", neighbors="l1")
def opendp_chain(values, epsilon):
    space = odp.vector_domain(odp.atom_domain(T=float)), odp.l1_distance(T=float)
    meas = space >> odp.m.then_laplace(scale=1 / epsilon)
    return meas(values)
---
from pydp.algorithms.laplacian import BoundedMean
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def pydp_mean(values, epsilon):
    algo = BoundedMean(epsilon=epsilon, lower_bound=0, upper_bound=100, dtype="float")
    return algo.quick_result(list(values))
---
from pydp.algorithms.laplacian import Count
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
def pydp_count(values, epsilon):
    algo = Count(epsilon=epsilon, dtype="int")
    algo.add_entries(values)
    return algo.result()
---
import diffprivlib.tools as dpt
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 100))
def dpl_hist(values, epsilon):
    hist, edges = dpt.histogram(values, epsilon=epsilon, bins=10, range=(0, 100))
    return hist.tolist()
---
from diffprivlib.models import LinearRegression
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 100))
def dpl_model(values, epsilon):
    model = LinearRegression(epsilon=epsilon, bounds_X=(0, 1), bounds_y=(0, 100))
    model.fit([[i] for i in range(len(values))], values)
    return model.coef_
---
class Publisher:
    def __init__(self, rng, epsilon):
        self.rng = rng
        self.epsilon = epsilon
    def _noise(self, sensitivity):
        return self.rng.laplace(scale=sensitivity / self.epsilon)
    @dp(epsilon=1.0, neighbors="l1")
    def publish(self, values):
        self.total = sum(values) + self._noise(1.0)
        return self.total
---
EPSILON = 0.5
@dp(epsilon=0.5, neighbors="l1")
def fixed_eps(rng, values):
    return [v + rng.laplace(scale=1 / EPSILON) for v in values]
---
EPSILON = 0.5
SENS = 2
@dp(epsilon=EPSILON, neighbors="l1", sensitivity=2)
def fixed_eps2(rng, values):
    b = SENS / EPSILON
    return [v + rng.laplace(0, b) for v in values]
---
@dp(epsilon="eps", neighbors="l1")
def nested_fn(rng, values, eps):
    def noisy(v):
        return v + rng.laplace(scale=1 / eps)
    return [noisy(v) for v in values]
---
@dp(epsilon="eps", neighbors="l1")
def partial_fn(rng, values, eps):
    from functools import partial
    noise = partial(rng.laplace, 0, 1 / eps)
    return [v + noise() for v in values]
---
@dp(epsilon="eps", neighbors="l1")
def passed_fn(rng, values, eps):
    draw = lambda: rng.laplace(scale=1 / eps)
    return [v + draw() for v in values]
---
@dp(epsilon="eps", neighbors="l1")
def method_var(rng, values, eps):
    lap = rng.laplace
    return [v + lap(scale=1 / eps) for v in values]
---
@dp(epsilon="epsilon", neighbors="l1")
def out_param(rng, values, epsilon):
    result = np.array(values, dtype=float)
    result += rng.laplace(scale=1 / epsilon, size=len(values))
    return result
---
@dp(epsilon="epsilon", neighbors="l1")
def in_place(rng, values, epsilon):
    noisy = list(values)
    for i in range(len(noisy)):
        noisy[i] += rng.laplace(scale=1 / epsilon)
    return noisy
---
@dp(epsilon="epsilon", neighbors="l1")
def in_place2(rng, values, epsilon):
    noisy = list(values)
    for i, v in enumerate(values):
        noisy[i] = v + rng.laplace(scale=1 / epsilon)
    return noisy
---
@dp(epsilon="epsilon", neighbors="l1")
def slices(rng, values, epsilon):
    noisy = np.zeros(len(values))
    noisy[:] = values
    noisy[:] = noisy + rng.laplace(scale=1 / epsilon, size=len(values))
    return noisy
---
def helper(noisy, values, rng, scale):
    for v in values:
        noisy.append(v + rng.laplace(scale=scale))
@dp(epsilon="epsilon", neighbors="l1")
def fills_list(rng, values, epsilon):
    out = []
    helper(out, values, rng, 1 / epsilon)
    return out
---
@dp(epsilon="epsilon", neighbors="l1")
def logs(rng, values, epsilon):
    logging.getLogger(__name__).info("n=%d", len(values))
    total = sum(values) + rng.laplace(scale=1 / epsilon)
    print(f"noisy total {total:.2f} for {epsilon}")
    return total
---
@dp(epsilon="epsilon", neighbors="linf")
def rnm_while(rng, queries, epsilon):
    i, best_i, best = 0, 0, None
    while i < len(queries):
        x = queries[i] + rng.laplace(scale=2 / epsilon)
        if best is None or x > best:
            best_i, best = i, x
        i += 1
    return best_i
---
@dp(epsilon="epsilon", neighbors="linf")
def rnm_max(rng, queries, epsilon):
    return max(range(len(queries)), key=lambda i: queries[i] + rng.laplace(scale=2 / epsilon))
---
@dp(epsilon="epsilon", neighbors="linf")
def rnm_tuple(rng, queries, epsilon):
    return max((q + rng.laplace(scale=2 / epsilon), i) for i, q in enumerate(queries))[1]
---
@dp(epsilon="epsilon", neighbors="linf")
def rnm_dict(rng, queries, epsilon):
    noisy = {i: q + rng.laplace(scale=2 / epsilon) for i, q in enumerate(queries)}
    return max(noisy, key=noisy.get)
---
@dp(epsilon="epsilon", neighbors="linf")
def rnm_sorted(rng, queries, epsilon):
    pairs = sorted(((q + rng.gumbel(scale=2 / epsilon), i) for i, q in enumerate(queries)), reverse=True)
    return pairs[0][1]
---
@dp(epsilon="epsilon", neighbors="linf")
def gap(rng, queries, epsilon):
    noisy = sorted(q + rng.laplace(scale=4 / epsilon) for q in queries)
    return noisy[-1] - noisy[-2]
---
@dp(epsilon="epsilon", neighbors="any", domain=["a", "b", "c"])
def rr_choice(rng, answer: str, epsilon):
    options = ["a", "b", "c"]
    weights = [math.exp(epsilon) if o == answer else 1.0 for o in options]
    total = sum(weights)
    return options[int(rng.choice(3, p=[w / total for w in weights]))]
---
@dp(epsilon="epsilon", neighbors="any", domain=["a", "b", "c"])
def rr_ternary(answer: str, epsilon):
    options = ["a", "b", "c"]
    keep = math.exp(epsilon) / (math.exp(epsilon) + 2)
    return answer if random.random() < keep else random.choice([o for o in options if o != answer])
---
@dp(epsilon="epsilon", neighbors="any", domain=[False, True])
def rr_flip(rng, bit: bool, epsilon):
    flip = rng.random() < 1 / (1 + math.exp(epsilon))
    return bit != flip
---
@dp(epsilon="epsilon", neighbors="any", domain=[False, True])
def rr_early(rng, bit: bool, epsilon):
    if rng.random() < 1 / (1 + math.exp(epsilon)):
        return not bit
    return bit
---
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 1))
def mult(rng, values, epsilon):
    n = len(values)
    scale = 1 / n / epsilon
    noise = rng.laplace()
    return np.mean(values) + scale * noise
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 120))
def composed(rng, ages, epsilon):
    e1, e2 = epsilon / 3, 2 * epsilon / 3
    count = len(ages) + rng.laplace(scale=1 / e1)
    total = sum(min(a, 100) for a in ages) + rng.laplace(scale=100 / e2)
    return {"count": count, "mean": total / max(1, count)}
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def loop_budget(rng, values, epsilon):
    out = []
    shares = [0.25, 0.25, 0.5]
    for share in shares:
        out.append(len(values) + rng.laplace(scale=1 / (share * epsilon)))
    return out
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def histogram_counts(rng, values, epsilon, edges=(0, 3, 6, 10)):
    h, e = np.histogram(values, bins=np.array(edges))
    return (h + rng.laplace(scale=1/epsilon, size=h.size)).tolist(), list(edges)
---
@dp(epsilon="epsilon", delta=1e-6, neighbors="l2")
def analytic(rng, values, epsilon):
    from scipy.special import erf
    sigma = 1.0
    while 0.5 * (1 + erf(1 / sigma)) > 1e-6 and sigma < 100 / epsilon:
        sigma *= 1.1
    return [v + rng.normal(scale=sigma) for v in values]
---
@dp(epsilon="epsilon", neighbors="l1")
def discrete_lap(rng, value: int, epsilon):
    while True:
        sign = rng.integers(0, 2)
        mag = rng.geometric(1 - math.exp(-epsilon)) - 1
        if sign == 1 and mag == 0:
            continue
        return value + (1 - 2 * sign) * mag
---
@dp(epsilon="epsilon", neighbors="linf")
def svt_helper(rng, queries, epsilon, T):
    thr = T + rng.laplace(scale=2 / epsilon)
    hits = [i for i, q in enumerate(queries) if q + rng.laplace(scale=len(queries) * 4 / epsilon) >= thr]
    return hits[0] if hits else -1
---
@dp(epsilon="epsilon", neighbors="linf")
def svt_next(rng, queries, epsilon, T):
    thr = T + rng.laplace(scale=2 / epsilon)
    return next((i for i, q in enumerate(queries) if q + rng.laplace(scale=4 / epsilon) >= thr), -1)
---
@dp(epsilon="epsilon", neighbors="linf")
def svt_return_list(rng, queries, epsilon, T):
    thr = T + rng.laplace(scale=2 / epsilon)
    out = []
    for q in queries:
        hit = q + rng.laplace(scale=4 / epsilon) >= thr
        out.append(hit)
        if hit:
            return out
    return out
---
@dp(epsilon="epsilon", neighbors="linf", args={"c": (1, 4)})
def svt_remaining(rng, queries, epsilon, T, c):
    thr = T + rng.laplace(scale=2 / epsilon)
    left = c
    out = []
    for q in queries:
        if left == 0:
            break
        hit = q + rng.laplace(scale=4 * c / epsilon) >= thr
        out.append(bool(hit))
        left -= int(hit)
    return out
---
@dp(epsilon="epsilon", neighbors="linf", args={"c": (1, 4)})
def svt_flag(rng, queries, epsilon, T, c):
    thr = T + rng.laplace(scale=2 / epsilon)
    count = 0
    done = False
    out = []
    for q in queries:
        if not done:
            if q + rng.laplace(scale=4 * c / epsilon) >= thr:
                out.append(1)
                count += 1
                if count == c:
                    done = True
            else:
                out.append(0)
    return out
---
@dp(epsilon="epsilon", neighbors="linf", args={"c": (1, 4)})
def svt_guarded(rng, queries, epsilon, T, c):
    thr = T + rng.laplace(scale=2 / epsilon)
    count = 0
    out = []
    for q in queries:
        if count < c:
            hit = q + rng.laplace(scale=4 / epsilon) >= thr
            count += hit
            out.append(hit)
    return out[:1]
---
@dp(epsilon="epsilon", neighbors="linf")
def thresholded_first(rng, queries, epsilon):
    return queries[0] + rng.laplace(scale=1 / epsilon) > 3
---
@dp(epsilon="epsilon", neighbors="linf")
def max_of_sums(rng, queries, epsilon):
    noisy_total = sum(queries) + rng.laplace(scale=len(queries) / epsilon)
    return max([noisy_total, 0, 10])
---
@dp(epsilon="epsilon", neighbors="linf")
def argmax_then_fresh(rng, queries, epsilon):
    noisy = [q + rng.laplace(scale=4 / epsilon) for q in queries]
    i = noisy.index(max(noisy))
    return i, queries[i] + rng.laplace(scale=2 / epsilon)
---
@dp(epsilon="epsilon", neighbors="linf", sensitivity=0.1)
def small_sens(rng, queries, epsilon):
    return max(q + rng.laplace(scale=2 / epsilon) for q in queries)
---
@dp(epsilon="epsilon", neighbors="l1")
def clip_check(rng, values, epsilon):
    clipped = np.clip(values, 0, 1)
    dropped = sum(values) - sum(clipped)
    return sum(clipped) + rng.laplace(scale=1 / epsilon), dropped + rng.laplace(scale=100000 / epsilon)
---
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 1))
def clipped_later(rng, values, epsilon):
    bounded = [min(max(v, 0), 1) for v in values]
    weights = np.clip(values, 0, 1)
    return sum(w * b for w, b in zip(weights, bounded)) + rng.laplace(scale=1 / epsilon)
---
@dp(epsilon="epsilon", neighbors="l1")
def result_clipped(rng, values, epsilon):
    noisy = sum(values) + rng.laplace(scale=1 / epsilon)
    bounded = np.clip(noisy, 0, 100)
    return noisy
---
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 10))
def smooth_like(rng, values, epsilon):
    spread = max(values) - min(values) + rng.laplace(scale=20 / epsilon)
    return sum(values) + rng.laplace(scale=20 / epsilon), max(spread, 0)
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def public_set(rng, values, epsilon):
    bins = set(range(10))
    return {b: values.count(b) + rng.laplace(scale=1 / epsilon) for b in sorted(bins)}
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def groups(rng, values, epsilon):
    groups = {k: [] for k in range(3)}
    for v in values:
        groups[v // 4].append(v)
    return [len(groups[k]) + rng.laplace(scale=1 / epsilon) for k in range(3)]
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 9))
def groups2(rng, values, epsilon):
    groups = [[], [], []]
    for v in values:
        groups[v // 4].append(v)
    return [sum(1 for _ in g) + rng.laplace(scale=1 / epsilon) for g in groups]
---
@dp(epsilon="epsilon", neighbors="l1")
def test_double(rng, values, epsilon, noisy=True):
    if not noisy:
        raise ValueError("noise is needed")
    return sum(values) + rng.laplace(scale=1 / epsilon)
---
@dp(epsilon="epsilon", neighbors="l1")
def generator_child(rng, values, epsilon):
    child = np.random.default_rng(rng.integers(2**63))
    return sum(values) + child.laplace(scale=1 / epsilon)
---
@dp(epsilon="epsilon", neighbors="l1")
def time_seed(values, epsilon):
    import time
    rng = np.random.default_rng(int(time.time_ns()))
    return sum(values) + rng.laplace(scale=1 / epsilon)
---
@dp(epsilon="epsilon", neighbors="l1")
def conditional_noise(rng, values, epsilon, kind="laplace"):
    if kind == "laplace":
        noise = rng.laplace(scale=1 / epsilon)
    else:
        noise = rng.laplace(scale=2 / epsilon)
    return sum(values) + noise
---
@dp(epsilon="epsilon", neighbors="l1")
def unused_second(rng, values, epsilon, twice):
    first = rng.laplace(scale=1 / epsilon)
    second = rng.laplace(scale=1 / epsilon)
    return sum(values) + (first if twice else first + second)
---
@dp(epsilon="epsilon", neighbors="l1")
def attr(rng, values, epsilon):
    class Box:
        pass
    box = Box()
    box.total = sum(values)
    box.total = box.total + rng.laplace(scale=1 / epsilon)
    return box
---
@dp(epsilon="epsilon", neighbors="l1")
def dict_obj(rng, values, epsilon):
    result = {"n": len(values)}
    result["total"] = sum(values) + rng.laplace(scale=1 / epsilon)
    return result
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0, 1))
def branchy_sum(rng, values, epsilon):
    total = 0
    for v in values:
        if v > 0.5:
            total += 1
        else:
            total += 0
    if total > 100:
        total = 100
    noise = rng.laplace(scale=1 / epsilon)
    return total + noise
---
@dp(epsilon="epsilon", neighbors="any", domain=(0, 9))
def grr_index(rng, value: int, epsilon):
    p = math.exp(epsilon) / (math.exp(epsilon) + 9)
    probs = np.full(10, (1 - p) / 9)
    probs[value] = p
    return int(rng.choice(10, p=probs))
---
@dp(epsilon="epsilon", neighbors="any", domain=(0, 9))
def hash_rr(rng, value: int, epsilon, a=3, b=5):
    h = (a * value + b) % 7
    p = math.exp(epsilon) / (math.exp(epsilon) + 6)
    u = rng.random()
    if u < p:
        return h
    k = int((u - p) / (1 - p) * 6)
    return k if k < h else k + 1
---
@dp(epsilon="epsilon", neighbors="any", domain=(0.0, 1.0))
def piecewise(rng, x: float, epsilon):
    c = (math.exp(epsilon / 2) + 1) / (math.exp(epsilon / 2) - 1)
    left = (c + 1) / 2 * x - (c - 1) / 2
    right = left + c - 1
    if rng.random() < math.exp(epsilon / 2) / (math.exp(epsilon / 2) + 1):
        return left + (right - left) * rng.random()
    u = rng.random() * (c + 1)
    if u < left + c:
        return u - c
    return u - c + (right - left)
---
@dp(epsilon="epsilon", neighbors="l1")
def eps_rescaled(rng, values, epsilon):
    eps = epsilon * 0.5
    first = sum(values) + rng.laplace(scale=1 / eps)
    eps = epsilon - eps
    return first, sum(values) + rng.laplace(scale=1 / eps)
---
@dp(epsilon="epsilon", neighbors="l1")
def tuned(rng, values, epsilon):
    scale = 1.0
    while 1 / scale > epsilon:
        scale *= 1.01
    return sum(values) + rng.laplace(scale=scale)
---
@dp(epsilon="epsilon", neighbors="l1")
def poly(rng, values, epsilon):
    alpha = epsilon / (1 + epsilon)
    return sum(values) + rng.laplace(scale=1 / alpha)
---
@dp(epsilon="epsilon", neighbors="l1")
def exp_sampler(rng, value: float, epsilon):
    magnitude = rng.exponential(1 / epsilon)
    return value + magnitude * (1 if rng.random() < 0.5 else -1)
---
@dp(epsilon="epsilon", neighbors="l1")
def poisson_diff(rng, value: float, epsilon):
    g1 = rng.gamma(1.0, 1 / epsilon)
    g2 = rng.gamma(1.0, 1 / epsilon)
    return value + g1 - g2
---
@dp(epsilon="epsilon", neighbors="linf")
def shares_of_a_vector(rng, values, epsilon):
    return [value / len(values) + rng.laplace(scale=1 / epsilon) for value in values]
---
@dp(epsilon="epsilon", neighbors="linf", size=5)
def fifths(rng, values, epsilon):
    return [np.clip(float(value) / 5, 0, 1) + rng.laplace(scale=1 / epsilon) for value in values]
---
@dp(epsilon="epsilon", neighbors="linf", size=5)
def largest_of_fifths(rng, values, epsilon):
    weight = 0.2
    return max([weight * value + rng.laplace(scale=1 / epsilon) for value in values])
---
@dp(epsilon="epsilon", neighbors="linf", size=5)
def tests_of_tenths(rng, values, epsilon):
    threshold = rng.laplace(scale=2 / epsilon)
    return [value * 0.1 + rng.laplace(scale=2 / epsilon) > threshold for value in values]
---
@dp(epsilon="epsilon", neighbors="linf")
def scores_that_are_halved(rng, scores, epsilon):
    noisy = [score * 0.5 + rng.laplace(scale=1 / epsilon) for score in scores]
    return noisy.index(max(noisy))
---
import pandas as pd

@dp(epsilon="epsilon", neighbors="add-remove", domain={"age": (0, 120)})
def of_table(rng, df: pd.DataFrame, epsilon):
    if "age" not in df or "age" not in df.columns or "age" not in df.keys():
        raise KeyError("age")
    return df["age"].sum() + rng.laplace(scale=120 / epsilon)
---
import torch

@dp(epsilon="epsilon", neighbors="l1")
def flat(rng, answers, epsilon):
    scale = answers.numel() / epsilon
    return answers + rng.laplace(scale=scale, size=answers.size())
---
_secure = random.SystemRandom()
coins = random.SystemRandom()

@dp(epsilon="epsilon", neighbors="any", domain=[False, True])
def told(answer: bool, epsilon):
    keep = math.exp(epsilon) / (1 + math.exp(epsilon))
    return answer if coins.random() < keep else not answer
---
@dp(epsilon="epsilon", neighbors="replace-one", domain=[0, 1])
def in_place(rng, bits, epsilon):
    flip = 1 / (1 + math.exp(epsilon))
    for i in range(len(bits)):
        if rng.random() < flip:
            bits[i] = 1 - bits[i]
    return bits
---
@dp(epsilon="epsilon", neighbors="replace-one", domain=[0, 1])
def masked(rng, bits, epsilon):
    bits = np.array(bits)
    flip = rng.random(len(bits)) < 1 / (1 + math.exp(epsilon))
    bits[flip] = 1 - bits[flip]
    return bits
---
import torch

@dp(epsilon="epsilon", neighbors="any", domain=[0, 1])
def bernoulli(bit: int, epsilon):
    p = torch.tensor(1 / (1 + math.exp(epsilon)))
    return (bit + torch.bernoulli(p)) % 2
---
@dp(epsilon="epsilon", neighbors="linf")
def by_cdf(rng, scores, epsilon):
    weights = np.exp(epsilon * (np.asarray(scores) - max(scores)) / 2)
    cdf = np.cumsum(weights / weights.sum())
    return int(np.searchsorted(cdf, rng.random()))
---
@dp(epsilon="epsilon", neighbors="linf")
def by_share_of_the_sum(rng, scores, epsilon):
    top = max(scores)
    reached = np.cumsum([math.exp(epsilon * (s - top) / 2) for s in scores])
    return bisect.bisect_left(reached.tolist(), rng.random() * reached[-1])
---
@dp(epsilon="epsilon", neighbors="linf")
def by_number_below_the_sum(rng, scores, epsilon):
    weights = np.exp(epsilon * (np.asarray(scores) - max(scores)) / 2)
    return int(np.searchsorted(np.cumsum(weights), rng.uniform(0, weights.sum())))
---
@dp(epsilon="epsilon", neighbors="linf")
def by_loop(rng, scores, epsilon):
    weights = [math.exp(epsilon * (s - max(scores)) / 2) for s in scores]
    u = rng.random() * sum(weights)
    for i, w in enumerate(weights):
        u -= w
        if u <= 0:
            return i
    return len(weights) - 1
---
class Plain:
    def __init__(self):
        self.rng = np.random.default_rng()

    @dp(epsilon="epsilon", delta=1e-5, neighbors="l2")
    def release(self, values, epsilon):
        return np.asarray(values) + self.rng.normal(0, np.sqrt(2 * np.log(1.25 / 1e-5)) / epsilon, size=len(values))
---
class Released:
    @dp(epsilon="epsilon", neighbors="l1")
    def store(self, rng, values, epsilon):
        self.noisy = [0.0] * len(values)
        for i, value in enumerate(values):
            self.noisy[i] = value + rng.laplace(scale=1 / epsilon)
        return self
---
@dp(epsilon="epsilon", neighbors="l1", observe="arguments")
def changed(rng, values, epsilon):
    for i in range(len(values)):
        values[i] += rng.laplace(scale=1 / epsilon)
---
@dp(epsilon="epsilon", neighbors="l1")
def into(rng, values: np.ndarray, out, epsilon):
    out[:] = values + rng.laplace(scale=1 / epsilon, size=len(values))
---
@dp(epsilon="epsilon", neighbors="l1")
def started(rng, values, epsilon):
    start = rng.normal(scale=epsilon)
    return [v + rng.laplace(scale=1 / epsilon) for v in values], start
---
TABLE = {"a": 0, "b": 1, "c": 2}

@dp(epsilon="epsilon", neighbors="add-remove", domain=["a", "b", "c"])
def keyed(rng, words, epsilon):
    counts = {key: 0 for key in TABLE}
    for word in words:
        counts[word] += 1
    return {key: count + rng.laplace(scale=1 / epsilon) for key, count in counts.items()}
---
@dp(epsilon="epsilon", neighbors="replace-one", domain=(0.0, 1.0))
def batches(rng, values, epsilon, size: int = 2):
    parts = [values[i:i + size] for i in range(0, len(values), size)]
    total = sum(sum(part) for part in parts)
    return (total + rng.laplace(scale=1 / epsilon)) / len(parts)
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=["n1", "n2", "s1"])
def starred_list(rng, homes, epsilon):
    north = sum(h.startswith("n") for h in homes)
    towns = [homes.count(t) for t in ("n1", "n2", "s1")]
    return [x + rng.laplace(scale=2 / epsilon) for x in [north, len(homes) - north, *towns]]
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=(0.0, 1.0))
def starred_pair(rng, xs, epsilon):
    stats = (sum(xs), len(xs))
    return [v + rng.laplace(scale=2 / epsilon) for v in [*stats]]
---
@dp(epsilon="eps", neighbors="any", domain={"a": ["y", "n"], "b": ["y", "n"]})
def dict_of_answers(rng, person, eps):
    p = math.exp(eps / 2) / (1 + math.exp(eps / 2))
    flip = {"y": "n", "n": "y"}
    return {c: v if rng.random() < p else flip[v] for c, v in person.items()}
---
from collections import Counter

@dp(epsilon="epsilon", delta=0.02, neighbors="add-remove", domain=["a", "b", "c", "d"])
def stable_histogram(rng, words, epsilon):
    bar = 1 + math.log(1 / (2 * 0.02)) / epsilon
    out = {}
    for word, c in Counter(words).items():
        noisy = c + rng.laplace(scale=1 / epsilon)
        if noisy > bar:
            out[word] = noisy
    return out
---
@dp(epsilon="epsilon", delta=0.02, neighbors="add-remove", domain=["a", "b", "c"])
def propose_test_release(rng, words, epsilon):
    counts = {w: 0 for w in ("a", "b", "c")}
    for w in words:
        counts[w] += 1
    ranked = sorted(counts, key=lambda w: -counts[w])
    gap = counts[ranked[0]] - counts[ranked[1]]
    if gap + rng.laplace(scale=1 / epsilon) > 1 + math.log(1 / (2 * 0.02)) / epsilon:
        return ranked[0]
    return None
---
@dp(epsilon=0.5, delta=0.01, neighbors="add-remove", domain=(0, 9))
def classical_gauss(rng, items):
    sigma = math.sqrt(2 * math.log(1.25 / 0.01)) / 0.5
    return len(items) + rng.normal(scale=sigma)
---
@dp(epsilon="epsilon", neighbors="add-remove", domain=["x", "y"])
def counts_of_two_values(rng, rows, epsilon):
    return rows.count("x") + rng.laplace(scale=1 / epsilon), rows.count("y") + rng.laplace(scale=1 / epsilon)
---
@dp(epsilon="epsilon", neighbors="add-remove", domain={"x": (0.0, 1.0), "y": (0.0, 1.0)})
def step_of_k_means(rng, points, epsilon):
    sums = [[0.0, 0.0, 0], [0.0, 0.0, 0]]
    for p in points:
        j = 0 if p["x"] < 0.5 else 1
        sums[j][0] += p["x"]
        sums[j][1] += p["y"]
        sums[j][2] += 1
    return [tuple(v + rng.laplace(scale=3 / epsilon) for v in s) for s in sums]
---
@dp(epsilon="epsilon", neighbors="any", domain=[0, 1, 2, 3, 4, 5, 6, 7])
def local_hash(rng, v, epsilon):
    a, b = int(rng.integers(1, 8)), int(rng.integers(0, 8))
    h = ((a * v + b) % 11) % 2
    keep = rng.random() < math.exp(epsilon) / (math.exp(epsilon) + 1)
    return a, b, h if keep else 1 - h
---
@dp(epsilon="epsilon", neighbors="any", domain=[0.1, 0.2, 0.3])
def near_on_a_grid(rng, v, epsilon):
    grid = [0.1, 0.2, 0.3]
    weights = [math.exp(-epsilon * abs(g - v) / 0.4) for g in grid]
    total = sum(weights)
    return grid[rng.choice(3, p=[w / total for w in weights])]
---
def endless(rng, scale):
    while True:
        yield rng.laplace(scale=scale)

@dp(epsilon="epsilon", neighbors="l1")
def noise_of_a_generator(rng, values, epsilon):
    noise = endless(rng, 1 / epsilon)
    return [v + next(noise) for v in values]
---
def clip_rows(rows, c):
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows * np.minimum(1, c / np.maximum(norms, 1e-12))

@dp(epsilon="epsilon", neighbors="l2", delta="delta")
def gradient_of_clipped_rows(rng, rows, epsilon, delta=1e-5):
    X = clip_rows(np.array(rows), 1.0)
    sigma = math.sqrt(2 * math.log(1.25 / delta)) / epsilon
    g = X.sum(axis=0) + rng.normal(0, sigma, X.shape[1])
    return g / X.shape[0]
---
import collections

@dp(epsilon="epsilon", neighbors="l1")
def sums_of_named_halves(rng, values, epsilon):
    groups = collections.defaultdict(list)
    for index, value in enumerate(values):
        groups["even" if index % 2 == 0 else "odd"].append(value)
    return {name: sum(group) + rng.laplace(scale=1 / epsilon) for name, group in sorted(groups.items())}
"""
MECHANISMS = [text.strip() + "\n" for text in RIGHT.split("---\n")]


@pytest.mark.parametrize("text", MECHANISMS, ids=[text.split("def ")[-1].split("(")[0] for text in MECHANISMS])
def test_right_mechanisms_have_no_finding(text: str) -> None:
    assert [(one.code, one.message) for one in findings_in(text)] == []


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (
            """
            @dp(epsilon="epsilon", neighbors="add-remove", domain=["x", "y"])
            def counts_of_one_value(rng, rows, epsilon):
                n = rows.count("x") + rng.laplace(scale=1 / epsilon)
                return n, rows.count("x") + rng.laplace(scale=1 / epsilon)
            """,
            "DP401",
        ),
        (
            """
            @dp(epsilon="epsilon", neighbors="add-remove", domain=["x", "y"])
            def a_count_and_all(rng, rows, epsilon):
                return rows.count("x") + rng.laplace(scale=1 / epsilon), len(rows) + rng.laplace(scale=1 / epsilon)
            """,
            "DP401",
        ),
        (
            """
            @dp(epsilon="epsilon", neighbors="add-remove", domain=["x", "y"])
            def commonest(rng, rows, epsilon):
                weights = [math.exp(epsilon * rows.count(name) / 2) for name in ("x", "y")]
                return rng.choice(["x", "y"], p=[w / sum(weights) for w in weights])
            """,
            "DP210",
        ),
        (
            """
            def endless(rng, scale):
                while True:
                    yield rng.laplace(scale=scale)

            @dp(epsilon="epsilon", neighbors="l1")
            def one_item_of_a_generator(rng, values, epsilon):
                noise = next(endless(rng, 1 / epsilon))
                return [v + noise for v in values]
            """,
            "DP303",
        ),
        (
            """
            import collections

            @dp(epsilon="epsilon", neighbors="replace-one", domain=(0, 10))
            def sums_by_what_they_are(rng, values, epsilon):
                groups = collections.defaultdict(list)
                for value in values:
                    groups["low" if value < 5 else "high"].append(value)
                return {name: sum(group) + rng.laplace(scale=10 / epsilon) for name, group in sorted(groups.items())}
            """,
            "DP201",
        ),
        (
            """
            @dp(epsilon="epsilon", neighbors="any", domain=[0, 1, 2, 3])
            def other_value(rng, v, epsilon):
                keep = rng.random() < math.exp(epsilon) / (math.exp(epsilon) + 1)
                return v if keep else int(rng.integers(0, 4))
            """,
            "DP114",
        ),
    ],
)
def test_what_is_nearly_the_same_is_found(text: str, code: str) -> None:
    assert code in [one.code for one in findings_in(text)]
