"""The table of answers: which moves answer which steps."""

from __future__ import annotations

import pytest

from domain.engine.answers import Answer, Answers, AutomaticStep, Fallback, allow_any, offer_only
from domain.engine.contract.refusals import describe_refusal
from domain.engine.dice import Luck, choose
from domain.engine.errors import RuleBroken
from domain.engine.game import candidates, decide, judge, legal_moves, new_state, seats_to_move
from domain.engine.play import Event, Move, Step, records_in
from tests.engine.table import position
from tests.engine.toy import GAME, events, moves
from tests.engine.toy.rules import challenges, rounds
from tests.engine.toy.state import steps
from tests.support.for_each import for_each

NOT_NOW = Fallback("TOY-2.2", "not_now")
SEALING = Answer(steps.Choose, moves.Seal, rounds.cards, rounds.check_card, rounds.seal)
PASSING = Answer(steps.Choose, moves.Pass, offer_only(moves.Pass), allow_any, challenges.pass_on)
REVEALING = AutomaticStep(steps.Reveal, rounds.reveal)

CHOOSING = [{"type": "Round", "number": 2}, {"type": "Choose", "seats": [0]}]


def challenging():
    agenda = [{"type": "Round", "number": 2}, {"type": "Challenge", "seats": [0], "left": 2}]
    return position(2, hands=[[2, 2, 5], [1]], points=[0, 3], bag=[0] * 6, agenda=agenda)


def test_the_steps_and_moves_of_a_game_are_those_of_its_table():
    table = Answers((SEALING, PASSING), {steps.Choose: NOT_NOW}, (REVEALING,))
    assert table.steps == (steps.Choose, steps.Reveal)
    assert table.moves == (moves.Seal, moves.Pass)
    assert table.moves_for(steps.Choose) == (moves.Seal, moves.Pass)
    assert table.moves_for(steps.Reveal) == ()


def test_a_move_that_answers_two_steps_is_listed_once():
    counter = Answer(
        steps.Respond, moves.Pass, offer_only(moves.Pass), allow_any, challenges.pass_on
    )
    table = Answers((PASSING, counter), {steps.Choose: NOT_NOW, steps.Respond: NOT_NOW})
    assert table.moves == (moves.Pass,)


def test_what_is_offered_is_in_the_order_of_the_table():
    assert candidates(GAME, challenging(), 0) == [
        *(moves.ShowCard(0, to, card) for to in (0, 1) for card in (2, 5)),
        moves.Pass(0),
    ]


def test_what_is_offered_and_allowed_is_legal():
    state = challenging()
    allowed = [moves.ShowCard(0, 1, 2), moves.ShowCard(0, 1, 5), moves.Pass(0)]
    assert legal_moves(GAME, state, 0) == allowed
    assert legal_moves(GAME, state, 1) == candidates(GAME, state, 1) == []


def test_what_is_offered_for_sure_is_not_judged():
    def forbid(_state, _step, _move):
        raise RuleBroken("TOY-2.2", "never")

    state = position(2, hands=[[2, 5], [1]], points=[0, 3], bag=[0] * 6, agenda=CHOOSING)
    for sure, found in ((True, [moves.Seal(0, 2), moves.Seal(0, 5)]), (False, [])):
        row = Answer(steps.Choose, moves.Seal, rounds.cards, forbid, rounds.seal, sure)
        table = Answers((row, PASSING), {steps.Choose: NOT_NOW})
        assert list(table.legal_moves(state, 0)) == [*found, moves.Pass(0)]
        drawn = {table.draw_move(state, 0, Luck(seed)) for seed in range(30)}
        assert drawn == {*found, moves.Pass(0)}


def test_where_nothing_is_allowed_nothing_is_drawn():
    table = Answers((SEALING,), {steps.Choose: NOT_NOW})
    nothing = position(2, hands=[[], [1]], points=[0, 3], bag=[0] * 6, agenda=CHOOSING)
    with pytest.raises(ValueError, match="0 sides"):
        table.draw_move(nothing, 0, Luck())


def test_a_move_that_does_not_answer_the_step_is_refused_in_the_words_of_the_step():
    with pytest.raises(RuleBroken, match=r"^TOY-3.1: not_now") as refused:
        judge(GAME, challenging(), moves.Seal(0, 2))
    assert GAME.words().say(describe_refusal(refused.value)) == "Challenge another seat, or pass."


def test_a_move_that_answers_the_step_is_for_its_judge():
    with pytest.raises(RuleBroken, match=r"^TOY-3.1: not_in_hand") as refused:
        judge(GAME, challenging(), moves.ShowCard(0, 1, 6))
    assert GAME.words().say(describe_refusal(refused.value)) == (
        "You hold no 6. Choose a card that you hold."
    )


def test_the_deed_of_the_row_is_done():
    happened = decide(GAME, challenging(), moves.Pass(0), Luck(0))
    assert happened[0] == events.Passed(0)


def test_every_row_is_reached_in_play():
    seen, dice = set(), Luck(4)
    for _ in range(30):
        state = new_state(GAME, GAME.setup(GAME.options(), 3), 3, dice)
        while seats_to_move(state):
            move = choose(dice, legal_moves(GAME, state, seats_to_move(state)[0]))
            seen.add((type(state.agenda[-1]), type(move)))
            for event in decide(GAME, state, move, dice):
                event.apply(state)
    assert seen == {(row.step, row.move) for row in GAME.answers.rows}


@for_each(
    ("rows", "fallbacks", "automatic_steps", "reason"),
    [
        ((SEALING, SEALING), {steps.Choose: NOT_NOW}, (), "twice"),
        ((SEALING,), {}, (), "answers or a fallback"),
        ((), {steps.Choose: NOT_NOW}, (), "answers or a fallback"),
        ((), {}, (REVEALING, REVEALING), "twice"),
        (
            (SEALING,),
            {steps.Choose: NOT_NOW},
            (AutomaticStep(steps.Choose, rounds.refill),),
            "that have answers",
        ),
    ],
)
def test_a_table_that_contradicts_itself_is_refused(rows, fallbacks, automatic_steps, reason):
    with pytest.raises(TypeError, match=reason):
        Answers(rows, fallbacks, automatic_steps)


def test_records_are_found_where_they_are_defined_and_nowhere_else():
    assert records_in(Move, moves)[:2] == (moves.Seal, moves.ShowCard)
    assert set(records_in(Step, steps)) == set(GAME.answers.steps)
    assert records_in(Event, moves, steps) == ()
    assert records_in(Step, rounds) == ()
