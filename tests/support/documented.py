"""Tables in the docs that follow from records in the code: `make tables` writes them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"


def with_table(page: str, header: str, rows: Iterable[str]) -> str:
    """The text of a page with these rows in the table that has this header."""
    before, header, rest = page.partition(f"{header}\n")
    assert header, "the page has no table with this header"
    rule, _, table = rest.partition("\n")
    after = table[table.index("\n\n") :] if "\n\n" in table else "\n"
    return f"{before}{header}{rule}\n" + "\n".join(rows) + after


def check_file(file: Path, text: str, update: bool) -> None:
    """Assert that a file has this text, or write it."""
    if update:
        file.write_text(text, encoding="utf-8")
    assert file.read_text(encoding="utf-8") == text, "`make tables` writes it; read the diff then"
