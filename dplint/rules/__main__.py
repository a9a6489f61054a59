"""`python -m dplint.rules` writes the pages of the rules into the folder of all pages."""

from dplint.codes.catalogue import FOLDER
from dplint.rules.registry import RULES

for rule in RULES:
    (FOLDER / f"{rule.code}.md").write_text(rule.page, encoding="utf-8", newline="\n")
