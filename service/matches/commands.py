"""Commands on matches by players, bots and jobs: a command is recorded, or refused without a
trace.
"""

from __future__ import annotations

import hashlib
import secrets
from base64 import b32encode
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

import msgspec
from msgspec.structs import replace
from redis import Redis

from domain.audit.texts import with_head
from domain.engine.errors import Refusal
from domain.engine.game import Game
from domain.match import outages, visibility
from domain.match.decisions import ending, lobby, rematch
from domain.match.dice import NONCE_BYTES
from domain.match.errors import Forbidden, Impossible
from domain.match.events import BotSeated
from domain.match.log import AnyEvent, Draft, Entry, apply_events, make_entry, read_events
from domain.match.outages import Decision
from domain.match.scheduled_work import CLAIMED, Work, is_settled, work_changes
from domain.match.social_events import RematchOffered
from domain.match.state import SYSTEM, Match
from projections.lists.matches import count_bots_only, count_hosted
from service.accounts.client_networks import delete_shared_network
from service.accounts.forced_moves import erase_plans_of_leavers, plan_at_start
from service.accounts.invitations import is_invitation
from service.accounts.people.meeting import find_unmeetable, may_know
from service.matches.container import Annals
from service.matches.match_cache import CachedMatch
from service.matches.queries import NO_SUCH_MATCH
from service.runtime import metrics
from service.runtime.errors import (
    KeyReused,
    NotFound,
    StaleVersion,
    StoreUnavailable,
    TooManyBotTables,
    TooManyTables,
    WriteConflict,
)
from service.store.event_store import AppendConflict, AppendSuccess
from service.store.idempotency import command_id, has_same_key
from service.store.redis_failures import log_redis_failures

# Seats that choose at the same time conflict once or twice; this is enough for many of them.
MAX_ATTEMPTS = 12
LOST_TEXT = (
    "The result was lost with a server. Send the request again with the same Idempotency-Key."
)


class Metadata(msgspec.Struct, frozen=True):
    """The caller of a command and its conditions.

    `expected` are the accepted versions of the match (`If-Match`; None for any); `key` is the
    idempotency key, with a `fingerprint` of the request; `claims` is the work that the caller does
    next, if it becomes due; `invitation` is the secret of a link that invited the caller; who
    `leaves` the service may act at tables of people whom they may not meet.
    """

    actor: str = SYSTEM
    expected: tuple[int, ...] | None = None
    key: str | None = None
    fingerprint: str = ""
    claims: tuple[Work, ...] = ()
    invitation: str | None = None
    leaves: bool = False

    def command_id(self) -> bytes:
        """Return what the entry stores of this command; random bytes if it has no key."""
        return command_id(self.actor, self.key, self.fingerprint)

    def authorize(self, redis: Redis, match: Match) -> None:
        """Raise NotFound if the caller may not know of the match, StaleVersion if the version
        differs.
        """
        person = self.actor != SYSTEM and not self.actor.startswith("bot:")
        knows = visibility.can_see(match, self.actor) or is_invitation(match, self.invitation)
        if person and not (knows and (self.leaves or may_know(redis, match, self.actor))):
            raise NotFound(NO_SUCH_MATCH)
        if self.expected is not None and match.version not in self.expected:
            raise StaleVersion(match.version)


class Receipt(msgspec.Struct, frozen=True):
    """A recorded command: the match just after it, and its events."""

    match: Match
    events: Sequence[AnyEvent]
    is_repeated: bool = False


def execute(annals: Annals, match_id: str, metadata: Metadata, decision: Decision) -> Receipt:
    """Decide on a match and record the decision; decide again if another writer appended first.

    Raises the decision's Refusal (only if the match has not changed since, so that it is final),
    NotFound, StaleVersion, KeyReused, WriteConflict or StoreUnavailable.
    """
    command = metadata.command_id()
    with annals.matches.lock_for_write(match_id) as cached:
        for _ in range(MAX_ATTEMPTS):
            if metadata.key and cached.commands.find_version(command):
                annals.matches.refresh(match_id, cached)  # the entry may be lost with its server
                if version := cached.commands.find_version(command):
                    return _replay_receipt(annals, match_id, version, command)
            try:
                receipt = _attempt(annals, cached, metadata, command, decision)
            except Refusal:
                if not _has_moved_on(annals, cached):
                    raise
            else:
                if receipt is not None:
                    return receipt
    raise WriteConflict("Too many writers change this match at once. Try again.")


