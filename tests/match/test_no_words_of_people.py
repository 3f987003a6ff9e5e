"""Entries never change, so they hold no free text of players: only numbers, members of closed
lists, ids and hashes.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec
from msgspec import inspect

from domain.match.events import MATCH_EVENTS
from domain.match.log import Entry
from tests.support.for_each import for_each

PLAYER, MATCH, HASH, LEVEL = "id of a player", "id of a match", "hash", "key of a level"
GAME = "what the game can read: tests/games/test_no_words_of_people.py"
KNOWN = {
    "Entry.kind": "name of a decision",
    "Entry.actor": PLAYER,
    "Entry.move": GAME,
    "Entry.events": "events",
    "Entry.cmd": HASH,
    "Entry.secret": "the seed, and nonces",
    "Entry.head": HASH,
    "Created.match": MATCH,
    "Created.game": "key of a game",
    "Created.host": PLAYER,
    "Created.options": GAME,
    "Created.setup": GAME,
    "Created.substitute": LEVEL,
    "Created.seed_hash": HASH,
    "Created.position": GAME,
    "Chair.player": PLAYER,
    "Chair.invited": PLAYER,
    "Chair.bot": LEVEL,
    "Chair.commitment": HASH,
    "SeatTaken.player": PLAYER,
    "SeatTaken.commitment": HASH,
    "NonceOpened.player": PLAYER,
    "Started.nonces": "nonces, of a fixed length",
    "SeatLeft.host": PLAYER,
    "PlayerReplaced.leaver": PLAYER,
    "PlayerReplaced.player": PLAYER,
    "PlayerReplaced.host": PLAYER,
    "BotSeated.level": LEVEL,
    "BotFailed.instead": LEVEL,
    "InvitationDeclined.player": PLAYER,
    "Kept.player": PLAYER,
    "LessonBegun.lesson": "key of a lesson of the game",
    "UndoRequested.player": PLAYER,
    "UndoRequested.asked": PLAYER,
    "UndoAnswered.player": PLAYER,
    "Scoring.reason": "word of the closed list of the game",
    "Rival.key": "word of the closed list of the game",
    "Rival.breakdown": "word of the closed list of the game",
    "ScoreLine.breakdown": "word of the closed list of the game",
    "Scored.seed": "the seed",
    "Aborted.seed": "the seed",
    "RatingChange.competitor": PLAYER,
    "SeriesPlace.id": MATCH,
    "SeriesScore.id": MATCH,
    "Continued.match": MATCH,
    "RematchOffered.player": PLAYER,
    "RematchOpened.previous": MATCH,
    "TimeGiven.player": PLAYER,
    "Proposed.player": PLAYER,
    "Proposed.asked": PLAYER,
    "ProposalAnswered.player": PLAYER,
    "Paused.player": PLAYER,
    "Resumed.player": PLAYER,
    "ForkedFrom.match": MATCH,
}
"""Every field that could hold any text, and what it holds.

If you add such a field, name its contents here. Free text of players does not belong in an entry:
store it separately, so that it can be deleted.
"""
CLOSED = (
    inspect.IntType,
    inspect.FloatType,
    inspect.BoolType,
    inspect.NoneType,
    inspect.LiteralType,
)


def test_no_event_of_a_match_has_room_for_words_of_people() -> None:
    found = {where for kind in (Entry, *MATCH_EVENTS) for where in open_fields(kind)}
    assert found == KNOWN.keys()


@for_each("of", [str, str | None, dict[str, int], tuple[str, ...], bytes, Any])
def test_a_field_with_room_for_words_is_found(of: Any) -> None:
    told = msgspec.defstruct("Told", [("words", of), ("count", int)])
    assert list(open_fields(told)) == ["Told.words"]


def open_fields(kind: Any, where: str = "") -> Iterator[str]:
    """The fields of a record, and of those in it, that could hold any text."""
    known = inspect.type_info(kind) if isinstance(kind, type) else kind
    inner = [getattr(known, name, ()) for name in ("types", "item_types")]
    parts = [part for some in inner for part in some]
    parts += [getattr(known, f"{name}_type") for name in ("item", "key", "value", "")
              if name and hasattr(known, f"{name}_type")]  # fmt: skip
    if isinstance(known, inspect.StructType):
        for field in known.fields:
            yield from open_fields(field.type, f"{known.cls.__name__}.{field.name}")
    elif parts:
        yield from dict.fromkeys(found for part in parts for found in open_fields(part, where))
    elif not isinstance(known, CLOSED):
        yield where
