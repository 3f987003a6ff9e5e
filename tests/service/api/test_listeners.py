"""The subscribers of one match: what affects one of them, and what affects all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from queue import SimpleQueue
from time import monotonic

import pytest
from flask import Flask
from redis.exceptions import TimeoutError as RedisTimeout

from domain.match.decisions import ending
from service.live import broadcast
from service.live.broadcast import RETRY, Broadcast, Subscriber, Viewer
from service.matches.container import Annals
from service.runtime.errors import InvalidToken
from service.store.redis_client import connect
from tests.service.api.conftest import Api, moves, play_on, system
from tests.support.patience import PATIENCE_S

BEAT = b"event: beat\n"


def nothing() -> None:
    """Always succeed."""


def out_of_redis() -> None:
    raise RedisTimeout("no answer")


def refuse() -> None:
    raise InvalidToken("This token has ended.")


class Ear:
    """A subscriber who records what they receive."""

    def __init__(
        self, source: Broadcast[int], after: int = 2, admit: Callable[[], None] = nothing
    ) -> None:
        self.listener = Subscriber(source, after, Viewer(None), admit, nothing)
        self.listener.send = self.hear
        self._parts: SimpleQueue[bytes | None] = SimpleQueue()

    def hear(self, part: bytes | None) -> None:
        self._parts.put(part)

    def next(self) -> bytes | None:
        return self._parts.get(timeout=PATIENCE_S)

    def all(self) -> list[bytes | None]:
        """What they received since the last call."""
        return [self._parts.get() for _ in range(self._parts.qsize())]

    def join(self) -> None:
        self.listener.broadcast.subscribe(self.listener)
        assert (self.next() or b"").startswith(RETRY)


class Broken(Ear):
    """A subscriber whose connection fails."""

    def hear(self, part: bytes | None) -> None:
        super().hear(part)
        if not (part or b"").startswith(RETRY):
            raise RuntimeError("Cannot call write() after write_eof()")


class Leaving(Ear):
    """A subscriber who unsubscribes at the first delivery."""

    def hear(self, part: bytes | None) -> None:
        super().hear(part)
        if not (part or b"").startswith(RETRY):
            self.listener.close()


@pytest.fixture
def toy_broadcast(app: Flask, toy: str) -> Broadcast[int]:
    """The broadcast of a match."""
    found: Broadcast[int] = app.extensions["annals"].broadcasts.of(toy.rpartition("/")[2])
    return found


def test_a_failed_connection_ends_only_its_subscriber(
    toy_broadcast: Broadcast[int], toy: str, ann: Api, bob: Api
) -> None:
    whole, broken = Ear(toy_broadcast), Broken(toy_broadcast)
    for ear in (whole, broken):
        ear.join()
    for version in (3, 4):
        play_on(toy, ann, bob, until=version)
        assert (whole.next() or b"").startswith(b"id: %d\n" % version)
    part, end = broken.all()
    assert (part or b"").startswith(b"id: 3\n")
    assert end is None
    whole.listener.close()


def test_a_silently_failed_connection_ends_only_its_subscriber(
    toy_broadcast: Broadcast[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "HEARTBEAT_S", 0.01)
    whole, broken = Ear(toy_broadcast), Broken(toy_broadcast)
    for ear in (broken, whole):
        ear.join()
    assert (broken.next() or b"").startswith(BEAT)
    assert broken.next() is None
    whole.all()
    assert (whole.next() or b"").startswith(BEAT)
    whole.listener.close()


def test_a_silent_subscriber_gets_heartbeats_while_others_catch_up(
    toy_broadcast: Broadcast[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    silent, late = Ear(toy_broadcast), Ear(toy_broadcast, after=0)
    silent.join()
    later = monotonic() + broadcast.HEARTBEAT_S
    monkeypatch.setattr(broadcast, "monotonic", lambda: later)
    late.join()  # catches up with all entries
    toy_broadcast.keep_alive()
    assert (silent.next() or b"").startswith(BEAT)
    assert not any((part or b"").startswith(BEAT) for part in late.all())


def test_all_hear_the_end_once_and_those_who_left_do_not(
    toy_broadcast: Broadcast[int], toy: str, ann: Api, bob: Api, annals: Annals
) -> None:
    """Given a match that ends, when it is delivered to subscribers of whom one has lost access and
    another unsubscribes at the same time.
    """
    last = play_on(toy, ann, bob)
    ears = [
        Ear(toy_broadcast, last),
        Ear(toy_broadcast, last, refuse),
        Broken(toy_broadcast, last),
        Leaving(toy_broadcast, last),
    ]
    for ear in ears:
        ear.join()
    system(annals, toy, lambda match, now: ending.score(match))
    later = Ear(toy_broadcast, last)
    assert ears[0].next()
    assert ears[0].next() is None
    later.join()  # every earlier delivery reached all subscribers, whichever thread made it
    assert later.next()
    whole, refused, broken, gone = (ear.all() for ear in ears)
    assert (whole, refused) == ([], [None])
    assert (len(broken), broken[-1]) == (2, None)
    assert len(gone) == 1
    assert gone[0]


def test_all_end_if_the_match_cannot_be_read_and_later_subscribers_hear(
    toy_broadcast: Broadcast[int],
    toy: str,
    bob: Api,
    annals: Annals,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(broadcast, "HEARTBEAT_S", 3_600.0)  # none comes between, however long
    store = annals.store
    redis, store.redis = store.redis, connect("unix:///nowhere/redis.sock")
    ear = Ear(toy_broadcast)
    ear.join()
    assert ear.next() is None
    store.redis = redis
    later = Ear(toy_broadcast)
    later.join()
    bob.post(f"{toy}/moves", {"move": moves(bob, toy)[0]})
    assert (later.next() or b"").startswith(b"id: 3\n")
    later.listener.close()


def test_all_end_if_their_access_cannot_be_checked(
    toy_broadcast: Broadcast[int], toy: str, bob: Api
) -> None:
    """Checking each of them again would keep all others waiting."""
    ears = [Ear(toy_broadcast, admit=out_of_redis) for _ in range(2)] + [Ear(toy_broadcast, 3)]
    for ear in ears:
        ear.join()
    bob.post(f"{toy}/moves", {"move": moves(bob, toy)[0]})
    assert [ear.next() for ear in ears] == [None] * 3


def test_others_hear_though_the_publisher_is_cancelled(toy_broadcast: Broadcast[int]) -> None:
    """Given a publisher that is cancelled, as on an event loop, while it delivers."""
    others = [Ear(toy_broadcast) for _ in range(2)]
    for ear in others:
        ear.join()

    def cancel() -> None:
        for ear in others:
            toy_broadcast.deliver_to([ear.listener])
        first.listener.close()
        raise asyncio.CancelledError

    first = Ear(toy_broadcast, 1, cancel)
    with pytest.raises(asyncio.CancelledError):
        first.join()
    later = Ear(toy_broadcast, 1)
    later.join()
    assert (later.next() or b"").startswith(b"id: 2\n")
    for ear in (*others, later):
        ear.listener.close()


def test_a_subscriber_who_leaves_twice_gives_one_slot_back(toy_broadcast: Broadcast[int]) -> None:
    left: list[str] = []
    listener = Subscriber(toy_broadcast, 2, Viewer(None), nothing, lambda: left.append("Ann"))
    listener.close()
    listener.close()
    assert left == ["Ann"]


def test_a_match_is_unsubscribed_once_no_subscriber_is_left(
    app: Flask, toy_broadcast: Broadcast[int], toy: str, ann: Api, bob: Api
) -> None:
    watcher, match = app.extensions["annals"].watcher, toy.rpartition("/")[2]

    def is_followed() -> bool:
        return any(match in watches for watches in watcher._watches.values())

    ears = [Ear(toy_broadcast) for _ in range(2)]
    for ear in ears:
        ear.join()
    ears[0].listener.close()
    play_on(toy, ann, bob, until=3)
    assert ears[1].next()
    assert not ears[0].all()
    assert is_followed()
    ears[1].listener.close()
    assert not is_followed()
