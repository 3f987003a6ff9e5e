"""Files and functions that the docs name exist."""

from __future__ import annotations

import re

from tests.architecture.layout import CODE, ROOT

PAGES = [ROOT / "README.md", ROOT / "openapi.yaml", *sorted((ROOT / "docs").rglob("*.md"))]
FILE = re.compile(rf"`((?:{'|'.join(CODE)}|tests|examples)/[\w./]*)(?:: (\w+))?`")


def test_the_docs_name_files():
    assert sum(len(FILE.findall(page.read_text())) for page in PAGES) > 10


def test_every_file_that_is_named_is_there():
    named = ((page, *found) for page in PAGES for found in FILE.findall(page.read_text()))
    for page, path, function in named:
        assert (ROOT / path).exists(), (page, path)
        assert not function or f"def {function}(" in (ROOT / path).read_text(), (page, function)


def test_the_architecture_has_a_row_for_each_room():
    page = (ROOT / "docs/architecture.md").read_text()
    rows = re.findall(r"^\| `([\w/<>]+)/`", page, re.MULTILINE)
    found = {
        f"{package}/{path.parent.name}"
        for package in ("service", "workers", "domain")
        for path in (ROOT / package).glob("*/__init__.py")
    }
    assert len(found) > 15
    assert {row.replace("/<game>", "") for row in rows} == found | {"projections"}
