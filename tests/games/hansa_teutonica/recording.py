"""Games of Hansa Teutonica recorded as data and as text, for replay tests."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from domain.engine.bots import bot_view
from domain.engine.dice import Luck, choose
from domain.engine.game import legal_moves, seats_to_move
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.moves import OpenOffice
from domain.games.hansa_teutonica.state.table import State
from tests.games import replay
from tests.games.hansa_teutonica.table import DUISBURG, NINE, after, player, spent, table

OFFICIAL = {"marker_use": "later_action", "marker_refill": "on_take", "remove_three": "move"}
MARKERS = {
    "kampen--osnabruck": "remove_three",
    "goslar--magdeburg": "improve_ability",
    "dortmund--duisburg": "plus_4_actions",
}
WELL_READ = {"supply": "tttt", "levels": {"book": 3, "privilege": 2, "actions": 3}}
NEARLY_FULL = GAME.write_position(
    table(
        *(player(**WELL_READ) for _ in range(3)),
        cities=NINE,
        markers=MARKERS,
        pile={"swap_offices": 2, "plus_3_actions": 2},
    )
)
LAST_MARKERS = GAME.write_position(
    table(
        *(player("tttttt", ready={"extra_office": 1, "swap_offices": n}) for n in (0, 1, 1)),
        markers=MARKERS,
        pile={"plus_3_actions": 1, "extra_office": 1},
    )
)
SPENT = GAME.write_position(after(spent(), OpenOffice(0, DUISBURG, "duisburg")))


@dataclass(frozen=True)
class Plan(replay.PlanFrom):
    """A recorded game: mostly moves of a bot, some at random; sometimes shown with the table."""

    game = GAME

    def choose(self, state: State, choices: Luck) -> Any:
        (seat,) = seats_to_move(state)
        if choices.below(8):
            return GAME.levels[2].bot(bot_view(GAME, state, seat, choices))
        kinds: dict[type, list[Any]] = {}
        for move in legal_moves(GAME, state, seat):
            kinds.setdefault(type(move), []).append(move)
        return choose(choices, choose(choices, list(kinds.values())))

    def show(self, state: State) -> list[str]:
        menu = [len(legal_moves(GAME, state, seat)) for seat in seats_to_move(state)]
        return [f"awaiting {seats_to_move(state)} moves {menu} actions {state.actions}"]

    def beside(self, number: int, state: State) -> list[str]:
        shown = number % 20 == 0 or not seats_to_move(state)
        return [GAME.render_text(GAME.view(state, None), GAME.words())] if shown else []


REPLAYS = replay.Replays(
    Path(__file__).parent / "replays",
    plans=[
        Plan("prestige", 1, 3),
        Plan("two_players", 0, 2),
        Plan("five_players", 2, 5, OFFICIAL),
        Plan("east", 5, 3, {"map": "east"}),
        Plan("britannia", 6, 3, {"map": "britannia"}),
        Plan("britannia_north", 7, 4, {"map": "britannia", "remove_three": "move"}),
        Plan("cities", 3, 3, position=NEARLY_FULL),
        Plan("markers", 4, 3, position=LAST_MARKERS),
        Plan("pieces", 8, 3, position=SPENT),
    ],
    in_words=("cities", "markers"),
    options=("map", "marker_use", "marker_refill", "remove_three"),
    shows={},
    rare=frozenset(  # tested by rule elsewhere
        [
            "BonusDeclined",
            "CitiesConnected",
            "DeclineBonus",
            "DeployPiece",
            "MarkersReturned",
            "PieceDeployed",
            "PieceHomeless",
        ]
    ),
)
