"""No file of the code is longer than a reader can bear."""

from __future__ import annotations

import pytest

from tests.architecture.layout import CODE, ROOT

LIMIT = 400


@pytest.mark.parametrize("package", CODE)
def test_no_file_has_more_than_400_lines(package):
    lines = {path: path.read_text().count("\n") for path in (ROOT / package).rglob("*.py")}
    assert lines
    assert {str(path): count for path, count in lines.items() if count > LIMIT} == {}
