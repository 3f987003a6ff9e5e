"""Bot turns are handed out a few at a time, in fair shares, and none is lost."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic

import pytest
from redis import Redis
from rq import Queue

from domain.match.decisions import lobby
from domain.match.log import Entry
from domain.match.scheduled_work import DUE_NOW, QUEUES
from domain.match.state import Chair
from projections import PROJECTIONS
from projections.projector import Projector
from service.accounts.client_networks import store_network
from service.runtime.settings import Settings
from service.store.event_store import DueWork, EventStore
from tests.games.modes import ALL
from tests.workers.office import ADA, Office
from workers.dispatch.bot_quota import BotQuota
from workers.dispatch.bot_turns import MAX_QUEUED
from workers.dispatch.due_work import Dispatcher
from workers.dispatch.job_queue import JobQueue

DEEP, QUICK = Chair(bot="qin_shi_huang"), Chair(bot="li_mu")


def fold(office: Office) -> None:
    """Fold all entries into the lists."""
    store = office.annals.store
    for partition in range(store.partitions):
        Projector(store.redis, store, [partition], PROJECTIONS).fold_next(1_000)


def handing(office: Office, clock: Callable[[], float] = monotonic) -> Dispatcher:
    fold(office)
    return Dispatcher(office.annals.settings, office.annals.store, office.queue, clock)


def dispatch(office: Office, hands: Dispatcher) -> None:
    hands.scan(office.now)


def waiting_matches(office: Office, queue: str) -> list[str]:
    """The matches of the waiting jobs."""
    return [name.split("-")[1] for name in Queue(queue, connection=office.queue).job_ids]


def take(office: Office, queue: str) -> str:
    """Take the next job like a worker that never does it; returns its match."""
    job_id = office.queue.lpop(f"rq:queue:{queue}")
    assert isinstance(job_id, bytes)
    return job_id.decode().split("-")[1]


def flood(office: Office, tables: int, *bots: Chair, host: str = "ada") -> list[str]:
    return [office.open(*bots or (DEEP, DEEP), host=host) for _ in range(tables)]


@pytest.mark.parametrize("bot", [DEEP, QUICK])
def test_only_a_few_turns_wait_in_the_queue(office: Office, bot: Chair) -> None:
    flood(office, 30, bot, bot)
    dispatch(office, handing(office))
    queue = "thinking" if bot is DEEP else "bots"
    assert len(waiting_matches(office, queue)) == MAX_QUEUED[queue]


@pytest.mark.parametrize("bot", [DEEP, QUICK])
def test_another_host_waits_only_for_the_queue(office: Office, bot: Chair) -> None:
    """Given one host with 30 tables, when another opens one, it is handed out next."""
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
    assert len(taken) == MAX_QUEUED[queue] + 1


def test_quick_bots_do_not_wait_for_those_that_search(office: Office) -> None:
    flood(office, 30)
    mine = office.open(QUICK, QUICK, host="ben")
    dispatch(office, handing(office))
    assert waiting_matches(office, "bots") == [mine]


def test_hosts_of_one_network_share_one_share(office: Office) -> None:
    for n in range(10):
        store_network(office.queue, f"u{n}", "192.0.2.7")
        flood(office, 2, host=f"u{n}")
    store_network(office.queue, "ben", "192.0.2.8")
    mine = flood(office, 2, host="ben")
    hands, taken = handing(office), list[str]()
    for _ in range(6):
        dispatch(office, hands)
        taken.append(take(office, "thinking"))
    assert [match in mine for match in taken].count(True) == 2


def test_matches_that_are_not_listed_yet_belong_to_their_host(office: Office) -> None:
    """Given one host with 30 unlisted tables, when another has two, their turns come in between."""
    hands = handing(office)
    flood(office, 30)
    mine = flood(office, 2, host="ben")
    taken = []
    for _ in range(4):
        dispatch(office, hands)
        taken.append(take(office, "thinking"))
    assert [match in mine for match in taken].count(True) == 2


def test_the_quota_covers_matches_that_are_not_listed_yet(office: Office) -> None:
    BotQuota(office.queue).charge("ada", office.annals.settings.bot_quota_seconds)
    hands = handing(office)
    flood(office, 3)
    mine = office.open(DEEP, DEEP, host="ben")
    dispatch(office, hands)
    assert take(office, "thinking") == mine
    dispatch(office, hands)
    assert waiting_matches(office, "thinking") == []


def test_only_a_host_over_the_quota_waits(
    office: Office,
) -> None:
    [theirs], [mine] = flood(office, 1), flood(office, 1, host="ben")
    BotQuota(office.queue).charge("ada", office.annals.settings.bot_quota_seconds)
    hands = handing(office)
    dispatch(office, hands)
    assert waiting_matches(office, "thinking") == [mine]
    take(office, "thinking")
    dispatch(office, hands)
    assert waiting_matches(office, "thinking") == []
    assert 0 < office.queue.ttl("annals:bot_quota_used") <= 60
    office.queue.delete("annals:bot_quota_used")  # a minute later
    dispatch(office, hands)
    assert waiting_matches(office, "thinking") == [theirs]


def test_other_work_never_waits_for_bots(office: Office) -> None:
    flood(office, 30, QUICK, QUICK)
    flood(office, 30)
    office.open(ADA, Chair(), expires=office.now)
    dispatch(office, handing(office))
    assert len(waiting_matches(office, "deadlines")) == 1


class Waiting:
    """A dispatcher that waits as long as it asks to, without notifications."""

    def __init__(self, office: Office) -> None:
        self.now = 0.0
        self.hands = handing(office, lambda: self.now)
        dispatch(office, self.hands)

    def pauses(self, count: int) -> list[float]:
        """The milliseconds before each of its next refills."""
        return [self._pause() for _ in range(count)]

    def _pause(self) -> float:
        rest = self.hands.max_wait_s
        self.now += rest
        self.hands.hand_out_notified(())
        return round(rest * 1000)


def test_a_full_queue_is_polled_less_often(office: Office) -> None:
    """Given a full queue, its length is read 20 times a second; once a worker takes a job, the next
    turns are queued soon.
    """
    flood(office, MAX_QUEUED["bots"] + 5, QUICK, QUICK)
    waiting = Waiting(office)
    assert waiting.pauses(8) == [5, 5, 10, 20, 40, 50, 50, 50]
    take(office, "bots")
    assert waiting.pauses(3) == [50, 5, 5]
    assert len(waiting_matches(office, "bots")) == MAX_QUEUED["bots"]


def test_a_scan_of_all_partitions_reads_full_queues_once(office: Office) -> None:
    def read_lengths() -> int:
        return int(office.queue.info("commandstats")["cmdstat_llen"]["calls"])

    flood(office, MAX_QUEUED["bots"] + 5, QUICK, QUICK)
    hands = handing(office)
    dispatch(office, hands)
    before = read_lengths()
    dispatch(office, hands)
    assert read_lengths() - before == len(QUEUES)


def test_a_moving_queue_is_refilled_quickly(office: Office) -> None:
    flood(office, MAX_QUEUED["bots"] + 9, QUICK, QUICK)
    waiting = Waiting(office)
    for _ in range(9):
        take(office, "bots")
        assert waiting.pauses(1) == [5]
        assert len(waiting_matches(office, "bots")) == MAX_QUEUED["bots"]


def test_hosts_over_the_quota_delay_no_others(office: Office) -> None:
    """Given turns of a host over the quota, later turns of others are handed out at once, and those
    that do not fit wait as little as usual.
    """
    BotQuota(office.queue).charge("ada", office.annals.settings.bot_quota_seconds)
    flood(office, 3, QUICK, QUICK)
    waiting = Waiting(office)
    assert waiting.pauses(3) == [50, 50, 50]
    theirs = flood(office, MAX_QUEUED["bots"] + 1, QUICK, QUICK, host="ben")
    waiting.hands.hand_out_notified([DueWork("bot", match, 1, 0) for match in theirs])
    assert waiting_matches(office, "bots") == theirs[:-1]
    assert waiting.pauses(2) == [5, 5]


def test_two_projectors_hand_out_each_turn_once(office: Office) -> None:
    matches = flood(office, MAX_QUEUED["bots"], QUICK, QUICK)
    one, two = handing(office), handing(office)
    dispatch(office, one)
    dispatch(office, two)
    assert sorted(waiting_matches(office, "bots")) == sorted(matches)


def test_another_projector_finds_the_turns_of_a_killed_one(office: Office) -> None:
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


def test_a_turn_that_is_no_longer_due_is_dropped(office: Office) -> None:
    """Given waiting turns, when their matches end, workers do not receive them."""
    passed = 0.0
    matches = flood(office, 4)
    hands = handing(office, clock=lambda: passed)
    dispatch(office, hands)
    for match in matches:
        office.do(match, lambda match, now: lobby.close(match, "ada"))
    passed = 100.0
    dispatch(office, hands)  # the waiting job stays: it will do nothing
    take(office, "thinking")
    dispatch(office, hands)
    assert waiting_matches(office, "thinking") == []


def test_a_turn_of_an_unlisted_match_is_handed_out(redis_client: Redis) -> None:
    store = EventStore(redis_client)
    store.append("m", Entry(1, "Moved", "u", 5, b"", b"\x90", 1, b"c"), {"bot": DUE_NOW})
    Dispatcher(Settings(), store, redis_client).scan(10)
    assert JobQueue(Settings(), redis_client).lengths()["bots"] == 1


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
def test_the_weakest_level_of_every_game_is_quick_and_those_that_search_come_last(game) -> None:  # type: ignore[no-untyped-def]
    deep = [level.deep for level in game.levels]
    assert not deep[0]
    assert deep == sorted(deep)
