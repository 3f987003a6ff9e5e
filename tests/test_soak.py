"""Nothing grows while all processes of the service are used in every way: memory stays below what
its caches may take, that of Redis below what its entries and accounts need, and there are as many
open files, files on the disk and passing keys as before.
"""

from __future__ import annotations

import json
import os
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from http.client import HTTPException
from itertools import combinations, count
from pathlib import Path
from random import Random
from statistics import median
from threading import Event, Thread
from time import monotonic
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from redis import Redis

from domain.games import GAMES
from service.front.app import create_app
from service.matches.container import open_annals
from service.runtime.settings import read_settings
from tests.discord.people import Person, StandIn, options, stand_in
from tests.service.api.test_scopes import PLACES
from tests.service.front.test_every_route_in_turn import address, routes
from tests.support.evenings import MAIL, Evening
from tests.support.mail_server import mail_server
from tests.support.patience import eventually
from tests.support.receiver import receiving
from tests.support.whole_service import Service, whole_service
from workers.host.run import build_programs
from workers.tools.store.stored_keys import treatment_of

pytestmark = [
    pytest.mark.long,
    pytest.mark.no_cover,
    pytest.mark.skipif(sys.platform != "linux", reason="only Linux counts shared memory"),
]
SOAK_S, FILLING_S = 1_800, 600
"""How long the service is used, and after how long its caches are full."""
FILLING_USES = 150
"""How often the service is used at least until its caches are full: with larger ones, the web
process grew by 16 MB in the first 140 times, and by 0.3 MB in the next 20. A busy machine does
fewer in `FILLING_S`; the soak lasts longer then.
"""
MEASURED_USES = 100
"""How often the service is used at least after that: among fewer, noise would hide a leak."""
MAX_KB_PER_1000_MOVES, MAX_KB_OF_STEADY, MAX_KB_OF_ANALYST = 40.0, 15.0, 250.0
"""By how much a process may grow with the moves that are recorded, in the second half of the time
after its caches are full. A use has some 430 moves. docs/testing.md has what was measured.
"""
STEADY = ("keeper", "notary", "supervisor", "archive", "export")
"""They keep nothing of matches that are over, so only a leak lets them grow."""
ANALYST = "analyst"
"""It fills the caches of the bots of all games, which takes hundreds of analyses."""
NOTICE_TYPES = ["move.made"]
BUSY = 503
MAX_MORE = 8
"""By how many the files and keys of a kind may differ between two moments: connections come and go.
"""
SMALL_CACHES = {
    "ANNALS_CACHE_MB": "1",
    "ANNALS_HISTORY_MB": "1",
    "ANNALS_MATCH_MB": "1",
    "ANNALS_PICTURE_MB": "1",
    "ANNALS_STATISTICS_MB": "1",
}
"""Settings with which caches are full soon, so that what grows afterwards has no bound."""
WAITING = "rq:job:analysis-"
"""Analyses that wait in a queue with a bound, for a process that works while no other does: on a
busy machine they become more.
"""
CHANNEL = "500"
ANONYMOUS_KB = re.compile(r"^(?:Anonymous|Swap):\s+(\d+) kB", re.MULTILINE)
STORES = ("redis", "queue")
"""Their memory grows with the matches, as do the files of the log."""
ALWAYS = {"keeper", "web", "painter", "supervisor"}
"""Processes that no setting turns off."""
AT_ONCE = 2
MOVES = 3
"""How many moves a person makes in a match before they undo the last."""
MAX_MORE_MB = 3.0
"""By how much the memory of a Redis may differ between two moments, without its recorded keys."""


def all_processes(folder: Path, discord: StandIn, mail_port: int) -> dict[str, str]:
    """Settings with which every process of the service runs."""
    places = {name: folder / name for name in ("ANNALS_BACKUP", "ANNALS_EXPORT")}
    for place in places.values():
        place.mkdir()
    return {
        **SMALL_CACHES,
        **discord.settings,
        **MAIL,
        **{name: str(place) for name, place in places.items()},
        "ANNALS_ARCHIVE_DAYS": "1",
        "ANNALS_BACKUP_HOURS": "0.1",
        "ANNALS_SMTP_PORT": str(mail_port),
        "ANNALS_WEBHOOKS_LOOPBACK": "1",
    }


def program_names(settings: Any) -> set[str]:
    """What a service with these settings runs."""
    return {program.name for program in build_programs(settings)}


def use(service: Service, number: int, people: tuple[Person, Person], evening: Evening) -> int:
    """Let quick bots play matches to their ends, and look at them; return the number of moves."""
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
    look_at_everything(service, {**PLACES, "match_id": matches[0], "game": game})
    play_as_a_person(service, game)
    learn(service, game)
    play_in_discord(people, Random(number))
    evening.go_on()
    return sum(service.insist("GET", f"/v1/matches/{match}")["version"] for match in matches)


