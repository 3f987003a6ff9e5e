"""After an outage the whole service, read models included, has given the time back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import msgspec
import pytest

from domain.engine.game import legal_moves
from domain.match.decisions import playing, proposals, undo
from domain.match.events import TimeReturned
from domain.match.log import read_events
from domain.match.outages import Outage
from domain.match.scheduled_work import Work, due_work
from domain.match.state import Chair, ClockRule
from service.matches.container import open_annals
from service.store.uptime import MAX_SILENCE_MS, UPTIME_KEY, Uptime
from tests.workers.office import ADA, BEN, QIN, Office
from workers.dispatch.due_work import Dispatcher
from workers.jobs import match_jobs

LOST_MS = 45_000
ENTRY_OF: Mapping[Work, str] = {
    "abandon": "Aborted",
    "abort": "Aborted",
    "begin": "Started",
    "deadline": "TimedOut",
    "lapse": "UndoLapsed",
    "patience": "PatienceEnded",
    "resume": "Resumed",
}
DAY_MS = 86_400_000
FIRST = {"first_player": "seat:0"}


def thinking(rule: ClockRule) -> Callable[[Office], str]:
    return lambda office: office.open(ADA, BEN, clock=rule, options=FIRST)


def asking(office: Office) -> str:
    match_id = office.open(ADA, BEN, options=FIRST)
    move(office, match_id)
    office.do(match_id, lambda match, now: undo.undo(match, "ada", None, now))
    return match_id


def alone(office: Office) -> str:
    """A match of one person, who has 100 s for an action; its due time is in whole seconds."""
    settings = replace(office.annals.settings, idle_days=100_000 / DAY_MS)
    office.annals = replace(office.annals, settings=settings)
    return office.open(ADA, ADA)


def resting(office: Office) -> str:
    """A paused match."""
    match_id = office.open(ADA, Chair(bot="wu_qi"), clock=ClockRule(bank_s=600))
    office.do(
        match_id, lambda match, now: proposals.propose(match, "ada", "pause", now, pause_ms=90_000)
    )
    return match_id


def staying_away(office: Office) -> str:
    """Two players, one of whom the other waits for; its due time is in whole seconds."""
    return office.open(ADA, BEN, options=FIRST, patience_ms=100_000)


WAITING: Mapping[str, tuple[Work, Callable[[Office], str]]] = {
    "bank and increment": ("deadline", thinking(ClockRule(bank_s=600, increment_s=5))),
    "time per move": ("deadline", thinking(ClockRule(per_move_s=30))),
    "undo request": ("lapse", asking),
    "nonce": (
        "begin",
        lambda office: office.open(Chair(player="ada", commitment="00" * 32), Chair(bot="wu_qi")),
    ),
    "open table": ("abort", lambda office: office.open(ADA, Chair(), expires=office.now + 60_000)),
    "only player": ("abandon", alone),
    "patience": ("patience", staying_away),
    "pause": ("resume", resting),
}


def stop(office: Office) -> int:
    """Stop the service, or kill it, and start it later."""
    office.pass_time(LOST_MS)
    restart(office)
    return LOST_MS


def restore(office: Office) -> int:
    """Put the store back to what it was a while ago."""
    saved = {name: office.queue.dump(name) for name in office.queue.scan_iter()}
    live(office, LOST_MS)
    office.queue.flushdb()
    for name, value in saved.items():
        office.queue.restore(name, 0, value)
    restart(office)
    return LOST_MS


def pause(office: Office) -> int:
    """Suspend the machine: its processes go on as if nothing had happened."""
    office.pass_time(LOST_MS)
    return LOST_MS


def set_clock_right(office: Office) -> int:
    """The clock of the machine was three days behind."""
    office.pass_time(3 * DAY_MS)
    return 3 * DAY_MS


OUTAGES = [stop, restore, pause, set_clock_right]


def restart(office: Office) -> None:
    """Let new processes begin, which know nothing."""
    office.annals = replace(open_annals(office.annals.settings), now=office.annals.now)


def beat(office: Office) -> None:
    office.annals.store.uptime.beat(office.now)


def live(office: Office, ms: int) -> None:
    """Let time pass while the service is up."""
    until = office.now + ms
    while office.now < until:
        office.pass_time(min(MAX_SILENCE_MS, until - office.now))
        beat(office)


def move(office: Office, match_id: str, actor: str = "ada") -> None:
    match = office.match(match_id)
    choice = legal_moves(QIN, match.state, match.seats_to_move[0])[0]
    office.do(match_id, lambda match, now: playing.move(match, choice, now), actor)


def returned_ms(office: Office, match_id: str) -> list[int]:
    """How much time each entry has returned."""
    return [
        event.ms
        for entry in office.annals.store.read(match_id)
        for event in read_events(QIN, entry.events)
        if isinstance(event, TimeReturned)
    ]


@pytest.mark.parametrize("outage", OUTAGES)
@pytest.mark.parametrize(("work", "opened"), WAITING.values(), ids=WAITING)
def test_an_outage_costs_no_player_anything(
    office: Office, work: Work, opened: Callable[[Office], str], outage: Callable[[Office], int]
) -> None:
    beat(office)
    match_id = opened(office)
    live(office, 10_000)
    due, before = due_work(office.match(match_id))[work], office.kinds(match_id)
    lost = outage(office)
    assert (office.work(), office.kinds(match_id)) == (0, before)
    beat(office)
    office.work()
    assert office.kinds(match_id) == [*before, "TimeReturned"]
    assert returned_ms(office, match_id) == [lost]
    assert due_work(office.match(match_id))[work] == due + lost
    live(office, due + lost - office.now - 1)
    office.work()
    assert office.kinds(match_id) == [*before, "TimeReturned"]
    live(office, 1)
    office.work(rounds=1)
    assert office.kinds(match_id)[len(before) + 1] == ENTRY_OF[work]


@pytest.mark.parametrize("outage", OUTAGES)
def test_a_move_before_the_service_is_known_to_be_up_costs_no_more(
    office: Office, outage: Callable[[Office], int]
) -> None:
    beat(office)
    match_id = office.open(ADA, BEN, clock=ClockRule(bank_s=600), options=FIRST)
    live(office, 10_000)
    lost = outage(office)
    move(office, match_id)
    beat(office)
    office.work()
    clocks = office.match(match_id).clocks
    assert clocks
    assert (clocks.banks, returned_ms(office, match_id)) == ((590_000, 600_000), [lost])


def test_a_job_that_was_handed_out_before_the_outage_ends_no_turn(office: Office) -> None:
    beat(office)
    match_id = office.open(ADA, BEN, clock=ClockRule(per_move_s=30), options=FIRST)
    office.pass_time(LOST_MS)
    match_jobs.deadline(match_id, 1)
    assert office.kinds(match_id) == ["Created", "TimeReturned"]


def test_a_worker_that_lives_through_a_short_restart_of_redis_ends_no_turn(office: Office) -> None:
    redis = office.annals.store.redis
    beat(office)
    match_id = office.open(ADA, BEN, clock=ClockRule(per_move_s=3), options=FIRST)
    record = office.annals.store.uptime.record(office.now)
    redis.set(UPTIME_KEY, msgspec.json.encode(msgspec.structs.replace(record, server="before")))
    office.pass_time(3_000)
    Uptime(redis).beat(office.now)  # of a web process
    match_jobs.deadline(match_id, 1)
    assert office.kinds(match_id) == ["Created", "TimeReturned"]


def test_a_result_that_comes_of_an_outage_is_unrated(office: Office) -> None:
    beat(office)
    rule, on_timeout = ClockRule(bank_s=30), "resign"
    match_id = office.open(ADA, BEN, clock=rule, on_timeout=on_timeout, options=FIRST)
    move(office, match_id)
    office.pass_time(LOST_MS)
    beat(office)
    live(office, 30_000)
    office.work()
    assert office.kinds(match_id)[-2:] == ["TimedOut", "Scored"]
    assert office.match(match_id).unrated == "outage"


def test_the_dispatcher_moves_deadlines_that_an_outage_moves_noticeably(office: Office) -> None:
    beat(office)
    near, far = (
        office.open(ADA, BEN, clock=ClockRule(bank_s=seconds), options=FIRST)
        for seconds in (4_000, 10_000)
    )
    office.pass_time(LOST_MS)
    beat(office)
    office.work()
    assert returned_ms(office, near) == [LOST_MS]
    assert returned_ms(office, far) == []
    move(office, far)
    assert returned_ms(office, far) == [LOST_MS]


def test_the_dispatcher_moves_them_once(office: Office) -> None:
    store = office.annals.store
    beat(office)
    office.open(ADA, BEN, clock=ClockRule(bank_s=4_000), options=FIRST)
    dispatcher = Dispatcher(office.annals.settings, store, office.queue)
    office.pass_time(LOST_MS)
    beat(office)
    assert dispatcher.scan(office.now) == 1
    office.pass_time(1)
    assert dispatcher.scan(office.now) == 0


def test_an_old_outage_is_no_matter_of_a_new_dispatcher(office: Office) -> None:
    beat(office)
    office.pass_time(LOST_MS)
    beat(office)
    live(office, 120_000)
    assert office.annals.store.uptime.outages(office.now) == (
        Outage(office.now - 120_000 - LOST_MS, office.now - 120_000),
    )
    office.open(ADA, BEN, clock=ClockRule(bank_s=600), options=FIRST)
    assert office.work() == 0


def test_a_new_process_reads_the_record_before_its_first_decision(office: Office) -> None:
    beat(office)
    office.pass_time(LOST_MS)
    uptime = Uptime(office.annals.store.redis)
    assert uptime.outages(office.now) == (Outage(office.now - LOST_MS, office.now),)
