"""The full check of a stored match, including its seed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from domain.audit.replay_rules import Mismatch, find_mismatch
from domain.audit.texts import Salts, content_of, head_after, text_of
from domain.engine.game import Game
from domain.match.dice import seed_hash
from domain.match.log import Entry, apply_events, new_match, reading
from domain.match.state import GENESIS_HEAD, Match


def check_entries(
    games: Mapping[str, Game[Any]], match_id: str, entries: Iterable[Entry]
) -> Iterator[Mismatch | None]:
    """For each entry of a match, oldest first, what is wrong with it, or None. Raises CorruptEntry
    if one makes no sense.

    The head must follow from the text, and the events from the rules and the dice. Events of other
    versions of the rules are not checked.
    """
    match, head = None, GENESIS_HEAD
    for record in entries:
        with reading(record):
            match = match or new_match(games, record)
            content = content_of(match.game, record)
            head = head_after(head, text_of(Salts(match_id, match.salt_key), record, content))
        wrong = find_mismatch(match, record, content)
        with reading(record):
            apply_events(match, record, content.events)
        yield _seed_mismatch(match, record) or wrong or _head_mismatch(record, head)
        head = record.head


def _seed_mismatch(match: Match, record: Entry) -> Mismatch | None:
    if record.version > 1 or seed_hash(match.seed) == match.seed_hash:
        return None
    return Mismatch(1, "has a seed that does not match its published hash.")


def _head_mismatch(record: Entry, head: bytes) -> Mismatch | None:
    if record.head == head:
        return None
    return Mismatch(record.version, "has a head that does not follow from its content.")
