"""The console says why a process ended, in plain words, and not what an earlier one has written."""

from __future__ import annotations

from pathlib import Path

import pytest

from workers.host.redis.last_words import last_message, log_end
from workers.host.redis.messages import CAUSES

STARTED = """\
7:C 29 Nov 2026 07:38:53.371 # WARNING Memory overcommit must be enabled! Without it, saves fail
7:M 29 Nov 2026 07:38:53.404 * Running mode=standalone, port=0.
"""


@pytest.mark.parametrize("part", CAUSES)
def test_a_known_cause_is_named_with_its_cure_also_if_it_is_not_the_last_line(
    tmp_path: Path, part: str
) -> None:
    log = tmp_path / "redis.log"
    warnings = (
        f"7:M 29 Nov 2026 07:38:53.405 # Error: {part} x\n7:M 29 Nov 2026 07:38:53.5 # Exiting"
    )
    log.write_text(f"{STARTED}{warnings}")
    assert last_message(log) == CAUSES[part]
    log.write_text(f"{STARTED}{warnings.replace('#', '*')}")  # only information
    assert last_message(log) == ""


def test_another_warning_is_said_as_it_is_without_its_prefix(tmp_path: Path) -> None:
    log = tmp_path / "redis.log"
    log.write_text(f"{STARTED}7:M 29 Nov 2026 07:38:53.404 # Failed opening Unix socket\n7:M 29 N")
    assert last_message(log) == "Failed opening Unix socket"


def test_what_an_earlier_process_has_written_is_not_the_reason(tmp_path: Path) -> None:
    log = tmp_path / "worker.log"
    assert (log_end(log), last_message(log)) == (0, "")
    log.write_text("an old reason\n")
    start = log_end(log)
    assert last_message(log, start) == ""
    with log.open("a") as file:
        file.write("a new one\n")
    assert last_message(log, start) == "a new one"
    log.write_text("rotated\n")
    assert last_message(log, start) == "rotated"
