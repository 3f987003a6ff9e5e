"""Entries of the annals of a match, and how a match is folded from them."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache, reduce
from typing import Any

import msgspec

from domain.engine.codecs.binary_codec import pack, pick, reader, readers
from domain.engine.codecs.json_codec import event_types
from domain.engine.game import Game
from domain.engine.play import Event, Move
from domain.match.dice import NONCE_BYTES, nonces_in
from domain.match.events import MATCH_EVENTS, Created, MatchEvent
from domain.match.state import Match, Point

AnyEvent = MatchEvent | Event[Any]
_CREATED = readers(Created)
_SENSELESS = (
    msgspec.MsgspecError, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError,
    ValueError,
)  # fmt: skip


class Damaged(Exception):
    """What is stored is not what was recorded, or means nothing to this program; in one sentence
    that begins with what it is about.
    """


class Entry(msgspec.Struct, frozen=True, gc=False):
    """One accepted action with all its events, as the store keeps it.

    The move and the events are packed (domain/engine/codecs/binary_codec.py).
    """

    version: int  # from 1
    kind: str
    actor: str  # the id of a player, `bot:<level>`, or `system`
    at: int  # ms since the epoch, UTC
    move: bytes  # empty if there was none
    events: bytes
    rules: int
    cmd: bytes  # which command it was, and of what request if it may be sent again
    secret: bytes = b""
    """In the first entry the seed, and what salts follow from if the seed was given; in any before
    the start the nonces that came with it.
    """
    head: bytes = b""  # of the chain of the match up to here (domain/audit/texts.py)


class Draft(msgspec.Struct, frozen=True):
    """A decision that has not been recorded: the move, if any, and what follows."""

    kind: str
    events: tuple[AnyEvent, ...]
    move: Move | None = None
    nonces: bytes = b""  # those that were handed in with it, one after another


@cache
def _events_reader(game: Game[Any]) -> Callable[[bytes], list[AnyEvent]]:
    event: Any = reduce(operator.or_, (*MATCH_EVENTS, *event_types(game)))
    return reader(list[event])


@cache
def _move_reader(game: Game[Any]) -> Callable[[bytes], Move]:
    return reader(reduce(operator.or_, game.answers.moves))


def get_ready(game: Game[Any]) -> None:
    """Make what reads entries of a game, rather than when the first one is read."""
    _events_reader(game)
    _move_reader(game)


def read_events(game: Game[Any], packed: bytes) -> list[AnyEvent]:
    """The events of an entry of a match of this game."""
    return _events_reader(game)(packed)


def read_move(game: Game[Any], packed: bytes) -> Move:
    """The move of an entry of a match of this game."""
    return _move_reader(game)(packed)


def entry(
    draft: Draft,
    version: int,
    actor: str,
    at: int,
    rules: int,
    cmd: bytes = b"",
    secret: bytes = b"",
) -> Entry:
    """The entry that records a draft as this version."""
    move = pack(draft.move) if draft.move else b""
    kept = secret + draft.nonces
    return Entry(version, draft.kind, actor, at, move, pack(draft.events), rules, cmd, kept)


def fold_match(games: Mapping[str, Game[Any]], entries: Iterable[Entry]) -> Match:
    """A match from its entries, oldest first; Damaged if one of them makes no sense."""
    match: Match | None = None
    for record in entries:
        if match is None:
            match = begun(games, record)
        follow(match, record)
    assert match
    return match


def begun(games: Mapping[str, Game[Any]], first: Entry) -> Match:
    """The match that this entry is the first of, with nothing written down yet; Damaged if its game
    is not known here.
    """
    with understanding(first):
        created = pick(_CREATED, first.events)[0]
    if created.game not in games:
        raise Damaged(f"the game {created.game} is not known here.")
    seed, rest = first.secret[:NONCE_BYTES], first.secret[NONCE_BYTES:]
    salt_key = rest[:NONCE_BYTES] if created.seed_index is None else b""
    return Match(games[created.game], seed, salt_key)


def follow(match: Match, record: Entry) -> list[AnyEvent]:
    """Apply one more entry in place, and return its events; Damaged if it makes no sense here."""
    with understanding(record):
        events = read_events(match.game, record.events)
        write_down(match, record, events)
    return events


class understanding:  # noqa: N801 - reads like a function; a generator would take thrice as long
    """Whatever goes wrong with what an entry says is told as what it is: Damaged."""

    __slots__ = ("_record",)

    def __init__(self, record: Entry) -> None:
        self._record = record

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, _SENSELESS):
            what = " ".join(str(error).split()).rstrip(".")
            raise Damaged(
                f"version {self._record.version} makes no sense: {type(error).__name__}: {what}."
            ) from error


def write_down(match: Match, record: Entry, events: Iterable[AnyEvent]) -> None:
    """Apply one more entry, whose events are these, in place."""
    if _applied(match, events):
        match.undone.clear()
        match.undo_request = None
        match.play_on(_point(match, record))
    if record.secret and match.status == "open":
        match.handed_in = match.handed_in | handed_in_with(record)
    match.version, match.updated_at = record.version, record.at
    match.head = record.head
    match.created_at = match.created_at or record.at


def handed_in_with(record: Entry) -> dict[str, bytes]:
    """The nonces that came with an entry, by their hashes."""
    seed = NONCE_BYTES if record.version == 1 else 0
    return nonces_in(record.secret[seed:])


def _point(match: Match, record: Entry) -> Point:
    actor = sys.intern(record.actor)
    return Point(match.game, record.version, actor, record.move, record.events, match.clocks)


def _applied(match: Match, events: Iterable[AnyEvent]) -> bool:
    """Apply events; whether any of them belongs to the game."""
    played = False
    for event in events:
        if isinstance(event, MatchEvent):
            event.apply(match)
        else:
            event.apply(match.state)
            played = True
    return played
