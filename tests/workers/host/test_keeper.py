"""The keeper says on the console what its host must know."""

from __future__ import annotations

from pathlib import Path
from threading import Event, Thread

import pytest

from service.tlog.folder import Folder
from tests.support.patience import eventually
from workers.host import keeper


def test_the_console_says_why_the_log_stops_and_when_it_continues(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said: list[str] = []
    monkeypatch.setattr(keeper, "say", said.append)
    monkeypatch.setattr(keeper, "LOG_INTERVAL_S", 0.001)
    folder, stop = Folder(tmp_path), Event()
    thread = Thread(target=keeper.follow_log, args=(folder, stop))
    thread.start()
    try:
        for reason in ("run `annals tlog resume`", None):
            already = len(said)
            folder.set_stop_reason(reason)
            eventually(lambda already=already: len(said) > already)  # type: ignore[misc]
    finally:
        stop.set()
        thread.join()
    assert said == [
        "The transparency log signs nothing: run `annals tlog resume`",
        "The transparency log continues.",
    ]