def create(
    annals: Annals, plan: lobby.Plan, game: Game[Any], metadata: Metadata, given_seed: bytes = b""
) -> Receipt:
    """Open a table with the given seed, or with the next one of its host.

    An idempotency key opens at limit one table, forever. Raises KeyReused, TooManyTables or
    TooManyBotTables.
    """
    _check_table_limits(annals, plan, metadata)
    now = annals.now()
    lobby.check_plan(game, plan)
    plan = annals.with_waiting_times(plan)
    plan, seed = _with_seed(annals, plan, given_seed)
    # A host who gave the seed knows it, and without a salt could guess what the commitments hide.
    salt_key = secrets.token_bytes(NONCE_BYTES) if given_seed else b""
    draft = lobby.create(game, plan, seed, now)
    match, secret = Match(game, seed, salt_key), seed + salt_key
    record = make_entry(draft, 1, metadata.actor, now, game.rules, metadata.command_id(), secret)
    record = with_head(plan.match, match, record, draft)
    apply_events(match, record, draft.events)
    plan_at_start(annals.store, None, match)
    outcome = annals.store.append(plan.match, record, _work_changes(None, match, metadata))
    match outcome:
        case AppendSuccess(is_repeated=is_repeated):
            metrics.count_entry(record.kind)
            return Receipt(match, draft.events, is_repeated=is_repeated and bool(metadata.key))
        case AppendConflict(entries=[first, *_]) if has_same_key(first.cmd, record.cmd):
            return _replay_receipt(annals, plan.match, 1, record.cmd)
        case AppendConflict():
            raise KeyReused("A match with this id already exists.")


def replay_create(annals: Annals, match_id: str, metadata: Metadata) -> Receipt | None:
    """Return the receipt of an earlier, equal request to open this table; None if there is none.
    Raises KeyReused.
    """
    if not metadata.key or not annals.store.version(match_id):
        return None
    return _replay_receipt(annals, match_id, 1, metadata.command_id())


def open_next(annals: Annals, match_id: str) -> None:
    """Open the match that follows, in a series or to play again, and link it from this one.
    Idempotent.
    """
    finished = annals.matches.latest(match_id)
    plan = _next_plan(annals, finished) if ending.awaits_next(finished) else None
    if plan is None:
        return
    with suppress(KeyReused):  # an earlier attempt was killed after this step
        create(annals, plan, finished.game, Metadata())
    with suppress(Impossible):  # another process has linked it
        execute(
            annals, match_id, Metadata(), lambda match, now: ending.link_next(match, plan.match)
        )


def play_again(
    annals: Annals,
    match_id: str,
    metadata: Metadata,
    nonce: bytes = b"",
    commitment: str | None = None,
) -> Receipt:
    """Let a player take their seats at the table that plays a finished match again; open it if
    there is none. Raises Refusal.
    """
    finished, player = annals.matches.latest(match_id), metadata.actor
    metadata.authorize(annals.store.redis, finished)
    rematch.require_player(finished, player)
    table = find_rematch(annals, finished)
    if table is None or not table.seats_of(player):
        _check_players(annals, finished, player)
        table = table or _offer_rematch(annals, finished, metadata)
    if table.seats_of(player):
        return Receipt(table, ())
    return execute(
        annals,
        table.id,
        replace(metadata, expected=None),
        lambda match, now: lobby.take_seat(match, player, None, now, nonce, commitment),
    )


