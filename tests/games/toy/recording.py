"""Games recorded as data and as text."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tests.engine.toy import GAME
from tests.engine.toy.state.table import State
from tests.games import replay

LAST_CARDS = {
    "bag": [0] * 6,
    "hands": [[1, 3], [2, 6]],
    "sealed": [None, None],
    "points": [2, 2],
    "round": 1,
    "prize": 4,
    "agenda": [
        {"type": "Round", "number": 2},
        {"type": "Refill"},
        {"type": "Reveal"},
        {"type": "Choose", "seats": [0, 1]},
    ],
}


@dataclass(frozen=True)
class Plan(replay.PlanFrom):
    """A recorded game: any legal moves, and in words what a spectator sees."""

    game = GAME

    def show(self, state: State) -> list[str]:
        return ["", *GAME.render_text(GAME.view(state, None), GAME.words()).splitlines()]


REPLAYS = replay.Replays(
    Path(__file__).parent / "replays",
    plans=[Plan("rounds", 4, 3, {"rounds": 6}), Plan("cards", 0, 2, {"rounds": 6}, LAST_CARDS)],
    in_words=("rounds",),
)
