"""Games of Chang Cheng recorded as data and as text, to be replayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from domain.engine.dice import Luck, choose
from domain.engine.game import awaited, legal_moves
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.state import State
from domain.games.chang_cheng.view import CellView, View
from tests.games import replay

SIGNS = {"single": "", "double": "=", "tower": "^", "ruin": "x"}


@dataclass(frozen=True)
class Plan(replay.Plan):
    """A recorded game: any kind of move and then any move of it, and in words every view."""

    game = GAME

    def chosen(self, state: State, choices: Luck) -> Any:
        menu: dict[type, list[Any]] = {}
        for move in legal_moves(GAME, state, *awaited(state)):
            menu.setdefault(type(move), []).append(move)
        return choose(choices, choose(choices, list(menu.values())))

    def shown(self, state: State) -> list[str]:
        return ["", *shown(state)]


def shown(state: State) -> list[str]:
    """The wall as all see it, and what each seat sees besides."""
    views = [GAME.view(state, seat) for seat in (None, *range(state.seats))]
    public = views[0]
    menu = [len(legal_moves(GAME, state, seat)) for seat in awaited(state)]
    return [
        f"{'+'.join(public.boards)} {' '.join(map(sign, public.cells))}",
        f"scores {public.scores} emperors {public.emperors} extensions {public.extensions}",
        f"awaiting {public.awaiting} {public.step} moves {menu} ended {public.ended}",
        *(secrets(view) for view in views),
    ]


def sign(cell: CellView) -> str:
    """A cell in a letter or two."""
    if cell.kind is None:
        return "(" + "".join(map(str, cell.kept_for)) if cell.kept_for else "."
    return ("n" if cell.seat is None else str(cell.seat)) + SIGNS[cell.kind]


def secrets(view: View) -> str:
    """What only this viewer sees."""
    threats = " ".join("-" if r.removed else str(r.threat or "?") for r in view.mongol)
    hands = " | ".join("?" if hand is None else "".join(map(str, hand)) for hand in view.hands)
    cards = " ".join(
        f"{region.name}:{card.seat}/{card.number or '?'}"
        for region in view.china
        for card in region.cards
    )
    return f"seat {view.seat} threats {threats} hands {hands} cards {cards}".rstrip()
