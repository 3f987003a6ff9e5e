"""Commands: what people, bots and jobs ask of a match; recorded, or refused without a trace."""

from __future__ import annotations

import hashlib
import secrets
from base64 import b32encode
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace

from domain.audit.texts import chained
from domain.engine.errors import Refused
from domain.engine.game import Game
from domain.match import visibility
from domain.match.decisions import ending, lobby
from domain.match.dice import NONCE_BYTES
from domain.match.events import BotSeated
from domain.match.log import AnyEvent, Draft, Entry, entry, read_events, write_down
from domain.match.scheduled_work import IN_HAND, Work, changes, due
from domain.match.state import SYSTEM, Match
from projections.lists.matches import bots_only, hosted
from service.matches.container import Annals
from service.matches.match_cache import CachedMatch
from service.runtime import metrics
from service.runtime.errors import (
    Contended,
    KeyReused,
    NotFound,
    StaleVersion,
    StoreUnavailable,
    TooManyBotTables,
    TooManyTables,
)
from service.store.event_store import Appended, Stale
from service.store.idempotency import command_of, same_key

# Seats that choose at the same time get in one another's way once or twice; this is for a crowd.
TRIES = 12
LOST = "What came of this request was lost just now. Ask again with the same Idempotency-Key."
Decision = Callable[[Match, int], Draft]
"""Decides on a match at a time (ms since the epoch)."""


class Metadata(msgspec.Struct, frozen=True):
    """The caller, the versions of the match that they accept (`If-Match`; None for any), their
    idempotency key with a fingerprint of the request, and the work that they do next, if it is due.
    """

    actor: str = SYSTEM
    expected: tuple[int, ...] | None = None
    key: str | None = None
    fingerprint: str = ""
    goes_on: tuple[Work, ...] = ()

    def command(self) -> bytes:
        """What the entry will keep of this command; by chance if it has no key."""
        return command_of(self.actor, self.key, self.fingerprint)

    def admit(self, match: Match) -> None:
        """Refuse a player who may not know of the match, or thinks it is at another version."""
        person = self.actor != SYSTEM and not self.actor.startswith("bot:")
        if person and not visibility.knows(match, self.actor):
            raise NotFound("There is no such match.")
        if self.expected is not None and match.version not in self.expected:
            raise StaleVersion(match.version)


class Receipt(msgspec.Struct, frozen=True):
    """What was recorded: the match just after it, and the events."""

    match: Match
    events: Sequence[AnyEvent]
    repeated: bool = False


def carry_out(annals: Annals, match_id: str, metadata: Metadata, decision: Decision) -> Receipt:
    """Decide on a match and record the decision; decide again when somebody else was faster.

    Raises the decision's Refused (once nothing new was found, so that it is final), NotFound,
    StaleVersion, KeyReused, Contended or StoreUnavailable.
    """
    command = metadata.command()
    with annals.matches.writing(match_id) as cached:
        for _ in range(TRIES):
            if metadata.key and cached.commands.version_of(command):
                annals.matches.renew(match_id, cached)  # it may have been lost with its server
                if version := cached.commands.version_of(command):
                    return _again(annals, match_id, version, command)
            try:
                receipt = _attempt(annals, cached, metadata, command, decision)
            except Refused:
                if not _has_moved_on(annals, cached):
                    raise
            else:
                if receipt is not None:
                    return receipt
    raise Contended("Too many others write to this match; try again.")


def create(
    annals: Annals, plan: lobby.Plan, game: Game[Any], metadata: Metadata, given: bytes = b""
) -> Receipt:
    """Open a table with this seed, or with the next one of its host; a key opens at most one, for
    good. Raises KeyReused, TooManyTables or TooManyBotTables.
    """
    _must_have_room(annals, plan, metadata)
    now = annals.now()
    lobby.check(game, plan)
    plan, seed = _with_seed(annals, plan, given)
    # Who gave the seed knows it, and might try out what is committed to.
    salt_key = secrets.token_bytes(NONCE_BYTES) if given else b""
    draft = lobby.create(game, plan, seed, now)
    match, secret = Match(game, seed, salt_key), seed + salt_key
    record = entry(draft, 1, metadata.actor, now, game.rules, metadata.command(), secret)
    record = chained(plan.match, match, record, draft)
    write_down(match, record, draft.events)
    outcome = annals.store.append(plan.match, record, _work({}, due(match), metadata))
    match outcome:
        case Appended(before=before):
            metrics.recorded(record.kind)
            return Receipt(match, draft.events, repeated=before and bool(metadata.key))
        case Stale(entries=[first, *_]) if same_key(first.cmd, record.cmd):
            return _again(annals, plan.match, 1, record.cmd)
        case Stale():
            raise KeyReused("A match with this id exists already.")


def opened(annals: Annals, match_id: str, metadata: Metadata) -> Receipt | None:
    """What came of a request to open this table that came before, None if none did; KeyReused."""
    if not metadata.key or not annals.store.version(match_id):
        return None
    return _again(annals, match_id, 1, metadata.command())


