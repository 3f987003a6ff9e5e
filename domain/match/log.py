"""Entries of a match, and the match as a fold of its entries."""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, reduce
from typing import Any

import msgspec

from domain.engine.codecs.binary_codec import decode_known, decoder, decoders, pack
from domain.engine.codecs.json_codec import event_types
from domain.engine.game import Game
from domain.engine.play import Event, Move
from domain.match.dice import NONCE_BYTES, split_nonces
from domain.match.events import MATCH_EVENTS, Created
from domain.match.social_events import ForcedMovePlayed
from domain.match.state import SYSTEM, Match, MatchEvent, Point

AnyEvent = MatchEvent | Event[Any]
_CREATED_DECODERS = decoders(Created)
_DECODE_ERRORS = (
    msgspec.MsgspecError, ArithmeticError, AssertionError, AttributeError, LookupError, TypeError,
    ValueError,
)  # fmt: skip


class CorruptEntry(Exception):
    """Stored bytes differ from what was recorded, or this program cannot interpret them. The
    message is one sentence that starts with what is corrupt. If that is an entry, the error names
    its version, which is safe to log, as is the match; the message may have secrets of the match.
    """

    def __init__(self, sentence: str, version: int | None = None) -> None:
        super().__init__(sentence)
        self.version = version
        self.match: str | None = None  # set where it is known: `naming_match`


class UnreadableEntry(CorruptEntry):
    """The stored bytes are as recorded, and this program cannot interpret them."""


@contextmanager
def naming_match(match: str) -> Iterator[None]:
    """Let a CorruptEntry of the block say which match it is about: a request may read others than
    the one that it names.
    """
    try:
        yield
    except CorruptEntry as error:
        error.match = match
        raise


class Entry(msgspec.Struct, frozen=True, gc=False):
    """An accepted command with all its events, as stored.

    The move and the events are packed (domain/engine/codecs/binary_codec.py).
    """

    version: int  # from 1
    kind: str
    actor: str  # the id of a player, `bot:<level>`, or `system`
    at: int  # ms since the epoch, UTC
    move: bytes  # empty if there was none
    events: bytes
    rules: int
    cmd: bytes  # id of the command, and a hash of its request if it can be retried
    secret: bytes = b""
    """First entry: the seed, and the key of the salts if the host supplied the seed. Any entry
    before the start: the nonces that came with it.
    """
    head: bytes = b""  # head of the match after this entry (domain/audit/texts.py)


class Draft(msgspec.Struct, frozen=True):
    """A decision that is not recorded yet: the move, if any, and the events."""

    kind: str
    events: tuple[AnyEvent, ...]
    move: Move | None = None
    nonces: bytes = b""  # nonces that came with the command, concatenated


@cache
def _events_decoder(game: Game[Any]) -> Callable[[bytes], list[AnyEvent]]:
    event: Any = reduce(operator.or_, (*MATCH_EVENTS, *event_types(game)))
    return decoder(list[event])


@cache
def _move_decoder(game: Game[Any]) -> Callable[[bytes], Move]:
    return decoder(reduce(operator.or_, game.answers.moves))


def warm_up(game: Game[Any]) -> None:
    """Build the decoders of a game now, so that the first read is not slow."""
    _events_decoder(game)
    _move_decoder(game)


def read_events(game: Game[Any], packed: bytes) -> list[AnyEvent]:
    """Decode the events of an entry."""
    return _events_decoder(game)(packed)


def read_move(game: Game[Any], packed: bytes) -> Move:
    """Decode the move of an entry."""
    return _move_decoder(game)(packed)


