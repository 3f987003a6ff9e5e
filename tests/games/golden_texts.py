"""The beginning of a match of a game, as texts with their heads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from domain.audit.texts import Content, Salts, chained, text_of
from domain.engine.dice import Luck
from domain.engine.game import Game
from domain.match.log import entry, write_down
from domain.match.state import Match
from tests.games.test_stored import PLAYERS, SEED, following, opened

FOLDER = Path(__file__).with_name("golden_texts")
ENTRIES = 12
MATCH = "goldengolden"


def golden_lines(game: Game[Any]) -> str:
    """One line for each entry: its text and its head."""
    match, dice, lines = Match(game, SEED), Luck(MATCH), []
    draft, actor = opened(MATCH, game), PLAYERS[0]
    for version in range(1, ENTRIES + 1):
        one = entry(draft, version, actor, 10**12 + version, game.rules)
        one = chained(MATCH, match, one, draft)
        text = text_of(Salts(MATCH, SEED), one, Content(draft.move, draft.events)).decode()
        lines.append(msgspec.json.encode({"text": text, "head": one.head.hex()}).decode() + "\n")
        write_down(match, one, draft.events)
        draft, actor = following(match, dice)
    return "".join(lines)
