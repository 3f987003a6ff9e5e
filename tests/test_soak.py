"""No process grows while the service is used: memory stays below what its caches may take."""

from __future__ import annotations

import sys
from collections import defaultdict
from itertools import count
from pathlib import Path
from statistics import linear_regression
from time import monotonic

import pytest

from domain.games import GAMES
from tests.support.patience import eventually
from tests.support.whole_service import Service, whole_service
from workers.host.children.memory import own_memory_mb

pytestmark = [
    pytest.mark.long,
    pytest.mark.no_cover,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts shared memory"),
]
SOAK_S, FILLING_S = 1_800, 600
"""How long the service is used, and after how long its caches are full."""
MAX_MB_PER_HOUR, MAX_MB_OF_STEADY = 20.0, 2.0
STEADY = ("keeper", "notary")
"""They keep nothing of matches, so only a leak lets them grow."""
SMALL_CACHES = {
    "ANNALS_HISTORY_MB": "2",
    "ANNALS_MATCH_MB": "4",
    "ANNALS_PICTURE_MB": "2",
    "ANNALS_STATISTICS_MB": "4",
}
"""Settings with which caches are full soon, so that what grows afterwards has no bound."""
STORES = ("redis", "queue")
"""Their memory grows with the matches."""
AT_ONCE = 2


def use(service: Service, number: int) -> None:
    """Let quick bots play matches to their ends, and look at them."""
    game = [*GAMES][number % len(GAMES)]
    seats = [{"bot": level.key} for level in GAMES[game].levels if not level.deep][:1]
    table = {"game": game, "seats": seats * max(2, min(GAMES[game].seats))}
    matches = [service.insist("POST", "/v1/matches", table)["id"] for _ in range(AT_ONCE)]
    for match in matches:
        path = f"/v1/matches/{match}"
        eventually(lambda path=path: service.insist("GET", path)["status"] == "scored")  # type: ignore[misc]
        for page in (f"/matches/{match}", f"{path}/board.png", f"{path}/export"):
            service.picture(page)
        service.insist("GET", f"{path}/events")
    service.insist("GET", "/v1/matches")
    service.insist("GET", f"/v1/analytics/games/{game}")


def test_no_process_grows_once_its_caches_are_full(tmp_path: Path) -> None:
    used: dict[str, list[tuple[float, float]]] = defaultdict(list)
    with whole_service(tmp_path, **SMALL_CACHES) as service:
        service.sign_up("Ada")
        began = monotonic()
        for number in count():
            use(service, number)
            if (passed := monotonic() - began) > SOAK_S:
                break
            if passed > FILLING_S:
                for kind, pids in service.processes().items():
                    for pid in pids if kind not in STORES else ():
                        used[f"{kind} {pid}"].append((passed / 3_600, own_memory_mb(pid)))
    growth = {name: linear_regression(*zip(*of, strict=True)).slope for name, of in used.items()}
    assert {name: mb for name, mb in growth.items() if mb > limit(name)} == {}


def limit(name: str) -> float:
    """How many MB a process may grow in an hour."""
    return MAX_MB_OF_STEADY if name.startswith(STEADY) else MAX_MB_PER_HOUR
