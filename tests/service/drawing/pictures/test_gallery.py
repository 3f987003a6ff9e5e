"""Pictures are drawn once, kept within bounds, and never keep a thread for long."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress

import pytest

from service.drawing.pictures.cache import Gallery
from service.drawing.pictures.inputs import drawn
from service.drawing.pictures.painter import DrawingFailed
from service.runtime.errors import PaintersBusy
from tests.service.drawing.pictures.scenes import broken, painters, picture
from tests.support.patience import eventually

ROOM = 1_000_000


@pytest.fixture
def pool() -> Iterator[ThreadPoolExecutor]:
    with ThreadPoolExecutor(16) as threads:
        yield threads


@contextmanager
def all_stopped() -> Iterator[None]:
    """Nothing is drawn meanwhile."""
    stopped = painters()
    for pid in stopped:
        os.kill(pid, signal.SIGSTOP)
    try:
        yield
    finally:
        for pid in stopped:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGCONT)


def waiting(gallery: Gallery) -> int:
    return gallery._waiting.total()


def test_what_was_drawn_is_kept() -> None:
    gallery = Gallery(1, 4, ROOM)
    assert gallery.kept(picture()) is None
    assert gallery.draw(picture(), "a") == gallery.kept(picture()) == drawn(picture())
    with all_stopped():
        assert gallery.draw(picture(), "a") == drawn(picture())


def test_the_painter_that_got_ready_is_the_first_to_draw() -> None:
    gallery = Gallery(2, 4, ROOM)
    before = {*painters()}
    gallery.get_ready()
    eventually(lambda: {*painters()} - before)
    [ready] = {*painters()} - before
    gallery.draw(picture(), "a")
    assert {*painters()} - before == {ready}


def test_pictures_that_differ_in_anything_are_different_pictures() -> None:
    others = (picture("Bin"), picture(form="png"), picture(width=300), picture(draw=broken))
    assert len({other.digest for other in others} | {picture().digest}) == 5
    assert picture("Qin").digest == picture("Qin").digest


def test_no_more_bytes_are_kept_than_may_be() -> None:
    size = len(drawn(picture("0")))
    gallery = Gallery(1, 4, 2 * size)
    for view in ("0", "1", "0", "2", "0", "3"):
        gallery.kept(picture(view)) or gallery.draw(picture(view), "a")
    assert [gallery.kept(picture(view)) is not None for view in "0123"] == [
        True,
        False,
        False,
        True,
    ]


def test_the_same_picture_wanted_many_times_at_once_is_drawn_once(pool: ThreadPoolExecutor) -> None:
    gallery = Gallery(1, 16, 0)  # keeps none, so that whoever draws twice is found out
    gallery.draw(picture(), "a")
    with all_stopped():
        same = [pool.submit(gallery.draw, picture("same"), address) for address in "aabbccdd"]
        eventually(lambda: waiting(gallery) == 8)
        assert len(gallery._begun) == 1
    assert {one.result() for one in same} == {drawn(picture("same"))}
    assert (waiting(gallery), gallery._begun) == (0, {})


def test_who_waits_is_bounded_in_all_and_for_each_address(pool: ThreadPoolExecutor) -> None:
    gallery = Gallery(1, 4, ROOM)
    gallery.draw(picture(), "a")
    with all_stopped():
        begun: list[Future[bytes]] = []
        for number, address in enumerate("aabb"):
            begun.append(pool.submit(gallery.draw, picture(str(number)), address))
            eventually(lambda: waiting(gallery) == len(begun))
            if address == "a" and len(begun) == 2:
                with pytest.raises(PaintersBusy, match="one address"):
                    gallery.draw(picture("one too many"), "a")
        with pytest.raises(PaintersBusy, match="As many"):
            gallery.draw(picture("one too many"), "c")
    assert [one.result() for one in begun] == [drawn(picture(str(n))) for n in range(4)]
    assert gallery.draw(picture("one too many"), "a")


def test_several_painters_draw_several_pictures_at_once(pool: ThreadPoolExecutor) -> None:
    gallery = Gallery(2, 8, ROOM)
    gallery.draw(picture(), "a")
    with all_stopped():
        slow = pool.submit(gallery.draw, picture("slow"), "a")
        eventually(lambda: waiting(gallery) == 1)
        assert gallery.draw(picture("quick"), "b") == drawn(picture("quick"))
    assert slow.result() == drawn(picture("slow"))


def test_a_killed_painter_costs_nobody_their_picture(pool: ThreadPoolExecutor) -> None:
    gallery = Gallery(1, 8, ROOM)
    gallery.draw(picture(), "a")
    with all_stopped():
        begun = [pool.submit(gallery.draw, picture(str(number)), "a") for number in range(4)]
        eventually(lambda: waiting(gallery) == 4)
        os.kill(painters()[0], signal.SIGKILL)
        assert [one.result() for one in begun] == [drawn(picture(str(n))) for n in range(4)]


def test_a_picture_that_cannot_be_drawn_is_tried_again_the_next_time() -> None:
    gallery = Gallery(1, 4, ROOM)
    for _ in range(2):
        with pytest.raises(DrawingFailed):
            gallery.draw(picture(draw=broken), "a")
    assert (waiting(gallery), gallery._begun) == (0, {})
