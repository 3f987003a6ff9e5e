"""What the match takes for granted of every game."""

from __future__ import annotations

from typing import Any

import pytest

from domain.engine.dice import Luck, choose
from domain.engine.game import (
    Game,
    advance,
    awaited,
    begin,
    decide,
    foreseen,
    legal_moves,
    new_state,
)
from domain.games import GAMES
from domain.match.events import MATCH_EVENTS
from tests.engine.toy import GAME as TOY
from tests.match.table import Table

EVERY = pytest.mark.parametrize("game", [TOY, *GAMES.values()], ids=lambda game: game.key)


class Counted(Luck):
    """Dice that count how often they fell."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.fallen = 0

    def below(self, n: int) -> int:
        self.fallen += 1
        return super().below(n)


@EVERY
def test_no_event_of_a_game_has_the_name_of_one_of_the_match(game: Game[Any]) -> None:
    names = [kind.__name__ for kind in (*game.events, *MATCH_EVENTS)]
    assert len(names) == len(set(names))


@EVERY
def test_whatever_chance_decided_counts_as_revealed_so_that_nobody_rolls_again_alone(
    game: Game[Any],
) -> None:
    table, luck = Table("ann bob cid", game=game), Luck(3)
    dice = Counted(1)
    opening = begin(game, table.match.setup, 3, dice)
    assert not dice.fallen or any(event.reveals for event in opening)
    for turn in range(30):
        if table.match.status != "active":
            break
        menu = table.legal()
        choice, dice = menu[luck.below(len(menu))], Counted(turn)
        events = advance(game, table.match.state.copy(), choice, dice)
        assert not dice.fallen or any(event.reveals for event in events)
        table.move(choice)


@EVERY
def test_what_everybody_foresaw_is_the_same_whatever_is_hidden(game: Game[Any]) -> None:
    """What a player takes back alone has taught him nothing."""
    dice = Luck(7)
    for seed in range(3):
        state = start_of(game, seed)
        for _ in range(80):
            seats = awaited(state)
            if not seats:
                break
            seat = seats[dice.below(len(seats))]
            move = choose(dice, legal_moves(game, state, seat))
            if foreseen(game, state, move):
                other = game.imagine(state.copy(), seat, dice)
                assert seen(game, other, move, seat) == seen(game, state, move, seat)
            advance(game, state, move, dice)


def start_of(game: Game[Any], seed: int) -> Any:
    """A table of two at the beginning of a game."""
    setup = game.setup(game.options(), 2)
    return new_state(game, setup, 2, Luck(seed))


def seen(game: Game[Any], state: Any, move: Any, seat: int) -> list[Any]:
    """What who makes a move sees of it."""
    return [game.redact(event, seat) for event in decide(game, state, move, Luck(1))]
