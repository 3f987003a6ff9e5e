"""A slow receiver, or one person with many of them, delays nobody else."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event

import pytest

from service.runtime.shares.fair_queue import Payer
from tests.support.patience import PATIENCE_S, eventually
from workers.processes import sender_pool
from workers.processes.sender_pool import MayContinue, Receiver, ReceiverSpeeds, SenderPool

THREADS, SHARE = 8, 2


class Senders:
    """A pool, and the subscriptions that it has begun to serve; they end when a test says so."""

    def __init__(self, threads: int = THREADS) -> None:
        self.speeds = ReceiverSpeeds()
        self.pool = SenderPool(threads, self.speeds)
        self.begun: list[str] = []
        self.over = Event()

    def submit(self, name: str, network: str = "", host: str = "") -> bool:
        receiver = Receiver(Payer(network or name, name), host or f"{name}.example")
        return self.pool.submit(name, receiver, lambda _: self._send(name))

    def quick(self, *hosts: str) -> None:
        for host in hosts:
            self.speeds.record(host, 0.1)

    def wait_for(self, *names: str) -> None:
        """Wait until all of these, and no others, have begun."""
        eventually(lambda: sorted(self.begun) == sorted(names))

    def _send(self, name: str) -> None:
        self.begun.append(name)
        assert self.over.wait(PATIENCE_S)


@pytest.fixture
def senders() -> Iterator[Senders]:
    senders = Senders()
    yield senders
    senders.over.set()
    senders.pool.stop()


def test_one_person_with_forty_slow_receivers_leaves_threads_to_others(senders: Senders) -> None:
    hosts = [f"slow{number}.example" for number in range(40)]
    senders.quick(*hosts, "ann.example")  # until now
    for number, host in enumerate(hosts):
        assert senders.submit(f"s{number}", "one person", host)
    assert senders.submit("ann")
    senders.wait_for("s0", "s1", "ann")


def test_one_host_gets_a_share_however_many_own_it(senders: Senders) -> None:
    senders.quick("slow.example", "ann.example")
    for number in range(9):
        senders.submit(f"s{number}", host="slow.example")
    senders.submit("ann")
    senders.wait_for("s0", "s1", "ann")


def test_slow_and_unknown_receivers_share_a_small_pool(senders: Senders) -> None:
    senders.speeds.record("s0.example", 9.5)
    senders.quick("ann.example")
    for number in range(9):
        senders.submit(f"s{number}")
    senders.submit("ann")
    senders.wait_for("s0", "s1", "ann")


def test_one_network_leaves_unknown_receivers_of_others_a_thread(senders: Senders) -> None:
    for number in range(9):
        senders.submit(f"s{number}", "one network")
    senders.submit("ann")  # unknown too
    senders.wait_for("s0", "ann")


def test_a_slow_receiver_is_quick_again_after_some_quick_answers(senders: Senders) -> None:
    senders.speeds.record("ann.example", 9.5)
    for _ in range(3):
        senders.quick("ann.example")
        assert not senders.speeds.is_quick("ann.example")
    senders.quick("ann.example")
    assert senders.speeds.is_quick("ann.example")


def test_who_waited_longest_is_next_when_a_thread_is_free(senders: Senders) -> None:
    for name in ("a1", "a2", "a3", "b1", "c1"):
        senders.submit(name, network=name[0])
    senders.wait_for("a1", "b1")  # all are unknown, and these came first
    senders.over.set()
    eventually(lambda: len(senders.begun) == 5)
    assert "c1" in senders.begun[2:4]


def test_what_waits_is_bounded_and_a_network_takes_only_a_share(
    senders: Senders, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sender_pool, "MAX_WAITING", 8)
    senders.quick(*(f"{name}{number}.example" for name in "ab" for number in range(8)))
    assert [senders.submit(f"a{number}", "a") for number in range(6)] == [True] * 4 + [False] * 2
    assert all(senders.submit(f"b{number}") for number in range(8))
    assert not senders.submit("c")
    assert senders.submit("a3")  # waits already
    assert senders.submit("a0")  # runs already


def test_silent_receivers_leave_places_to_quick_ones(
    senders: Senders, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However many networks they are in."""
    monkeypatch.setattr(sender_pool, "MAX_WAITING", 8)
    senders.quick(*(f"q{number}.example" for number in range(THREADS + 4)))
    assert [senders.submit(f"s{number}") for number in range(8)] == [True] * 6 + [False] * 2
    assert all(senders.submit(f"q{number}") for number in range(THREADS + 2))
    assert not senders.submit(f"q{THREADS + 2}")


def test_a_failing_sender_frees_its_thread() -> None:
    pool, done = SenderPool(1, ReceiverSpeeds()), Event()

    def fail(may_continue: MayContinue) -> None:
        raise ValueError

    receiver = Receiver(Payer("a", "a"), "a.example")
    assert pool.submit("w1", receiver, fail)
    assert pool.submit("w2", receiver, lambda _: done.set())
    assert done.wait(PATIENCE_S)
    eventually(lambda: not pool._used)


def test_stop_ends_all_threads_soon() -> None:
    pool, begun, ended = SenderPool(1, ReceiverSpeeds()), Event(), Event()

    def work(may_continue: MayContinue) -> None:
        begun.set()
        eventually(lambda: not may_continue())
        ended.set()

    pool.submit("w1", Receiver(Payer("a", "a"), "a.example"), work)
    begun.wait()
    pool.stop()
    assert ended.is_set()


def test_a_subscription_with_much_to_send_lets_others_have_its_thread_and_goes_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sender_pool, "SLICE_S", 0.0)
    pool, begun, done, rest = SenderPool(1, ReceiverSpeeds()), Event(), Event(), Event()

    def much(may_continue: MayContinue) -> None:
        if begun.is_set():
            rest.set()
            return
        begun.set()
        eventually(lambda: not may_continue())

    receiver = Receiver(Payer("a", "a"), "a.example")
    pool.submit("w1", receiver, much)
    begun.wait()
    pool.submit("w2", receiver, lambda _: done.set())
    assert done.wait(PATIENCE_S)
    assert rest.wait(PATIENCE_S)


def test_hosts_are_forgotten(senders: Senders, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sender_pool, "MAX_HOSTS", 2)
    senders.quick("a.example", "b.example", "c.example")
    assert [senders.speeds.is_quick(f"{one}.example") for one in "abc"] == [False, True, True]
