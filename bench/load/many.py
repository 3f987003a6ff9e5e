"""Many matches, made from a few that were played: the same entries under other ids and names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import cache
from multiprocessing import get_context

from msgspec.msgpack import encode
from msgspec.structs import replace

from bench.load.matches import QIN, SEED
from domain.engine.dice import Luck, choose
from domain.engine.game import legal_moves
from domain.match.decisions import ending, lobby, playing
from domain.match.log import Draft, Entry, entry, write_down
from domain.match.state import Chair, Match
from service.store.event_store import Store
from service.store.redis_client import connect

NAMES = ("TheMatch", "TheFirst", "TheSecond")
PROCESSES = 2
NOON = 1_700_000_000_000
MOVES: Mapping[str, int] = {"open": 0, "begun": 2, "resigned": 2, "whole": 1_000}
"""How many moves the kinds of matches have at most."""


@cache
def pattern(kind: str) -> Sequence[Entry]:
    """The entries of a match of this kind."""
    match, entries, luck = Match(QIN, SEED), list[Entry](), Luck(kind)

    def record(draft: Draft) -> None:
        record = entry(draft, match.version + 1, NAMES[1], 0, QIN.rules, b"bench", SEED)
        write_down(match, record, draft.events)
        entries.append(record)

    chairs = (Chair(player=NAMES[1]), Chair() if kind == "open" else Chair(player=NAMES[2]))
    plan = lobby.Plan(match=NAMES[0], host=NAMES[1], chairs=chairs, seed_given=True, expires=0)
    record(lobby.create(QIN, plan, SEED, 0))
    while match.status == "active" and match.version <= MOVES[kind]:
        moves = legal_moves(QIN, match.state, match.awaited[0])
        record(playing.move(match, choose(luck, moves), 0))
    if kind == "resigned":
        record(playing.resign(match, NAMES[2], 0))
    if match.status == "ended":
        record(ending.score(match))
    return entries


def as_match(kind: str, match: str, first: str, second: str, at: int) -> Iterator[Entry]:
    """The entries of a match of this kind with this id, between these players, from this time on
    (ms since the epoch).
    """
    names = [
        (encode(old), encode(new)) for old, new in zip(NAMES, (match, first, second), strict=True)
    ]
    for one in pattern(kind):
        events = one.events
        for old, new in names:
            events = events.replace(old, new)
        yield replace(one, actor=first, at=at + one.version, events=events)


def fill(url: str, kinds: Sequence[str], begin: int, end: int, friends: int) -> None:
    """Record matches from one number to another, of each kind in turn: a player `everywhere` plays
    all of them, against one of so many others.
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
    store = Store(connect(url))
    for number in range(begin, end):
        kind, other = kinds[number % len(kinds)], f"friend{number // len(kinds) % friends}"
        for record in as_match(kind, f"m{number:09}", "everywhere", other, NOON + number):
            store.append(f"m{number:09}", record, {})
