"""Games of Tigris & Euphrates, recorded as data and as text for replays."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domain.engine.dice import Luck, choose
from domain.engine.game import Json, legal_moves, preview, seats_to_move
from domain.games.tigris_euphrates import GAME
from domain.games.tigris_euphrates.state.table import State
from tests.games import replay

FEW_TILES = {
    "tiles": {
        "F3": "red",
        "G3": "black",
        "H3": "red",
        "J3": "red",
        "K3": "black",
        "L3": "red",
        "I7": "red",
        "N5": "red",
        "K1": "red",
        "H4": "green",
        "G4": "green",
    },
    "treasures": ["F3", "I7", "N5"],
    "leaders": [{"black": "F4", "red": "F2"}, {"black": "L4", "red": "L2", "green": "J2"}],
    "hands": [{"green": 3, "red": 2, "black": 1}, {"black": 3, "red": 3}],
    "bag": {"red": 4, "green": 4, "blue": 4, "black": 4},
}


@dataclass(frozen=True)
class Plan(replay.PlanFrom):
    """A recorded game with many events; the text has the number of moves, and the end."""

    game = GAME

    def choose(self, state: State, choices: Luck) -> Any:
        """Of some moves, the one with the most events."""
        legal = legal_moves(GAME, state, *seats_to_move(state))
        some = [choose(choices, legal) for _ in range(6)]
        return max(some, key=lambda move: len(preview(GAME, state, move)))

    def show(self, state: State) -> list[str]:
        menu = [
            f"seat {seat}: {len(legal_moves(GAME, state, seat))}" for seat in seats_to_move(state)
        ]
        return [f"moves of {', '.join(menu)}" if menu else "no moves"]

    def beside(self, number: int, state: State) -> list[str]:
        """At the end, what each seat sees."""
        if seats_to_move(state):
            return []
        views = [
            GAME.render_text(GAME.view(state, seat), GAME.words())
            for seat in (None, *range(self.seats))
        ]
        return [*views[:-1], views[-1].removesuffix("\n")]


def chooses_war(recorded: Json) -> bool:
    """TE-11.3: the active player chooses which of several wars is fought first."""
    return replay.count(recorded, "WarChosen") > 0


REPLAYS = replay.Replays(
    Path(__file__).parent / "replays",
    plans=[
        Plan("treasures", 0, 2),
        Plan("chosen_war", 5, 2),
        Plan("bag", 0, 3),
        Plan("open_scores", 5, 4, {"open_scores": True}),
        Plan("advanced_board", 2, 2, {"board": "advanced"}),
        Plan("short", 0, 2, position=FEW_TILES),
    ],
    in_words=("treasures", "short"),
    options=("board", "open_scores"),
    shows={"chosen_war": chooses_war},
    rare=frozenset(["DrawTiles"]),
)
