"""The prize, the sealed cards, and the end."""

from __future__ import annotations

import pytest

from domain.engine.dice import Luck
from domain.engine.game import begin, new_state, seats_to_move
from tests.engine.toy import GAME
from tests.engine.toy.events import CardDrawn, CardsShown, GameEnded, PrizeRolled
from tests.engine.toy.moves import Pass, Seal
from tests.games.toy.table import NEXT, play, refuse, table


def test_hands_fill_up_from_the_bag():
    """TOY-1.1, TOY-1.2"""
    state = new_state(GAME, GAME.setup(GAME.options(), 3), 3, Luck(1))
    assert [len(hand) for hand in state.hands] == [3, 3, 3]
    left = [5 - sum(hand.count(value) for hand in state.hands) for value in range(1, 7)]
    assert state.bag == left


def test_after_a_round_the_seats_draw_in_their_order_while_the_bag_lasts():
    """TOY-1.2"""
    events = play(table(bag=[0, 0, 0, 0, 0, 1]), Seal(0, 1), Seal(1, 4), Pass(1))
    assert [event for event in events if isinstance(event, CardDrawn)] == [CardDrawn(0, 6)]


def test_a_die_says_what_a_round_is_worth():
    """TOY-2.1"""
    setup = GAME.setup(GAME.options(), 2)
    rolls = {begin(GAME, setup, 2, Luck(seed))[-2] for seed in range(50)}
    assert rolls == {PrizeRolled(1, points) for points in range(1, 7)}


def test_all_seats_choose_at_the_same_time():
    """TOY-2.2"""
    state = table()
    assert seats_to_move(state) == (0, 1)
    play(state, Seal(1, 4))
    assert seats_to_move(state) == (0,)


def test_what_cannot_be_laid_down():
    """TOY-2.2"""
    assert refuse(table(), Seal(0, 2)) == ("TOY-2.2", "not_in_hand")
    assert refuse(table(), Pass(0)) == ("TOY-2.2", "not_now")


@pytest.mark.parametrize(
    ("hands", "shown"),
    [
        ([[5], [4]], CardsShown((5, 4), winner=0, points=4)),
        ([[4], [4]], CardsShown((4, 4), winner=None, points=0)),
    ],
)
def test_a_single_highest_card_takes_the_prize(hands, shown):
    """TOY-2.3"""
    [first], [second] = hands
    assert play(table(hands=hands), Seal(0, first), Seal(1, second))[1] == shown


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"round": 3, "agenda": [{**NEXT, "number": 4}, *table().agenda[1:]]}, "rounds"),
        ({"hands": [[4], [4]]}, "cards"),
    ],
)
def test_how_the_game_ends(changes, reason):
    """TOY-4.1"""
    changes = {"hands": [[4], [1, 4]], **changes}
    assert play(table(**changes), Seal(0, 4), Seal(1, 4))[-1] == GameEnded(reason)


@pytest.mark.parametrize(
    ("points", "hands", "ranks"),
    [([2, 3], [[1], [2]], [2, 1]), ([2, 2], [[1], [2, 4]], [2, 1]), ([2, 2], [[1], [2]], [1, 1])],
)
def test_points_win_then_cards(points, hands, ranks):
    """TOY-4.2"""
    lines = GAME.scoring(table(points=points, hands=hands)).lines
    assert [line.rank for line in lines] == ranks