def continue_series(annals: Annals, match_id: str) -> None:
    """Open the next match of a series and link it from this one; doing it twice changes nothing."""
    finished = annals.matches.latest(match_id)
    plan = ending.sequel(finished, lobby_expiry(annals))
    if plan is None or finished.next_match is not None:
        return
    with suppress(KeyReused):  # a job that was killed after this step had come so far
        create(annals, plan, finished.game, Metadata())
    carry_out(annals, match_id, Metadata(), lambda match, now: ending.continued(match, plan.match))


def lobby_expiry(annals: Annals) -> int:
    """When a table that is opened now expires (ms since the epoch)."""
    return annals.now() + int(annals.settings.lobby_hours * 3_600_000)


def new_match_id(caller: str, key: str | None) -> str:
    """An id for a new match; the same again for the same caller and idempotency key."""
    # The id alone makes a repeated request find its match again; no key is stored for it.
    seed = hashlib.sha256(f"{caller}|{key}".encode()).digest() if key else secrets.token_bytes(16)
    return b32encode(seed)[:12].decode().lower()


def start(annals: Annals, player: str, level: str | None) -> Decision:
    """The host fills the free seats with bots, and the game starts; TooManyBotTables if bots alone
    play in as many of their matches as may be.
    """

    def decision(match: Match, now: int) -> Draft:
        draft = lobby.start(match, player, level, now)
        if any(isinstance(event, BotSeated) for event in draft.events):
            _refuse_more_bots(annals, match.host)
        return draft

    return decision


def _with_seed(annals: Annals, plan: lobby.Plan, given: bytes) -> tuple[lobby.Plan, bytes]:
    """The plan and its seed: the one that was given, else that of its host for this match."""
    if given:
        return replace(plan, seed_given=True), given
    seed = annals.seeds.take(plan.host, plan.match)
    return replace(plan, seed_index=seed.index), seed.secret


def _must_have_room(annals: Annals, plan: lobby.Plan, metadata: Metadata) -> None:
    """Refuse another table to a host who has enough, as far as the lists know.

    A table that they opened before is not another one; series go on by themselves.
    """
    if metadata.actor == SYSTEM:
        return
    try:
        _refuse_more_tables(annals, plan.host)
        if any(chair.bot for chair in plan.chairs):
            _refuse_more_bots(annals, plan.host)
    except Refused:
        if not annals.store.version(plan.match):
            raise


def _refuse_more_tables(annals: Annals, host: str) -> None:
    most = annals.settings.max_tables
    if most and hosted(annals.store.redis, annals.store.partitions, host) >= most:
        raise TooManyTables(f"A host has at most {most} tables that are open or in play.")


def _refuse_more_bots(annals: Annals, host: str) -> None:
    most = annals.settings.max_bot_tables
    if most and bots_only(annals.store.redis, annals.store.partitions, host) >= most:
        raise TooManyBotTables(
            f"Bots alone decide in {most} matches of yours, which is the most there may be. Wait"
            " until some have ended, or close those in which bots hold all seats."
        )


def _attempt(
    annals: Annals, cached: CachedMatch, metadata: Metadata, command: bytes, decision: Decision
) -> Receipt | None:
    """Try once; None if the match has moved on meanwhile."""
    match = cached.match
    assert match
    metadata.admit(match)
    now = annals.now()
    draft = decision(match, now)
    record = entry(draft, match.version + 1, metadata.actor, now, match.rules, command)
    record = chained(match.id, match, record, draft)
    after = match.fork()
    write_down(after, record, draft.events)
    work = _work(due(match), due(after), metadata)
    outcome = annals.store.append(match.id, record, work, match.head)
    match outcome:
        case Appended(before=before):
            metrics.recorded(record.kind)
            cached.note(after, [record])
            return Receipt(after, draft.events, repeated=before and bool(metadata.key))
        case Stale():
            metrics.CONFLICTS.inc()
            _catch_up(annals, cached, outcome.entries, match)
            return None


def _work(
    before: Mapping[Work, int], after: Mapping[Work, int], metadata: Metadata
) -> dict[Work, int | None]:
    """The work that has changed; in hand if the caller goes on with it."""
    work = changes(before, after)
    in_hand = [one for one in metadata.goes_on if work.get(one) is not None]
    return work | dict.fromkeys(in_hand, IN_HAND)


def _catch_up(annals: Annals, cached: CachedMatch, entries: Sequence[Entry], known: Match) -> None:
    """Let the cached match take note of what others recorded."""
    if entries:
        annals.matches.advance(cached, entries, known)
    else:  # what is known was lost with its server, or is of another day than the store
        annals.matches.reload(known.id, cached)


def _has_moved_on(annals: Annals, cached: CachedMatch) -> bool:
    """Read what is new; whether there was anything, so that deciding again makes sense."""
    known = cached.match
    assert known
    return annals.matches.renew(known.id, cached) is not known


def _again(annals: Annals, match_id: str, version: int, command: bytes) -> Receipt:
    """The receipt of a command that was accepted before, as this version."""
    annals.store.confirm(match_id)  # the first answer may have been that nobody has yet
    record = next(iter(annals.store.read(match_id, after=version - 1, to=version)), None)
    if record is None:  # and whoever confirmed may be another server
        raise StoreUnavailable(LOST)
    if record.cmd != command:
        raise KeyReused("This Idempotency-Key was used for another request.")
    match = annals.matches.at(match_id, version)
    return Receipt(match, read_events(match.game, record.events), repeated=True)
