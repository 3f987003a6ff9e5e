"""Lists for operators, as JSON: players, matches, webhooks, backups, settings, past actions.

None of them has what is secret in a match, such as a hand or a seed, nor a secret setting.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import urlsplit

from projections.core.summary import Summary
from projections.lists.matches import find, get
from projections.lists.pages import Page
from service.accounts.admin_log import AdminAction, AdminLog
from service.accounts.operators import Operators
from service.accounts.players import Account, is_player_id
from service.admin.reported_messages import describe_mute
from service.admin.setting_rows import describe_settings
from service.channels.webhooks.subscriptions import SubscriptionRecord, Subscriptions
from service.matches.container import Annals
from service.matches.lists import names_in, optional_iso, summary
from service.matches.queries import iso
from service.runtime.config.sources import find_given
from service.runtime.errors import NotFound
from service.store.backup_state import BackupState, is_requested, read_state
from service.talk.speakers import OperatorMute

Json = dict[str, Any]


def list_players(annals: Annals, query: str, after: str, limit: int) -> Json:
    """Return players by name: those whose names begin with a text, or the one with this id."""
    players = annals.players
    found = _by_id(annals, query) if is_player_id(query) else players.search(query, after, limit)
    operators = set(Operators(annals.store.redis).ids()) if found else set()
    return {
        "players": [_player(one, operators, annals.now()) for one in found],
        "next": found[-1].name if len(found) == limit else None,
    }


def list_matches(annals: Annals, query: str, after: str | None, limit: int) -> Json:
    """Return matches, the newest first: all public ones, the one with this id, or those of the
    player with this name or id, also private ones.
    """
    store, player = annals.store, _player_id(annals, query)
    if query and player is None:
        one = get(store.redis, store.partition_of(query), query)
        return _match_list(annals, Page([one] if one else [], None, 0))
    page = find(
        store.redis, store.partitions, player=player, viewer=player, after=after, limit=limit
    )
    return _match_list(annals, page)


def list_webhooks(annals: Annals, subscriptions: Subscriptions, after: int, limit: int) -> Json:
    """Return the webhooks that fail, those that fail longest first, without their addresses."""
    found, start = subscriptions.list_failing(after, limit)
    names = annals.players.names({one.subscription.player for one in found})
    return {
        "webhooks": [_webhook(one, names.get(one.subscription.player)) for one in found],
        "next": None if start is None else str(start),
    }


def list_actions(annals: Annals, before: int | None, limit: int) -> Json:
    """Return what operators did, the newest first."""
    actions, older = AdminLog(annals.store.redis).page(before, limit)
    names = annals.players.names({who for one in actions for who in (one.operator, one.subject)})

    def show(one: AdminAction) -> Json:
        return {
            "at": iso(one.at),
            "operator": names.get(one.operator, one.operator),
            "operator_id": one.operator if is_player_id(one.operator) else None,
            "action": one.action,
            "subject": one.subject,
            "subject_name": names.get(one.subject),
            "reason": one.reason,
        }

    return {"actions": [show(one) for one in actions], "next": older and str(older)}


def describe_backups(annals: Annals) -> Json:
    """Return what became of the last backup, and when the next one is due."""
    settings = annals.settings
    state, made = read_state(settings.data), bool(settings.backup)
    return {
        "active": made,
        "last": _last_backup(state) if state.name else None,
        "failure": state.failure or None,
        "failed_at": optional_iso(state.failed_at or None) if state.failure else None,
        "begun_at": optional_iso(state.begun_at or None),
        "requested": made and is_requested(settings.data),
        "next_at": iso(max(annals.now(), state.due_at(settings.backup_hours))) if made else None,
    }


def list_settings(annals: Annals) -> Json:
    """Return all settings, as `annals config` shows them."""
    rows = describe_settings(find_given(os.environ), annals.settings)
    return {"settings": [asdict(one) for one in rows]}


def _by_id(annals: Annals, player: str) -> Sequence[Account]:
    try:
        return [annals.players.account(player)]
    except NotFound:
        return []


def _player_id(annals: Annals, query: str) -> str | None:
    """Return the id of the player with this id or name; None if there is none."""
    named = annals.players.by_id(query) or annals.players.by_name(query) if query else None
    return named.id if named else None


def _player(one: Account, operators: set[str], now: int) -> Json:
    mute = None if one.muted is None else OperatorMute(one.muted, one.muted_until)
    return {
        "id": one.id,
        "name": one.name,
        "registered_at": iso(one.registered_at),
        "banned": one.banned,
        **describe_mute(mute if mute and mute.holds_at(now) else None),
        "deleted_at": optional_iso(one.deleted_at),
        "operator": one.id in operators,
    }


def _match_list(annals: Annals, page: Page[Summary]) -> Json:
    names = names_in(annals.players, page.items)
    matches = [summary(match, names) for match in page.items]
    return {"matches": matches, "next": page.next, "lag": page.lag}


def _webhook(record: SubscriptionRecord, name: str | None) -> Json:
    """Return a webhook: of its address only the host, because the rest may be a secret."""
    one, health = record.subscription, record.health
    return {
        "id": one.id,
        "player": one.player,
        "player_name": name,
        "host": urlsplit(one.url).hostname or "",
        "failures": health.failures,
        "failing_since": optional_iso(health.failing_since),
        "last_error": health.last_error,
        "last_error_at": optional_iso(health.last_error_at),
        "paused_until": optional_iso(health.paused_until),
        "disabled_reason": health.disabled_reason,
    }


def _last_backup(last: BackupState) -> Json:
    return {
        "name": last.name,
        "verified_at": iso(last.at),
        "bytes": last.bytes,
        "matches": last.matches,
    }
