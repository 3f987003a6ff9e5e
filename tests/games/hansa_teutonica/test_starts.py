"""A match starts from a position where a turn begins; in the middle of a turn, players fork it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from domain.engine.bots import bot_view
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck, choose
from domain.engine.errors import BadPosition
from domain.engine.game import begin, decide, fold, legal_moves, seats_to_move
from domain.engine.starting.starts import check_position, read_start
from domain.games.hansa_teutonica import GAME, moves
from domain.games.hansa_teutonica.board import SIDES
from domain.games.hansa_teutonica.events.course import ActionSpent, PawnMoved, TurnBegan
from domain.games.hansa_teutonica.events.routes import ActionsGained
from domain.games.hansa_teutonica.state import steps
from domain.games.hansa_teutonica.state.table import State
from tests.games.hansa_teutonica import begun
from tests.games.hansa_teutonica.moments import MOMENTS
from tests.games.hansa_teutonica.table import DUISBURG, NINE, after, player, spent, start, table
from tests.support.for_each import for_each

TABLES = [(seats, name) for name, sides in SIDES.items() for players in sides for seats in players]
OPTIONS: dict[str, Any] = {
    "marker_use": "later_action",
    "marker_refill": "on_take",
    "remove_three": "move",
    "marker_mix": "big_box",
}
MADE_PER_GAME = 40
IN_THE_MIDDLE = "A position begins where a turn begins: .* fork a match"
TRACES = (ActionSpent, ActionsGained, PawnMoved)
"""Events that set a turn apart from its beginning; markers for offices and abilities do not."""


def play(seats: int, **options: Any) -> Iterator[tuple[State, bool]]:
    """The moments of a random game, and whether a turn may begin there."""
    dice = Luck(f"{seats} {options}")
    setup = GAME.setup(GAME.options(**options), seats)
    state = GAME.blank_state(setup, seats)
    happened, fresh = begin(GAME, setup, seats, dice), True
    for _ in range(MADE_PER_GAME):
        fold(state, happened)
        if not seats_to_move(state):
            return
        begins = any(isinstance(event, TurnBegan) for event in happened)
        fresh = begins or (fresh and not any(isinstance(event, TRACES) for event in happened))
        yield state, fresh and isinstance(state.agenda[-1], steps.Turn | steps.PlacePawn)
        (seat,) = seats_to_move(state)
        if dice.below(2):
            move = GAME.levels[0].bot(bot_view(GAME, state, seat, dice))
        else:
            move = choose(dice, legal_moves(GAME, state, seat))
        happened = decide(GAME, state, move, dice)


def read_again(state: State) -> State:
    """The table of the JSON of its position, by structure alone."""
    written = json_codec.msgspec.json.decode(json_codec.encode(GAME.write_position(state)))
    return GAME.read_position(state.setup, written, state.seats)


def start_from(state: State) -> State:
    """The table of the JSON of its position, as of one from outside."""
    return read_start(GAME, state.setup, GAME.write_position(state), state.seats)


@pytest.mark.parametrize(
    ("seats", "name", "options"),
    [(*one, {} if number % 2 else OPTIONS) for number, one in enumerate(TABLES)],
    ids=lambda part: "" if isinstance(part, dict) else str(part),
)
def test_a_match_starts_at_each_beginning_of_a_turn_and_in_no_middle(seats, name, options):
    """HT-3.1, HT-3.2, HT-11.3: every moment comes back from JSON."""
    counts = [0, 0]
    for state, begins in play(seats, map=name, **options):
        again = read_again(state)
        assert again == state
        if begins:
            start_from(again)
        else:
            with pytest.raises(BadPosition, match=IN_THE_MIDDLE):
                start_from(again)
        counts[begins] += 1
    assert min(counts) > 8


@for_each("name", MOMENTS)
def test_positions_come_back_at_every_step(name):
    """HT-3.4: also in the middle of an action, and for all later positions."""
    state = MOMENTS[name]()
    (seat,) = seats_to_move(state)
    for then in (state, *(after(state, move) for move in legal_moves(GAME, state, seat))):
        assert read_again(then) == then


CARDIFF: dict[str, Any] = {
    "options": {"map": "britannia"},
    "cities": {"cardiff": {"offices": ["0t", None, None, None]}},
    "passes": ["cardiff"],
}
TAKEN = player(ready={"extra_office": 1}, fresh={"extra_office": 1})
MIDDLES: dict[str, tuple[Callable[[], State], str]] = {
    "Relocate": (begun.relocating, "leave this out"),
    "Moving": (begun.moving, "leave this out"),
    "Moving by a bonus": (begun.east_moving, "leave this out"),
    "Removing": (begun.removing, "leave out what is `pending`, Removing"),
    "Deploying": (begun.deploying, "leave this out"),
    "GreenOffice": (begun.green_office, "leave this out"),
    "PlaceMarkers": (begun.laying, "leave out what is `pending`, PlaceMarkers"),
    "an action spent": (lambda: table(actions=1), "seat 0 has 2 `actions` then, not 1"),
    "an action gained": (lambda: table(actions=5), "seat 0 has 2 `actions` then, not 5"),
    "actions before the first turn": (
        lambda: table(player(), player(), actions=2, pending={"type": "PlacePawn", "seats": [1]}),
        "seat 0 has 0 `actions` then, not 2",
    ),
    "acted": (lambda: table(acted=True), "leave this out"),
    "closed": (
        lambda: table(player(), player(), closed=True, pawn_moved=True),
        "leave this out",
    ),
    "fresh": (lambda: table(TAKEN, player(), player()), "leave this out"),
    "passes": (lambda: table(**CARDIFF), "leave this out"),
}


@for_each(("given", "sentence"), MIDDLES.values())
def test_the_middle_of_a_turn_is_refused_with_what_would_be_right(given, sentence):
    """HT-3.2, HT-3.4, HT-8.1, HT-11.6, HT-14.12"""
    with pytest.raises(BadPosition, match=f"begins: {sentence}. To go on from .* fork a match"):
        start_from(given())


def test_the_second_of_two_players_may_place_the_pawn_first():
    """HT-11.3"""
    start_from(begun.placing_the_pawn())
    assert start(player(), player(), pawn="P05").pawn == "P05"


READERS = [player(levels={"book": 3}) for _ in range(3)]
ENDS: dict[str, tuple[Callable[[], State], str]] = {
    "ended": (lambda: table(ended="markers", winners=[0, 1, 2]), "markers"),
    "prestige": (lambda: table(player(), player(prestige=20), player()), "prestige"),
    "cities": (
        lambda: table(*READERS, cities=NINE | {"duisburg": {"offices": ["0t"]}}),
        "cities",
    ),
    "pieces": (lambda: after(spent(), moves.OpenOffice(0, DUISBURG, "duisburg")), "pieces"),
}


@for_each(("given", "reason"), ENDS.values())
def test_a_game_that_is_over_is_refused_with_its_reason(given, reason):
    """HT-9.1, HT-9.3, HT-9.5"""
    with pytest.raises(BadPosition, match=rf"over here \({reason}\)"):
        check_position(GAME, given())
