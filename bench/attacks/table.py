"""How much an innocent player slows down while one other address takes all it can get.

Quiet steps and steps of an attack alternate, so that the ratio holds on a busy machine.
"""

from __future__ import annotations

import os
import time
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from math import inf
from multiprocessing import get_context
from pathlib import Path
from statistics import quantiles

from bench.attacks import attackers
from bench.attacks.attackers import Attack
from bench.attacks.innocent import Innocent, Sample
from bench.attacks.listed import list_attacks
from bench.load.matches import build_long_match
from bench.load.servers import TREE, Server, run_service
from bench.load.usage import read_usage
from bench.service.webhooks import run_receiver
from service.store.event_store import EventStore
from service.store.redis_client import connect
from tests.support.mail_server import mail_server

ROUNDS = int(os.environ.get("BENCH_ROUNDS", "1"))
"""Pairs of steps for each attack; more give a better p99."""
WARM_UP_S = 4.0
ATTACK_S = float(os.environ.get("BENCH_ATTACK_S", "4"))
"""How long an attack takes. In a short one the burst that each address has free counts most."""
QUIET_S = max(2.0, ATTACK_S / 4)
GAP_S = 0.5
"""How long after an attack the innocent must be as quick as before."""
LEAST_URGENT = 19
"""The nice value of the attackers: in earnest they have machines of their own. They get what the
service leaves, which is much, because the pace of an address holds it back first.
"""
AUTOGROUP = Path("/proc/self/autogroup")
BUSY_PROCESSES = 3
"""Of the control: two web processes and the attacker could use no more."""
LONG_MATCH, LENGTH = "long-match-of-the-bench", 1_000
SETTINGS = {
    "ANNALS_PROXIES": "1", "ANNALS_RATE": "6000", "ANNALS_RATE_PER_ADDRESS": "12000",
    "ANNALS_PROCESSOR_SECONDS": "12", "ANNALS_REGISTRATIONS": "60", "ANNALS_PICTURE_RATE": "300",
    "ANNALS_MAX_TABLES": "1000", "ANNALS_WEBHOOK_AUDIENCE": "50", "ANNALS_WEBHOOKS_LOOPBACK": "1",
}  # fmt: skip
"""Limits as they are by default, and the address of a caller as a proxy reports it."""
MAIL = {
    "ANNALS_SMTP_HOST": "localhost", "ANNALS_SMTP_SECURITY": "none",
    "ANNALS_MAIL_FROM": "annals@example.com", "ANNALS_PUBLIC_URL": "https://annals.example",
}  # fmt: skip
"""Settings with which the service sends mail; the port is missing."""
INNOCENT = {"X-Forwarded-For": "198.51.100.1"}
Grid = dict[str, dict[str, float]]
Step = tuple[float, float]
"""When a step began and ended (`time.monotonic`)."""


@dataclass
class AttackSteps:
    """The steps of an attack and just before and after it, and what service and attacker used."""

    quiet: list[Step] = field(default_factory=list)
    attacked: list[Step] = field(default_factory=list)
    after: list[Step] = field(default_factory=list)
    refused: int = 0
    processor_s: float = 0.0
    attacker_s: float = 0.0


def figures(folder: Path) -> Grid:
    """A row for each attack: the latencies of an innocent player beside it, relative to those in
    quiet steps just before and after it.
    """
    with (
        mail_server() as (_, mail_port),
        run_service(
            folder / "attacked", TREE, **SETTINGS, **MAIL, ANNALS_SMTP_PORT=str(mail_port)
        ) as server,
        run_receiver() as receiver,
        ProcessPoolExecutor(BUSY_PROCESSES, get_context("spawn"), initializer=_give_way) as pool,
    ):
        store_long_match(server, LENGTH)
        innocent = Innocent(server, INNOCENT)
        attacks = list_attacks(server.port, receiver, LONG_MATCH, innocent.match)
        with innocent.run():
            _measure(pool, server, Attack("", attackers.spin, INNOCENT), AttackSteps(), WARM_UP_S)
            measured = {one.name: _rounds(pool, server, one) for one in attacks}
    return {name: _row(innocent.samples, one) for name, one in measured.items()}


def _give_way() -> None:
    """Let this process get what all others leave; between sessions the kernel shares processors by
    the nice values of the sessions (where it does so at all).
    """
    os.setsid()
    os.nice(LEAST_URGENT)
    with suppress(OSError):  # not every kernel has groups, or lets several processes change them
        AUTOGROUP.write_text(f"{LEAST_URGENT}")


def store_long_match(server: Server, length: int) -> None:
    """Store the match that most attacks read."""
    store = EventStore(connect(server.events_url))
    for entry in build_long_match(LONG_MATCH, length):
        store.append(LONG_MATCH, entry, {})


def _rounds(pool: Executor, server: Server, attack: Attack) -> AttackSteps:
    measured = AttackSteps()
    for _ in range(ROUNDS):
        measured.quiet.append(_sleep(QUIET_S))
        _measure(pool, server, attack, measured, ATTACK_S)
        time.sleep(GAP_S)
        measured.after.append(_sleep(QUIET_S))
    return measured


def _sleep(seconds: float) -> Step:
    began = time.monotonic()
    time.sleep(seconds)
    return began, time.monotonic()


def _measure(
    pool: Executor, server: Server, attack: Attack, measured: AttackSteps, seconds: float
) -> None:
    copies = BUSY_PROCESSES if attack.load is attackers.spin else 1
    used, began = _used(server), time.monotonic()
    until = began + seconds
    running = [
        pool.submit(attackers.timed, attack.load, server.port, attack.address, until)
        for _ in range(copies)
    ]
    for refused, processor_s in (one.result() for one in running):
        measured.refused += refused
        measured.attacker_s += processor_s
    measured.attacked.append((began, until))
    measured.processor_s += _used(server) - used


def _used(server: Server) -> float:
    return read_usage(server.pid)["the service, us of processor time"] / 1_000_000


def _row(samples: list[Sample], one: AttackSteps) -> dict[str, float]:
    row: dict[str, float] = {}
    quiet = one.quiet + one.after
    for kind in ("move", "page"):
        calm, attacked = (_of(samples, kind, steps) for steps in (quiet, one.attacked))
        row[f"{kind}: quiet p99, ms"] = 1000 * _cut(calm, 99)
        row[f"{kind}: p50, ratio"] = _cut(attacked, 50) / _cut(calm, 50)
        row[f"{kind}: p99, ratio"] = _cut(attacked, 99) / _cut(calm, 99)
    for kind in ("webhook", "bot"):
        row[f"{kind}: quiet, s"] = max(_of(samples, kind, quiet), default=inf)
        row[f"{kind}: longest, s"] = max(_of(samples, kind, one.attacked), default=inf)
    before, after = (_of(samples, "page", steps) for steps in (one.quiet, one.after))
    row["page after: p50, ratio"] = _cut(after, 50) / _cut(before, 50)
    attacked_s = sum(end - begin for begin, end in one.attacked)
    row["processors, service"] = one.processor_s / attacked_s
    row["processors, attacker"] = one.attacker_s / attacked_s
    row["refused"] = one.refused
    return row


def _of(samples: list[Sample], kind: str, steps: list[Step]) -> list[float]:
    return [
        one.seconds
        for one in samples
        if one.kind == kind and any(begin <= one.at <= end for begin, end in steps)
    ]


def _cut(seconds: list[float], percent: int) -> float:
    return quantiles(seconds, n=100, method="inclusive")[percent - 1]
