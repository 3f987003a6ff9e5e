"""How each game speaks of numbers in English, as functions of a game and a number of seats."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

from domain.engine.contract.refusals import describe_refusal
from domain.engine.errors import RuleBroken
from domain.engine.game import (
    candidates,
    describe_event,
    describe_step,
    describe_touch,
    judge,
)
from domain.engine.play import Awaiting, redact
from domain.engine.resources.texts import Texts
from domain.engine.sentences import Words
from tests.games.drawn import draw_moments
from tests.games.record import Moment, Record, record
from tests.games.seen import AnyGame

SOME_MOMENTS = 3
PROMPTS = 8
"""Moments of which the prompts are read, besides the first of each kind of step."""
MAX_CANDIDATES = 40
"""How many moves that the rules may refuse are tried at a moment."""
WORD = re.compile(r"[A-Za-z]+")
ONE = re.compile(
    r"(?:(\w+) )?(?<![\w+\u00d7/.,:\u2013-])1 ([A-Za-z]+)(?: ([A-Za-z]+))?",
)
"""The number 1 with the word before it and two after it."""
SINGULARS_WITH_S = {"is", "was", "has", "Logistics"}
"""Words that end like a plural and are none."""
LABELS = {
    "card", "day", "hand", "level", "office", "phase", "player", "post", "round", "row", "seat",
    "slot", "spot", "trick", "turn", "year",
}  # fmt: skip
"""Nouns that a number may follow, as in `Year 1 begins`."""


def one_thing_is_singular(game: AnyGame, seats: int) -> None:
    """No text of a whole game says `1 tiles`: log, prompts, refusals, labels, pictures and tables.

    A plural is a word that only the text for several things has, or any word in `s` right after
    the number.
    """
    played, plurals = record(game, seats, 0), _plurals(game.resources.texts["en"])
    words = game.words("en", [f"<{seat}>" for seat in range(seats)])
    wrong = {text for text in _said(played, words) if _has_one_of_several(text, plurals)}
    assert wrong == set()


def _said(played: Record, words: Words) -> Iterator[str]:
    """All that the game says, from its first event to its last."""
    game, last = played.game, played.game.view(played.end, None)
    for event in (event for event in played.events if not isinstance(event, Awaiting)):
        for viewer in (None, 0):
            if spoken := describe_event(game, redact(event, viewer), last):
                yield words.line(spoken)
    for moment in played.of_each_step(PROMPTS):
        yield from _asked(game, moment.state, words)
    for moment in played.some(SOME_MOMENTS):
        yield from _offered(game, moment, words)
    for one in draw_moments(game, played.seats, "en"):
        yield from one.text.splitlines()
        yield from one.root.itertext()


def _asked(game: AnyGame, state: Any, words: Words) -> Iterator[str]:
    """The prompts for those who must act, and for others."""
    step = state.agenda[-1]
    for reader in (None, step.seats[0]):
        yield words.line(describe_step(game, step, game.view(state, reader), reader))


def _offered(game: AnyGame, moment: Moment, words: Words) -> Iterator[str]:
    """The labels of what can be touched, and the refusals of what cannot."""
    for menu in moment.menus:
        for name in {name for ladder in menu.touches.part_chains.values() for name in ladder}:
            yield words.line(describe_touch(game, name, menu.view))
        for move in islice(candidates(game, moment.state, menu.seat), MAX_CANDIDATES):
            try:
                judge(game, moment.state, move)
            except RuleBroken as refusal:
                yield words.line(describe_refusal(refusal))


def _plurals(texts: Texts) -> set[str]:
    """The words that only the text for several things has: `Horsemen`, `tiles`."""
    return {
        word
        for key, several in texts.items()
        if key.endswith("_other") and (one := texts.get(f"{key.removesuffix('_other')}_one"))
        for word in {*WORD.findall(several)} - {*WORD.findall(one)}
        if len(word) > 2
    }


def _has_one_of_several(text: str, plurals: set[str]) -> bool:
    """Whether a text has the number 1 with a plural after it."""
    for found in ONE.finditer(text):
        label, first, second = found.groups()
        if label and label.lower() in LABELS:
            continue
        is_plural = first.endswith("s") and not first.endswith("ss")
        if (is_plural and first not in SINGULARS_WITH_S) or plurals & {first, second}:
            return True
    return False
