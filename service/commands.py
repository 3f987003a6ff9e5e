"""Commands: what people, bots and jobs ask of a match; recorded, or refused without a trace."""

from __future__ import annotations

import hashlib
import secrets
import time
from base64 import b32encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import msgspec

from domain.engine.errors import Refused
from domain.engine.game import Game
from domain.match import ending, lobby, sight
from domain.match.due import due
from domain.match.log import AnyEvent, Draft, Entry, entry, read_events, write_down
from domain.match.state import SYSTEM, Match
from projections.matches import hosted
from service import counts
from service.errors import Contended, KeyReused, NotFound, StaleVersion, TooManyTables
from service.players import Players
from service.settings import Settings
from service.store import Appended, Key, Repeated, Stale, Store
from service.tables import Table, Tables

TRIES = 12
Decision = Callable[[Match, int], Draft]
"""Decides on a match at a time (ms since the epoch)."""


def wall_clock() -> int:
    """The time of day: ms since the epoch, UTC."""
    return time.time_ns() // 1_000_000


@dataclass(frozen=True)
class Annals:
    """What commands and queries work with."""

    settings: Settings
    store: Store
    tables: Tables
    players: Players
    games: Mapping[str, Game[Any]]
    now: Callable[[], int] = field(default=wall_clock)


class Request(msgspec.Struct, frozen=True):
    """Who asks; at which version the match has to be, if he says so (one of these); his
    idempotency key, if any, with a fingerprint of what he asks.
    """

    actor: str = SYSTEM
    expected: tuple[int, ...] | None = None
    key: str | None = None
    fingerprint: str = ""

    @property
    def idempotency(self) -> Key | None:
        """The key as the store keeps it: each caller has his own."""
        return Key(f"{self.actor}:{self.key}", self.fingerprint) if self.key else None

    def admit(self, match: Match) -> None:
        """Refuse a player who may not know of the match, or thinks it is at another version."""
        person = self.actor != SYSTEM and not self.actor.startswith("bot:")
        if person and not sight.knows(match, self.actor):
            raise NotFound("There is no such match.")
        if self.expected is not None and match.version not in self.expected:
            raise StaleVersion(match.version)


class Receipt(msgspec.Struct, frozen=True):
    """What was recorded: the match just after it, and the events."""

    match: Match
    events: Sequence[AnyEvent]
    repeated: bool = False


def carry_out(annals: Annals, match_id: str, request: Request, decision: Decision) -> Receipt:
    """Decide and record; decides again when somebody else was faster."""
    with annals.tables.writing(match_id) as table:
        for _ in range(TRIES):
            try:
                receipt = _attempt(annals, table, request, decision)
            except Refused as refusal:
                if not _has_moved_on(annals, table):
                    return _repeated(annals, match_id, request, refusal)
            else:
                if receipt is not None:
                    return receipt
    raise Contended("Too many others write to this match; try again.")


def create(
    annals: Annals, plan: lobby.Plan, game: Game[Any], seed: bytes, request: Request
) -> Receipt:
    """Open a table; whoever asks twice with one key, however much later, is told of the same."""
    _must_have_room(annals, plan, request)
    now = annals.now()
    draft = lobby.create(game, plan, seed, now)
    record = entry(draft, 1, request.actor, now, game.rules, _command_id(request), seed)
    match = Match(game, seed)
    write_down(match, record, draft.events)
    outcome = annals.store.append(plan.match, record, due(match), request.idempotency)
    match outcome:
        case Appended():
            counts.ENTRIES.labels(record.kind).inc()
            return Receipt(match, draft.events)
        case Repeated():
            return _again(annals, plan.match, request, outcome)
        case Stale(entries=[first, *_]) if _is_that(plan, record, first):
            return _again(annals, plan.match, request, Repeated(1, request.fingerprint))
        case Stale():
            raise KeyReused("A match with this id exists already.")


def continue_series(annals: Annals, match_id: str) -> None:
    """Open the next match of a series and link it; doing it twice changes nothing."""
    finished = annals.tables.latest(match_id)
    plan = ending.sequel(finished, lobby_expiry(annals))
    if plan is None or finished.next_match is not None:
        return
    with suppress(KeyReused):  # a job that was killed after this step had come so far
        create(annals, plan, finished.game, secrets.token_bytes(32), Request())
    carry_out(annals, match_id, Request(), lambda match, now: ending.continued(match, plan.match))


