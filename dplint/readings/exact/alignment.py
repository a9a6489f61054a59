"""Forms with latent constants, of two laws: made comparable, so that every output is in one form, the same in both.

Whether a constant has become latent depends on the paths, which may differ between two inputs. So an output may be
`[latent]` in one law and `[True]` in the other. Such forms are written out, one for each row of constants.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Hashable, Mapping

from flint import arb

from dplint.readings.exact.affine import NotFollowed
from dplint.readings.exact.laws import FormLaw, Term

Law = Mapping[Hashable, FormLaw]
_MOST_FORMS = 4_096


def aligned(one: Law, other: Law) -> tuple[Law, Law]:
    """The laws, with latent constants written out where a form with some is not the only one of its skeleton.

    Raises NotFollowed where that gives too many.
    """
    keys: dict[Hashable, list[set[Hashable]]] = defaultdict(lambda: [set(), set()])
    latent: set[Hashable] = set()
    for side, law in enumerate((one, other)):
        for key, form in law.items():
            skeleton = form.form.skeleton
            keys[skeleton][side].add(key)
            if form.terms[0].latents:
                latent.add(skeleton)
                if len(form.terms) > 1:
                    # A mixture: its constants are not independent of its numbers.
                    keys[skeleton][side].add("a mixture")
    unclear = {skeleton for skeleton in latent if len(set.union(*keys[skeleton])) > 1 or not all(keys[skeleton])}
    return (one, other) if not unclear else (_written_out(one, unclear), _written_out(other, unclear))


def _written_out(law: Law, skeletons: set[Hashable]) -> Law:
    found: dict[Hashable, FormLaw] = {}
    for key, form in law.items():
        if form.form.skeleton not in skeletons or not form.terms[0].latents:
            _join(found, key, form)
            continue
        for term in form.terms:
            for rows in itertools.product(*[latent.items() for latent in term.latents]):
                number = term.number
                for _, probability in rows:
                    number = number * probability
                written = form.form.with_constants([row for row, _ in rows])
                assert isinstance(key, tuple)
                single = FormLaw(written, form.inverse, [Term(number, term.functions, term.limits)])
                _join(found, (written.key, *key[1:]), single)
                if len(found) > _MOST_FORMS:
                    raise NotFollowed(f"outputs of more than {_MOST_FORMS:,} kinds")
    return found


def _join(law: dict[Hashable, FormLaw], key: Hashable, form: FormLaw) -> None:
    if key in law:
        law[key].terms.extend(form.terms)
    else:
        law[key] = FormLaw(form.form, form.inverse, list(form.terms))


def total_probability(law: Law) -> arb:
    """Of all forms; 1 if the law is complete. For forms without limits on their numbers."""
    return sum((form.probability() for form in law.values()), arb(0))
