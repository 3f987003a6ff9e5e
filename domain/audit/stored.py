"""A full check of a match as the store has it, seed and all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from domain.audit.replay_rules import Wrong, follows_from
from domain.audit.texts import Salts, content_of, head_after, text_of
from domain.engine.game import Game
from domain.match.dice import seed_hash
from domain.match.log import Entry, begun, understanding, write_down
from domain.match.state import START, Match


def check_entries(
    games: Mapping[str, Game[Any]], match_id: str, entries: Iterable[Entry]
) -> Iterator[Wrong | None]:
    """For each entry of a match, oldest first, what is wrong with it, or None; Damaged if one makes
    no sense.

    Its head must follow from its text, and its events from the rules and the dice; those of other
    versions of the rules are taken as they are.
    """
    match, head = None, START
    for record in entries:
        with understanding(record):
            match = match or begun(games, record)
            content = content_of(match.game, record)
            head = head_after(head, text_of(Salts(match_id, match.salt_key), record, content))
        wrong = follows_from(match, record, content)
        with understanding(record):
            write_down(match, record, content.events)
        yield _other_seed(match, record) or wrong or _other_head(record, head)
        head = record.head


def _other_seed(match: Match, record: Entry) -> Wrong | None:
    if record.version > 1 or seed_hash(match.seed) == match.seed_hash:
        return None
    return Wrong(1, "has another seed than the one whose hash was published.")


def _other_head(record: Entry, head: bytes) -> Wrong | None:
    if record.head == head:
        return None
    return Wrong(record.version, "has a head that does not follow from what it says.")
