"""A job goes on with the next bots of its match, and nobody else is given their turns meanwhile."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from math import inf
from threading import get_ident
from typing import Any

import pytest
from redis.connection import AbstractConnection
from rq import Queue

from domain.engine.play import Move
from domain.games import GAMES
from domain.match.decisions import playing
from domain.match.scheduled_work import BOT_QUEUES, due
from domain.match.state import Chair
from service.matches.commands import Metadata, carry_out
from service.store.event_store import Due
from tests.support.patience import PATIENCE_S
from tests.workers.office import ADA, WEAK, Office
from workers.dispatch.due_work import Dispatcher
from workers.jobs import match_jobs
from workers.jobs.bot_move import try_to_choose
from workers.tools.check.check_indexes import wrong_work

STRONG = Chair(bot="qin_shi_huang")


def dispatching(office: Office, clock: list[float]) -> Dispatcher:
    return Dispatcher(office.annals.settings, office.annals.store, office.queue, lambda: clock[0])


def queued(office: Office) -> list[str]:
    return [job for queue in BOT_QUEUES for job in Queue(queue, connection=office.queue).job_ids]


def moved(office: Office, match_id: str) -> int:
    return office.kinds(match_id).count("Moved")


@pytest.mark.parametrize("game", GAMES)
def test_bots_of_a_match_move_in_one_job_until_a_person_has_to(
    office: Office, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(match_jobs, "PLAY_ON_S", inf)
    bots = [Chair(bot=GAMES[game].levels[0].key)] * (GAMES[game].seats[-1] - 1)
    match_id = office.open(*bots, ADA, game=game)
    assert office.work() <= 1
    assert 0 in [len(bots) - seat for seat in office.match(match_id).awaited]


def test_a_job_is_over_after_a_while_and_others_have_their_turn(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_jobs, "PLAY_ON_S", 0)
    match_id = office.open(WEAK, WEAK, seed_given=True)
    assert office.work() == moved(office, match_id) + 1  # and its score


def test_a_quick_bot_leaves_the_turn_of_one_that_searches(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a quick bot before one that searches, when it has moved, then the other is in nobody's
    hands: a worker that leaves searches to others would have to search otherwise.
    """
    monkeypatch.setattr(match_jobs, "PLAY_ON_S", inf)
    match_id = office.open(WEAK, STRONG, options={"first_player": "seat:0"})
    office.work(1)
    assert moved(office, match_id) == 1
    [turn] = office.annals.store.turns(office.annals.store.partition_of(match_id))
    assert (turn.work, turn.in_hand) == ("think", False)


def left_in_hand(office: Office) -> str:
    """A match whose worker was killed after one bot's move, before it went on with the next."""
    match_id = office.open(WEAK, WEAK, options={"first_player": "seat:0"})
    match = office.match(match_id)
    move: Move = try_to_choose(match_jobs._thinking(), match, 0, 60)
    goes_on = Metadata("bot:li_mu", (1,), goes_on=("bot",))
    carry_out(office.annals, match_id, goes_on, lambda match, now: playing.move(match, move, now))
    return match_id


def test_a_turn_in_hand_is_left_to_its_worker_for_a_while(office: Office) -> None:
    match_id, clock = left_in_hand(office), [0.0]
    dispatcher = dispatching(office, clock)
    for clock[0] in (0.0, 2.1, 5.4):
        assert dispatcher.look(office.now) == 0
    clock[0] = 7.5
    assert dispatcher.look(office.now) == 1
    assert queued(office) == [f"bot-{match_id}-2"]


def test_what_is_in_hand_is_no_fault(office: Office) -> None:
    match = office.match(left_in_hand(office))
    assert due(match)
    assert list(wrong_work(office.annals.store, match)) == []


def test_a_turn_that_waited_is_not_handed_out_once_it_is_in_hand(office: Office) -> None:
    clock = [0.0]
    dispatcher = dispatching(office, clock)
    waiting = office.open(WEAK, WEAK, options={"first_player": "seat:0"})
    dispatcher.look(office.now)
    assert queued(office) == [f"bot-{waiting}-1"]
    clock[0] = 4.0
    match = office.match(waiting)
    move = try_to_choose(match_jobs._thinking(), match, 0, 60)
    goes_on = Metadata("bot:li_mu", goes_on=("bot",))
    carry_out(office.annals, waiting, goes_on, lambda match, now: playing.move(match, move, now))
    for clock[0] in (4.1, 6.2, 9.5):
        dispatcher.look(office.now)
        assert queued(office) == [f"bot-{waiting}-1"]
    clock[0] = 12.0
    dispatcher.look(office.now)
    assert queued(office) == [f"bot-{waiting}-1", f"bot-{waiting}-2"]


