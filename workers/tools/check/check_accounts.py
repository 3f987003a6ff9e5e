"""Checks that the accounts of a store are consistent: names, the list of names, tokens, addresses
of mail, browsers, choices about notices, and notes about matches.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from msgspec import MsgspecError
from redis import Redis

from service.accounts.names.given_names import DELETED_NAME
from service.accounts.names.name_index import look_keys, name_key
from service.accounts.notes import Notes
from service.accounts.notices.settings import MATCH_CHOICES, MatchChoices, read_notice_settings
from service.accounts.players import Player, name_list_member
from service.accounts.tokens import decode_token
from service.channels.mail.addresses import decode_address
from service.channels.push.browsers import decode_subscription
from service.store.redis_client import store_errors

SCAN_COUNT = 500
RECHECK_S = 1.0


def find_account_faults(redis: Redis) -> Iterator[str]:
    """Sentences about faults of accounts; those that disappear at a second check are left out,
    since the service may have been changing the account.
    """
    if found := set(_find_faults(redis)):
        time.sleep(RECHECK_S)
        yield from sorted(found & set(_find_faults(redis)))


def _find_faults(redis: Redis) -> Iterator[str]:
    with store_errors():
        for key in redis.scan_iter("player:*", count=SCAN_COUNT):
            yield from _faults_of(redis, *key.decode(errors="replace").split(":")[1:])
        for pattern in ("name:*", "look:*"):
            for key in redis.scan_iter(pattern, count=SCAN_COUNT):
                yield from _name_faults(redis, key)
        for place, _ in redis.zscan_iter("players"):
            who = place.decode(errors="replace").rpartition("\0")[2]
            if not redis.exists(f"player:{who}"):
                yield f"player {who}: listed, but has no account."


def _faults_of(redis: Redis, who: str, *kind: str) -> Iterator[str]:
    """Faults of a key of a player; `kind` is what its name has after their id."""
    match kind:
        case ():
            yield from _player_faults(redis, who)
        case ("tokens",):
            yield from _token_faults(redis, who)
        case ("mail",):
            yield from _mail_faults(redis, who)
        case ("push",):
            yield from _push_faults(redis, who)
        case ("notices", *_):
            yield from _notice_faults(redis, who)
        case ("notes", about):
            yield from _note_faults(redis, who, about)
        case _:
            pass  # all else is checked with it, or passes by itself


def _player_faults(redis: Redis, who: str) -> Iterator[str]:
    fields: Any = redis.hgetall(f"player:{who}")
    name, at = (fields.get(field, b"").decode(errors="replace") for field in (b"name", b"at"))
    if not (name and at.isdecimal()):
        yield f"player {who}: the account is incomplete."
        return
    is_listed = redis.zscore("players", name_list_member(Player(who, name))) is not None
    owner = redis.get(name_key(name))
    if name == DELETED_NAME:
        if redis.exists(f"player:{who}:tokens"):
            yield f"player {who}: deleted, but has tokens."
    elif is_listed != (owner == who.encode()):  # neither, if the registration was interrupted
        owns = "does not own" if is_listed else "owns"
        yield f"player {who}: {owns} the name {name}, but the list says otherwise."


def _name_faults(redis: Redis, key: bytes) -> Iterator[str]:
    owner: Any = redis.get(key)
    name: Any = redis.hget(f"player:{owner.decode(errors='replace')}", "name") if owner else b""
    called = name.decode(errors="replace") if name else ""
    if owner and key.decode(errors="replace") not in (name_key(called), *look_keys(called)):
        yield f"{key.decode(errors='replace')}: its player has a different name."


def _mail_faults(redis: Redis, who: str) -> Iterator[str]:
    address: Any = redis.get(f"player:{who}:mail")
    try:
        if address is not None:
            decode_address(address)
    except MsgspecError:
        yield f"player {who}: the address for mail is corrupt."


def _push_faults(redis: Redis, who: str) -> Iterator[str]:
    found: Any = redis.hvals(f"player:{who}:push")
    try:
        for text in found:
            decode_subscription(text)
    except MsgspecError:
        yield f"player {who}: a subscription to push messages is corrupt."


def _notice_faults(redis: Redis, who: str) -> Iterator[str]:
    try:
        read_notice_settings(redis, who)
        is_known = set(MatchChoices(redis, who).read().values()) <= set(MATCH_CHOICES)
    except MsgspecError:
        is_known = False
    if not is_known:
        yield f"player {who}: what they have chosen about notices is corrupt."


def _note_faults(redis: Redis, who: str, match: str) -> Iterator[str]:
    notes = Notes(redis)
    try:
        notes.of_match(who, match)
    except MsgspecError:
        yield f"player {who}: a note about the match {match} is corrupt."
    if not notes.is_listed(who, match):
        yield f"player {who}: the list of notes lacks the match {match}."


def _token_faults(redis: Redis, who: str) -> Iterator[str]:
    tokens: Any = redis.hgetall(f"player:{who}:tokens")
    for token, key in tokens.items():
        try:
            found = decode_token(redis.get(key))
        except MsgspecError:
            yield f"player {who}: the token {token.decode(errors='replace')} is corrupt."
            continue
        if found and (found.player, found.id.encode()) != (who, token):
            token_id = token.decode(errors="replace")
            yield f"player {who}: the token {token_id} belongs to another player."
