"""The mail addresses of players: confirmed ones, those that wait for it, and what was sent.

A player has up to five keys: `player:<id>:mail` with the confirmed address, and beside it
`:pending`, `:seen`, `:state` and `:talk`, which pass by themselves and are in no backup.
"""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any, cast

import msgspec
from msgspec.structs import replace
from redis import Redis

from domain.notices import FIRST_WARNING_NUMBER, MAX_NOTICES_PER_VERSION
from projections.core.scripts import Script
from projections.outbox.plan import (
    DUE_NOW,
    SubscriptionFilter,
    due_key,
    outbox_space,
    put_filter,
)
from service.accounts.notices.settings import MatchChoices
from service.channels.mail.kinds import KINDS, USUAL_KINDS, Kind, filter_of, subscription_id_of
from service.store.event_store import EventStore

LINK_LIFETIME_S = 86_400
"""How long the link that confirms an address is valid."""
SEEN_FOR_S = 604_800
"""How long it is remembered which matches a player has opened, after the last one."""
MAX_SEEN = 1_000
"""How many matches are remembered at most; above, all are deleted."""
STATE_FOR_S = 604_800
REPLACE = Script("""
-- Replaces a text, or deletes it if the new one is empty, unless another process was faster.
-- KEYS  1 the key    ARGV  1 the old text  2 the new one
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
if ARGV[2] == '' then
  redis.call('DEL', KEYS[1])
else
  redis.call('SET', KEYS[1], ARGV[2], 'KEEPTTL')
end
return 1
""")
MARK_SEEN = Script("""
-- Remembers the positions up to which notices of matches are seen; none goes back.
-- KEYS  1 the hash    ARGV  1 for how many s  2 the maximum number, then matches and positions
if redis.call('HLEN', KEYS[1]) > tonumber(ARGV[2]) then redis.call('DEL', KEYS[1]) end
for i = 3, #ARGV, 2 do
  local before = tonumber(redis.call('HGET', KEYS[1], ARGV[i]) or -1)
  redis.call('HSET', KEYS[1], ARGV[i], math.max(before, tonumber(ARGV[i + 1])))
end
redis.call('EXPIRE', KEYS[1], ARGV[1])
""")


