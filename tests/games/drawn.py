"""Pictures and texts of a random game, drawn once for all checks that read them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import cycle
from typing import Any, NamedTuple
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

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


@dataclass(frozen=True)
class Drawing:
    """The table as a picture and as a text, each drawn once for all checks that ask."""

    game: AnyGame
    view: Any
    words: Words

    @cached_property
    def svg(self) -> str:
        """The picture."""
        return self.game.render_svg(self.view, self.words)

    @cached_property
    def root(self) -> Element:
        """The picture, parsed; nothing changes it."""
        return ElementTree.fromstring(self.svg)

    @cached_property
    def text(self) -> str:
        """The text."""
        return self.game.render_text(self.view, self.words)


@lru_cache(maxsize=3)  # the languages of one table
def draw_moments(game: AnyGame, seats: int, language: str) -> list[Drawing]:
    """Draw moments of a game, as seat 0 and spectators see them in turn, and its end."""
    played, words = record(game, seats, 0), game.words(language)
    states = [*(moment.state for moment in played.some(MOMENTS)), played.end]
    views = [game.view(state, viewer) for state, viewer in zip(states, cycle((0, None)))]
    return [Drawing(game, view, words) for view in views]


def draw_in_turn(
    game: AnyGame, seats: int, languages: Sequence[str], turn: int = 0
) -> Iterator[tuple[str, Drawing]]:
    """Draw these moments, each in the next of some languages; with another turn, each in another
    language.
    """
    for number in range(MOMENTS + 1):
        language = languages[(number + turn) % len(languages)]
        yield language, draw_moments(game, seats, language)[number]


class Lent(NamedTuple):
    """A moment, and the drawing of what the seat that moves sees, for others."""

    moment: Moment
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
    return [
        Lent(moment, Drawing(game, moment.menu.view, lent))
        for moment in record(game, seats, 0).of_each_step(1)
    ]
