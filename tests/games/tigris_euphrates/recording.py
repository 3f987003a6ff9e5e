"""Games of Tigris & Euphrates recorded as data and as text, to be replayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from domain.engine.dice import Luck, choose
from domain.engine.game import awaited, legal_moves, preview
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.state import State
from tests.games import replay


@dataclass(frozen=True)
class Plan(replay.PlanFrom):
    """A recorded game in which much happens; in words, the number of moves, and the end."""

    game = GAME

    def chosen(self, state: State, choices: Luck) -> Any:
        """Of some moves the one by which most happens, so that games are colourful."""
        legal = legal_moves(GAME, state, *awaited(state))
        some = [choose(choices, legal) for _ in range(6)]
        return max(some, key=lambda move: len(preview(GAME, state, move)))

    def shown(self, state: State) -> list[str]:
        menu = [f"seat {seat}: {len(legal_moves(GAME, state, seat))}" for seat in awaited(state)]
        return [f"moves of {', '.join(menu)}" if menu else "no moves"]

    def beside(self, number: int, state: State) -> list[str]:
        """At the end what each seat sees."""
        if awaited(state):
            return []
        views = [GAME.text(GAME.view(state, seat)) for seat in (None, *range(self.seats))]
        return [*views[:-1], views[-1].removesuffix("\n")]
