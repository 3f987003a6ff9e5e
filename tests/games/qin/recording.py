"""Games of Qin recorded as data and as text, to be replayed."""

from __future__ import annotations

from dataclasses import dataclass

from domain.engine.game import awaited, legal_moves
from domain.games.qin import GAME
from domain.games.qin.state import State
from domain.games.qin.view import View
from tests.games import replay


@dataclass(frozen=True)
class Plan(replay.PlanFrom):
    """A recorded game: any legal moves, and in words every view."""

    game = GAME

    def shown(self, state: State) -> list[str]:
        return ["", *shown(state)]


def shown(state: State) -> list[str]:
    """The board as all see it, and what each seat sees besides."""
    views = [GAME.view(state, seat) for seat in (None, *range(len(state.supply)))]
    public = views[0]
    board = zip(public.cells, public.owners, strict=True)
    menu = [len(legal_moves(GAME, state, seat)) for seat in awaited(state)]
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
