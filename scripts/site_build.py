"""Build the documentation site from docs/, without network.

    python -m scripts.site_build             build into the folder site/
    python -m scripts.site_build serve       build, and serve it at http://127.0.0.1:8000 until Ctrl-C

The folder docs/ is copied, a page for each code and their list are added to the copy, and Sphinx builds that. Every
warning is an error: a link that leads nowhere, a page that no table of contents names. So is a built page that would
fetch something from elsewhere when it is read.
"""

from __future__ import annotations

import functools
import http.server
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from dplint.codes import CODES, Page

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
SITE = ROOT / "site"
SCHEMAS = (
    ROOT / "dplint" / "config" / "dplint.schema.json",
    ROOT / "dplint" / "report" / "dplint-report.schema.json",
)
_INTO_PACKAGE = re.compile(
    r"\]\((?P<up>(?:\.\./)+)dplint/(?:codes/pages/(?P<page>DP\d+\.md)|(?:config|report)/(?P<schema>[\w.-]+\.json))\)"
)
_FETCHED = re.compile(
    r"""(?:<(?:script|img|iframe|source)\b[^>]*\bsrc=|<link\b[^>]*\bhref=|url\(|@import\s)\s*["']?(?:https?:)?//[\w.-]+"""
)
_FETCHING = {".html", ".css", ".svg"}


def main(arguments: list[str]) -> int:
    """Build, and serve if that is asked for; the exit code is 0 if the site is as it must be."""
    if arguments not in ([], ["serve"]):
        sys.exit(__doc__)
    code = build(DOCS, SITE)
    if code == 0 and arguments:
        serve(SITE)
    return code


def build(docs: Path, site: Path) -> int:
    """Build the site of a folder of pages; what is wrong goes to the standard error. Returns 0 or an exit code."""
    with tempfile.TemporaryDirectory() as folder:
        source = Path(folder) / "docs"
        stage(docs, source)
        shutil.rmtree(site, ignore_errors=True)
        strict = ("--fail-on-warning", "--keep-going", "--quiet", "--fresh-env")
        command = (sys.executable, "-m", "sphinx", *strict, "--doctree-dir", str(Path(folder) / "trees"))
        code = subprocess.run([*command, str(source), str(site)], check=False).returncode
    if code:
        return code
    fetched = list(fetches(site))
    for line in fetched:
        print(line, file=sys.stderr)
    return 1 if fetched else 0


def stage(docs: Path, source: Path) -> None:
    """Copy the pages to `source`, which must not exist, and add the page of each code, their list and the schemas.

    Links that lead from docs/ into the package, as they must in a checkout, are turned to the copies.
    """
    shutil.copytree(docs, source)
    for path in source.rglob("*.md"):
        path.write_text(_INTO_PACKAGE.sub(_inside, path.read_text(encoding="utf-8")), encoding="utf-8")
    for schema in SCHEMAS:
        shutil.copyfile(schema, source / schema.name)
    with (source / "codes.md").open("a", encoding="utf-8") as listed:
        listed.write(code_list() + "\n```{toctree}\n:hidden:\n:glob:\n\ncodes/*\n```\n")
    (source / "codes").mkdir()
    for page in CODES.values():
        (source / "codes" / f"{page.code}.md").write_text(code_page(page), encoding="utf-8")


def code_list() -> str:
    """A section with a table of all codes, and links to their pages."""
    rows = (f"| [{one.code}](codes/{one.code}.md) | {one.title} | {one.severity.value} |\n" for one in CODES.values())
    return "\n## All codes\n\n| code | | severity |\n|---|---|---|\n" + "".join(rows)


def code_page(page: Page) -> str:
    """The page of a code as the site has it: its severity is a coloured word."""
    severity = page.severity.value
    return page.markdown.replace(f"Severity: {severity}", f"Severity: [{severity}]{{.severity .{severity}}}", 1)


def fetches(site: Path) -> Iterator[str]:
    """A line for each place in the built files at which a reader's browser would fetch something from elsewhere."""
    for path in sorted(site.rglob("*")):
        if path.suffix in _FETCHING:
            for found in _FETCHED.finditer(path.read_text(encoding="utf-8")):
                yield f"{path.relative_to(site)}: fetches from elsewhere: {found[0]}"


def serve(site: Path) -> None:
    """Serve the folder to this machine alone, until Ctrl-C."""
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=site)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 8000), handler) as server:
        print("http://127.0.0.1:8000, until Ctrl-C", flush=True)
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()


def _inside(link: re.Match[str]) -> str:
    name = f"codes/{link['page']}" if link["page"] else link["schema"]
    return f"]({link['up'].removeprefix('../')}{name})"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
