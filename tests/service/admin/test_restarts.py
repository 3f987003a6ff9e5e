"""Restarts are counted for one run."""

from __future__ import annotations

from pathlib import Path

from service.admin.restarts import FILE, Restarts, read_restarts


def test_restarts_are_counted_for_a_run_also_over_a_reload(tmp_path: Path) -> None:
    record = read_restarts(tmp_path, "first")
    record.add("worker", 5, "exit status 1")
    record.write(tmp_path)
    again = read_restarts(tmp_path, "first")  # after a reload, the run is the same
    again.add("worker", 9, "terminated by SIGKILL")
    again.write(tmp_path)
    found = read_restarts(tmp_path, "first").processes
    assert found == {"worker": Restarts(2, 9, "terminated by SIGKILL")}
    assert read_restarts(tmp_path, "second").processes == {}


def test_without_a_record_or_room_for_it_nothing_fails(tmp_path: Path) -> None:
    (tmp_path / FILE).write_text("{")
    record = read_restarts(tmp_path, "first")
    record.add("web", 1, "killed")
    record.write(tmp_path / FILE)  # no folder
    assert read_restarts(tmp_path, "first").processes == {}