class MailAddress(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where a player gets mail, for what, and how it is written."""

    address: str
    secret: str
    """It is in the link that ends the mail: who reads the mail may end it."""
    kinds: tuple[Kind, ...] = USUAL_KINDS
    language: str = "en"
    time_zone: str = "UTC"
    refused_at: int | None = None
    """When the server refused the address for ever (ms since the epoch)."""


class PendingAddress(msgspec.Struct, frozen=True, omit_defaults=True):
    """An address that waits until its reader confirms it: with the secret of `wanted`."""

    wanted: MailAddress
    until: int
    sent: bool = False
    tries: int = 0
    retry_at: int = DUE_NOW
    refused: bool = False
    """Whether the server refused the mail with the link for ever, or so often that it was given up.
    """


class SendingState(msgspec.Struct, frozen=True):
    """When a player got their last mail, and how often the next one was tried; times in ms."""

    sent_at: int = 0
    tried_at: int = 0
    tries: int = 0


_ADDRESS = msgspec.json.Decoder(MailAddress)
_PENDING = msgspec.json.Decoder(PendingAddress)


def new_address(address: str, kinds: tuple[Kind, ...], language: str, zone: str) -> MailAddress:
    """Return an address with a new secret."""
    return MailAddress(address, secrets.token_urlsafe(18), kinds, language, zone)


def decode_address(text: bytes) -> MailAddress:
    """Return the confirmed address that was stored as this text. Raises MsgspecError."""
    return _ADDRESS.decode(text)


class MailAddresses:
    """The addresses of all players, in Redis."""

    def __init__(self, store: EventStore) -> None:
        self._store = store
        self._redis: Redis = store.redis

    def read(self, player: str) -> MailAddress | None:
        """Return the confirmed address of a player, or None."""
        found: Any = self._redis.get(_key(player))
        return decode_address(found) if found else None

    def read_some(self, players: Sequence[str]) -> Mapping[str, MailAddress]:
        """Return the confirmed addresses of those of these players who have one, in one round
        trip.
        """
        if not players:
            return {}
        with self._redis.pipeline(transaction=False) as pipe:
            for player in players:
                pipe.get(_key(player))
            found = zip(players, pipe.execute(), strict=True)
        return {player: _ADDRESS.decode(text) for player, text in found if text}

    def read_pending(self, player: str) -> PendingAddress | None:
        """Return the address that a player has to confirm, or None."""
        found: Any = self._redis.get(_pending_key(player))
        return _PENDING.decode(found) if found else None

    def request(self, player: str, wanted: MailAddress, now: int) -> None:
        """Let a player confirm an address, in place of one that they had to confirm before."""
        pending = PendingAddress(wanted, now + LINK_LIFETIME_S * 1000)
        text = msgspec.json.encode(pending)
        self._redis.set(_pending_key(player), text, ex=LINK_LIFETIME_S)
        self.wake(player, DUE_NOW)

    def cancel_request(self, player: str) -> None:
        """Let the link of a pending address end."""
        self._redis.delete(_pending_key(player))

    def change_pending(self, player: str, old: PendingAddress, new: PendingAddress) -> bool:
        """Replace what was recorded about a pending address; False if it is another one now."""
        texts = map(msgspec.json.encode, (old, new))
        return bool(REPLACE.run(self._redis, [_pending_key(player)], *texts))

    def change(self, player: str, old: MailAddress, new: MailAddress) -> bool:
        """Replace the record of a confirmed address; False if it has changed meanwhile."""
        texts = map(msgspec.json.encode, (old, new))
        if not REPLACE.run(self._redis, [_key(player)], *texts):
            return False
        self.put_filter(player)
        return True

    def confirm(self, link: str) -> str | None:
        """Confirm the address of a link, once; return the player, or None if it is not valid. Links
        in mails to the same address stay valid. The address comes first: if the process is killed,
        the link works again.
        """
        found = self.find_by_link(link)
        if found is None:
            return None
        player, pending = found
        before, new = self.read(player), pending.wanted
        if before and before.address == new.address:
            new = replace(new, secret=before.secret)
        self._redis.set(_key(player), msgspec.json.encode(new))
        self.put_filter(player)
        old = msgspec.json.encode(pending)
        return player if REPLACE.run(self._redis, [_pending_key(player)], old, b"") else None

    def find_by_link(self, link: str) -> tuple[str, PendingAddress] | None:
        """Return the player and the pending address of a link that confirms it, or None."""
        player, _, secret = link.partition(".")
        pending = self.read_pending(player)
        return (player, pending) if pending and _is_of(pending.wanted, secret) else None

    def find_by_end_link(self, link: str) -> str | None:
        """Return the player whose mail a link ends, or None."""
        player, _, secret = link.partition(".")
        address = self.read(player)
        return player if address and _is_of(address, secret) else None

    def remove(self, player: str) -> None:
        """Erase all addresses of a player, and plan no mail for them."""
        for key in (_key, _pending_key, _seen_key, _state_key, talk_key):
            self._redis.delete(key(player))
        self.put_filter(player)

    def count(self, player: str) -> int:
        """Return how many addresses of a player are stored."""
        return sum(map(bool, (self.read(player), self.read_pending(player))))

    def put_filter(self, player: str) -> SubscriptionFilter | None:
        """Plan what the address of a player asks for, or nothing without one; return the filter."""
        address = self.read(player)
        is_on = address is not None and address.refused_at is None
        choices = MatchChoices(self._redis, player).read().values() if is_on else ()
        kinds = address.kinds if address and is_on else ()
        wanted = filter_of(player, KINDS if "all" in choices else kinds)
        criteria = wanted if is_on and wanted.types else None
        put_filter(self._redis, self._store.partitions, subscription_id_of(player), criteria)
        return criteria

    def put_all_filters(self) -> Mapping[str, SubscriptionFilter]:
        """Plan what all addresses ask for: after a restore, whose backup has no filters. Return
        them by player.
        """
        players = {key.decode().split(":")[1] for key in self._redis.scan_iter("player:*:mail")}
        found = {player: self.put_filter(player) for player in players}
        return {player: criteria for player, criteria in found.items() if criteria}

    def wake(self, player: str, at: int) -> None:
        """Let the dispatcher look at the mail of a player at a time (ms), or earlier."""
        name = subscription_id_of(player)
        key = due_key(outbox_space(self._store.partition_of(name)))
        self._redis.zadd(key, {name: at}, lt=True)

    def mark_opened(self, player: str, match: str, version: int) -> None:
        """Remember that a player has opened a match at a version. Reminders come still."""
        position = MAX_NOTICES_PER_VERSION * version + FIRST_WARNING_NUMBER - 1
        self.mark_seen(player, {match: position})

    def mark_seen(self, player: str, positions: Mapping[str, int]) -> None:
        """Remember the positions of notices of matches up to which a player needs no mail."""
        words = [word for one in positions.items() for word in one]
        MARK_SEEN.run(self._redis, [_seen_key(player)], SEEN_FOR_S, MAX_SEEN, *words)

    def seen(self, player: str) -> Mapping[str, int]:
        """Return up to which position notices of matches are seen, or were mailed."""
        found: Any = self._redis.hgetall(_seen_key(player))
        return {match.decode(): int(position) for match, position in found.items()}

    def state(self, player: str) -> SendingState:
        """Return what was sent to a player, and tried."""
        found: Any = self._redis.hgetall(_state_key(player))
        fields = {name.decode(): int(value) for name, value in found.items()}
        return msgspec.convert(fields, SendingState)

    def write_state(self, player: str, state: SendingState) -> None:
        """Record what was sent to a player, and tried."""
        key, fields = _state_key(player), cast(dict[Any, Any], msgspec.structs.asdict(state))
        with self._redis.pipeline(transaction=True) as pipe:
            pipe.hset(key, mapping=fields)
            pipe.expire(key, STATE_FOR_S)
            pipe.execute()


def link_code(player: str, address: MailAddress) -> str:
    """Return what the links have that confirm an address, or end the mail to it."""
    return f"{player}.{address.secret}"


def _is_of(address: MailAddress, secret: str) -> bool:
    return secrets.compare_digest(address.secret.encode(), secret.encode(errors="replace"))


def _key(player: str) -> str:
    return f"player:{player}:mail"


def _pending_key(player: str) -> str:
    return f"{_key(player)}:pending"


def _seen_key(player: str) -> str:
    return f"{_key(player)}:seen"


def talk_key(player: str) -> str:
    """Return the key of what was said that a player may get mail about."""
    return f"{_key(player)}:talk"


def _state_key(player: str) -> str:
    return f"{_key(player)}:state"
