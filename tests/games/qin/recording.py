"""Games of Qin, recorded as data and as text for replays."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from domain.engine.game import Json, fold, legal_moves, seats_to_move
from domain.games.qin import GAME
from domain.games.qin.state.table import State
from domain.games.qin.view import View
from tests.games import replay

LION = {"board": "lion"}
RUIN = {"joining_majors": "mutual_removal"}
FEW_TILES = {
    "cells": ["......", "..B...", "....V.", "......"],
    "owners": ["......"] * 4,
    "hands": [["RR", "RY"], ["YB", "BB"]],
    "pile": ["YY"],
}
NARROW = {
    "cells": ["rr.rr..", "bb.bb##"],
    "owners": ["11.00..", "11.00.."],
    "hands": [["YY", "YY"], ["RR"]],
    "pile": [],
}


@dataclass(frozen=True)
class Plan(replay.PlanFrom):
    """A recorded game: any legal moves, and in words every view."""

    game = GAME

    def show(self, state: State) -> list[str]:
        return ["", *show_board(state)]


def show_board(state: State) -> list[str]:
    """The board as all see it, and what each seat sees in addition."""
    views = [GAME.view(state, seat) for seat in (None, *range(len(state.supply)))]
    public = views[0]
    board = zip(public.cells, public.owners, strict=True)
    menu = [len(legal_moves(GAME, state, seat)) for seat in seats_to_move(state)]
    return [
        *(f"{cells}  {owners}" for cells, owners in board),
        f"supply {public.supply} pile {public.pile} hands {public.hand_sizes}",
        f"awaiting {public.awaiting} moves {menu} ended {public.ended} winners {public.winners}",
        *(secrets(view) for view in views),
    ]


def secrets(view: View) -> str:
    """What only this viewer sees."""
    hands = ["?" if hand is None else "-".join(hand) for hand in view.hands]
    unseen = " ".join(f"{kind}:{count}" for kind, count in view.unseen.items())
    return f"seat {view.seat} sees {' | '.join(hands)} unseen {unseen}"


def is_shared_victory(recorded: Json) -> bool:
    """QIN-10.2: equal seats win together."""
    return len(replay.winners(recorded)) > 1


def in_anothers_turn(recorded: Json) -> bool:
    """QIN-10.1: a seat runs out of pagodas by the move of another one, and wins."""
    return replay.winners(recorded) != [recorded["entries"][-1]["move"]["seat"]]


REPLAYS = replay.Replays(
    Path(__file__).parent / "replays",
    plans=[
        Plan("last_pagoda", 0, 2, RUIN),
        Plan("last_pagoda_in_anothers_turn", 0, 2),
        Plan("blocked", 0, 3, LION),
        Plan("shared_victory", 3, 4),
        Plan("ruin", 10, 3, LION | RUIN),
        Plan("passed", 57, 4),
        Plan("tiles_exhausted", 1, 2, position=FEW_TILES),
        Plan("plays_again", 1, 2, position=NARROW),
    ],
    in_words=("last_pagoda", "tiles_exhausted", "plays_again"),
    options=("board", "joining_majors"),
    shows={"shared_victory": is_shared_victory, "last_pagoda_in_anothers_turn": in_anothers_turn},
)


def replay_tables(every: int) -> Iterator[State]:
    """Yield every `every`-th table at rest of all recorded games, without the ends."""
    for plan in REPLAYS.plans:
        state = plan.table()
        for number, line in enumerate(REPLAYS.load(plan.name)["entries"], 1):
            fold(state, replay.read(plan, line))
            if number % every == 0 and seats_to_move(state):
                yield state.copy()
