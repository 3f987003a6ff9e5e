"""The table as text."""

from __future__ import annotations

from tests.engine.toy.render.words import lines
from tests.engine.toy.view import View


def text(view: View) -> str:
    """A line for the round, one for each seat, and the hand of the viewer."""
    return "\n".join(lines(view)) + "\n"