def play_in_discord(people: tuple[Person, Person], chance: Random) -> None:
    """Begin a match in a channel, make a move, and give up."""
    one, two = people
    card = two.presses(one.says("new", game="qin", seats=2), "Join")
    mover = one if f"<@{one.id}>" in json.dumps(card["components"]) else two
    shown = mover.presses(card, "Move")
    while choices := options(shown):
        shown = mover.chooses(shown, chance.choice(choices)["value"])
    one.presses(one.says("resign"), "Resign")


def play_as_a_person(service: Service, game: str) -> None:
    """Play for all seats of a match, take a move back, and give up."""
    table = {"game": game, "seats": [{"me": True}] * max(2, min(GAMES[game].seats))}
    path = f"/v1/matches/{service.insist('POST', '/v1/matches', table)['id']}"
    for _ in range(MOVES):
        move = service.insist("GET", f"{path}/legal-moves")["moves"][0]
        service.insist("POST", f"{path}/moves", {"move": move})
    service.insist("POST", f"{path}/undo")
    service.insist("POST", f"{path}/redo", but=["nothing_to_redo"])
    while service.insist("GET", path)["status"] == "active":
        service.insist("POST", f"{path}/resign")


def learn(service: Service, game: str) -> None:
    """Begin a lesson, and close it."""
    for lesson in GAMES[game].resources.lessons:
        begun = service.insist("POST", f"/v1/games/{game}/lessons/{lesson}")
        path = f"/v1/matches/{begun['id']}"
        service.insist("GET", f"{path}/lesson")
        service.insist("DELETE", path)


def look_at_everything(service: Service, places: dict[str, str]) -> None:
    """Request all that can be read, of the contract and of the page; a stream only begins."""
    settings = read_settings({**service.environ, "REDIS_URL": redis_urls(service)[0]})
    app = create_app(open_annals(settings))
    for method, rule in routes(app):
        if method == "GET":
            with answer_to(service, path := address(app, rule, places)) as answer:
                if "stream" not in path:
                    answer.read()


def answer_to(service: Service, path: str) -> Any:
    """The answer to a request of the person, which may be a problem but no error of the service."""
    try:
        answer: Any = urlopen(Request(service.url + path, headers=authorize(service)), timeout=60)
    except HTTPError as problem:
        answer = problem
    assert answer.status < 500 or answer.status == BUSY, path
    return answer


def authorize(service: Service) -> dict[str, str]:
    return {"Authorization": f"Bearer {service.token}"}


@contextmanager
def staying_stream(service: Service) -> Iterator[None]:
    """A stream of the person, which they open again when it ends, until the end of the block."""
    ended = Event()

    def follow() -> None:
        while not ended.is_set():
            with suppress(OSError, HTTPException), answer_to(service, "/v1/me/stream") as stream:
                while stream.readline() and not ended.is_set():
                    pass

    thread = Thread(target=follow)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()  # there is a beat at least every 12 seconds


def memory(service: Service) -> dict[str, float]:
    """The memory of each process that is of no file, in MB.

    It contains what the process shares with the one that started it, since to write into such a
    page, as each count of references does, is no growth.
    """
    return {name: sum_of_memory(pid) for name, pid in processes(service)}


def sum_of_memory(pid: int) -> float:
    with suppress(OSError):
        kilobytes = ANONYMOUS_KB.findall(Path(f"/proc/{pid}/smaps_rollup").read_text())
        return sum(map(int, kilobytes)) * 1024 / 1_000_000
    return 0.0


def amounts(service: Service) -> dict[str, int]:
    """How many there are of what must not become more: open files of each process, files on the
    disk but those of the log, and keys of passing data that do not expire.
    """
    found = {f"open in {name}": open_files(pid) for name, pid in processes(service)}
    found["on the disk"] = count_files(service.data) - count_files(service.data / "tlog")
    return found | passing_keys(service)


def processes(service: Service) -> list[tuple[str, int]]:
    """All processes but the stores: their names with their ids, and the ids."""
    titles = {service.process.pid: "supervisor", **service.titles()}
    return [(f"{title} {pid}", pid) for pid, title in titles.items()]


def count_files(folder: Path) -> int:
    return sum(path.is_file() for path in folder.rglob("*"))


def open_files(pid: int) -> int:
    with suppress(OSError):
        return len(os.listdir(f"/proc/{pid}/fd"))
    return 0


