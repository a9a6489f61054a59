"""Forms with latent constants, of two laws: made comparable, so that every output is in one form, the same in both.

Whether a constant has become latent depends on the paths, which may differ between two inputs. So an output may be
`[latent]` in one law and `[True]` in the other. Such forms are written out, one for each row of constants.
"""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Hashable, Mapping

from dplint.readings.exact.affine import NotFollowed
from dplint.readings.exact.coincidences import without_coincidences
from dplint.readings.exact.laws import FormLaw, Term
from dplint.readings.exact.near_forms import require_no_rounding

Law = Mapping[Hashable, FormLaw]
_MOST_FORMS = 4_096


def aligned(one: Law, other: Law) -> tuple[Law, Law]:
    """The laws, with latent constants written out where a form with some is not the only one of its skeleton.

    Raises NotFollowed where that gives too many, or where outputs may differ by the rounding of floats alone.
    """
    require_no_rounding(one, other)
    one, other = without_coincidences(one, other)
    _require_same_coordinates(one, other)
    if not any(form.terms[0].latents for law in (one, other) for form in law.values()):
        return one, other
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


def _require_same_coordinates(one: Law, other: Law) -> None:
    """Outputs of one form are described by the same coordinates on all paths of both laws, else nothing compares them:
    a density in other coordinates is no other output.
    """
    inverses: dict[Hashable, set[Hashable]] = defaultdict(set)
    for law in (one, other):
        for key, form in law.items():
            if form.size and isinstance(key, tuple):
                inverses[form.form.key].add(key[1])
    if any(len(keys) > 1 for keys in inverses.values()):
        raise NotFollowed("outputs that are made of several draws, in another way on another path")


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
