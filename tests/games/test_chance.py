"""Compare what chance deals, in every game, with the contents of the box."""

from __future__ import annotations

from importlib import import_module
from itertools import takewhile

import pytest

from domain.engine.dice import Luck
from domain.engine.game import begin, decide
from domain.engine.play import Awaiting
from tests.games.chances import Chance, Dealings
from tests.games.modes import tables
from tests.games.record import record

TABLES = [
    pytest.param(
        table.game,
        table.seats,
        id=table.id,
        marks=[pytest.mark.xdist_group(table.id), *(() if table.fewest else [pytest.mark.long])],
    )
    for table in tables(all_seats=True)
]
DEALS = 120
RARE = 5.0
"""Standard deviations; with fair dice one of a million tallies differs by this much."""


def chance_of(game) -> Chance:
    return import_module(f"tests.games.{game.key}.chance").CHANCE


class CountingLuck(Luck):
    """Dice that count their throws."""

    fallen = 0

    def below(self, n: int) -> int:
        self.fallen += 1
        return super().below(n)


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_what_was_dealt_and_what_is_left_is_what_was_in_the_box(game, seats):
    chance, played = chance_of(game), record(game, seats, 0)
    bags, state = chance.bags(played.setup, seats), game.blank_state(played.setup, seats)
    followed = Dealings(chance)
    for event in played.events:
        followed.follow(bags, event)
        event.apply(state)
        touched = {one.bag for one in chance.draws_of(event)}
        left = chance.count_left(state)
        assert {bag: left[bag] for bag in touched & left.keys()} == {
            bag: bags[bag] for bag in touched & left.keys()
        }
    assert followed.tallies or not bags


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_each_piece_is_as_likely_as_any_other_to_be_dealt_to_a_place(game, seats):
    chance = chance_of(game)
    setup = game.setup(game.options(**chance.options), seats)
    dealings = Dealings(chance)
    for seed in range(DEALS):
        bags = chance.bags(setup, seats)
        for event in begin(game, setup, seats, Luck(f"deal {seed}")):
            dealings.follow(bags, event)
    assert dealings.tallies or not bags
    assert surprises(dealings) == {}


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_so_it_is_while_the_game_goes_on(game, seats):
    chance, dealings = chance_of(game), Dealings(chance_of(game))
    played = record(game, seats, 0)
    bags = chance.bags(played.setup, seats)
    before = list(takewhile(lambda event: not isinstance(event, Awaiting), played.events))
    for event in before:
        Dealings(chance).follow(bags, event)
    for event in played.events[len(before) :]:
        dealings.follow(bags, event)
    assert surprises(dealings) == {}


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_whenever_dice_fall_what_they_decide_is_held_against_the_box(game, seats):
    chance, played, fallen = chance_of(game), record(game, seats, 0), 0
    for moment in played.some(60):
        dice = CountingLuck(1)
        events = decide(game, moment.state, moment.move, dice)
        assert bool(dice.fallen) == any(any(chance.draws_of(event)) for event in events)
        fallen += dice.fallen
    dice = CountingLuck(1)
    begin(game, played.setup, seats, dice)
    assert fallen + dice.fallen or not chance.bags(played.setup, seats)


def surprises(dealings):
    """The tallies that are too high or too low for chance."""
    return {
        drawn: (tally.seen, round(tally.expected, 1))
        for drawn, tally in dealings.tallies.items()
        if abs(tally.surprise) > RARE
    }
