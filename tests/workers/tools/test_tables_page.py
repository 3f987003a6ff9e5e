"""docs/tables.md says of each column what the code says."""

from __future__ import annotations

from pathlib import Path

from service.analytics.table_folders import SCHEMA
from workers.tools.tables.parts.schema import PARTITIONS, TABLES, columns, stored_as

PAGE = Path(__file__).parents[3] / "docs" / "tables.md"


def test_the_page_has_every_column_of_every_table() -> None:
    page = PAGE.read_text()
    begin = page.index("### matches")
    assert page[begin : page.index("\n## ", begin)].strip() == described().strip()
    assert f"version {SCHEMA} of the schema" in page
    for name, about in PARTITIONS.items():
        assert f"| `{name}` | VARCHAR | {about} |" in page


def described() -> str:
    """All tables as the page has them."""
    return "\n".join(_described(table) for table in TABLES)


def _described(table: str) -> str:
    about = (TABLES[table].__doc__ or "").strip()
    rows = [
        f"| `{one.name}` | {stored_as(one)} | {'yes' if one.nullable else ''} | {one.about} |"
        for one in columns(table)
    ]
    head = ["| column | type | null | what it is |", "| --- | --- | --- | --- |"]
    return "\n".join([f"### {table}", "", about, "", *head, *rows, ""])


if __name__ == "__main__":
    print(described())  # noqa: T201 - to be pasted
