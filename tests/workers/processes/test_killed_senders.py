"""`kill -9` of the projector, a sender or Redis at any moment: all notices arrive in order."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from domain.games import GAMES
from domain.notice_types import NOTICE_TYPES
from service.channels.webhooks.messages.formats import build_message_id
from service.channels.webhooks.queue.replay import notices_since
from service.channels.webhooks.signing import new_secret
from service.channels.webhooks.subscriptions import Secret, Subscription, Subscriptions
from service.matches.container import Annals, open_annals
from service.runtime.settings import Settings
from tests.projections.recorded import RecordedMatch
from tests.support.patience import eventually
from tests.support.receiver import OK, Got, Receiver, Reply, receiving
from tests.support.redis_process import RedisProcess
from tests.support.warm_start import start_command

pytestmark = pytest.mark.slow
MATCHES = 4
KILLS = 3
ENTRIES = 3
"""Of each match, between two kills."""
ANSWER_S = 0.02


class Program:
    """A process of the service that can be killed and started again."""

    def __init__(self, command: str, url: str) -> None:
        self._command = [command]
        self._environ = {**os.environ, "REDIS_URL": url, "ANNALS_WEBHOOKS_LOOPBACK": "1"}
        self.start()

    def start(self) -> None:
        self._process = start_command(self._command, self._environ, stdout=subprocess.DEVNULL)

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
    """A slow receiver that drops unanswered messages when the sender dies."""

    def __init__(self) -> None:
        self.read: list[Got] = []
        self.lost = 0

    def reply(self, got: Got) -> Reply:
        before = self.lost
        time.sleep(ANSWER_S)
        if before == self.lost:
            self.read.append(got)
        return OK


def test_killed_processes_lose_no_delivery_and_keep_the_order(tmp_path: Path) -> None:
    random = Random(13)
    with receiving() as receiver, programs(tmp_path) as (redis, started):
        reader = Reader()
        receiver.reply = reader.reply
        annals = open_annals(Settings(redis_url=redis.url, events_url=redis.url))
        hooks = subscribe(annals, receiver)
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
                        set(first_arrivals(reader, hook, one)) == set(wanted)
                    )
                )
                assert first_arrivals(reader, hook, one) == wanted
    assert len({(one.id, one.raw) for one in receiver.got}) == len(set(receiver.ids()))


def subscribe(annals: Annals, receiver: Receiver) -> list[Subscription]:
    """Ann subscribes to her matches and turns, Zoe to all public matches."""
    subscriptions = Subscriptions(annals.store.redis, annals.store.partitions, 10)
    ann, zoe = (annals.players.register(name, annals.now())[0].id for name in ("Ann", "Zoe"))
    hooks = [
        Subscription(
            name, player, f"{receiver.url}/{name}", tuple(NOTICE_TYPES), annals.now(),
            (Secret(new_secret()),), my_turn=name == "turns", all_matches=name == "all",
        )
        for name, player in (("mine", ann), ("turns", ann), ("all", zoe))
    ]  # fmt: skip
    for hook in hooks:
        subscriptions.add(hook)
    return hooks


def table(annals: Annals, hooks: list[Subscription], match: str) -> RecordedMatch:
    seats = f"{hooks[0].player} bob"
    return RecordedMatch(annals.store, seats, game=GAMES["chang_cheng"], match=match)


def ids(hook: Subscription, one: RecordedMatch) -> list[str]:
    match = one.match.id
    told = notices_since(match, one.entries, hook.filter, 1, 0)
    return [build_message_id(match, notice, hook.id) for notice in told]


def first_arrivals(reader: Reader, hook: Subscription, one: RecordedMatch) -> list[str]:
    """The messages of a match, each where it came first, since some come twice."""
    got = [
        message.id
        for message in reader.read.copy()
        if message.path.endswith(f"/{hook.id}") and message.data["match"] == one.match.id
    ]
    return list(dict.fromkeys(got))
