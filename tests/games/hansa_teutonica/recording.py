"""Games of Hansa Teutonica recorded as data and as text, to be replayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from domain.engine.bots import sight_of
from domain.engine.dice import Luck, choose
from domain.engine.game import awaited, legal_moves
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.state import State
from tests.games import replay


@dataclass(frozen=True)
class Plan(replay.PlanFrom):
    """A recorded game: mostly a bot's moves, some by chance; in words, sometimes the table."""

    game = GAME

    def chosen(self, state: State, choices: Luck) -> Any:
        (seat,) = awaited(state)
        if choices.below(8):
            return GAME.levels[2].bot(sight_of(GAME, state, seat, choices))
        kinds: dict[type, list[Any]] = {}
        for move in legal_moves(GAME, state, seat):
            kinds.setdefault(type(move), []).append(move)
        return choose(choices, choose(choices, list(kinds.values())))

    def shown(self, state: State) -> list[str]:
        menu = [len(legal_moves(GAME, state, seat)) for seat in awaited(state)]
        return [f"awaiting {awaited(state)} moves {menu} actions {state.actions}"]

    def beside(self, number: int, state: State) -> list[str]:
        shown = number % 20 == 0 or not awaited(state)
        return [GAME.text(GAME.view(state, None))] if shown else []
