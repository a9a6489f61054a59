"""`dplint badge` reads a report and draws; it refuses what is none."""

import report_samples as samples

from dplint.cli import main
from dplint.report.gathered import gather
from dplint.report.json_document import check_json


def test_a_badge_is_made_of_a_report(tmp_path, capsys):
    report, picture = tmp_path / "report.json", tmp_path / "badge.svg"
    report.write_text(check_json(gather(samples.EVENTS), 1.0))
    assert main(["badge", str(report), "-o", str(picture)]) == 0
    assert main(["badge", str(report)]) == 0
    assert capsys.readouterr().out == picture.read_text()
    assert "2 not checked" in picture.read_text(), "one file and one audit"


def test_what_is_no_report_makes_no_badge(tmp_path, capsys):
    (tmp_path / "report.json").write_text("[]")
    (tmp_path / "latin.json").write_bytes(b"\xff")
    for name, why in (("report.json", "no JSON report"), ("latin.json", "cannot be read"), ("none.json", "not exist")):
        assert main(["badge", str(tmp_path / name), "-o", str(tmp_path / "badge.svg")]) == 2
        assert why in capsys.readouterr().err
    assert not (tmp_path / "badge.svg").exists()