def find_rematch(annals: Annals, finished: Match) -> Match | None:
    """Return the match that follows a finished one; None if there is none, or only a table that
    closed before it started.
    """
    if finished.next_match is None:
        return None
    table = annals.matches.latest(finished.next_match)
    return None if table.status == "aborted" and table.state is None else table


def _offer_rematch(annals: Annals, finished: Match, metadata: Metadata) -> Match:
    """Open the table at which all players of a match have to agree to play again."""
    player = metadata.actor
    with suppress(rematch.AlreadyOffered):
        _check_rematch(annals, finished, player)
        execute(
            annals,
            finished.id,
            replace(metadata, claims=("series",)),
            lambda match, now: rematch.offer(match, player, finished.next_match),
        )
    open_next(annals, finished.id)
    table = find_rematch(annals, annals.matches.latest(finished.id))
    if table is None:  # it was closed at once
        raise Impossible("no_rematch", "The table has closed.")
    return table


def _check_rematch(annals: Annals, finished: Match, player: str) -> None:
    """Raise Refusal if the table cannot be opened."""
    _check_limits(annals, player, with_bots=any(not chair.player for chair in finished.chairs))
    offered = finished.copy()
    RematchOffered(player).apply(offered)
    if plan := _next_plan(annals, offered):
        lobby.check_plan(finished.game, plan)


def _check_players(annals: Annals, finished: Match, player: str) -> None:
    """Raise Impossible if another player of a match cannot be there, or does not want to be."""
    others = {chair.player for chair in finished.chairs if chair.player}
    hidden = find_unmeetable(annals.store.redis, player, others)
    if hidden or not all(map(annals.players.is_active, others)):
        raise Impossible("no_rematch", "A player has left the service, or is banned.")


def _next_plan(annals: Annals, finished: Match) -> lobby.Plan | None:
    """Return the plan of the match that follows a finished one."""
    if finished.rematch_by is None:
        return ending.next_plan(finished, lobby_expiry(annals))
    first = annals.matches.latest(finished.series.id) if finished.series else finished
    new = new_match_id(f"rematch of {finished.id}", str(finished.rematches))
    return rematch.plan_rematch(finished, first, new, annals.now())


def lobby_expiry(annals: Annals) -> int:
    """Return when a table opened now expires (ms since the epoch)."""
    return annals.now() + int(annals.settings.lobby_hours * 3_600_000)


def new_match_id(caller: str, key: str | None) -> str:
    """Return an id for a new match; the same id for the same caller and idempotency key."""
    # A repeated request finds its match by the id, so no key needs to be stored.
    seed = hashlib.sha256(f"{caller}|{key}".encode()).digest() if key else secrets.token_bytes(16)
    return b32encode(seed)[:12].decode().lower()


def start(annals: Annals, player: str, level: str | None) -> Decision:
    """Return the decision that fills free seats with bots and starts the game.

    It raises TooManyBotTables if the host has the maximum number of matches in which only bots
    decide.
    """

    def decision(match: Match, now: int) -> Draft:
        draft = lobby.start(match, player, level, now)
        if any(isinstance(event, BotSeated) for event in draft.events):
            _check_bot_tables(annals, match.host)
        return draft

    return decision


def _with_seed(annals: Annals, plan: lobby.Plan, given_seed: bytes) -> tuple[lobby.Plan, bytes]:
    """Return the plan and its seed: the given one, or the next of its host."""
    if given_seed:
        return replace(plan, seed_given=True), given_seed
    seed = annals.seeds.take(plan.host, plan.match)
    return replace(plan, seed_index=seed.index), seed.secret


def _check_table_limits(annals: Annals, plan: lobby.Plan, metadata: Metadata) -> None:
    """Raise TooManyTables or TooManyBotTables if the host has too many, as far as the lists know.

    A repeated request for an existing table passes, and so does the next match of a series.
    """
    if metadata.actor == SYSTEM:
        return
    try:
        _check_limits(annals, plan.host, with_bots=any(chair.bot for chair in plan.chairs))
    except Refusal:
        if not annals.store.version(plan.match):
            raise


