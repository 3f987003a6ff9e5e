"""Bot turns are handed out a few at a time, in fair shares, and none is lost."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import pytest
from redis import Redis
from rq import Queue

from domain.games import GAMES
from domain.match.decisions import lobby
from domain.match.log import Entry
from domain.match.scheduled_work import AT_ONCE, QUEUES
from domain.match.state import Chair
from projections import PROJECTIONS
from projections.projector import Projector
from service.accounts.client_networks import note_origin
from service.runtime.settings import Settings
from service.store.event_store import Due, Store
from tests.workers.office import ADA, Office
from workers.dispatch.bot_quota import Thinking
from workers.dispatch.bot_turns import AHEAD
from workers.dispatch.due_work import Dispatcher
from workers.dispatch.job_queue import JobQueue

DEEP, QUICK = Chair(bot="qin_shi_huang"), Chair(bot="li_mu")


def fold(office: Office) -> None:
    """Let the lists take note of all entries."""
    store = office.annals.store
    for partition in range(store.partitions):
        Projector(store.redis, store, [partition], PROJECTIONS).fold_next(1_000)


def handing(office: Office, clock: Callable[[], float] = monotonic) -> Dispatcher:
    fold(office)
    return Dispatcher(office.annals.settings, office.annals.store, office.queue, clock)


def dispatch(office: Office, hands: Dispatcher) -> None:
    hands.look(office.now)


def queued(office: Office, queue: str) -> list[str]:
    """The matches of the jobs that wait."""
    return [name.split("-")[1] for name in Queue(queue, connection=office.queue).job_ids]


def take(office: Office, queue: str) -> str:
    """The match of the job that a worker takes next, and never does."""
    job_id = office.queue.lpop(f"rq:queue:{queue}")
    assert isinstance(job_id, bytes)
    return job_id.decode().split("-")[1]


def flood(office: Office, tables: int, *bots: Chair, host: str = "ada") -> list[str]:
    return [office.open(*bots or (DEEP, DEEP), host=host) for _ in range(tables)]


@pytest.mark.parametrize("bot", [DEEP, QUICK])
def test_only_a_few_turns_wait_in_the_queue_whatever_waits_behind(
    office: Office, bot: Chair
) -> None:
    flood(office, 30, bot, bot)
    dispatch(office, handing(office))
    queue = "thinking" if bot is DEEP else "bots"
    assert len(queued(office, queue)) == AHEAD[queue]


@pytest.mark.parametrize("bot", [DEEP, QUICK])
def test_another_host_waits_for_what_is_in_the_queue_and_no_more(
    office: Office, bot: Chair
) -> None:
    """Given one host with 30 tables, when another opens one, then it is next to be handed out."""
    flood(office, 30, bot, bot)
    hands = handing(office)
    dispatch(office, hands)
    mine = office.open(bot, bot, host="ben")
    fold(office)
    queue = "thinking" if bot is DEEP else "bots"
    taken = []
    while mine not in taken:
        dispatch(office, hands)
        taken.append(take(office, queue))
    assert len(taken) == AHEAD[queue] + 1


def test_quick_bots_do_not_wait_for_those_that_search(office: Office) -> None:
    flood(office, 30)
    mine = office.open(QUICK, QUICK, host="ben")
    dispatch(office, handing(office))
    assert queued(office, "bots") == [mine]


def test_hosts_at_one_address_share_what_one_has(office: Office) -> None:
    for n in range(10):
        note_origin(office.queue, f"u{n}", "192.0.2.7")
        flood(office, 2, host=f"u{n}")
    note_origin(office.queue, "ben", "192.0.2.8")
    mine = flood(office, 2, host="ben")
    hands, taken = handing(office), list[str]()
    for _ in range(6):
        dispatch(office, hands)
        taken.append(take(office, "thinking"))
    assert [match in mine for match in taken].count(True) == 2


def test_a_host_has_no_more_for_matches_that_no_list_knows_yet(office: Office) -> None:
    """Given one host with 30 tables that are not in the lists, when another has two, then these
    have their turns in between.
    """
    hands = handing(office)
    flood(office, 30)
    mine = flood(office, 2, host="ben")
    taken = []
    for _ in range(4):
        dispatch(office, hands)
        taken.append(take(office, "thinking"))
    assert [match in mine for match in taken].count(True) == 2


def test_matches_that_no_list_knows_yet_wait_for_the_next_minute_as_well(office: Office) -> None:
    Thinking(office.queue).spend("ada", office.annals.settings.thinking_seconds)
    hands = handing(office)
    flood(office, 3)
    mine = office.open(DEEP, DEEP, host="ben")
    dispatch(office, hands)
    assert take(office, "thinking") == mine
    dispatch(office, hands)
    assert queued(office, "thinking") == []


def test_a_host_who_let_think_enough_for_this_minute_waits_and_the_others_do_not(
    office: Office,
) -> None:
    [theirs], [mine] = flood(office, 1), flood(office, 1, host="ben")
    Thinking(office.queue).spend("ada", office.annals.settings.thinking_seconds)
    hands = handing(office)
    dispatch(office, hands)
    assert queued(office, "thinking") == [mine]
    take(office, "thinking")
    dispatch(office, hands)
    assert queued(office, "thinking") == []
    assert 0 < office.queue.ttl("annals:thought") <= 60
    office.queue.delete("annals:thought")  # a minute later
    dispatch(office, hands)
    assert queued(office, "thinking") == [theirs]


def test_work_of_other_kinds_is_handed_out_whatever_bots_wait(office: Office) -> None:
    flood(office, 30, QUICK, QUICK)
    flood(office, 30)
    office.open(ADA, Chair(), expires=office.now)
    dispatch(office, handing(office))
    assert len(queued(office, "deadlines")) == 1


class Waiting:
    """A dispatcher that waits as long as it likes to, and hears of nothing meanwhile."""

    def __init__(self, office: Office) -> None:
        self.now = 0.0
        self.hands = handing(office, lambda: self.now)
        dispatch(office, self.hands)

    def rests(self, count: int) -> list[float]:
        """How long it waits before each of its next tries (milliseconds)."""
        return [self._rest() for _ in range(count)]

    def _rest(self) -> float:
        rest = self.hands.rest_s
        self.now += rest
        self.hands.hear(())
        return round(rest * 1000)


def test_a_queue_that_stays_full_is_left_alone_longer_and_longer(office: Office) -> None:
    """Given a full queue, when nobody takes anything, then it is asked for its length 20 times a
    second; when somebody does, then the next turn has its place and the next but one soon.
    """
    flood(office, AHEAD["bots"] + 5, QUICK, QUICK)
    waiting = Waiting(office)
    assert waiting.rests(8) == [5, 5, 10, 20, 40, 50, 50, 50]
    take(office, "bots")
    assert waiting.rests(3) == [50, 5, 5]
    assert len(queued(office, "bots")) == AHEAD["bots"]


def test_a_look_at_all_partitions_asks_full_queues_once(office: Office) -> None:
    def asked() -> int:
        return int(office.queue.info("commandstats")["cmdstat_llen"]["calls"])

    flood(office, AHEAD["bots"] + 5, QUICK, QUICK)
    hands = handing(office)
    dispatch(office, hands)
    before = asked()
    dispatch(office, hands)
    assert asked() - before == len(QUEUES)


def test_a_queue_of_which_jobs_are_taken_is_filled_as_soon_as_ever(office: Office) -> None:
    flood(office, AHEAD["bots"] + 9, QUICK, QUICK)
    waiting = Waiting(office)
    for _ in range(9):
        take(office, "bots")
        assert waiting.rests(1) == [5]
        assert len(queued(office, "bots")) == AHEAD["bots"]


def test_hosts_who_are_held_up_make_nobody_else_wait(office: Office) -> None:
    """Given turns of a host who let think enough, when others come, then they are handed out at
    once, and what has no place then waits as little as ever.
    """
    Thinking(office.queue).spend("ada", office.annals.settings.thinking_seconds)
    flood(office, 3, QUICK, QUICK)
    waiting = Waiting(office)
    assert waiting.rests(3) == [50, 50, 50]
    theirs = flood(office, AHEAD["bots"] + 1, QUICK, QUICK, host="ben")
    waiting.hands.hear([Due("bot", match, 1, 0) for match in theirs])
    assert queued(office, "bots") == theirs[:-1]
    assert waiting.rests(2) == [5, 5]


def test_two_projectors_hand_out_each_turn_once(office: Office) -> None:
    matches = flood(office, AHEAD["bots"], QUICK, QUICK)
    one, two = handing(office), handing(office)
    dispatch(office, one)
    dispatch(office, two)
    assert sorted(queued(office, "bots")) == sorted(matches)


def test_what_a_projector_knew_that_was_killed_another_finds_again(office: Office) -> None:
    flood(office, 5)
    dispatch(office, handing(office))
    taken = [take(office, "thinking")]
    for _ in range(4):
        dispatch(office, handing(office))
        taken.append(take(office, "thinking"))
    assert len(taken) == 5


def test_a_lost_queue_is_filled_again(office: Office) -> None:
    passed = 0.0
    flood(office, 3)
    hands = handing(office, clock=lambda: passed)
    dispatch(office, hands)
    lost = take(office, "thinking")
    office.queue.delete(*office.queue.keys("rq:*"))
    found = set()
    for _ in range(4):
        passed += 10
        dispatch(office, hands)
        found.add(take(office, "thinking"))
        office.queue.delete(*office.queue.keys("rq:*"))
    assert lost in found
    assert len(found) == 3


def test_a_turn_that_is_no_longer_due_is_forgotten(office: Office) -> None:
    """Given turns that wait in memory, when their matches end, then workers never hear of them."""
    passed = 0.0
    matches = flood(office, 4)
    hands = handing(office, clock=lambda: passed)
    dispatch(office, hands)
    for match in matches:
        office.do(match, lambda match, now: lobby.close(match, "ada"))
    passed = 100.0
    dispatch(office, hands)  # the job that waits stays: it does nothing
    take(office, "thinking")
    dispatch(office, hands)
    assert queued(office, "thinking") == []


def test_a_turn_of_a_match_that_no_list_knows_is_handed_out(redis_client: Redis) -> None:
    store = Store(redis_client)
    store.append("m", Entry(1, "Moved", "u", 5, b"", b"\x90", 1, b"c"), {"bot": AT_ONCE})
    Dispatcher(Settings(), store, redis_client).look(10)
    assert JobQueue(Settings(), redis_client).lengths()["bots"] == 1


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_the_weakest_level_of_every_game_is_quick_and_the_strongest_searches(game) -> None:  # type: ignore[no-untyped-def]
    assert not game.levels[0].deep
    assert game.levels[-1].deep
