"""One player's many tables and another's first bot move, in the whole service."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.support.patience import eventually
from tests.support.whole_service import Service, running_service

TABLES = 16


def entries(service: Service, match: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = service.insist("GET", f"/v1/matches/{match}/events")["events"]
    return found


def open_table(service: Service, **plan: Any) -> str:
    match: str = service.insist("POST", "/v1/matches", plan)["id"]
    return match


@pytest.mark.slow
def test_another_players_bot_moves_before_most_of_a_flood(tmp_path: Path) -> None:
    """Given many tables of strong bots, when another player's bot has to move, it moves before most
    of them.
    """
    with running_service(
        tmp_path / "data", ANNALS_MAX_BOT_TABLES="0", ANNALS_WORKERS="2"
    ) as service:
        service.sign_up("Flooder")
        seats = [{"bot": "alderman"}] * 5
        theirs = [open_table(service, game="hansa_teutonica", seats=seats) for _ in range(TABLES)]
        service.sign_up("Other")
        mine = open_table(
            service,
            game="qin",
            seats=[{"me": True}, {"bot": "li_mu"}],
            options={"first_player": "seat:1"},
        )
        eventually(lambda: len(entries(service, mine)) > 1)
        begun, moved = (entry["at"] for entry in entries(service, mine)[:2])
        between = [
            entry
            for match in theirs
            for entry in entries(service, match)
            if begun < entry["at"] < moved
        ]
        assert len(between) < TABLES / 2