def passing_keys(service: Service) -> Counter[str]:
    """The keys that a backup leaves out and that do not expire, by what they begin with."""
    found: Counter[str] = Counter()
    for url in redis_urls(service):
        with closing(Redis.from_url(url)) as redis:
            names = [name.decode() for name in redis.scan_iter(count=1_000)]
            passing = [
                name
                for name in names
                if treatment_of(name) == "passing" and not name.startswith(WAITING)
            ]
            found.update(":".join(name.split(":")[:2]) for name in passing if redis.ttl(name) == -1)
    return found


def redis_urls(service: Service) -> list[str]:
    return [f"unix://{service.data}/{store}/redis.sock" for store in STORES]


def memory_of_stores(service: Service) -> dict[str, float]:
    """The memory of each Redis in MB, without that of the keys that a backup records: these grow
    with the matches and the accounts.
    """
    found = {}
    for store, url in zip(STORES, redis_urls(service), strict=True):
        with closing(Redis.from_url(url)) as redis:
            names = list(redis.scan_iter(count=1_000))
            recorded = [one for one in names if treatment_of(one.decode()) != "passing"]
            used = redis.info("memory")["used_memory"]
            needed = sum(redis.memory_usage(one, samples=0) or 0 for one in recorded)
            found[store] = (used - needed) / 1_000_000
    return found


@dataclass
class Soak:
    """What was measured: the memory of each process in kB, after thousands of moves; and at the
    beginning and the end, all else.
    """

    used: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))
    counted: list[dict[str, int]] = field(default_factory=list)
    stored: list[dict[str, float]] = field(default_factory=list)


def test_nothing_grows_once_the_caches_are_full(tmp_path: Path) -> None:
    seen = Soak()
    with (
        receiving() as receiver,
        stand_in() as discord,
        mail_server() as (mail, port),
        whole_service(tmp_path / "data", **all_processes(tmp_path, discord, port)) as service,
        staying_stream(service),
    ):
        discord.ask("service", service.url)
        people = Person(discord, "1", "Ada", CHANNEL), Person(discord, "2", "Ben", CHANNEL)
        service.sign_up("Ada")
        service.insist("POST", "/v1/webhooks", {"url": receiver.url, "types": NOTICE_TYPES})
        soak(service, people, Evening(service, ("Ann", "Bob"), mail), seen)
        expected = ALWAYS | program_names(read_settings(service.environ))
    assert {name.split()[0] for name in seen.used} == expected
    growth = {name: growth_of(of[len(of) // 2 :]) for name, of in seen.used.items()}
    assert {name: kb for name, kb in growth.items() if kb > limit(name)} == {}, growth
    assert find_growth(seen.counted[0], seen.counted[-1]) == {}
    more = {store: mb - seen.stored[0][store] for store, mb in seen.stored[-1].items()}
    assert {store: mb for store, mb in more.items() if mb > MAX_MORE_MB} == {}
    assert receiver.got


def soak(service: Service, people: tuple[Person, Person], evening: Evening, seen: Soak) -> None:
    """Use the service until its caches are full, and measure it from then on."""
    began = monotonic()
    filled, moves, measured = 0.0, 0, 0
    for number in count(1):
        moves += use(service, number, people, evening)
        passed = monotonic() - began
        if not filled:
            if passed < FILLING_S or number < FILLING_USES:
                continue
            filled = passed
        measured += 1
        is_over = passed > filled + SOAK_S - FILLING_S and measured > MEASURED_USES
        if not seen.counted or is_over:
            seen.counted.append(amounts(service))
            seen.stored.append(memory_of_stores(service))
        if is_over:
            return
        for name, mb in memory(service).items():
            seen.used[name].append((moves / 1_000, 1_000 * mb))


def limit(name: str) -> float:
    """How many kB a process may grow in 1,000 moves."""
    if name.startswith(ANALYST):
        return MAX_KB_OF_ANALYST
    return MAX_KB_OF_STEADY if name.startswith(STEADY) else MAX_KB_PER_1000_MOVES


def growth_of(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the line through points: the median of the slopes between any two of them, so
    that those measured during a backup count for little (Theil and Sen).
    """
    slopes = [(b[1] - a[1]) / (b[0] - a[0]) for a, b in combinations(points, 2) if b[0] > a[0]]
    return median(slopes) if slopes else 0.0


def find_growth(first: dict[str, int], last: dict[str, int]) -> dict[str, tuple[int, int]]:
    """What has become more, with its number before and now; a new process had none before."""
    before = {
        what: first.get(what, n if what.startswith("open") else 0) for what, n in last.items()
    }
    return {what: (before[what], n) for what, n in last.items() if n > before[what] + MAX_MORE}
