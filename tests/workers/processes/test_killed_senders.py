"""`kill -9` of the projector, a sender or Redis at any moment: all is told, in order."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from domain.games import GAMES
from domain.notices import NOTICE_TYPES
from service.channels.webhooks.messages.formats import message_id
from service.channels.webhooks.queue.replay import notices_since
from service.channels.webhooks.signing import new_secret
from service.channels.webhooks.subscriptions import Secret, Subscription, Subscriptions
from service.matches.container import Annals, open_annals
from service.runtime.settings import Settings
from tests.projections.recorded import Recorded
from tests.support.patience import eventually
from tests.support.receiver import OK, Got, Receiver, Reply, receiving
from tests.support.redis_process import RedisProcess
from tests.support.whole_service import ROOT

pytestmark = pytest.mark.slow
MATCHES = 4
KILLS = 3
ENTRIES = 3
"""Of each match, between two kills."""
ANSWER_S = 0.02


class Program:
    """A process of the service that can be killed and started again."""

    def __init__(self, command: str, url: str) -> None:
        self._command = [sys.executable, "-m", "workers.cli", command]
        self._environ = {**os.environ, "REDIS_URL": url, "ANNALS_WEBHOOKS_LOOPBACK": "1"}
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(
            self._command, cwd=ROOT, env=self._environ,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip

    def kill(self) -> None:
        os.kill(self._process.pid, signal.SIGKILL)
        self._process.wait()


@contextmanager
def programs(folder: Path) -> Iterator[tuple[RedisProcess, list[Program]]]:
    redis = RedisProcess(folder)
    started = [Program(command, redis.url) for command in ("projector", "deliveries")]
    try:
        yield redis, started
    finally:
        for program in (*started, redis):
            program.kill()


class Reader:
    """What was read by a receiver that takes its time, and loses what it has not answered when
    whoever sent it is killed.
    """

    def __init__(self) -> None:
        self.read: list[Got] = []
        self.lost = 0

    def reply(self, got: Got) -> Reply:
        before = self.lost
        time.sleep(ANSWER_S)
        if before == self.lost:
            self.read.append(got)
        return OK


def test_whatever_is_killed_everything_is_told_in_order(tmp_path: Path) -> None:
    random = Random(13)
    with receiving() as receiver, programs(tmp_path) as (redis, started):
        reader = Reader()
        receiver.reply = reader.reply
        annals = open_annals(Settings(redis_url=redis.url, events_url=redis.url))
        hooks = subscribed(annals, receiver)
        tables = [table(annals, hooks, f"m{n}") for n in range(MATCHES)]
        for number in range(KILLS):
            for one in tables:
                one.play(ENTRIES)
            before = len(receiver.got)
            eventually(lambda before=before: len(receiver.got) > before)
            time.sleep(random.uniform(0, 0.2))
            killed = (*started, redis)[number % 3]
            killed.kill()
            reader.lost += killed is started[1]
            killed.start()
            eventually(annals.store.redis.ping)
        for hook in hooks:
            for one in tables:
                wanted = ids(hook, one)
                eventually(
                    lambda wanted=wanted, hook=hook, one=one: (
                        set(arrived(reader, hook, one)) == set(wanted)
                    )
                )
                assert arrived(reader, hook, one) == wanted
    assert len({(one.id, one.raw) for one in receiver.got}) == len(set(receiver.ids()))


def subscribed(annals: Annals, receiver: Receiver) -> list[Subscription]:
    """Ann is told all of hers, and her turns elsewhere; Zoe of everything that anybody may see."""
    subscriptions = Subscriptions(annals.store.redis, annals.store.partitions, 10)
    ann, zoe = (annals.players.register(name, annals.now())[0].id for name in ("Ann", "Zoe"))
    hooks = [
        Subscription(
            name, player, f"{receiver.url}/{name}", NOTICE_TYPES, annals.now(),
            (Secret(new_secret()),), my_turn=name == "turns", everybody=name == "all",
        )
        for name, player in (("mine", ann), ("turns", ann), ("all", zoe))
    ]  # fmt: skip
    for hook in hooks:
        subscriptions.add(hook)
    return hooks


def table(annals: Annals, hooks: list[Subscription], match: str) -> Recorded:
    seats = f"{hooks[0].player} bob"
    return Recorded(annals.store, seats, game=GAMES["chang_cheng"], match=match)


def ids(hook: Subscription, one: Recorded) -> list[str]:
    match = one.match.id
    told = notices_since(match, one.entries, hook.wish, 1, 0)
    return [message_id(match, notice, hook.id) for notice in told]


def arrived(reader: Reader, hook: Subscription, one: Recorded) -> list[str]:
    """What came of a match, each message where it came first: some may come twice."""
    got = [
        message.id
        for message in reader.read.copy()
        if message.path.endswith(f"/{hook.id}") and message.data["match"] == one.match.id
    ]
    return list(dict.fromkeys(got))
