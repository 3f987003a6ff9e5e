"""Bots that play any game, shown with the toy game."""

from __future__ import annotations

import pytest

from domain.engine import bots
from domain.engine.bots import (
    bot_view,
    greedy_bot,
    mix,
    rank_moves,
    sampling_bot,
    shortlist,
)
from domain.engine.dice import Luck
from domain.engine.game import advance, judge, legal_moves, random_bot, seats_to_move
from tests.engine import nim
from tests.engine.nim.table import Turn
from tests.engine.table import contents, new_game, position
from tests.engine.toy import GAME
from tests.engine.toy.moves import Pass, Seal, ShowCard
from tests.support.for_each import for_each

END = {"type": "Round", "number": 4}
REST = [{"type": "Round", "number": 2}, {"type": "Refill"}]
CHALLENGE = {"type": "Challenge", "seats": [0], "left": 2}
CHOOSE = {"type": "Choose", "seats": [0, 1]}


def points(state, seat):
    return state.points[seat]


def lead(state, seat):
    return 2 * state.points[seat] - sum(state.points) + sum(state.hands[seat]) / 100


BOTS = {
    "random": random_bot,
    "greedy": greedy_bot(lead),
    "greedy after a glance": greedy_bot(lead, points, width=2),
    "mixed": mix(50, random_bot, greedy_bot(lead)),
    "sampled": sampling_bot(lead, points, candidates=3, samples=3),
    "sampled, open": sampling_bot(lead, points, candidates=3, samples=3, open_replies=True),
    "sampled, far": sampling_bot(lead, points, candidates=3, samples=3, rounds=2, halve_after=1),
}


@pytest.fixture(params=BOTS.values(), ids=BOTS)
def bot(request):
    return request.param


def challenging(*hands, points=(0, 3)):
    """In the last round seat 0 may show a card; the bag is empty, so no value is secret."""
    agenda = [END, CHALLENGE]
    return position(2, bag=[0] * 6, hands=hands, points=list(points), round=1, agenda=agenda)


def choose_move(bot, state, seed=0, late=lambda: False):
    seat = seats_to_move(state)[0]
    return bot(bot_view(GAME, state, seat, Luck(seed), late))


def game_of(bot, seats, seed):
    """The moments and moves of a game that this bot plays with all seats."""
    dice = Luck(seed)
    state = new_game(GAME, seats, dice)
    while waiting := seats_to_move(state):
        move = bot(bot_view(GAME, state, waiting[-1], dice))
        yield state, move
        advance(GAME, state, move, dice)


def test_a_sight_shows_what_could_be_and_not_what_is():
    state = new_game(GAME, 3, Luck(1))
    view = bot_view(GAME, state, 0, Luck(2))
    imagined = [view.imagine() for _ in range(10)]
    assert all(GAME.view(other, 0) == GAME.view(state, 0) for other in imagined)
    assert any(other.hands != state.hands for other in imagined)
    assert not view.is_late()


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_bots_move_legally_to_the_end_of_the_game(bot, seats):
    for state, move in game_of(bot, seats, seed=seats):
        judge(GAME, state, move)


def test_bots_do_not_change_the_state(bot):
    state = new_game(GAME, 3, Luck(4))
    before = contents(state)
    choose_move(bot, state)
    assert contents(state) == before


def test_bots_choose_the_same_with_the_same_dice(bot):
    for state, _ in game_of(random_bot, 3, seed=5):
        assert choose_move(bot, state, seed=6) == choose_move(bot, state, seed=6)


def test_bots_do_not_know_what_their_seat_cannot_know(bot):
    for state, _ in game_of(random_bot, 3, seed=7):
        other = GAME.imagine(state, seats_to_move(state)[0], Luck(8))
        assert choose_move(bot, other, seed=9) == choose_move(bot, state, seed=9)


def test_bots_answer_when_time_is_up(bot):
    for state, _ in game_of(random_bot, 3, seed=10):
        judge(GAME, state, choose_move(bot, state, late=lambda: True))


def test_greedy_looks_at_one_move_only_when_time_is_up():
    looked_at = []
    choose_move(
        greedy_bot(lambda state, seat: looked_at.append(seat) or 0), choosing(), late=lambda: True
    )
    assert looked_at == [0]


