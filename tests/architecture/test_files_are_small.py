"""No file is longer than the limit, in code and in tests."""

from __future__ import annotations

import pytest

from tests.architecture.layout import CODE, ROOT

MAX_LINES = 400


@pytest.mark.parametrize("folder", [*CODE, "tests", "bench", "examples"])
def test_no_file_has_more_than_400_lines(folder):
    lines = {path: path.read_text().count("\n") for path in (ROOT / folder).rglob("*.py")}
    assert lines
    assert {str(path): count for path, count in lines.items() if count > MAX_LINES} == {}