KILLED = """
import os, signal
from service.runtime.settings import read_settings
from workers import jobs, worker

record, left = jobs._record, iter([True, True, False])

def die(*args):
    after = record(*args)
    if not next(left):
        os.kill(os.getpid(), signal.SIGKILL)
    return after

jobs._record, jobs.PLAY_ON_S = die, float("inf")
worker.main(read_settings(os.environ))
"""


def test_a_worker_killed_while_it_played_on_leaves_a_match_that_goes_on(
    office: Office, redis_url: str
) -> None:
    clock = [0.0]
    dispatcher = dispatching(office, clock)
    match_id = office.open(WEAK, WEAK, seed_given=True)
    dispatcher.look(office.now)
    environ = {**os.environ, "REDIS_URL": redis_url, "ANNALS_PARTITIONS": "2"}
    killed = subprocess.run(
        [sys.executable, "-c", KILLED], env=environ, timeout=PATIENCE_S, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert moved(office, match_id) == 3
    assert dispatcher.look(office.now) == 0
    clock[0] = 60.0
    assert dispatcher.look(office.now) == 1
    office.work()
    assert office.kinds(match_id)[-1] == "Scored"


def test_a_bot_turn_is_handed_out_when_it_is_heard_of_and_once(office: Office) -> None:
    dispatcher = dispatching(office, [0.0])
    match_id = office.open(WEAK, ADA, options={"first_player": "seat:0"})
    told = jobs_of(office)
    assert [dispatcher.hear(told), dispatcher.hear(told)] == [1, 0]
    assert dispatcher.look(office.now) == 0
    assert queued(office) == [f"bot-{match_id}-1"]


def test_what_is_heard_late_replaces_nothing_newer(office: Office) -> None:
    dispatcher = dispatching(office, [0.0])
    match_id = office.open(WEAK, WEAK)
    [old] = jobs_of(office)
    match = office.match(match_id)
    move = try_to_choose(match_jobs._thinking(), match, match.awaited[0], 60)
    office.do(match_id, lambda match, now: playing.move(match, move, now), "bot:li_mu")
    [new] = jobs_of(office)
    dispatcher.hear([new])
    dispatcher.hear([old])
    assert queued(office) == [f"bot-{match_id}-2"]


def test_the_share_of_a_new_table_is_known_before_the_lists_know_it(office: Office) -> None:
    """Given a host with many new tables, when another opens one, then it is the second in turn."""
    dispatcher = dispatching(office, [0.0])
    for _ in range(20):
        office.open(STRONG, STRONG)
        dispatcher.hear(jobs_of(office)[-1:])
    mine = office.open(STRONG, STRONG, host="ben")
    dispatcher.hear([work for work in jobs_of(office) if work.match == mine])
    office.queue.delete("rq:queue:thinking")
    dispatcher.hear([])
    assert queued(office) == [f"think-{mine}-1"]


def jobs_of(office: Office) -> list[Due]:
    """What the bell tells of all bot turns."""
    store = office.annals.store
    turns = [turn for partition in range(2) for turn in store.turns(partition)]
    return [Due(turn.work, turn.match, store.version(turn.match), turn.at) for turn in turns]


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """What this thread sends to Redis. The server would count others, too: those that earlier tests
    of the process left to follow what happens.
    """
    sent: list[object] = []
    send: Any = AbstractConnection.send_packed_command
    here = get_ident()

    def noted(connection: Any, command: object, **how: object) -> None:
        sent.extend([command] * (get_ident() == here))
        send(connection, command, **how)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", noted)
    return sent


def test_a_job_leaves_nothing_behind_and_goes_to_redis_a_few_times(
    office: Office, trips: list[object]
) -> None:
    office.open(WEAK, ADA, options={"first_player": "seat:0"})
    office.work()  # from now on the server knows all scripts
    match_id = office.open(WEAK, ADA, options={"first_player": "seat:0"})
    dispatching(office, [0.0]).look(office.now)
    found = office._worker.dequeue_job_and_maintain_ttl(None)
    assert found
    office._worker._beat_at = office._worker._check_at = inf  # that is now and then, not for a job
    trips.clear()
    office._worker.execute_job(*found)
    # the job's begin (twice) and end, the match (twice), the bot's try and its time, the append
    assert len(trips) == 8
    assert moved(office, match_id) == 1
    assert list(office.queue.scan_iter("rq:job:*")) == []
    assert list(office.queue.scan_iter("rq:exec*")) == []
    assert list(office.queue.scan_iter("rq:wip:*")) == []
