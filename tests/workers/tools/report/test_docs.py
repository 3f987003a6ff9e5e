"""docs/analytics.md asks what reports ask, word by word, and shows what came of it."""

from __future__ import annotations

import re

import pytest

from tests.architecture.layout import ROOT
from workers.tools.tables.questions import QUESTIONS, SECTIONS

PAGE = (ROOT / "docs/analytics.md").read_text("utf-8")


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_documented_sql_is_that_of_the_report(name: str) -> None:
    assert f"```sql\n{QUESTIONS[name].sql.strip()}\n```" in PAGE


def test_all_sections_are_there_and_each_question_has_its_picture() -> None:
    for section in SECTIONS:
        assert f"### {section.heading}\n" in PAGE
    shown = re.findall(r"\]\((pictures/[^)]+)\)", PAGE)
    assert {f"pictures/analytics_{name}.svg" for name in QUESTIONS} <= {*shown}
    assert all((ROOT / "docs" / place).is_file() for place in shown)
