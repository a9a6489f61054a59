"""Random edits; thousands more of them are made by `python -m tests.server.fuzz`."""

import pytest

from tests.server.document_model import CODECS
from tests.server.fuzz import CLAIM, fuzz
from tests.server.storm import twenty_mechanisms

pytestmark = pytest.mark.process


@pytest.mark.parametrize("encoding", sorted(CODECS))
def test_random_edits_are_taken_in_to_the_letter(tmp_path, encoding):
    compared, placed = fuzz(tmp_path, encoding=encoding, edits=400, seed=1)

    assert compared > 50
    assert placed > 10


def test_a_file_of_ten_thousand_lines(tmp_path):
    plain = "".join(f"def plain_{number}(x):\n    # 😀\n    return x + {number}\n\n\n" for number in range(2000))
    text = twenty_mechanisms(5) + plain + CLAIM.format("base")
    compared, placed = fuzz(tmp_path, encoding="utf-16", edits=30, seed=2, text=text)

    assert compared >= 6
    assert placed >= 6
