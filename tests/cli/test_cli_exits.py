"""Exit codes of what was tried too little."""

from dataclasses import replace

import pytest

from dplint.cli.writing import code_of
from dplint.outcomes import Result
from dplint.report.gathered import gather
from tests.report.report_samples import NO_VIOLATION, TESTED, UNDERPOWERED, mechanism


@pytest.mark.parametrize(("tested", "code"), [((), 2), (TESTED[:1], 0)])
def test_what_was_not_tried_at_all_could_not_be_checked(tested, code):
    little = replace(UNDERPOWERED, tested=tested, losses=())
    assert code_of(gather([Result(mechanism(), NO_VIOLATION), Result(mechanism("other", line=30), little)])) == code
