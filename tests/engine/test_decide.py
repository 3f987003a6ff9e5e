"""How the engine carries out a move, with the toy game and with records of functions."""

from __future__ import annotations

from itertools import permutations

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadMove, GameOver, NotYourTurn, RuleBroken
from domain.engine.game import (
    advance,
    begin,
    decide,
    fold,
    judge,
    legal_moves,
    preview,
    seats_to_move,
)
from domain.engine.play import Awaiting, Play, redact
from tests.engine.table import Script, contents, new_game, position
from tests.engine.toy import GAME
from tests.engine.toy.events import (
    CardDrawn,
    CardPlayed,
    CardSealed,
    CardsShown,
    GameEnded,
    GaveIn,
    PrizeRolled,
)
from tests.engine.toy.moves import Counter, GiveIn, Pass, Seal, ShowCard
from tests.engine.toy.state.steps import Challenge, Choose, Refill, Replace, Respond, Reveal, Round
from tests.support.for_each import for_each

REST = [{"type": "Round", "number": 2}, {"type": "Refill"}]
CHOOSING = [*REST, {"type": "Reveal"}, {"type": "Choose", "seats": [0, 1, 2]}]
BAG = [0, 0, 0, 0, 0, 3]


def choosing():
    return position(
        3,
        bag=BAG,
        hands=[[1, 2], [3, 4], [4, 5]],
        round=1,
        prize=5,
        agenda=CHOOSING,
    )


def challenging():
    turn = {"type": "Challenge", "seats": [0], "left": 2}
    hands = [[1, 3, 5], [2, 4, 6], [2, 2, 2]]
    return position(3, bag=BAG, hands=hands, points=[4, 1, 0], round=1, agenda=[*REST, turn])


def play_on(state, *moves, dice=None):
    return [fold_in(state, decide(GAME, state, move, dice or Luck(1))) for move in moves]


def fold_in(state, events):
    fold(state, events)
    return events


def test_start_settles_at_the_first_decision_and_says_who_is_awaited():
    setup = GAME.setup(GAME.options(), 2)
    events = begin(GAME, setup, 2, Script(0, 0, 0, 0, 0, 0, 3))
    drawn = [CardDrawn(seat, 1) for seat in (0, 0, 0, 1, 1)]
    plan = (Round(number=2), Refill(), Reveal(), Choose((0, 1)))
    assert events == [*drawn, CardDrawn(1, 2), PrizeRolled(1, 4), Awaiting(plan)]


def test_deciding_does_not_change_the_state():
    state = choosing()
    before = contents(state)
    decide(GAME, state, Seal(0, 1), Luck())
    preview(GAME, state, Seal(0, 1))
    legal_moves(GAME, state, 0)
    assert contents(state) == before


def test_a_refused_move_does_not_change_the_state():
    state = choosing()
    before = contents(state)
    with pytest.raises(RuleBroken, match=r"^TOY-2.2: not_in_hand"):
        decide(GAME, state, Seal(0, 6), Luck())
    assert contents(state) == before


def test_a_number_of_any_size_is_for_the_rules_to_refuse():
    move = json_codec.read_move(GAME, 0, {"type": "Seal", "card": 10**30})
    with pytest.raises(RuleBroken):
        judge(GAME, choosing(), move)


def test_folding_what_was_decided_is_the_same_as_advancing_in_place():
    folded, advanced = choosing(), choosing()
    fold(folded, decide(GAME, folded, Seal(2, 5), Luck()))
    advance(GAME, advanced, Seal(2, 5), Luck())
    assert contents(folded) == contents(advanced)


def test_then_plans_steps_in_their_order_before_what_was_planned_already():
    state = position(2, agenda=[{"type": "Round", "number": 3}])
    play = Play(state, Luck())
    play.then(Refill(), Reveal())
    play.then(Choose((0,)))
    order = [state.agenda.pop() for _ in range(4)]
    assert order == [Choose((0,)), Refill(), Reveal(), Round(number=3)]


def test_then_without_steps_plans_nothing():
    state = position(2)
    Play(state, Luck()).then()
    assert state.agenda == []


def test_an_interrupt_makes_another_seat_decide_before_the_turn_goes_on():
    state = challenging()
    events = decide(GAME, state, ShowCard(0, 1, 5), Luck())
    assert events[0] == CardPlayed(0, 1, 5)
    assert events[-1].agenda[2:] == (
        Challenge((0,), left=1),
        Replace(by=0),
        Respond((1,), to=0, card=5),
    )
    assert seats_to_move(fold(state, events)) == (1,)


def test_interrupts_nest_and_come_undone_from_the_inside():
    state = challenging()
    play_on(state, ShowCard(0, 1, 3), Counter(1, 4))
    assert state.agenda[2:] == [
        Challenge((0,), left=1),
        Replace(by=0),
        Replace(by=1),
        Respond((0,), to=1, card=4),
    ]
    events = decide(GAME, state, Counter(0, 5), Luck())
    assert events[-1].agenda[-1] == Respond((1,), to=0, card=5)
    fold(state, events)
    events = decide(GAME, state, GiveIn(1), Script(0, 0, 0))
    replaced = [CardDrawn(seat, 6, "TOY-3.4") for seat in (0, 1, 0)]
    assert events[:4] == [GaveIn(1, 0, 1), *replaced]
    assert seats_to_move(fold(state, events)) == (0,)
    assert state.agenda[-1] == Challenge((0,), left=1)


