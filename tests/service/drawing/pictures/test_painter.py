"""The painter process: it is available on demand and restarts after it dies."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from service.drawing.pictures import painter as painting
from service.drawing.pictures.inputs import draw_picture
from service.drawing.pictures.painter import DrawingFailed, Painter
from service.runtime.errors import PaintersBusy
from tests.service.drawing.pictures.scenes import ending, fail, painters, picture
from tests.support.patience import eventually

ROOT = Path(__file__).parents[4]
LEFT_ALONE = """
import os, signal
from service.drawing.pictures.painter import Painter
from tests.service.drawing.pictures.scenes import painters, picture
Painter.kept = Painter()
Painter.kept.draw(picture())
print(*painters(), flush=True)
os.kill(os.getpid(), signal.SIGKILL)
"""


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


def test_a_painter_that_is_killed_is_followed_by_another(painter: Painter) -> None:
    painter.draw(picture("one"))
    [first] = painters()
    os.kill(first, signal.SIGKILL)
    assert painter.draw(picture("two")) == draw_picture(picture("two"))
    [second] = painters()
    assert second != first


def test_a_painter_that_loads_longer_than_a_caller_waits_is_kept(
    painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Given a machine with much other work, then callers are refused, and no start is in vain."""
    painter.stop()  # an earlier test may have used it
    with monkeypatch.context() as hurried:
        hurried.setattr(painting, "MAX_DRAWING_S", 0)
        with pytest.raises(PaintersBusy, match="still starting"):
            painter.draw(picture())
        begun = painter._pipe
    assert painter.draw(picture()) == draw_picture(picture())
    assert painter._pipe is begun


def test_a_painter_that_never_has_loaded_is_followed_by_another(
    painter: Painter, monkeypatch: pytest.MonkeyPatch
) -> None:
    painter.stop()
    with monkeypatch.context() as hurried:
        hurried.setattr(painting, "MAX_DRAWING_S", 0)
        hurried.setattr(painting, "MAX_START_S", 0)
        with pytest.raises(PaintersBusy, match="still starting"):
            painter.draw(picture())
    assert painter._pipe is None
    assert painter.draw(picture()) == draw_picture(picture())


def test_what_ends_each_painter_is_given_up_and_the_next_picture_is_drawn(painter: Painter) -> None:
    with pytest.raises(PaintersBusy):
        painter.draw(picture(draw=ending))
    assert painter.draw(picture()) == draw_picture(picture())


def test_an_error_in_the_drawing_code_is_reported_and_ends_nothing(painter: Painter) -> None:
    painter.draw(picture())
    before = painters()
    with pytest.raises(DrawingFailed, match="in fail") as failed:
        painter.draw(picture("this", fail))
    assert "nobody can draw this" not in str(failed.value)  # a view may be secret
    painter.draw(picture())
    assert painters() == before


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


def test_an_idle_painter_ends() -> None:
    painter, before = Painter(), {*painters()}
    painter.draw(picture())
    [pid] = {*painters()} - before
    del painter
    assert not runs(pid)


def test_a_painter_ends_when_its_parent_is_killed() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", LEFT_ALONE], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert ended.returncode == -signal.SIGKILL, ended.stderr
    eventually(lambda: not runs(int(ended.stdout)))
