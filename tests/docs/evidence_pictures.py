"""Pictures of reports, and answers for the views of the extension, from outcomes that are made by hand.

python -m tests.docs.evidence_pictures   writes docs/pictures/evidence-*.svg and vscode-extension/test/webview/handmade
"""

from __future__ import annotations

import io
import json
import re
from pathlib import Path

from dplint.outcomes import Violation
from dplint.report.counterexample_view import shown_unconfirmed, shown_violation
from dplint.report.format import Report
from dplint.report.gathered import gather
from dplint.report.terminal import SafeConsole, print_report
from tests.report.evidence_samples import BY_SOURCE, EVIDENCE, EXACT, line_of

ROOT = Path(__file__).resolve().parents[2]
PICTURES = ROOT / "docs" / "pictures"
VIEWS = ROOT / "vscode-extension" / "test" / "webview" / "handmade"
SECONDS = 0.5
WIDTH = 100
FONTS = re.compile(r"@font-face \{[^}]*\}\s*")
"""What a picture would fetch from elsewhere when it is looked at; without it the reader's own font is taken."""
VIOLATIONS = {name: result for name, result in EVIDENCE.items() if isinstance(result.outcome, Violation)}
UNCONFIRMED = "unconfirmed"
SHOWN = (*VIOLATIONS, UNCONFIRMED)
"""The views: of violations, and of what the source alone speaks against."""


def picture_of(name: str, path: Path) -> None:
    """Write the report on one of the samples as a terminal shows it."""
    console = SafeConsole(record=True, file=io.StringIO(), width=WIDTH, force_terminal=True, color_system="truecolor")
    print_report(Report(gather((EVIDENCE[name],)), SECONDS, line_of), console)
    picture = console.export_svg(title="dplint check", unique_id="dplint")
    path.write_text(FONTS.sub("", picture), encoding="utf-8")


def view_of(name: str) -> str:
    """What a server would answer for one of the views, but for what comes from a document."""
    shown = shown_unconfirmed(EXACT.mechanism, BY_SOURCE) if name == UNCONFIRMED else shown_violation(VIOLATIONS[name])
    more = {"uri": "file:///project/src/private.py", "places": [], "source": None, "growth": [], "test": None}
    return json.dumps({**shown, **more}, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write all of them."""
    VIEWS.mkdir(exist_ok=True)
    for name in EVIDENCE:
        picture_of(name, PICTURES / f"evidence-{name}.svg")
    for name in SHOWN:
        (VIEWS / f"{name}.json").write_text(view_of(name), encoding="utf-8")


if __name__ == "__main__":
    main()