def lobby_expiry(annals: Annals) -> int:
    """When a table opened now is given up if nobody joins (ms since the epoch)."""
    return annals.now() + int(annals.settings.lobby_hours * 3_600_000)


def new_match_id(caller: str, key: str | None) -> str:
    """An id for a new match; the same again for the same caller and idempotency key."""
    seed = hashlib.sha256(f"{caller}|{key}".encode()).digest() if key else secrets.token_bytes(16)
    return b32encode(seed)[:12].decode().lower()


def _must_have_room(annals: Annals, plan: lobby.Plan, request: Request) -> None:
    """Refuse another table to a host who has enough, as far as the lists know, unless it is one
    that he has opened already; series go on by themselves.
    """
    most, store = annals.settings.max_tables, annals.store
    if (
        most
        and request.actor != SYSTEM
        and hosted(store.redis, store.partitions, plan.host) >= most
        and not store.version(plan.match)
    ):
        raise TooManyTables(f"A host has at most {most} tables that are open or in play.")


def _is_that(plan: lobby.Plan, record: Entry, first: Entry) -> bool:
    """Whether this caller opened just this table with this key, which is forgotten by now."""
    if (first.actor, first.cmd) != (record.actor, record.cmd):
        return False
    made, wanted = _plain(first.events), _plain(record.events)
    if not plan.seed_given:
        wanted["seed_hash"] = made["seed_hash"]
    return made == {**wanted, "expires": made["expires"]}


def _plain(events: bytes) -> dict[str, Any]:
    """The first of these events as JSON values."""
    first: dict[str, Any] = msgspec.json.decode(events)[0]
    return first


def _attempt(annals: Annals, table: Table, request: Request, decision: Decision) -> Receipt | None:
    """Try once; None if the match has moved on meanwhile."""
    match = table.match
    assert match
    request.admit(match)
    now = annals.now()
    draft = decision(match, now)
    record = entry(draft, match.version + 1, request.actor, now, match.rules, _command_id(request))
    after = match.fork()
    write_down(after, record, draft.events)
    outcome = annals.store.append(match.id, record, due(after), request.idempotency)
    match outcome:
        case Appended():
            counts.ENTRIES.labels(record.kind).inc()
            table.match = after
            return Receipt(after, draft.events)
        case Repeated():
            return _again(annals, after.id, request, outcome)
        case Stale():
            counts.CONFLICTS.inc()
            _catch_up(annals, table, outcome.entries, match)
            return None


def _catch_up(annals: Annals, table: Table, entries: Sequence[Entry], known: Match) -> None:
    """Let the table take note of what others recorded."""
    if entries:
        annals.tables.advance(table, entries, known)
    else:  # the store was put back to an earlier day
        annals.tables.reload(known.id, table)


def _has_moved_on(annals: Annals, table: Table) -> bool:
    """Read what is new; whether there was anything, so that deciding again makes sense."""
    match = table.match
    assert match
    return (
        annals.tables.advance(table, annals.store.read(match.id, match.version), match) is not match
    )


def _repeated(annals: Annals, match_id: str, request: Request, refusal: Refused) -> Receipt:
    """A refused command may be one that was accepted before: then the answer is the same again."""
    if request.idempotency and (seen := annals.store.seen(match_id, request.idempotency.name)):
        return _again(annals, match_id, request, seen)
    raise refusal


def _again(annals: Annals, match_id: str, request: Request, seen: Repeated) -> Receipt:
    """The receipt of a command that was accepted before."""
    if seen.fingerprint != request.fingerprint:
        raise KeyReused("This Idempotency-Key was used for another request.")
    match = annals.tables.at(match_id, seen.version)
    [record] = annals.store.read(match_id, after=seen.version - 1, to=seen.version)
    return Receipt(match, read_events(match.game, record.events), repeated=True)


def _command_id(request: Request) -> str:
    return request.key or secrets.token_urlsafe(9)
