"""Pictures and texts of a random game, drawn once for all checks that read them."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import cycle
from typing import Any, NamedTuple

from domain.engine.resources.rulebook import ENGLISH
from domain.engine.sentences import Words
from tests.games.record import Moment, record
from tests.games.seen import AnyGame

MOMENTS = 2
YOU = {
    "en": re.compile(r"\byour?s?\b", re.IGNORECASE),
    "zh-Hant": re.compile("[\u4f60\u60a8\u8acb]"),
    "zh-Hans": re.compile("[\u4f60\u60a8\u8bf7]"),
}
"""Words that address the reader."""
AGREES = re.compile(r"{\w+:[^}]*}")
"""A word that is in the second person only for the reader."""
OF_CARD = re.compile(r"_text$|^effect_")
"""Ends or begins the keys of texts of cards."""
FORM = re.compile(r"_(zero|one|other)$")
MARK = "\u2021"


class Drawing(NamedTuple):
    """The table as a picture and as a text."""

    svg: str
    text: str


@lru_cache(maxsize=3)  # the languages of one table
def draw_moments(game: AnyGame, seats: int, language: str) -> list[Drawing]:
    """Draw moments of a game, as seat 0 and spectators see them in turn, and its end."""
    played, words = record(game, seats, 0), game.words(language)
    states = [*(moment.state for moment in played.some(MOMENTS)), played.end]
    views = [game.view(state, viewer) for state, viewer in zip(states, cycle((0, None)))]
    return [Drawing(game.render_svg(view, words), game.render_text(view, words)) for view in views]


class Lent(NamedTuple):
    """A moment, the view of the seat that moves, and its drawing for others."""

    moment: Moment
    view: Any
    drawing: Drawing


@lru_cache(maxsize=1)
def draw_each_step(game: AnyGame, seats: int) -> list[Lent]:
    """Draw the first moment of each kind of step for others, with a MARK in each text that
    addresses the reader; cards address their owner.

    The texts of one language stand for all: each that addresses the reader in some language.
    """
    addressing = {
        FORM.sub("", key)
        for language, texts in game.resources.texts.items()
        for key, text in texts.items()
        if YOU[language].search(AGREES.sub("", text)) and not OF_CARD.search(key)
    }
    marked = {
        key: f"{text}{MARK}" if FORM.sub("", key) in addressing else text
        for key, text in game.resources.texts[ENGLISH].items()
    }
    lent = Words(marked, [f"<{seat}>" for seat in range(seats)], is_lent=True)
    found = []
    for moment in record(game, seats, 0).of_each_step(1):
        view = game.view(moment.state, moment.move.seat)
        drawing = Drawing(game.render_svg(view, lent), game.render_text(view, lent))
        found.append(Lent(moment, view, drawing))
    return found
