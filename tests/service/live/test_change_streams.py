"""Change feeds of the running service: several processes, which end and restart."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from random import Random
from typing import Any

import pytest

from domain.games import GAMES
from tests.support.patience import eventually
from tests.support.stream_follower import Follower
from tests.support.whole_service import Service, running_service

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("streams of changes")]
MINE, LOBBY = "/v1/me/stream", "/v1/lobby/stream"
STEPS = 60
WHAT = ("open", "invite", "answer", "leave", "close", "seats", "seats", "undo", "resign")


class Player:
    """A player who follows both streams."""

    def __init__(self, service: Service, name: str, stack: ExitStack) -> None:
        self.service = service
        self.name = name
        _, answer = service.call("POST", "/v1/players", {"name": name})
        self.id, self.token = answer["player"]["id"], answer["token"]
        self.mine, self.lobby = (
            stack.enter_context(closing(Follower(service.url, path, self.token)))
            for path in (MINE, LOBBY)
        )

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The answer, or the refusal."""
        header = {"Authorization": f"Bearer {self.token}"}
        return self.service.call(method, path, body, **header)[1]

    def read_lists(self, query: str = "") -> dict[str, Any]:
        """All matches in the lists."""
        found, path = {}, f"/v1/matches?limit=200{query}"
        while path:
            page = self.call("GET", path)
            found |= {match["id"]: match for match in page["matches"]}
            path = page["next"] and f"/v1/matches?limit=200{query}&after={page['next']}"
        return found


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with running_service(
        tmp_path_factory.mktemp("service"), ANNALS_WEB_PROCESSES="2", ANNALS_PARTITIONS="4"
    ) as service:
        yield service


def table(player: Player, game: str, other: str = "", **more: Any) -> str:
    """The id of an open table, public or reserved for one other player."""
    seats = [{"me": True}, {"invite": other} if other else {"open": True}]
    made: str = player.call("POST", "/v1/matches", {"game": game, "seats": seats, **more})["id"]
    return made


def rows_of(follower: Follower, match: str) -> Any:
    """The rows that a follower has of a match."""
    return follower.rows.get(match, {"status": "unknown", "version": 0})


def test_what_one_process_records_is_delivered_by_all(service: Service) -> None:
    with ExitStack() as stack:
        ann, bob = (Player(service, name, stack) for name in ("Ann", "Bob"))
        many = [stack.enter_context(closing(Follower(service.url, LOBBY))) for _ in range(8)]
        match = table(ann, "qin")
        everybody = [ann.mine, ann.lobby, bob.lobby, *many]
        eventually(lambda: all(rows_of(one, match)["status"] == "open" for one in everybody))
        bob.call("POST", f"/v1/matches/{match}/seats")
        everybody.append(bob.mine)
        eventually(lambda: all(rows_of(one, match)["status"] == "active" for one in everybody))


def test_a_restart_of_a_web_process_loses_no_cursor(service: Service) -> None:
    with ExitStack() as stack:
        ann, bob = (Player(service, f"{name} in trouble", stack) for name in ("Ann", "Bob"))
        killed = {*service.processes()["web"]}
        for pid in killed:
            os.kill(pid, signal.SIGKILL)
        match = None
        while match is None:
            eventually(lambda: service.call("GET", "/healthz")[0] == 200)
            try:
                match = table(ann, "qin")
            except (OSError, KeyError):
                continue
        for follower in (ann.mine, ann.lobby, bob.lobby):
            eventually(lambda: rows_of(follower, match)["status"] == "open")  # noqa: B023
            assert follower.resets == 0
        eventually(lambda: killed.isdisjoint(service.processes()["web"] or killed))
        eventually(lambda: service.call("GET", "/healthz")[0] == 200)


def test_a_rebuild_loses_no_cursor(service: Service) -> None:
    with ExitStack() as stack:
        ann = Player(service, "Ann in the ruins", stack)
        first = table(ann, "qin")
        eventually(lambda: rows_of(ann.mine, first)["status"] == "open")
        for wound in (lambda: None, ann.mine.drop):
            assert "folded again" in service.command("rebuild", "matches").stdout
            wound()
            second = table(ann, "qin")
            eventually(lambda: rows_of(ann.mine, second)["status"] == "open")  # noqa: B023
        assert ann.mine.resets == 0


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.long) for n in (1, 2))])
def test_a_reconnecting_client_ends_up_with_the_rows_of_the_lists(
    service: Service, seed: int
) -> None:
    """Given two players who act randomly in matches of every game while their connections break at
    any time, when no request is left, then the last row that each received of each match equals
    that of the lists.
    """
    rng = Random(seed)
    with ExitStack() as stack:
        players = [Player(service, f"{name} {seed}", stack) for name in ("Eva", "Fay")]
        matches = [table(players[0], game) for game in GAMES]
        for _ in range(STEPS):
            player = rng.choice(players)
            act(player, matches, rng)
            if rng.random() < 0.2:
                rng.choice([player.mine, player.lobby]).drop()
        for player in players:
            eventually(lambda: player.mine.rows == own(player.read_lists(), player.id))  # noqa: B023
            eventually(lambda: sees_all_tables(player, matches))  # noqa: B023
            assert player.mine.breaks + player.lobby.breaks > 1
            assert player.mine.resets == player.lobby.resets == 0


def sees_all_tables(player: Player, matches: list[str]) -> bool:
    """Whether the lobby's stream has given the player the rows of the lists."""
    return open_tables(player.lobby.rows) == open_tables(player.read_lists(), matches)


def own(listed: dict[str, Any], player: str) -> dict[str, Any]:
    """The matches in which a player has a seat."""
    return {
        match: row
        for match, row in listed.items()
        if player == row["host"]
        or any(player in (seat["player"], seat["invited"]) for seat in row["seats"])
    }


def open_tables(rows: dict[str, Any], matches: Sequence[str] = ()) -> dict[str, Any]:
    """The public open tables, limited to `matches` if given."""
    return {
        match: row
        for match, row in rows.items()
        if (row["status"], row["visibility"]) == ("open", "public")
        and (not matches or match in matches)
    }


def act(player: Player, matches: list[str], rng: Random) -> None:
    """Do a random action, which the service may refuse."""
    path = f"/v1/matches/{rng.choice(matches)}"
    match rng.choice([*WHAT, "move", "move", "move"]):
        case "open":
            visibility = rng.choice(["public", "private"])
            matches.append(table(player, rng.choice([*GAMES]), visibility=visibility))
        case "invite":
            other = rng.choice(["Eva", "Fay"]) + player.name[3:]
            matches.append(table(player, rng.choice([*GAMES]), other=other, visibility="private"))
        case "move":
            if moves := player.call("GET", f"{path}/legal-moves").get("moves"):
                player.call("POST", f"{path}/moves", {"move": rng.choice(moves)})
        case "answer":
            player.call("POST", f"{path}/undo/answer", {"agree": rng.random() < 0.5})
        case "leave":
            player.call("DELETE", f"{path}/seats/1")
        case "close":
            player.call("DELETE", path)
        case what:
            player.call("POST", f"{path}/{what}")
