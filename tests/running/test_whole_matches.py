"""Matches of people and bots over REST, on a running service, until they are scored: one with an
undo and one of bots who play together; `make test-long` plays each game.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from domain.games import GAMES
from tests.games.modes import Seating, seatings
from tests.support.patience import eventually
from tests.support.whole_service import Service

PEOPLE = ("Ada", "Ben")
MOVES, UNTIL_UNDONE = 20, 80
"""Number of random moves of each person, and the maximum if there is something to undo. Then the
person leaves and the weakest bot takes over, since random moves may never end a game.
"""
MOVE_S = 8
LOST = (
    "seat_played_by_bot", "not_your_turn", "rule_broken", "no_undo_request", "no_answer_expected",
    "nothing_to_undo",
)  # fmt: skip
"""Problems that a player may get if their time runs out between reading and moving, on a slow
machine.
"""


@dataclass(frozen=True)
class Scenario:
    """A table of people and bots, and the steps within which the players undo a move by consent."""

    game: str
    bots: tuple[str, ...]
    within: tuple[str, ...] = ()
    options: dict[str, Any] = field(default_factory=dict)
    people: int = 2
    is_long: bool = False


SCENARIOS = {
    "Qin with three": Scenario(
        "qin", ("wu_qi",), options={"joining_majors": "mutual_removal"}, is_long=True
    ),
    "Tigris & Euphrates with four, an undo in a conflict": Scenario(
        "tigris_euphrates", ("hammurabi", "shepherd"), within=("Reinforce",)
    ),
    "Chang Cheng with four and event cards": Scenario(
        "chang_cheng", ("general", "labourer"), options={"events": "random"}, is_long=True
    ),
    "Chang Cheng with two and the neutral player": Scenario(
        "chang_cheng", ("general",), people=1, is_long=True
    ),
    "Hansa Teutonica with five, an undo in a displacement": Scenario(
        "hansa_teutonica", ("pedlar",) * 3, within=("Relocate",), is_long=True
    ),
    "Hansa Teutonica with two and the pawn": Scenario(
        "hansa_teutonica", ("pedlar",), people=1, is_long=True
    ),
}


class Table:
    """A match, and the people who play it."""

    def __init__(self, service: Service, scenario: Scenario, seed: int) -> None:
        self.service = service
        self.scenario = scenario
        self.random = Random(seed)
        self.tokens = [self._sign_up(name, seed) for name in PEOPLE[: scenario.people]]
        self.path = self._open()
        self.undone = 0
        self.made = [0] * len(self.tokens)

    def say(
        self, who: int, method: str, path: str, body: Any = None, but: Sequence[str] = ()
    ) -> Any:
        """The answer to one of the people, or one of the problems in `but`; any other refusal
        fails.
        """
        self.service.token = self.tokens[who]
        return self.service.insist(method, self.path + path, body, but=but)

    def play(self) -> Any:
        """Play to the end; returns the final match."""
        while (state := self.say(0, "GET", ""))["status"] != "scored":
            mine = [
                who
                for who, made in enumerate(self.made)
                if made < self._most() and self._decides(who, state)
            ]
            if mine:
                self._move(mine[0])
            elif min(self.made) < self._most():
                self.say(0, "GET", f"/events?after={state['version']}&wait=5")
            else:  # bots play on
                time.sleep(0.2)
        return state

    def _most(self) -> int:
        return UNTIL_UNDONE if self.scenario.within and not self.undone else MOVES

    def _move(self, who: int) -> None:
        moves = self.say(who, "GET", "/legal-moves")["moves"]
        if not moves:
            self._come_back(who)
            return  # a bot moved first where several could, or the time ran out
        before = self.say(who, "GET", "")["version"]
        move = self.random.choice(moves)
        self.made[who] += 1
        answer = self.say(who, "POST", "/moves", {"move": move}, but=LOST)
        if "awaiting" not in answer:
            return
        steps = {one["step"]["type"] for one in answer["awaiting"]}
        if not self.undone and steps & set(self.scenario.within):
            self._take_back(who, before - 1)

    def _take_back(self, who: int, version: int) -> None:
        """Request an undo past another player's move; the others agree to it."""
        then = self.say(who, "GET", f"?version={version}")
        self.say(who, "POST", "/undo", {"to": version}, but=LOST)
        for other in set(range(len(self.tokens))) - {who}:
            if self.say(other, "GET", "")["undo_request"]:
                self.say(other, "POST", "/undo/answer", {"agree": True}, but=LOST)
        entries = self.say(who, "GET", f"/events?after={version}")["events"]
        undone = [
            entry["version"]
            for entry in entries
            if any(event["type"] == "Undone" for event in entry["events"])
        ]
        if undone:  # another player may have moved since
            state = self.say(who, "GET", f"?version={undone[0]}")
            assert _steps(state) == _steps(then)
            assert state["view"] == then["view"]
            self.undone += 1

    def _come_back(self, who: int) -> None:
        """Take the seat back from a bot that stepped in because the machine was too slow."""
        self.say(who, "POST", "/reclaim", but=("nothing_to_reclaim", "bot_decides"))

    def _decides(self, who: int, state: Any) -> bool:
        seats = {one["seat"] for one in state["awaiting"]}
        mine = self.say(who, "GET", "")["as"]
        return mine in seats

    def _sign_up(self, name: str, seed: int) -> str:
        body = {"name": f"{name} {self.scenario.game} {seed}"}
        return str(self.service.call("POST", "/v1/players", body)[1]["token"])

    def _open(self) -> str:
        self.service.token = self.tokens[0]
        seats = [{"me": True}, *({"open": True} for _ in self.tokens[1:])]
        bots = [{"bot": level} for level in self.scenario.bots]
        plan = {
            "game": self.scenario.game,
            "seats": [*seats, *bots],
            "options": self.scenario.options,
            "clock": {"per_move_s": MOVE_S},
            "substitute": GAMES[self.scenario.game].levels[0].key,
        }
        match = self.service.insist("POST", "/v1/matches", plan)["id"]
        for token in self.tokens[1:]:
            self.service.token = token
            self.service.insist("POST", f"/v1/matches/{match}/seats", {})
        return f"/v1/matches/{match}"


