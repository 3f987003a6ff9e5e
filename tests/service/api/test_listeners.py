"""Those who listen to one match: what befalls one of them, and what befalls all."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from queue import SimpleQueue

import pytest
from flask import Flask
from redis.exceptions import TimeoutError as RedisTimeout

from domain.match.decisions import ending
from service.live import broadcast
from service.live.broadcast import OPENING, Broadcast, Eyes, Listener
from service.matches.container import Annals
from service.runtime.errors import Unauthorized
from service.store.redis_client import connect
from tests.service.api.conftest import Api, moves, play_on, system
from tests.support.patience import PATIENCE_S


def nothing() -> None:
    """What always succeeds."""


def out_of_redis() -> None:
    raise RedisTimeout("no answer")


def ended() -> None:
    raise Unauthorized("This token has ended.")


class Ear:
    """Somebody who listens, and keeps what they hear."""

    def __init__(
        self, told: Broadcast[int], after: int = 2, admit: Callable[[], None] = nothing
    ) -> None:
        self.listener = Listener(told, after, Eyes(None), admit, nothing)
        self.listener.hear = self.hear
        self._parts: SimpleQueue[bytes | None] = SimpleQueue()

    def hear(self, part: bytes | None) -> None:
        self._parts.put(part)

    def next(self) -> bytes | None:
        return self._parts.get(timeout=PATIENCE_S)

    def all(self) -> list[bytes | None]:
        """What they have heard and not yet taken note of."""
        return [self._parts.get() for _ in range(self._parts.qsize())]

    def join(self) -> None:
        self.listener.broadcast.join(self.listener)
        assert self.next() == OPENING


class Broken(Ear):
    """Somebody whose connection fails."""

    def hear(self, part: bytes | None) -> None:
        super().hear(part)
        if part != OPENING:
            raise RuntimeError("Cannot call write() after write_eof()")


class Leaving(Ear):
    """Somebody who goes as soon as they have heard something."""

    def hear(self, part: bytes | None) -> None:
        super().hear(part)
        if part != OPENING:
            self.listener.close()


@pytest.fixture
def told(app: Flask, toy: str) -> Broadcast[int]:
    """The broadcast of a match."""
    found: Broadcast[int] = app.extensions["annals"].broadcasts.of(toy.rpartition("/")[2])
    return found


def test_one_whose_connection_fails_ends_alone(
    told: Broadcast[int], toy: str, ann: Api, bob: Api
) -> None:
    whole, broken = Ear(told), Broken(told)
    for ear in (whole, broken):
        ear.join()
    for version in (3, 4):
        play_on(toy, ann, bob, until=version)
        assert (whole.next() or b"").startswith(b"id: %d\n" % version)
    part, end = broken.all()
    assert (part or b"").startswith(b"id: 3\n")
    assert end is None
    whole.listener.close()


def test_one_whose_connection_fails_in_silence_ends_alone(
    told: Broadcast[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broadcast, "HEARTBEAT_S", 0.01)
    whole, broken = Ear(told), Broken(told)
    for ear in (broken, whole):
        ear.join()
    assert broken.next() == broadcast.HEARTBEAT
    assert broken.next() is None
    whole.all()
    assert whole.next() == broadcast.HEARTBEAT
    whole.listener.close()


def test_everybody_hears_the_end_once_and_nobody_who_has_gone_does(
    told: Broadcast[int], toy: str, ann: Api, bob: Api, annals: Annals
) -> None:
    """Given a match that ends, when it is told to some of whom one may listen no more, and one
    goes meanwhile.
    """
    last = play_on(toy, ann, bob)
    ears = [Ear(told, last), Ear(told, last, ended), Broken(told, last), Leaving(told, last)]
    for ear in ears:
        ear.join()
    system(annals, toy, lambda match, now: ending.score(match))
    later = Ear(told, last)
    assert ears[0].next()
    assert ears[0].next() is None
    later.join()  # whoever it is told to, it has been told to all before
    assert later.next()
    whole, refused, broken, gone = (ear.all() for ear in ears)
    assert (whole, refused) == ([], [None])
    assert (len(broken), broken[-1]) == (2, None)
    assert len(gone) == 1
    assert gone[0]


def test_all_end_if_what_they_listen_to_cannot_be_followed_and_later_ones_hear(
    told: Broadcast[int], toy: str, bob: Api, annals: Annals
) -> None:
    store = annals.store
    redis, store.redis = store.redis, connect("unix:///nowhere/redis.sock")
    ear = Ear(told)
    ear.join()
    assert ear.next() is None
    store.redis = redis
    later = Ear(told)
    later.join()
    bob.post(f"{toy}/moves", {"move": moves(bob, toy)[0]})
    assert (later.next() or b"").startswith(b"id: 3\n")
    later.listener.close()


def test_all_end_if_nobody_can_say_whether_they_may_listen(
    told: Broadcast[int], toy: str, bob: Api
) -> None:
    """Since to ask anew for each of them would keep all others waiting."""
    ears = [Ear(told, admit=out_of_redis) for _ in range(2)] + [Ear(told, 3)]
    for ear in ears:
        ear.join()
    bob.post(f"{toy}/moves", {"move": moves(bob, toy)[0]})
    assert [ear.next() for ear in ears] == [None] * 3


def test_others_hear_though_whoever_tells_them_is_ended(told: Broadcast[int]) -> None:
    """Given somebody who is ended, as on an event loop, while they tell the others."""
    others = [Ear(told) for _ in range(2)]
    for ear in others:
        ear.join()

    def cancelled() -> None:
        for ear in others:
            told.look([ear.listener])
        first.listener.close()
        raise asyncio.CancelledError

    first = Ear(told, 1, cancelled)
    with pytest.raises(asyncio.CancelledError):
        first.join()
    later = Ear(told, 1)
    later.join()
    assert (later.next() or b"").startswith(b"id: 2\n")
    for ear in (*others, later):
        ear.listener.close()


def test_whoever_leaves_twice_gives_one_place_back(told: Broadcast[int]) -> None:
    left: list[str] = []
    listener = Listener(told, 2, Eyes(None), nothing, lambda: left.append("Ann"))
    listener.close()
    listener.close()
    assert left == ["Ann"]


def test_a_match_is_followed_no_more_once_nobody_listens(
    app: Flask, told: Broadcast[int], toy: str, ann: Api, bob: Api
) -> None:
    watcher, match = app.extensions["annals"].watcher, toy.rpartition("/")[2]

    def followed() -> bool:
        return any(match in channels for channels in watcher._channels.values())

    ears = [Ear(told) for _ in range(2)]
    for ear in ears:
        ear.join()
    ears[0].listener.close()
    play_on(toy, ann, bob, until=3)
    assert ears[1].next()
    assert not ears[0].all()
    assert followed()
    ears[1].listener.close()
    assert not followed()
