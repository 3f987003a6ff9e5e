"""A scene of the contract's examples: an operator looks after the service."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from service.accounts.operators import Operators
from service.admin import health
from service.admin.error_log import LoggedError
from service.admin.machine import Memory, Process
from service.admin.samples import Sample, add_sample
from service.channels.webhooks.subscriptions import Subscriptions
from service.matches.queries import iso
from service.runtime.metrics import REQUEST_BUCKETS
from service.runtime.settings import Settings
from service.store.backup_state import BackupState, write_state
from tests.service.api.conftest import Api, fold_lists, open_table
from tests.service.api.example_talk import talking
from tests.service.api.stage import Stage
from tests.support.apps import app_over

ADMIN = "/v1/admin"
QUICK = 2
"""The bucket of all requests: up to 5 ms."""
HOUR_MS = 3_600_000


def operating(stage: Stage) -> None:
    """An operator looks at everything, and does all that they can do."""
    operator, player = stage.player("Li Si"), stage.player("Xu Fu")
    match = open_table(player, stage.player("Meng Yi"), game="qin").rpartition("/")[2]
    Operators(stage.annals.store.redis).add(operator.id)
    show_health(stage, operator)
    show_players(stage, operator, stage.player("Zhao Gao"))
    show_webhooks(stage, operator, player)
    show_backups(stage, operator)
    fold_lists(stage.annals)
    stage.show(operator, "GET", f"{ADMIN}/matches?query={match}")
    stage.show(operator, "POST", f"{ADMIN}/matches/{match}/close", {"reason": "request"})
    stage.show(operator, "GET", f"{ADMIN}/actions")
    usual = app_over(replace(stage.annals, settings=Settings()))
    stage.show(Api(usual, operator.token), "GET", f"{ADMIN}/settings")
    talking(stage, operator)


def show_health(stage: Stage, operator: Api) -> None:
    """The health of a service that lasts: of a machine that is always the same."""
    now, data = stage.clock(), stage.annals.settings.data
    for hours in (24, 12, 1):
        add_sample(data, a_sample(now - hours * HOUR_MS, 24 - hours))
    failed = LoggedError(iso(now), "web-0", "internal_error", "5f0c3e", "KeyError: (withheld)")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(health, "take_sample", lambda _settings, at: a_sample(at, 24))
        patched.setattr(health, "read_memory", lambda: Memory(2_000, 900))
        patched.setattr(health, "find_processes", lambda: [Process("web-0", 7_200, 61)])
        patched.setattr(health, "last_errors", lambda _data: [failed])
        patched.setattr(health, "_changed_at", lambda _folder: iso(now))
        stage.show(operator, "GET", f"{ADMIN}/health")


def a_sample(at: int, hours: int) -> Sample:
    """A sample after some hours in which the disk and the memory are used up slowly."""
    requests = [0] * (len(REQUEST_BUCKETS) + 1)
    requests[QUICK] = 9_000 * hours
    return Sample(at, 1_800 * hours, tuple(requests), 0, 8_000 - 10 * hours, 900 - hours)


def show_players(stage: Stage, operator: Api, player: Api) -> None:
    """A player is banned, forgiven, and gets a new token."""
    path = f"{ADMIN}/players/{player.id}"
    stage.show(operator, "POST", f"{path}/ban", {"reason": "Abusive table names"})
    stage.show(operator, "GET", f"{ADMIN}/players?query=zhao%20g")
    operator.delete(f"{path}/ban")
    stage.show(operator, "POST", f"{path}/token", {})


def show_webhooks(stage: Stage, operator: Api, player: Api) -> None:
    """A receiver fails, gets a pause, and another chance."""
    url = "https://example.com/hooks/annals"
    created: Any = player.post("/v1/webhooks", {"url": url}).json
    webhook = created["id"]
    store, now = stage.annals.store, stage.clock()
    Subscriptions(store.redis, store.partitions, 10).update_health(
        webhook, failures=4, failing_since=now, last_error_at=now,
        last_error="The receiver answered 502.",
    )  # fmt: skip
    stage.show(operator, "GET", f"{ADMIN}/webhooks")
    stage.show(operator, "PATCH", f"{ADMIN}/webhooks/{webhook}", {"active": True})
    player.delete(f"/v1/webhooks/{webhook}")


def show_backups(stage: Stage, operator: Api) -> None:
    """A backup is a day old, and another one is made."""
    now = stage.clock()
    name = "annals-5f0c3e-20231113T221320Z-482.backup"
    write_state(stage.annals.settings.data, BackupState(name, now - 24 * HOUR_MS, 181_000, 12))
    stage.show(operator, "GET", f"{ADMIN}/backups")
    stage.show(operator, "POST", f"{ADMIN}/backups", {})
