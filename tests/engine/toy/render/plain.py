"""The table as text."""

from __future__ import annotations

from domain.engine.sentences import Words
from tests.engine.toy.render.sentences import lines
from tests.engine.toy.view import View


def text(view: View, words: Words) -> str:
    """A line for the round, one for each seat, and the hand of the viewer."""
    return "\n".join(lines(view, words)) + "\n"
