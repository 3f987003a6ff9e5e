"""The soak (test_soak.py) runs every process of the service, and sees a small leak."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import Any

import pytest

from service.runtime.settings import Settings, read_settings
from tests.discord.people import StandIn
from tests.test_soak import MAX_KB_PER_1000_MOVES, all_processes, growth_of, program_names


class AllOn:
    """Settings of which each is on, with its value or with 1."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    def __getattr__(self, name: str) -> Any:
        return getattr(self._settings, name) or 1


def test_the_soak_runs_every_program_that_a_setting_turns_on(tmp_path: Path) -> None:
    given = all_processes(tmp_path, StandIn(1), mail_port=25) | {"ANNALS_DATA": str(tmp_path)}
    settings = read_settings(given)
    assert program_names(settings) == program_names(AllOn(settings))


@pytest.mark.slow
@pytest.mark.parametrize(("leak_kb", "backup_kb"), [(0, 0), (0, 20_000), (60, 0), (60, 20_000)])
def test_a_small_leak_is_found_and_a_backup_is_none(leak_kb: int, backup_kb: int) -> None:
    """Given 100 measurements in 50,000 moves, with noise, ten of them during backups."""
    chance = Random(1)
    points = [
        (at / 2, leak_kb * at / 2 + backup_kb * (at % 10 == 9) + chance.uniform(0, 400))
        for at in range(100)
    ]
    assert (growth_of(points) > MAX_KB_PER_1000_MOVES) == (leak_kb > 0)
