"""The painter process: it is available on demand and restarts after it dies."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from service.drawing.pictures import painter as painting
from service.drawing.pictures.inputs import draw_picture
from service.drawing.pictures.painter import DrawingFailed, Painter
from service.runtime.errors import PaintersBusy
from tests.service.drawing.pictures.scenes import ending, fail, painters, picture
from tests.support.killing import run_in_child
from tests.support.patience import eventually


def runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_a_picture_is_drawn_elsewhere_as_it_would_be_here(painter: Painter) -> None:
    for form in ("svg", "png"):
        assert painter.draw(picture(form=form)) == draw_picture(picture(form=form))
    assert len(painters()) == 1


def test_a_painter_runs_at_low_priority(painter: Painter) -> None:
    painter.draw(picture())
    [pid] = painters()
    assert os.getpriority(os.PRIO_PROCESS, pid) > os.getpriority(os.PRIO_PROCESS, 0)


def test_a_painter_that_is_killed_is_followed_by_another_that_is_kept(
    painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a machine with much other work, on which the other loads longer than a caller waits,
    then callers are refused, and no start is in vain.
    """
    painter.draw(picture("one"))
    [first] = painters()
    os.kill(first, signal.SIGKILL)
    eventually(lambda: not runs(first))
    with monkeypatch.context() as hurried:
        hurried.setattr(painting, "MAX_DRAWING_S", 0)
        with pytest.raises(PaintersBusy, match="still starting"):
            painter.draw(picture("two"))
        begun = painter._pipe
    assert painter.draw(picture("two")) == draw_picture(picture("two"))
    assert painter._pipe is begun
    [second] = painters()
    assert second != first


def test_a_painter_that_never_answers_is_ended(
    painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    painter.draw(picture())
    [pid] = painters()
    os.kill(pid, signal.SIGSTOP)
    monkeypatch.setattr(painting, "MAX_DRAWING_S", 0.1)
    with pytest.raises(PaintersBusy):
        painter.draw(picture())
    assert not runs(pid)


def test_what_ends_each_painter_is_given_up_and_the_next_picture_is_drawn(
    painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also after a painter that has never loaded, which is followed by another."""
    with pytest.raises(PaintersBusy):
        painter.draw(picture(draw=ending))
    with monkeypatch.context() as hurried:
        hurried.setattr(painting, "MAX_DRAWING_S", 0)
        hurried.setattr(painting, "MAX_START_S", 0)
        with pytest.raises(PaintersBusy, match="still starting"):
            painter.draw(picture())
    assert painter._pipe is None
    assert painter.draw(picture()) == draw_picture(picture())


def test_an_error_in_the_drawing_code_is_reported_and_ends_nothing(painter: Painter) -> None:
    painter.draw(picture())
    before = painters()
    with pytest.raises(DrawingFailed, match="in fail") as failed:
        painter.draw(picture("this", fail))
    assert "nobody can draw this" not in str(failed.value)  # a view may be secret
    painter.draw(picture())
    assert painters() == before


def test_an_idle_painter_ends() -> None:
    painter, before = Painter(), {*painters()}
    painter.draw(picture())
    [pid] = {*painters()} - before
    del painter
    assert not runs(pid)


def test_a_painter_ends_when_its_parent_is_killed(tmp_path: Path) -> None:
    noted = tmp_path / "pid"

    def begin_and_die() -> None:
        left_alone = Painter()
        left_alone.draw(picture())
        noted.write_text(" ".join(map(str, painters())))
        os.kill(os.getpid(), signal.SIGKILL)

    assert run_in_child(begin_and_die) == signal.SIGKILL
    pid = int(noted.read_text())
    eventually(lambda: not runs(pid))
