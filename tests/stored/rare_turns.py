"""Turns with what is so rare that no recorded game has it. Each begins at a position, as a fork
does, so that a store can be recorded that has it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

from domain.engine.codecs import json_codec
from domain.engine.game import fold
from domain.games.great_wall.board import LOCATIONS
from domain.games.great_wall.cards.automata import SOLO
from domain.games.great_wall.moves import SendClerkBack
from domain.games.great_wall.state.agenda.clerks import SendBack
from domain.games.great_wall.state.table import State as GreatWall
from domain.games.hansa_teutonica.board import ABILITIES, COMPLETE
from domain.games.hansa_teutonica.moves import (
    DeclineBonus,
    DeployPiece,
    DisplacePiece,
    EndTurn,
    EstablishRoute,
    OpenOffice,
)
from domain.games.hansa_teutonica.state.table import State as Hansa
from tests.games.hansa_teutonica.table import player, table
from tests.games.replay import Plan, read
from tests.games.test_replays import REPLAYS

HANSA, GREAT_WALL = "hansa_teutonica", "great_wall"
EAST = {"map": "east"}
WISMAR, DANZIG, STENDAL = "stralsund--wismar", "danzig--malmo", "brunswiek--stendal"
DUISBURG = "dortmund--duisburg"
TWO_MARKERS = {"bremen--hamburg": "extra_office", "bremen--minden": "extra_office"}
RED_CITIES = {
    "arnheim": {"offices": ["0t", None, None, None]},
    "munster": {"offices": ["0m", None]},
    "minden": {"offices": ["1t", "0t", None, None]},
    "stendal": {"offices": ["1t", "0m", None, None]},
}
"""Offices of seat 0 from Arnheim to Stendal, but for Brunswiek."""


@dataclass(frozen=True)
class Turn:
    """A position of a game with these options, and the moves made from it."""

    plan: Plan
    state: Any
    moves: Sequence[Any]


def rare_turns() -> Iterator[Turn]:
    """Yield all of them."""
    yield from _hansa_turns()
    yield from _great_wall_turns()


def _hansa_turns() -> Iterator[Turn]:
    one = player("ttt", levels={"book": 3})
    routes = {WISMAR: ["0m", "0m", "0t"], "halle--wittenberg": ["1t", None]}
    state = table(one, player("tt"), player(), options=EAST, routes=routes)
    yield _hansa(state, EstablishRoute(0, WISMAR), DeclineBonus(0), **EAST)
    state = table(one, player(), player(), options=EAST, routes={DANZIG: [*["0t"] * 3, "0m"]})
    deployed = DeployPiece(0, "stock", "merchant", (WISMAR, 0))
    yield _hansa(state, OpenOffice(0, DANZIG, "danzig"), deployed, **EAST)
    seats = (player(levels={"privilege": 1, "book": 3}), *(player() for _ in range(3)))
    state = table(*seats, routes={STENDAL: ["0t"] * 4}, cities=RED_CITIES)
    yield _hansa(state, OpenOffice(0, STENDAL, "brunswiek"))
    yield _hansa(_full_board(markers=TWO_MARKERS, pile={"swap_offices": 1}), EndTurn(0))
    yield _hansa(_full_board(), DisplacePiece(0, "trader", (DUISBURG, 0), 1, 0))


def _full_board(**position: Any) -> Hansa:
    """A table of four with a piece on every post: all but one trader, and some merchants."""
    levels = dict(zip(ABILITIES, COMPLETE, strict=True))
    seats = [player("tt", levels=levels) for _ in range(4)]
    board = table(*seats).board
    pieces = chain(["1t", "2t", "3t", "0t"] * 24, ["1m", "2m", "3m"] * 4)
    routes = {
        name: [next(pieces) for _ in board.posts[number]]
        for name, number in board.route_number.items()
    }
    return table(*seats, routes=routes, **position)


def _hansa(state: Hansa, *moves: Any, **options: Any) -> Turn:
    plan = replace(REPLAYS[HANSA].plans[0], seats=state.seats, options=options)
    return Turn(plan, state, moves)


def _great_wall_turns() -> Iterator[Turn]:
    yield _altered("AdvisorsDiscarded", _use_up_advisors)
    yield _altered("SoloCommandDrawn", _use_up_commands)
    yield _altered("ClerksReturned", _take_clerk_back)


def _altered(event: str, alter: Callable[[GreatWall, Any], Any]) -> Turn:
    """The first turn of a recorded game that has this event; `alter` changes the position before
    it, and returns which move to make there.
    """
    for plan in REPLAYS[GREAT_WALL].plans:
        state = plan.table()
        for line in REPLAYS[GREAT_WALL].load(plan.name)["entries"]:
            events, made = read(plan, line), line["move"]
            if made and any(type(one).__name__ == event for one in events):
                move = json_codec.read_move(plan.game, made["seat"], made)
                altered = state.copy()
                return Turn(plan, altered, (alter(altered, move),))
            fold(state, events)
    raise LookupError(event)


def _use_up_advisors(state: GreatWall, move: Any) -> Any:
    """Let the deck of advisors be empty, all of them in the discard."""
    found = {*state.advisor_deck, *state.advisor_discard}
    state.advisor_deck = ()
    state.advisor_discard = tuple(one for one in state.setup.advisors if one in found)
    return move


def _use_up_commands(state: GreatWall, move: Any) -> Any:
    """Let the deck of Qin Jiushao be empty, all of its cards in his discard."""
    assert state.qin is not None
    clan = state.clans[state.qin]
    found = {*state.solo_deck, *clan.discard}
    state.solo_deck, clan.discard = (), tuple(one for one in SOLO if one in found)
    return move


def _take_clerk_back(state: GreatWall, move: Any) -> Any:
    """Let an event ask who moves to take a clerk back."""
    location = next(one for one in LOCATIONS if state.clans[move.seat].at(one))
    state.agenda.append(SendBack((move.seat,), left=1, where=location))
    return SendClerkBack(move.seat, location)