def make_entry(
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
    stored_secret = secret + draft.nonces
    return Entry(
        version, draft.kind, actor, at, move, pack(draft.events), rules, cmd, stored_secret
    )


def fold_match(games: Mapping[str, Game[Any]], entries: Iterable[Entry]) -> Match:
    """Fold a match from its entries, oldest first. Raises CorruptEntry if one makes no sense."""
    match: Match | None = None
    for record in entries:
        if match is None:
            match = new_match(games, record)
        apply_entry(match, record)
    assert match
    return match


def new_match(games: Mapping[str, Game[Any]], first: Entry) -> Match:
    """A match before its first entry is applied. Raises CorruptEntry if the game is unknown."""
    with reading(first):
        created = decode_known(_CREATED_DECODERS, first.events)[0]
    if created.game not in games:
        raise UnreadableEntry(f"this program does not know the game {created.game}.")
    seed, rest = first.secret[:NONCE_BYTES], first.secret[NONCE_BYTES:]
    salt_key = rest[:NONCE_BYTES] if created.seed_index is None else b""
    return Match(games[created.game], seed, salt_key)


def apply_entry(match: Match, record: Entry) -> list[AnyEvent]:
    """Apply an entry in place and return its events. Raises CorruptEntry if it is senseless."""
    with reading(record):
        events = read_events(match.game, record.events)
        apply_events(match, record, events)
    return events


class reading:  # noqa: N801 - reads like a function; a generator would take thrice as long
    """A context that turns errors in the interpretation of an entry into CorruptEntry."""

    __slots__ = ("_record",)

    def __init__(self, record: Entry) -> None:
        self._record = record

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, _: object) -> None:
        if isinstance(error, _DECODE_ERRORS):
            what, version = " ".join(str(error).split()).rstrip("."), self._record.version
            raise UnreadableEntry(
                f"version {version} cannot be decoded: {type(error).__name__}: {what}.", version
            ) from error


def apply_events(match: Match, record: Entry, events: Iterable[AnyEvent]) -> None:
    """Apply an entry with these events in place."""
    events = tuple(events)
    played = _apply_all(match, events)
    by_person = is_person(record.actor) and not is_forced(events)
    if match.patience_ms is not None:
        _follow_waiting(match, record, played=played)
    if played:
        match.undo_request = None
        if match.proposal and match.proposal.player == record.actor:
            match.proposal = None
        if match.interrupted and by_person:
            match.interrupted = match.interrupted.difference(match.seats_of(record.actor))
        match.append_point(_make_point(match, record))
    if record.secret and match.status == "open":
        match.nonces_by_hash = match.nonces_by_hash | nonces_of_entry(record)
    if match.idle_ms is not None and (match.idle_at is None or by_person):
        match.idle_at = record.at + match.idle_ms
    match.version, match.updated_at = record.version, record.at
    match.head = record.head
    match.created_at = match.created_at or record.at


def _follow_waiting(match: Match, record: Entry, *, played: bool) -> None:
    """Let the time of seats whose turn begins start now, and that of those whose player has moved,
    while two people or more decide. A seat that is not waited for any longer is not absent.
    """
    moved = match.seats_of(record.actor) if played else ()
    chairs, before = match.chairs, match.waiting
    shared = len(match.deciding_players()) > 1
    match.waiting = {
        seat: record.at if seat in moved else before.get(seat, record.at)
        for seat in match.seats_to_move
        if shared and chairs[seat].human
    }
    if match.absent:
        match.absent = match.absent.intersection(match.waiting).difference(moved)
    if match.replaceable:
        match.replaceable &= match.absent


def is_person(actor: str) -> bool:
    """Whether the actor of an entry is a player, and neither a bot nor the service."""
    return actor != SYSTEM and not actor.startswith("bot:")


def is_forced(events: Iterable[object]) -> bool:
    """Whether the service made the move of an entry with these events for its player."""
    return any(isinstance(event, ForcedMovePlayed) for event in events)


def nonces_of_entry(record: Entry) -> dict[str, bytes]:
    """The nonces that came with an entry, by their hashes."""
    seed = NONCE_BYTES if record.version == 1 else 0
    return split_nonces(record.secret[seed:])


def _make_point(match: Match, record: Entry) -> Point:
    actor = sys.intern(record.actor)
    return Point(match.game, record.version, actor, record.move, record.events, match.clocks)


def _apply_all(match: Match, events: Iterable[AnyEvent]) -> bool:
    """Apply events. Returns whether any of them belongs to the game."""
    played = False
    for event in events:
        if isinstance(event, MatchEvent):
            event.apply(match)
        else:
            event.apply(match.state)
            played = True
    return played
