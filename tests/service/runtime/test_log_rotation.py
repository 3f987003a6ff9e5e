"""Logs rotate while processes keep them open."""

from __future__ import annotations

from pathlib import Path

from service.runtime import logs


def test_a_full_log_moves_to_older_files_while_it_is_open(tmp_path: Path) -> None:
    with (tmp_path / "web.log").open("a") as log:
        for line in ("first", "second", "third", "4"):
            log.write(line)
            log.flush()
            logs.rotate_logs(tmp_path, kept_bytes=15)
    contents = {file.name: file.read_text() for file in tmp_path.iterdir()}
    assert contents == {"web.log": "4", "web.log.1": "third", "web.log.2": "second"}
