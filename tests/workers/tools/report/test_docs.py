"""docs/analytics-results.md matches the code: calibrations, questions and their SQL."""

from __future__ import annotations

import re

import pytest

from bench.rules.questions import RESULTS_PAGE as PATH
from bench.rules.questions import render_calibration
from workers.tools.tables.questions import QUESTIONS, SECTIONS

RESULTS = PATH.read_text("utf-8")


@pytest.mark.parametrize("name", QUESTIONS)
def test_the_documented_sql_is_that_of_the_report(name: str) -> None:
    assert f"```sql\n{QUESTIONS[name].sql.strip()}\n```" in RESULTS


def test_all_sections_and_pictures_exist() -> None:
    for section in SECTIONS:
        assert f"### {section.heading}\n" in RESULTS
    shown = re.findall(r"\]\((pictures/[^)]+)\)", RESULTS)
    assert {f"pictures/analytics_{name}.svg" for name in QUESTIONS} <= {*shown}
    assert all((PATH.parent / place).is_file() for place in shown)


def test_the_calibration_matches_the_games() -> None:
    assert render_calibration() in RESULTS
