"""The cache draws each picture once, stays bounded, and never blocks a thread for long."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress

import pytest

from service.drawing.pictures import cache as caching
from service.drawing.pictures.cache import PictureCache
from service.drawing.pictures.inputs import draw_picture
from service.drawing.pictures.painter import DrawingFailed, Painter
from service.runtime.errors import PaintersBusy
from service.runtime.shares.byte_cache import ENTRY_BYTES
from tests.service.drawing.pictures.scenes import fail, painters, picture
from tests.support.patience import PATIENCE_S, eventually

ROOM = 1_000_000


@pytest.fixture(autouse=True)
def nobody_is_in_a_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """A painter may take as long to start as the machine needs."""
    monkeypatch.setattr(caching, "MAX_WAIT_S", PATIENCE_S)


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(16) as threads:
        yield threads


def cache_over(painter: Painter, painters: int, queue_size: int, max_bytes: int) -> PictureCache:
    """A cache in which this painter is the first to draw."""
    cache = PictureCache(painters, queue_size, max_bytes)
    cache.use(painter)
    return cache


@contextmanager
def all_stopped() -> Iterator[None]:
    """Pause all painters within the block."""
    stopped = painters()
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in stopped:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def waiting(cache: PictureCache) -> int:
    return cache._waiting.total()


def test_a_drawn_picture_is_cached(painter: Painter) -> None:
    cache = cache_over(painter, 1, 4, ROOM)
    assert cache.find(picture()) is None
    assert cache.draw(picture(), "a") == cache.find(picture()) == draw_picture(picture())
    with all_stopped():
        assert cache.draw(picture(), "a") == draw_picture(picture())


def test_a_painter_that_runs_already_is_the_first_to_draw(painter: Painter) -> None:
    painter.draw(picture())
    running = painters()
    cache_over(painter, 2, 4, ROOM).draw(picture("other"), "a")
    assert painters() == running


def test_pictures_that_differ_in_anything_are_different_pictures() -> None:
    others = (picture("Bin"), picture(form="png"), picture(width=300), picture(draw=fail))
    assert len({other.digest for other in others} | {picture().digest}) == 5
    assert picture("Qin").digest == picture("Qin").digest


def test_the_size_of_the_cache_is_bounded(painter: Painter) -> None:
    size = len(draw_picture(picture("0")))
    cache = cache_over(painter, 1, 4, 2 * (ENTRY_BYTES + size))
    for view in ("0", "1", "0", "2", "0", "3"):
        cache.find(picture(view)) or cache.draw(picture(view), "a")
    assert [cache.find(picture(view)) is not None for view in "0123"] == [
        True,
        False,
        False,
        True,
    ]


def test_the_same_picture_wanted_many_times_at_once_is_drawn_once(
    painter: Painter, pool: ThreadPoolExecutor
) -> None:
    cache = cache_over(painter, 1, 16, 0)  # holds no picture, so that drawing twice is detected
    cache.draw(picture(), "a")
    with all_stopped():
        same = [pool.submit(cache.draw, picture("same"), address) for address in "aabbccdd"]
        eventually(lambda: waiting(cache) == 8)
        assert len(cache._in_progress) == 1
    assert {one.result() for one in same} == {draw_picture(picture("same"))}
    assert (waiting(cache), cache._in_progress) == (0, {})


def test_waiting_callers_are_bounded_in_all_and_for_each_address(
    painter: Painter, pool: ThreadPoolExecutor
) -> None:
    cache = cache_over(painter, 1, 4, ROOM)
    cache.draw(picture(), "a")
    with all_stopped():
        begun: list[Future[bytes]] = []
        for number, address in enumerate("aabb"):
            begun.append(pool.submit(cache.draw, picture(str(number)), address))
            eventually(lambda: waiting(cache) == len(begun))
            if address == "a" and len(begun) == 2:
                with pytest.raises(PaintersBusy, match="your address"):
                    cache.draw(picture("one too many"), "a")
        with pytest.raises(PaintersBusy, match="Too many"):
            cache.draw(picture("one too many"), "c")
    assert [one.result() for one in begun] == [draw_picture(picture(str(n))) for n in range(4)]
    assert cache.draw(picture("one too many"), "a")


def test_several_painters_draw_several_pictures_at_once(
    painter: Painter, pool: ThreadPoolExecutor
) -> None:
    cache = cache_over(painter, 2, 8, ROOM)
    cache.draw(picture(), "a")
    with all_stopped():
        slow = pool.submit(cache.draw, picture("slow"), "a")
        eventually(lambda: waiting(cache) == 1)
        assert cache.draw(picture("quick"), "b") == draw_picture(picture("quick"))
    assert slow.result() == draw_picture(picture("slow"))


def test_a_killed_painter_costs_no_caller_their_picture(
    painter: Painter, pool: ThreadPoolExecutor
) -> None:
    cache = cache_over(painter, 1, 8, ROOM)
    cache.draw(picture(), "a")
    with all_stopped():
        begun = [pool.submit(cache.draw, picture(str(number)), "a") for number in range(4)]
        eventually(lambda: waiting(cache) == 4)
        for pid in painters():
            os.kill(pid, signal.SIGKILL)
        assert [one.result() for one in begun] == [draw_picture(picture(str(n))) for n in range(4)]


def test_a_picture_that_cannot_be_drawn_is_tried_again_the_next_time(painter: Painter) -> None:
    cache = cache_over(painter, 1, 4, ROOM)
    for _ in range(2):
        with pytest.raises(DrawingFailed):
            cache.draw(picture(draw=fail), "a")
    assert (waiting(cache), cache._in_progress) == (0, {})
