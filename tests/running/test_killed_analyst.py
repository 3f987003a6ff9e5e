"""The analyst continues after a kill."""

from __future__ import annotations

import os
import signal
from functools import partial
from itertools import islice

from domain.games import GAMES
from tests.support.patience import eventually
from tests.support.whole_service import Service


def resign_match(service: Service, game: str) -> str:
    """The id of a match that its only player resigned."""
    seats = [{"me": True}, *({"bot": GAMES[game].levels[0].key} for _ in GAMES[game].seats[1:2])]
    seats += [{"bot": GAMES[game].levels[0].key}] * (GAMES[game].seats[0] - len(seats))
    match = service.insist("POST", "/v1/matches", {"game": game, "seats": seats})["id"]
    service.insist("POST", f"/v1/matches/{match}/resign", {})
    return str(match)


def test_analyses_are_made_though_the_analyst_is_killed(service: Service) -> None:
    for game in islice(GAMES, 2):
        path = f"/v1/matches/{resign_match(service, game)}/analysis"
        service.insist("GET", path, but=("not_scored",))
        for analyst in service.processes()["analyst"]:
            os.kill(analyst, signal.SIGKILL)
        eventually(partial(is_there, service, path))


def is_there(service: Service, path: str) -> bool:
    """Whether the analysis is complete."""
    return "seats" in service.insist("GET", path, but=("not_scored",))
