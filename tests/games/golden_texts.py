"""The beginning of a match of a game, as texts with their heads."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from domain.audit.texts import Content, Salts, text_of, with_head
from domain.engine.dice import Luck
from domain.engine.game import Game
from domain.match.log import apply_events, make_entry
from domain.match.state import Match
from tests.games.test_stored import PLAYERS, SEED, following, open_match

FOLDER = Path(__file__).with_name("golden_texts")
ENTRIES = 12
MATCH = "goldengolden"


def golden_lines(game: Game[Any]) -> str:
    """One line for each of the first entries: its text and its head."""
    match, dice, lines = Match(game, SEED), Luck(MATCH), []
    draft, actor = open_match(MATCH, game), PLAYERS[0]
    for version in range(1, ENTRIES + 1):
        one = make_entry(draft, version, actor, 10**12 + version, game.rules)
        one = with_head(MATCH, match, one, draft)
        text = text_of(Salts(MATCH, SEED), one, Content(draft.move, draft.events)).decode()
        lines.append(msgspec.json.encode({"text": text, "head": one.head.hex()}).decode() + "\n")
        apply_events(match, one, draft.events)
        if match.status == "scored":
            break
        draft, actor = following(match, dice)
    return "".join(lines)
