"""Nothing grows while the service is used: memory stays below what its caches may take, and there
are as many open files, files on the disk and passing keys as before.
"""

from __future__ import annotations

import os
import sys
from collections import Counter, defaultdict
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from statistics import linear_regression
from time import monotonic
from urllib.request import urlopen

import pytest
from redis import Redis

from domain.games import GAMES
from service.runtime.process_memory import own_memory_mb
from tests.support.patience import eventually
from tests.support.whole_service import Service, whole_service
from workers.tools.store.stored_keys import treatment_of

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
MAX_MORE = 8
"""By how many the files and keys of a kind may differ between two moments: connections come and go.
"""
SMALL_CACHES = {
    "ANNALS_HISTORY_MB": "2",
    "ANNALS_MATCH_MB": "4",
    "ANNALS_PICTURE_MB": "2",
    "ANNALS_STATISTICS_MB": "4",
}
"""Settings with which caches are full soon, so that what grows afterwards has no bound."""
STORES = ("redis", "queue")
"""Their memory grows with the matches, as do the files of the log."""
AT_ONCE = 2


def use(service: Service, number: int) -> None:
    """Let quick bots play matches to their ends, and look at them."""
    game = [*GAMES][number % len(GAMES)]
    seats = [{"bot": level.key} for level in GAMES[game].levels if not level.deep][:1]
    table = {"game": game, "seats": seats * max(2, min(GAMES[game].seats))}
    matches = [service.insist("POST", "/v1/matches", table)["id"] for _ in range(AT_ONCE)]
    for match in matches:
        path = f"/v1/matches/{match}"
        urlopen(f"{service.url}{path}/stream").close()
        eventually(lambda path=path: service.insist("GET", path)["status"] == "scored")  # type: ignore[misc]
        for page in (f"/matches/{match}", f"{path}/board.png", f"{path}/export"):
            service.picture(page)
        service.insist("GET", f"{path}/events")
    service.insist("GET", "/v1/matches")
    service.insist("GET", f"/v1/analytics/games/{game}")


def memory(service: Service) -> dict[str, float]:
    """The memory of each process, in MB."""
    return {name: own_memory_mb(pid) for name, pid in processes(service)}


def amounts(service: Service) -> dict[str, int]:
    """How many there are of what must not become more: open files of each process, files on the
    disk but those of the log, and keys of passing data that do not expire.
    """
    found = {f"open in {name}": open_files(pid) for name, pid in processes(service)}
    found["on the disk"] = count_files(service.data) - count_files(service.data / "tlog")
    return found | passing_keys(service)


def processes(service: Service) -> list[tuple[str, int]]:
    """All processes but the stores: their names with their ids, and the ids."""
    return [
        (f"{kind} {pid}", pid)
        for kind, pids in service.processes().items()
        for pid in pids
        if kind not in STORES
    ]


def count_files(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


def open_files(pid: int) -> int:
    with suppress(OSError):
        return len(os.listdir(f"/proc/{pid}/fd"))
    return 0


def passing_keys(service: Service) -> Counter[str]:
    """The keys that a backup leaves out and that do not expire, by what they begin with."""
    found: Counter[str] = Counter()
    for store in STORES:
        with closing(Redis.from_url(f"unix://{service.data}/{store}/redis.sock")) as redis:
            names = [name.decode() for name in redis.scan_iter(count=1_000)]
            passing = [name for name in names if treatment_of(name) == "passing"]
            found.update(":".join(name.split(":")[:2]) for name in passing if redis.ttl(name) == -1)
    return found


def test_nothing_grows_once_the_caches_are_full(tmp_path: Path) -> None:
    used: dict[str, list[tuple[float, float]]] = defaultdict(list)
    counted: list[dict[str, int]] = []
    with whole_service(tmp_path, **SMALL_CACHES) as service:
        service.sign_up("Ada")
        began = monotonic()
        for number in count():
            use(service, number)
            if (passed := monotonic() - began) > FILLING_S * (len(counted) + 1):
                counted.append(amounts(service))
            if passed > SOAK_S:
                break
            if passed > FILLING_S:
                for name, mb in memory(service).items():
                    used[name].append((passed / 3_600, mb))
    growth = {name: linear_regression(*zip(*of, strict=True)).slope for name, of in used.items()}
    assert {name: mb for name, mb in growth.items() if mb > limit(name)} == {}
    assert find_growth(counted[0], counted[-1]) == {}


def limit(name: str) -> float:
    """How many MB a process may grow in an hour."""
    return MAX_MB_OF_STEADY if name.startswith(STEADY) else MAX_MB_PER_HOUR


def find_growth(first: dict[str, int], last: dict[str, int]) -> dict[str, tuple[int, int]]:
    """What has become more, with its number before and now; a new process had none before."""
    before = {
        what: first.get(what, n if what.startswith("open") else 0) for what, n in last.items()
    }
    return {what: (before[what], n) for what, n in last.items() if n > before[what] + MAX_MORE}