def _steps(state: Any) -> list[tuple[int, Any]]:
    """The seats that decide, and their steps."""
    return [(one["seat"], one["step"]) for one in state["awaiting"]]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=[pytest.mark.long] * scenario.is_long)
        for name, scenario in SCENARIOS.items()
    ],
)
def test_a_match_of_people_and_bots_runs_to_its_scored_result(service: Service, name: str) -> None:
    scenario = SCENARIOS[name]
    table = Table(service, scenario, len(name))
    state = table.play()
    seats = scenario.people + len(scenario.bots)
    assert min(line["rank"] for line in state["result"]["lines"]) == 1
    assert len(state["result"]["lines"]) == seats
    assert all(line["breakdown"] for line in state["result"]["lines"])
    assert bool(table.undone) == bool(scenario.within)
    said = service.command("verify", Path(table.path).name, "--url", service.url)
    assert said.returncode == 0, said.stdout
    asked = f"/v1/analytics/games/{scenario.game}?metric=win_share&by=seats"
    eventually(lambda: str(seats) in read_statistics(service, asked))


@pytest.mark.parametrize(
    "one",
    [
        pytest.param(one, id=one.id, marks=[pytest.mark.long] * (one.seats < 5))
        for one in seatings(GAMES.values())
        if one.together
    ],
)
def test_cooperative_tables_of_bots_reach_a_result(service: Service, one: Seating) -> None:
    level = one.game.levels[0].key
    seats = [{"bot": level}] * (min(3, one.seats))
    plan = {"game": one.game.key, "seats": seats, "options": one.options}
    match = service.insist("POST", "/v1/matches", plan)["id"]
    eventually(lambda: service.insist("GET", f"/v1/matches/{match}")["status"] == "scored")
    result = service.insist("GET", f"/v1/matches/{match}")["result"]
    assert {line["rank"] for line in result["lines"]} == {1}
    said = service.command("verify", match, "--url", service.url)
    assert said.returncode == 0, said.stdout
    asked = f"/v1/analytics/games/{one.game.key}?metric=win_rate&by=option.mode"
    eventually(lambda: one.options["mode"] in read_statistics(service, asked))


def read_statistics(service: Service, asked: str) -> set[str]:
    """The groups in the statistics of matches: the numbers of seats, or the modes."""
    return {str(group["key"][0]) for group in service.insist("GET", asked)["groups"]}