def test_others_still_owe_an_answer_when_several_are_asked_at_once():
    state = choosing()
    events = decide(GAME, state, Seal(1, 4), Luck())
    assert events[0] == CardSealed(1, 4)
    assert seats_to_move(fold(state, events)) == (0, 2)
    with pytest.raises(NotYourTurn):
        decide(GAME, state, Seal(1, 3), Luck())


def test_the_last_answer_brings_on_what_comes_after_all_of_them():
    state = choosing()
    *_, last = play_on(state, Seal(1, 4), Seal(2, 5), Seal(0, 1))
    assert last[:2] == [CardSealed(0, 1), CardsShown((1, 4, 5), 2, 5)]
    assert seats_to_move(state) == (2,)


@for_each("order", [*permutations((Seal(0, 2), Seal(1, 4), Seal(2, 4)))])
def test_the_order_of_answers_given_at_once_does_not_matter(order):
    reference, state = choosing(), choosing()
    play_on(reference, Seal(0, 2), Seal(1, 4), Seal(2, 4))
    play_on(state, *order)
    assert contents(state) == contents(reference)


def test_an_answer_given_at_once_with_others_says_nothing_to_them():
    for card in (3, 4):
        (event,) = preview(GAME, choosing(), Seal(1, card))
        assert redact(event, 1) == CardSealed(1, card)
        assert redact(event, 0) == redact(event, None) == CardSealed(1, None)


def test_a_preview_stops_before_a_secret_step():
    state = choosing()
    play_on(state, Seal(1, 4), Seal(2, 5))
    assert preview(GAME, state, Seal(0, 1)) == [CardSealed(0, 1)]


def test_a_preview_stops_before_chance():
    ending = {"type": "Challenge", "seats": [0], "left": 1}
    state = position(2, bag=BAG, hands=[[1], [1]], agenda=[REST[0], ending])
    assert preview(GAME, state, Pass(0)) == decide(GAME, state, Pass(0), Script(0))[:1]


def test_a_preview_stops_before_anything_that_reveals():
    answer = {"type": "Respond", "seats": [1], "to": 0, "card": 6}
    agenda = [*REST, {"type": "Replace", "by": 0}, answer]
    state = position(2, bag=BAG, hands=[[1], [1]], points=[0, 1], agenda=agenda)
    assert preview(GAME, state, GiveIn(1)) == [GaveIn(1, 0, 1)]


def test_a_preview_goes_on_to_the_end_if_nothing_is_hidden():
    agenda = [{"type": "Round", "number": 4}, {"type": "Challenge", "seats": [0], "left": 1}]
    state = position(2, agenda=agenda)
    assert preview(GAME, state, Pass(0))[1:] == [GameEnded("rounds")]


def test_a_preview_refuses_what_deciding_refuses():
    with pytest.raises(RuleBroken):
        preview(GAME, choosing(), Seal(0, 6))
    with pytest.raises(NotYourTurn):
        preview(GAME, challenging(), Pass(2))


def test_only_the_awaited_seats_may_move():
    state = challenging()
    with pytest.raises(NotYourTurn, match="not your turn"):
        judge(GAME, state, Pass(1))
    assert legal_moves(GAME, state, 1) == []


def test_no_player_moves_after_the_end():
    state = position(2)
    assert seats_to_move(state) == ()
    assert legal_moves(GAME, state, 0) == []
    with pytest.raises(GameOver, match="over"):
        judge(GAME, state, Pass(0))


def test_a_seat_that_does_not_exist_is_not_awaited():
    with pytest.raises(NotYourTurn):
        judge(GAME, choosing(), Seal(7, 1))
    with pytest.raises(NotYourTurn):
        judge(GAME, choosing(), Seal(-1, 1))


def every_move(seats):
    for seat in range(seats):
        yield from (Pass(seat), GiveIn(seat))
        for card in range(8):
            yield from (Seal(seat, card), Counter(seat, card))
            yield from (ShowCard(seat, to, card) for to in range(-1, seats + 1))


def is_legal(state, move):
    try:
        judge(GAME, state, move)
    except (RuleBroken, NotYourTurn, GameOver, BadMove):
        return False
    return True


@for_each("seed", range(20))
def test_legal_moves_are_exactly_what_is_accepted(seed):
    dice = Luck(seed)
    state = new_game(GAME, 3, dice)
    while seats_to_move(state):
        legal = [move for seat in range(3) for move in legal_moves(GAME, state, seat)]
        assert set(legal) == {move for move in every_move(3) if is_legal(state, move)}
        fold(state, decide(GAME, state, legal[dice.below(len(legal))], dice))