def choosing():
    return position(
        2, bag=[1] * 6, hands=[[1, 2, 4], [3, 3, 3]], round=1, prize=2, agenda=[*REST, CHOOSE]
    )


def test_the_random_bot_makes_every_move():
    state = choosing()
    moves = {choose_move(random_bot, state, seed) for seed in range(50)}
    assert moves == set(legal_moves(GAME, state, 0))


def test_greedy_makes_the_move_after_which_the_state_is_best():
    keep_high = greedy_bot(lambda state, seat: sum(state.hands[seat]))
    assert choose_move(keep_high, choosing()) == Seal(0, 1)


def test_greedy_lets_the_dice_decide_between_equals():
    moves = {choose_move(greedy_bot(points), choosing(), seed) for seed in range(50)}
    assert moves == {Seal(0, 1), Seal(0, 2), Seal(0, 4)}


def test_greedy_evaluates_only_what_looks_good_at_a_glance():
    def sum_hand(state, seat):
        return sum(state.hands[seat])

    bot = greedy_bot(lambda state, seat: -sum_hand(state, seat), sum_hand, width=2)
    assert choose_move(bot, choosing()) == Seal(0, 2)


def test_a_shortlist_is_in_order_and_says_where_each_move_leads():
    view = bot_view(GAME, choosing(), 0, Luck(1))

    def sum_hand(state, seat):
        return sum(state.hands[seat])

    best = shortlist(view, sum_hand, points, width=5)
    assert [(value, move.card) for value, move, _ in best] == [(6, 1), (5, 2), (3, 4)]
    assert [state.sealed[0] for _, _, state in best] == [1, 2, 4]


@for_each(("percent", "cards"), [(0, {1}), (100, {4}), (50, {1, 4})])
def test_a_mixed_bot_plays_like_the_rare_one_in_the_given_share_of_cases(percent, cards):
    def low(view):
        return legal_moves(view.game, view.imagine(), view.seat)[0]

    def high(view):
        return legal_moves(view.game, view.imagine(), view.seat)[-1]

    bot = mix(percent, rare=high, usual=low)
    assert {choose_move(bot, choosing(), seed).card for seed in range(30)} == cards


@pytest.mark.parametrize("bot", [BOTS["sampled"], BOTS["sampled, open"]])
def test_searching_bots_see_that_a_card_cannot_be_answered(bot):
    state = challenging([1, 6], [2, 3])
    assert choose_move(bot, state) == ShowCard(0, 1, 6)
    assert {choose_move(greedy_bot(lead), state, seed) for seed in range(9)} == {Pass(0)}


def test_searching_bots_expect_the_answer_that_suits_the_other():
    state = challenging([1, 2], [3, 4])
    assert choose_move(sampling_bot(lead, points, candidates=9, samples=2), state) == Pass(0)


def test_sampling_weighs_what_is_likely():
    """Of 12 hidden cards two are lower than 4, and one of those 12 is in the other hand."""
    agenda = [*REST, CHALLENGE]
    hidden = {"bag": [1, 1, 0, 0, 4, 5], "hands": [[4], [5]], "points": [0, 3]}
    state = position(2, **hidden, round=1, agenda=agenda)
    bot = sampling_bot(
        lambda state, seat: state.points[seat] + len(state.hands[seat]) / 2,
        points,
        candidates=2,
        samples=40,
    )
    assert choose_move(bot, state) == Pass(0)


def test_open_replies_are_tried_once_for_each_move():
    looked = []

    def glance(state, seat):
        looked.append(seat)
        return state.points[seat]

    state = challenging([1, 6], [2, 3])
    times = []
    for open_replies in (True, False):
        bot = sampling_bot(lead, glance, candidates=9, samples=5, open_replies=open_replies)
        assert choose_move(bot, state) == ShowCard(0, 1, 6)
        times.append(looked.count(1))
        looked.clear()
    assert times[1] == 5 * times[0] > 0


