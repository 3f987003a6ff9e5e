"""`kill -9` of any process at any time of a match: no acknowledged move is lost or made twice."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path
from random import Random
from threading import Event, Thread

import pytest

from tests.discord.people import stand_in
from tests.support.patience import eventually
from tests.support.receiver import Receiver, receiving
from tests.support.whole_service import KINDS, Service, whole_service

pytestmark = pytest.mark.slow
MOVES = len(KINDS)
ROUNDS = 5
NOTICE_TYPES = ["move.made"]
LOST = ("seat_played_by_bot", "not_your_turn", "rule_broken", "game_over")
"""Problems that a player may get if their time runs out between reading and moving."""
STAYS = ("nothing_to_reclaim", "bot_decides", "game_over")
"""Why players cannot have their seat back, or not yet."""


class Killer(Thread):
    """Kills processes without warning, each kind in turn, several times. Between two kills the
    service has answered a request: so it recovers, however slow the machine is.
    """

    def __init__(self, service: Service, seed: int) -> None:
        super().__init__()
        self.killed: list[str] = []
        self.done = Event()
        self._service = service
        self._random = Random(seed)

    def run(self) -> None:
        for kind in [*KINDS] * ROUNDS:
            answers = self._service.answers
            while self._service.answers == answers:
                if self.done.wait(self._random.uniform(0.5, 1.5)):
                    return
            self._kill(kind)

    def await_kinds(self, count: int, path: str) -> None:
        """Poll the match until `count` kinds of processes have been killed."""
        picture = f"{path}/board.svg"
        eventually(lambda: self._service.picture(picture) and len(set(self.killed)) >= count)

    def _kill(self, kind: str) -> None:
        if pids := self._service.processes()[kind]:  # otherwise it is restarting
            with suppress(ProcessLookupError):
                os.kill(self._random.choice(pids), signal.SIGKILL)
                self.killed.append(kind)


@contextmanager
def killing(service: Service, seed: int) -> Iterator[Killer]:
    killer = Killer(service, seed)
    killer.start()
    try:
        yield killer
    finally:
        killer.done.set()
        killer.join()


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.long)])
def test_every_acknowledged_move_is_there_once_and_the_match_goes_on_by_itself(
    tmp_path: Path, seed: int
) -> None:
    settings = {
        "ANNALS_BOT_SECONDS": "0.05", "ANNALS_WEB_PROCESSES": "2", "ANNALS_WEBHOOKS_LOOPBACK": "1",
    }  # fmt: skip
    with (
        receiving() as receiver,
        stand_in() as discord,
        whole_service(tmp_path, **settings, **discord.settings) as service,
    ):
        service.sign_up("Ada")
        hook = service.insist("POST", "/v1/webhooks", {"url": receiver.url, "types": NOTICE_TYPES})
        with killing(service, seed) as killer:
            played = play(service, Random(seed), killer)
            for path in played:  # no player is left: a bot has to take over
                await_end(service, path)
        assert set(killer.killed) == set(KINDS)
        for path, acknowledged in played.items():
            entries = service.insist("GET", f"{path}/events?limit=200")["events"]
            assert [entry["version"] for entry in entries] == list(range(1, len(entries) + 1))
            assert {entry["version"]: entry["move"] for entry in own_moves(entries)} == acknowledged
            moved = [entry["version"] for entry in entries if entry["kind"] == "Moved"]
            eventually(lambda moved=moved, path=path: arrival_order(receiver, path) == moved)
        assert all(one.verify(hook["secret"]) for one in receiver.got)
        said = service.command("verify", "--all", "--url", service.url)
        assert (said.returncode, said.stdout) == (
            0,
            f"{len(played)} matches checked, 0 faults found.\n",
        )


def arrival_order(receiver: Receiver, path: str) -> list[int]:
    """The versions of a match that a receiver got, in order of first arrival.

    A message may come twice, if the sender was killed before it recorded the delivery.
    """
    received = [one.data for one in receiver.got if path.endswith(one.data["match"])]
    return list(dict.fromkeys(data["version"] for data in received))


def open_match(service: Service, key: str) -> str:
    """A match against two bots, in which a bot replaces a player who is out of time."""
    plan = {
        "game": "qin",
        "seats": [{"me": True}, {"bot": "li_mu"}, {"bot": "sun_bin"}],
        "clock": {"per_move_s": 8},
    }
    match = service.insist("POST", "/v1/matches", plan, Idempotency_Key=key)
    return f"/v1/matches/{match['id']}"


def play(service: Service, random: Random, killer: Killer) -> dict[str, dict[int, object]]:
    """Make some moves, each until it is acknowledged; returns versions and moves by match.

    With every move one more kind of process has been killed, so that no match ends too
    early. If that takes long enough for bots to finish a match, this opens another one.
    """
    path = open_match(service, "open")
    played: dict[str, dict[int, object]] = {path: {}}
    for number in count():
        done = sum(len(moves) for moves in played.values())
        if done == MOVES:
            break
        killer.await_kinds(done + 1, path)
        moves = service.insist("GET", f"{path}/legal-moves")["moves"]
        move, key = random.choice(moves or [{}]), f"move-{number}"
        answer = moves and service.insist(
            "POST", f"{path}/moves", {"move": move}, but=LOST, Idempotency_Key=key
        )
        if moves and "version" in answer:
            played[path][answer["version"]] = move
        elif service.insist("POST", f"{path}/reclaim", but=STAYS).get("code") == "game_over":
            path = open_match(service, f"open-{number}")
            played[path] = {}
    return played


def await_end(service: Service, path: str) -> None:
    eventually(lambda: service.insist("GET", path)["status"] == "scored")


def own_moves(entries: list[dict]) -> list[dict]:
    return [
        entry
        for entry in entries
        if entry["kind"] == "Moved" and not entry["actor"].startswith("bot:")
    ]
