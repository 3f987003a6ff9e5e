"""Many matches, copied from a few played ones: the same entries with other ids and names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

from msgspec.msgpack import encode
from msgspec.structs import replace

from bench.load.matches import MATCH_SEED, QIN
from domain.engine.dice import Luck, choose
from domain.engine.game import legal_moves
from domain.match.decisions import ending, lobby, playing
from domain.match.log import Draft, Entry, apply_events, make_entry
from domain.match.state import Chair, Match
from service.store.event_store import EventStore
from service.store.redis_client import connect

NAMES = ("TheMatch", "TheFirst", "TheSecond")
PROCESSES = 2
NOON = 1_700_000_000_000
MAX_MOVES: Mapping[str, int] = {"open": 0, "begun": 2, "resigned": 2, "whole": 1_000}
"""The maximum number of moves of each kind of match."""


@cache
def build_pattern(kind: str) -> Sequence[Entry]:
    """The entries of a match of this kind."""
    match, entries, luck = Match(QIN, MATCH_SEED), list[Entry](), Luck(kind)

    def record(draft: Draft) -> None:
        record = make_entry(draft, match.version + 1, NAMES[1], 0, QIN.rules, b"bench", MATCH_SEED)
        apply_events(match, record, draft.events)
        entries.append(record)

    chairs = (Chair(player=NAMES[1]), Chair() if kind == "open" else Chair(player=NAMES[2]))
    plan = lobby.Plan(match=NAMES[0], host=NAMES[1], chairs=chairs, seed_given=True, expires=0)
    record(lobby.create(QIN, plan, MATCH_SEED, 0))
    while match.status == "active" and match.version <= MAX_MOVES[kind]:
        moves = legal_moves(QIN, match.state, match.seats_to_move[0])
        record(playing.move(match, choose(luck, moves), 0))
    if kind == "resigned":
        record(playing.resign(match, NAMES[2], 0))
    if match.status == "ended":
        record(ending.score(match))
    return entries


def copy_match(kind: str, match: str, first: str, second: str, at: int) -> Iterator[Entry]:
    """The entries of a match of this kind, with this id, these players and this start time (ms
    since the epoch).
    """
    names = [
        (encode(old), encode(new)) for old, new in zip(NAMES, (match, first, second), strict=True)
    ]
    for one in build_pattern(kind):
        events = one.events
        for old, new in names:
            events = events.replace(old, new)
        yield replace(one, actor=first, at=at + one.version, events=events)


def fill(url: str, kinds: Sequence[str], begin: int, end: int, friends: int) -> None:
    """Append the matches with numbers from `begin` to `end`, of each kind in turn. The player
    `everywhere` plays all of them, against one of `friends` others.
    """
    share = -(-(end - begin) // PROCESSES)
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("spawn")) as pool:
        filling = [
            pool.submit(_fill, url, kinds, start, min(start + share, end), friends)
            for start in range(begin, end, share)
        ]
        for one in filling:
            one.result()


def _fill(url: str, kinds: Sequence[str], begin: int, end: int, friends: int) -> None:
    store = EventStore(connect(url))
    for number in range(begin, end):
        kind, other = kinds[number % len(kinds)], f"friend{number // len(kinds) % friends}"
        for record in copy_match(kind, f"m{number:09}", "everywhere", other, NOON + number):
            store.append(f"m{number:09}", record, {})
