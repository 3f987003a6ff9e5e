"""Games of Chang Cheng, recorded as data and as text for replays."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from domain.engine.dice import Luck, choose
from domain.engine.game import Json, legal_moves, seats_to_move
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.board import EVENT_CARDS
from domain.games.chang_cheng.state.table import State
from domain.games.chang_cheng.view import CellView, View
from tests.games import replay

SIGNS = {"single": "", "double": "=", "tower": "^", "ruin": "x"}


@dataclass(frozen=True)
class Plan(replay.Plan):
    """A recorded game: any kind of move and then any move of it, and in words every view."""

    game = GAME

    def choose(self, state: State, choices: Luck) -> Any:
        menu: dict[type, list[Any]] = {}
        for move in legal_moves(GAME, state, *seats_to_move(state)):
            menu.setdefault(type(move), []).append(move)
        return choose(choices, choose(choices, list(menu.values())))

    def show(self, state: State) -> list[str]:
        return ["", *show_wall(state)]


def show_wall(state: State) -> list[str]:
    """The wall as all see it, and what each seat sees in addition."""
    views = [GAME.view(state, seat) for seat in (None, *range(state.seats))]
    public = views[0]
    step = public.step and type(public.step).__name__
    menu = [len(legal_moves(GAME, state, seat)) for seat in seats_to_move(state)]
    return [
        f"{'+'.join(public.boards)} {' '.join(map(sign, public.wall))}",
        f"scores {public.scores} emperors {public.emperors} extensions {public.extensions}",
        f"awaiting {public.awaiting} {step} moves {menu} ended {public.ended}",
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
    hands = " | ".join(
        "?" if hand is None else "".join(map(str, hand)) for hand in view.cards_in_hand
    )
    cards = " ".join(
        f"{region.name}:{card.seat}/{card.number or '?'}"
        for region in view.china
        for card in region.cards
    )
    return f"seat {view.seat} threats {threats} hands {hands} cards {cards}".rstrip()


def happens(kind: str, recorded: Json) -> bool:
    """Events of this kind are in it."""
    return replay.count(recorded, kind) > 0


def adds_boards(times: int, recorded: Json) -> bool:
    """CC-8.2: the game adds this many boards to the wall."""
    return replay.count(recorded, "BoardAdded") == times


def neutral(recorded: Json) -> bool:
    """CC-11.2: neutral walls are built, and are not."""
    return happens("NeutralBuilt", recorded) and happens("NeutralDeclined", recorded)


def forces_neutral_wall(recorded: Json) -> bool:
    """CC-11.6: a player had to build a neutral wall."""
    agendas = [event["agenda"] for event in replay.events(recorded) if "agenda" in event]
    return any(step["type"] == "ForcedNeutral" for agenda in agendas for step in agenda)


def is_shared_victory(recorded: Json) -> bool:
    """CC-13.2: equal seats win together."""
    return len(replay.winners(recorded)) > 1


CARDS = {
    card: partial(happens, "ThreatOpened" if card == "scout" else "EventCardScored")
    for card in EVENT_CARDS
}
"""CC-12.1: each event card occurs in its own recorded game."""
REPLAYS = replay.Replays(
    Path(__file__).parent / "replays",
    plans=[
        Plan("one_extension", 1, 3),
        Plan("two_extensions", 2, 4, {"face": "b", "events": "random"}),
        Plan("neutral", 3, 2),
        Plan("forced_neutral", 181, 2, {"chosen_events": ["hegemon", "diplomat"]}),
        Plan("shared_victory", 47, 4),
        Plan("skipped", 12, 4),
        Plan("two_at_once", 21, 4),
        *(Plan(card, 10 + n, 3, {"chosen_events": [card]}) for n, card in enumerate(EVENT_CARDS)),
    ],
    in_words=("one_extension", "neutral"),
    options=("face", "events"),
    shows=CARDS
    | {
        "one_extension": partial(adds_boards, 1),
        "two_extensions": partial(adds_boards, 2),
        "neutral": neutral,
        "forced_neutral": forces_neutral_wall,
        "shared_victory": is_shared_victory,
    },
)
