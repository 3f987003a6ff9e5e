"""A job continues with the next bots of its match, and other workers leave their turns alone."""

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
from domain.match.scheduled_work import BOT_QUEUES, due_work
from domain.match.state import Chair
from service.matches.commands import Metadata, execute
from service.store.event_store import DueWork
from tests.support.patience import PATIENCE_S
from tests.workers.office import ADA, WEAK, Office
from workers.dispatch.due_work import Dispatcher
from workers.jobs import match_jobs
from workers.jobs.bot_move import try_to_choose
from workers.tools.check.check_indexes import find_work_faults

STRONG = Chair(bot="qin_shi_huang")


def dispatching(office: Office, clock: list[float]) -> Dispatcher:
    return Dispatcher(office.annals.settings, office.annals.store, office.queue, lambda: clock[0])


def waiting_jobs(office: Office) -> list[str]:
    return [job for queue in BOT_QUEUES for job in Queue(queue, connection=office.queue).job_ids]


def play_moves(office: Office, match_id: str) -> int:
    return office.kinds(match_id).count("Moved")


@pytest.mark.parametrize("game", GAMES)
def test_bots_of_a_match_move_in_one_job_until_a_person_has_to(
    office: Office, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    monkeypatch.setattr(match_jobs, "MAX_BOT_RUN_S", inf)
    bots = [Chair(bot=GAMES[game].levels[0].key)] * (GAMES[game].seats[-1] - 1)
    match_id = office.open(*bots, ADA, game=game)
    assert office.work() <= 1
    assert 0 in [len(bots) - seat for seat in office.match(match_id).seats_to_move]


def test_a_job_ends_after_a_while_for_other_matches(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(match_jobs, "MAX_BOT_RUN_S", 0)
    match_id = office.open(WEAK, WEAK, seed_given=True)
    assert office.work() == play_moves(office, match_id) + 1  # and its score


def test_a_quick_bot_does_not_claim_a_search(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a quick bot before one that searches, the second turn is not claimed, because a quick
    worker may not search.
    """
    monkeypatch.setattr(match_jobs, "MAX_BOT_RUN_S", inf)
    match_id = office.open(WEAK, STRONG, options={"first_player": "seat:0"})
    office.work(1)
    assert play_moves(office, match_id) == 1
    [turn] = office.annals.store.bot_turns(office.annals.store.partition_of(match_id))
    assert (turn.work, turn.is_claimed) == ("think", False)


def match_with_claim(office: Office) -> str:
    """A match whose worker was killed after one bot's move, before it continued with the next."""
    match_id = office.open(WEAK, WEAK, options={"first_player": "seat:0"})
    match = office.match(match_id)
    move: Move = try_to_choose(match_jobs._quota(), match, 0, 60)
    goes_on = Metadata("bot:li_mu", (1,), claims=("bot",))
    execute(office.annals, match_id, goes_on, lambda match, now: playing.move(match, move, now))
    return match_id


def test_a_claimed_turn_is_left_to_its_worker_for_a_while(office: Office) -> None:
    match_id, clock = match_with_claim(office), [0.0]
    dispatcher = dispatching(office, clock)
    for clock[0] in (0.0, 2.1, 5.4):
        assert dispatcher.scan(office.now) == 0
    clock[0] = 7.5
    assert dispatcher.scan(office.now) == 1
    assert waiting_jobs(office) == [f"bot-{match_id}-2"]


def test_a_claimed_turn_is_not_a_fault(office: Office) -> None:
    match = office.match(match_with_claim(office))
    assert due_work(match)
    assert list(find_work_faults(office.annals.store, match)) == []


def test_a_waiting_turn_is_not_handed_out_once_claimed(office: Office) -> None:
    clock = [0.0]
    dispatcher = dispatching(office, clock)
    waiting = office.open(WEAK, WEAK, options={"first_player": "seat:0"})
    dispatcher.scan(office.now)
    assert waiting_jobs(office) == [f"bot-{waiting}-1"]
    clock[0] = 4.0
    match = office.match(waiting)
    move = try_to_choose(match_jobs._quota(), match, 0, 60)
    goes_on = Metadata("bot:li_mu", claims=("bot",))
    execute(office.annals, waiting, goes_on, lambda match, now: playing.move(match, move, now))
    for clock[0] in (4.1, 6.2, 9.5):
        dispatcher.scan(office.now)
        assert waiting_jobs(office) == [f"bot-{waiting}-1"]
    clock[0] = 12.0
    dispatcher.scan(office.now)
    assert waiting_jobs(office) == [f"bot-{waiting}-1", f"bot-{waiting}-2"]


KILLED_WORKER = """
import os, signal
from service.runtime.settings import read_settings
from workers.jobs import match_jobs
from workers.processes import worker

record, left = match_jobs._record, iter([True, True, False])

def die(*args):
    after = record(*args)
    if not next(left):
        os.kill(os.getpid(), signal.SIGKILL)
    return after

match_jobs._record, match_jobs.MAX_BOT_RUN_S = die, float("inf")
worker.main(read_settings(os.environ))
"""


def test_a_match_continues_after_its_worker_was_killed(office: Office, redis_url: str) -> None:
    clock = [0.0]
    dispatcher = dispatching(office, clock)
    match_id = office.open(WEAK, WEAK, seed_given=True)
    dispatcher.scan(office.now)
    environ = {**os.environ, "REDIS_URL": redis_url, "ANNALS_PARTITIONS": "2"}
    killed = subprocess.run(
        [sys.executable, "-c", KILLED_WORKER], env=environ, timeout=PATIENCE_S, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    assert play_moves(office, match_id) == 3
    assert dispatcher.scan(office.now) == 0
    clock[0] = 60.0
    assert dispatcher.scan(office.now) == 1
    office.work()
    assert office.kinds(match_id)[-1] == "Scored"


def test_a_notified_turn_is_handed_out_once(office: Office) -> None:
    dispatcher = dispatching(office, [0.0])
    match_id = office.open(WEAK, ADA, options={"first_player": "seat:0"})
    told = notify_turns(office)
    assert [dispatcher.hand_out_notified(told), dispatcher.hand_out_notified(told)] == [1, 0]
    assert dispatcher.scan(office.now) == 0
    assert waiting_jobs(office) == [f"bot-{match_id}-1"]


def test_a_late_notification_replaces_no_newer_turn(office: Office) -> None:
    dispatcher = dispatching(office, [0.0])
    match_id = office.open(WEAK, WEAK)
    [old] = notify_turns(office)
    match = office.match(match_id)
    move = try_to_choose(match_jobs._quota(), match, match.seats_to_move[0], 60)
    office.do(match_id, lambda match, now: playing.move(match, move, now), "bot:li_mu")
    [new] = notify_turns(office)
    dispatcher.hand_out_notified([new])
    dispatcher.hand_out_notified([old])
    assert waiting_jobs(office) == [f"bot-{match_id}-2"]


def test_a_new_table_belongs_to_its_host_before_it_is_listed(office: Office) -> None:
    """Given a host with many new tables, when another opens one, it is handed out second."""
    dispatcher = dispatching(office, [0.0])
    for _ in range(20):
        office.open(STRONG, STRONG)
        dispatcher.hand_out_notified(notify_turns(office)[-1:])
    mine = office.open(STRONG, STRONG, host="ben")
    dispatcher.hand_out_notified([work for work in notify_turns(office) if work.match == mine])
    office.queue.delete("rq:queue:thinking")
    dispatcher.hand_out_notified([])
    assert waiting_jobs(office) == [f"think-{mine}-1"]


def notify_turns(office: Office) -> list[DueWork]:
    """All bot turns in the notifications."""
    store = office.annals.store
    turns = [turn for partition in range(2) for turn in store.bot_turns(partition)]
    return [DueWork(turn.work, turn.match, store.version(turn.match), turn.at) for turn in turns]


@pytest.fixture
def round_trips(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """The commands that this thread sends to Redis. The server would also count those of threads
    from earlier tests.
    """
    sent: list[object] = []
    send: Any = AbstractConnection.send_packed_command
    here = get_ident()

    def record(connection: Any, command: object, **how: object) -> None:
        sent.extend([command] * (get_ident() == here))
        send(connection, command, **how)

    monkeypatch.setattr(AbstractConnection, "send_packed_command", record)
    return sent


def test_a_job_leaves_nothing_and_needs_few_round_trips(
    office: Office, round_trips: list[object]
) -> None:
    office.open(WEAK, ADA, options={"first_player": "seat:0"})
    office.work()  # from now on Redis has cached all scripts
    match_id = office.open(WEAK, ADA, options={"first_player": "seat:0"})
    dispatching(office, [0.0]).scan(office.now)
    found = office._worker.dequeue_job_and_maintain_ttl(None)
    assert found
    office._worker._heartbeat_at = office._worker._check_at = (
        inf  # heartbeats do not belong to the job
    )
    round_trips.clear()
    office._worker.execute_job(*found)
    # start (twice) and end of the job, the match (twice), attempt and time, the append
    assert len(round_trips) == 8
    assert play_moves(office, match_id) == 1
    assert list(office.queue.scan_iter("rq:job:*")) == []
    assert list(office.queue.scan_iter("rq:exec*")) == []
    assert list(office.queue.scan_iter("rq:wip:*")) == []
