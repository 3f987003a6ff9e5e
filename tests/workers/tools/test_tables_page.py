"""docs/tables.md has the same columns as the code."""

from __future__ import annotations

from pathlib import Path

from service.analytics.table_folders import TABLES_VERSION
from workers.tools.tables.parts.schema import PARTITIONS, TABLES, columns, file_type

TABLES_PAGE = Path(__file__).parents[3] / "docs" / "tables.md"


def test_the_page_has_every_column_of_every_table() -> None:
    page = TABLES_PAGE.read_text()
    begin = page.index("### matches")
    assert page[begin : page.index("\n## ", begin)].strip() == describe_tables().strip()
    assert f"version {TABLES_VERSION} of the schema" in page
    for name, about in PARTITIONS.items():
        assert f"| `{name}` | VARCHAR | {about} |" in page


def describe_tables() -> str:
    """All tables as Markdown."""
    return "\n".join(_describe_table(table) for table in TABLES)


def _describe_table(table: str) -> str:
    about = (TABLES[table].__doc__ or "").strip()
    rows = [
        f"| `{one.name}` | {file_type(one)} | {'yes' if one.nullable else ''} | {one.about} |"
        for one in columns(table)
    ]
    head = ["| column | type | null | what it is |", "| --- | --- | --- | --- |"]
    return "\n".join([f"### {table}", "", about, "", *head, *rows, ""])


if __name__ == "__main__":
    print(describe_tables())  # noqa: T201 - to be pasted