@pytest.mark.parametrize(("rounds", "kind"), [(1, Pass), (2, ShowCard)])
def test_more_rounds_of_answers_see_later_consequences(rounds, kind):
    """It is bad to be left with one card, but the second can follow the first."""

    def rid_of_cards(state, seat):
        return (2, -1, 0)[len(state.hands[seat])]

    bot = sampling_bot(rid_of_cards, rid_of_cards, candidates=3, samples=1, rounds=rounds)
    assert isinstance(choose_move(bot, challenging([5, 6], [2, 3])), kind)


@for_each(("halve_after", "times"), [(None, 12), (1, 7), (2, 10)])
def test_only_the_better_half_stays_in_the_running(halve_after, times):
    """Three moves and four samples; the bot evaluates the moves once before."""
    looked = []

    def count_look(state, seat):
        looked.append(seat)
        return lead(state, seat)

    bot = sampling_bot(count_look, points, candidates=9, samples=4, halve_after=halve_after)
    assert choose_move(bot, challenging([1, 6], [2, 3])) == ShowCard(0, 1, 6)
    assert looked.count(0) == 3 + times


@for_each("seed", range(10))
def test_chance_is_the_same_after_each_move_in_a_sample(seed):
    """The draw after each shown card is the same; a seat that passes draws no card."""
    bags = []

    def save_bag(state, seat):
        if seat == 0:
            bags.append(tuple(state.bag))
        return 0

    table = {"bag": [3] * 6, "hands": [[5, 6], [1, 1]], "points": [0, 3]}
    state = position(2, **table, round=1, agenda=[END, CHALLENGE])
    choose_move(sampling_bot(save_bag, points, candidates=3, samples=1), state, seed)
    assert len(set(bags[-3:])) == 2


def test_a_glance_at_my_next_move_does_for_all_answers_before_it():
    """Seat 0 passes or shows the 3; after any higher card, it can only give in."""
    looked = []

    def glance(state, seat):
        looked.append((seat, state.points[0]))
        return state.points[seat]

    table = {"bag": [0, 0, 0, 2, 2, 2], "hands": [[3], [5]], "points": [1, 3]}
    state = position(2, **table, round=1, agenda=[END, CHALLENGE])
    choose_move(sampling_bot(points, glance, 2, samples=20, rounds=2, open_replies=True), state)
    assert looked.count((1, 1)) == 3
    assert [points for seat, points in looked if seat == 0] == [1, 1, 0]


def test_a_sample_that_was_not_finished_does_not_count():
    ticks = iter([*[False] * 5, *[True] * 99])
    state = challenging([1, 6], [2, 3])
    bot = sampling_bot(lead, points, candidates=3, samples=9)
    move = choose_move(bot, state, late=lambda: next(ticks))
    assert move == Pass(0)  # the best before any answer


def test_ranked_moves_are_the_same_whatever_the_seat_cannot_know():
    for state, _ in game_of(random_bot, 3, seed=7):
        seat = seats_to_move(state)[0]
        moves, other = legal_moves(GAME, state, seat), GAME.imagine(state, seat, Luck(8))
        ranked = rank_moves(GAME, state, seat, moves)
        assert rank_moves(GAME, other, seat, moves) == ranked
        assert sorted(map(repr, ranked)) == sorted(map(repr, moves))


def test_a_game_without_an_evaluation_ranks_moves_by_points():
    state = nim.GAME.blank_state(nim.GAME.options(), 2)
    state.heap, state.agenda = 3, [Turn((0,))]
    moves = legal_moves(nim.GAME, state, 0)
    assert [move.count for move in moves] == [1, 2, 3]
    assert [move.count for move in rank_moves(nim.GAME, state, 0, moves)] == [3, 1, 2]


def test_at_most_a_fixed_number_of_moves_is_evaluated(monkeypatch):
    evaluated = []
    monkeypatch.setattr(bots, "MAX_RANKED_MOVES", 2)
    monkeypatch.setattr(bots, "evaluate", lambda game, state, seat: evaluated.append(seat) or 0)
    moves = legal_moves(GAME, choosing(), 0)
    assert rank_moves(GAME, choosing(), 0, moves) == moves
    assert len(moves) > len(evaluated) == 2