def _check_limits(annals: Annals, host: str, *, with_bots: bool) -> None:
    """Raise TooManyTables or TooManyBotTables if a host has too many."""
    limit = annals.settings.max_tables
    if limit and count_hosted(annals.store.redis, annals.store.partitions, host) >= limit:
        raise TooManyTables(f"A host has at most {limit} open and active tables.")
    if with_bots:
        _check_bot_tables(annals, host)


def _check_bot_tables(annals: Annals, host: str) -> None:
    limit = annals.settings.max_bot_tables
    if limit and count_bots_only(annals.store.redis, annals.store.partitions, host) >= limit:
        raise TooManyBotTables(
            f"Only bots decide in {limit} of your matches, the maximum. Wait until one ends, or"
            " close one in which bots hold all seats."
        )


def _attempt(
    annals: Annals, cached: CachedMatch, metadata: Metadata, command: bytes, decision: Decision
) -> Receipt | None:
    """Try once; return None if another writer appended first."""
    match = cached.match
    assert match
    metadata.authorize(annals.store.redis, match)
    now = annals.now()
    draft = outages.decide(match, decision, now, annals.store.uptime.outages(now))
    record = make_entry(draft, match.version + 1, metadata.actor, now, match.rules, command)
    record = with_head(match.id, match, record, draft)
    after = match.copy()
    apply_events(after, record, draft.events)
    plan_at_start(annals.store, match, after)
    work = _work_changes(match, after, metadata)
    outcome = annals.store.append(match.id, record, work, match.head)
    match outcome:
        case AppendSuccess(is_repeated=is_repeated):
            metrics.count_entry(record.kind)
            cached.update(after, [record])
            with log_redis_failures("remains_not_deleted", match=match.id):
                erase_plans_of_leavers(annals.store, match, after)
                if is_settled(after):
                    delete_shared_network(annals.store.redis, after)
            return Receipt(after, draft.events, is_repeated=is_repeated and bool(metadata.key))
        case AppendConflict():
            metrics.CONFLICTS.inc()
            _catch_up(annals, cached, outcome.entries, match)
            return None


def _work_changes(before: Match | None, after: Match, metadata: Metadata) -> dict[Work, int | None]:
    """Return the work that changed; CLAIMED if the caller does it next."""
    work = work_changes(before, after)
    claimed = [one for one in metadata.claims if work.get(one) is not None]
    return work | dict.fromkeys(claimed, CLAIMED)


def _catch_up(annals: Annals, cached: CachedMatch, entries: Sequence[Entry], known: Match) -> None:
    """Add the entries of other writers to the cached match."""
    if entries:
        annals.matches.advance(cached, entries, known)
    else:  # the known entries were lost with their server, or the store was restored
        annals.matches.reload(known.id, cached)


def _has_moved_on(annals: Annals, cached: CachedMatch) -> bool:
    """Read new entries; return whether there were any, so that a new decision makes sense."""
    known = cached.match
    assert known
    return annals.matches.refresh(known.id, cached) is not known


def _replay_receipt(annals: Annals, match_id: str, version: int, command: bytes) -> Receipt:
    """Return the receipt of a command that was recorded earlier, as this version. Raises Forbidden
    if its player was replaced since then: the response would show them the hand of the seat.
    """
    annals.store.confirm(match_id)  # the first response may have been 503
    record = next(iter(annals.store.read(match_id, after=version - 1, to=version)), None)
    if record is None:  # a failover may have come between
        raise StoreUnavailable(LOST_TEXT)
    if record.cmd != command:
        raise KeyReused("This Idempotency-Key was used for another request.")
    match = annals.matches.at(match_id, version)
    now = match if match.patience_ms is None else annals.matches.latest(match_id)
    if any(one.player == record.actor for one in now.tenures):
        raise Forbidden("not_seated", "Another player has your seat.")
    return Receipt(match, read_events(match.game, record.events), is_repeated=True)
