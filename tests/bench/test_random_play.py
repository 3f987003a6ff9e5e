"""Random play counts moves, and compares with OpenSpiel if it is installed."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from bench.rules import random_play
from domain.games import GAMES


class Coin:
    """A game with the interface of OpenSpiel: a coin toss, then one of two actions."""

    def __init__(self) -> None:
        self.done: list[int] = []

    def is_terminal(self) -> bool:
        return len(self.done) == 2

    def is_chance_node(self) -> bool:
        return not self.done

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return [(7, 1.0), (8, 0.0)]

    def legal_actions(self) -> list[int]:
        assert self.done == [7]
        return [1, 2]

    def apply_action(self, action: int) -> None:
        self.done.append(action)


@pytest.fixture(autouse=True)
def briefly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_play, "SECONDS", 0.0)
    monkeypatch.setattr(random_play, "ROUNDS", 1)
    monkeypatch.setattr(random_play, "_rate", lambda play: play(0) or 1)


def test_each_game_has_a_rate_of_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(random_play, "find_spec", lambda name: None)
    told = random_play.figures(Path())
    assert list(told) == [f"{game.title}: random moves per second" for game in GAMES.values()]
    assert all(moves > 0 for moves in told.values())


def test_ratios_to_openspiel_need_an_installation(monkeypatch: pytest.MonkeyPatch) -> None:
    known = SimpleNamespace(load_game=lambda name: SimpleNamespace(new_initial_state=Coin))
    monkeypatch.setattr(random_play, "find_spec", lambda name: "found")
    monkeypatch.setattr(random_play, "import_module", lambda name: known)
    told = random_play.figures(Path())
    assert told["OpenSpiel's gin_rummy: random moves per second"] == 1
    moves = told["Qin: random moves per second"]
    assert told["Qin: as a share of OpenSpiel's backgammon"] == moves
    assert len(told) == len(GAMES) + 2 + 2 * len(GAMES)
