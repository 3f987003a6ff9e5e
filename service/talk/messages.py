"""What people say about a match: a text in their own words, or a phrase in those of the reader."""

from __future__ import annotations

import unicodedata
from typing import Literal, get_args

import msgspec

from domain.engine.resources.texts import read

Room = Literal["players", "spectators"]
ROOMS: tuple[Room, ...] = get_args(Room)
"""Where people talk: those who sit at the table, and apart from them those who watch."""
MAX_TEXT_CHARS = 500
MAX_MARKS = 3
"""How many marks a letter can carry, such as accents; more would cover the lines around it."""
JOINERS = "\u200c\u200d"
"""Characters without a width that scripts and pictures of several characters need."""
UNSEEN = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Categories of characters that show nothing themselves: they hide or turn around what others show.
"""
BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Letters and signs that look like spaces."""
PHRASES = (
    "hello", "good_luck", "have_fun", "thanks", "sorry", "nice_move", "well_played", "good_game",
    "bad_luck", "close_game", "misclick", "undo_please", "thinking", "back_soon", "back_tomorrow",
    "take_your_time", "agreed", "rather_not", "play_again", "goodbye",
)  # fmt: skip
"""The keys of all phrases, in the order in which people choose from them."""
TEXTS = read(__package__)


class Message(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a player said at a time (ms since the epoch): a text, or the key of a phrase."""

    author: str
    at: int
    text: str = ""
    phrase: str = ""


def phrase_in(key: str, language: str) -> str:
    """Return a phrase in a language."""
    return TEXTS[language][key]


def clean_text(text: str) -> str:
    """Return a text on one line without characters that are not seen; empty if nothing is left."""
    spaced = "".join(" " if one.isspace() or one in BLANK else one for one in text)
    seen = [one for one in spaced if one in JOINERS or unicodedata.category(one) not in UNSEEN]
    words = " ".join("".join(_limit_marks(seen)).split())
    return words if words.strip(f" {JOINERS}") else ""


def _limit_marks(characters: list[str]) -> list[str]:
    """Return the characters with at most MAX_MARKS marks in a row."""
    kept, marks = list[str](), 0
    for one in characters:
        marks = marks + 1 if unicodedata.category(one) in ("Mn", "Me") else 0
        if marks <= MAX_MARKS:
            kept.append(one)
    return kept
