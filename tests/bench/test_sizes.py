"""Figures of the size of the code."""

from __future__ import annotations

from bench.rules.sizes import count_code

SOURCE = '''"""Words."""

# A comment.
NUMBER = 1  # another


def double(number: int) -> int:
    """Words
    on two lines.
    """
    return 2 * number
'''


def test_only_code_is_counted():
    assert count_code(SOURCE) == 3
