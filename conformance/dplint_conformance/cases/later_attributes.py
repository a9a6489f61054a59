"""Attributes that no constructor gives a value, but a method that is called before somebody looks at them."""


class _Model:
    def __init__(self, epsilon, rng):
        self.epsilon = epsilon
        self.rng = rng

    def fit(self, xs):
        self.centre_ = sum(xs) / len(xs) + self.rng.laplace(0, 1 / self.epsilon)
        self.spread_ = max(max(xs) - min(xs) + self.rng.laplace(), 0.5)
        return self

    def score(self, x):
        return (x - self.centre_) / self.spread_

    def refit(self, xs):
        for x in xs:
            self.fit([x, 1 / int(self.rng.integers(0, 2))])


def model_that_is_fitted(rng, queries):
    model = _Model(2.0, rng).fit(queries)
    return model.centre_, model.spread_, [model.score(q) for q in queries]


def model_that_is_fitted_on_a_line_of_its_own(rng, queries):
    model = _Model(2.0, rng)
    model.fit(queries)
    return model.score(1.0)


def model_that_is_fitted_in_each_turn(rng, queries):
    out = []
    for q in queries:
        model = _Model(1.0, rng)
        model.fit([q, 1.0])
        out.append(model.centre_)
    return out
