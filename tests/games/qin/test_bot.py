"""The bots of Qin: what they value, and how they play."""

from __future__ import annotations

from functools import cache

import pytest

from domain.engine.bots import bot_view
from domain.engine.dice import Luck
from domain.engine.game import advance, judge, legal_moves, preview, random_bot, seats_to_move
from domain.games.qin import GAME
from domain.games.qin.board import KINDS
from domain.games.qin.bot import LEVELS, WON, evaluate, lead, pagodas, prey
from domain.games.qin.events import ProvincesAbsorbed
from tests.engine.table import contents, new_game
from tests.games.hurry import in_a_hurry
from tests.games.qin.recording import replay_tables
from tests.games.qin.table import at, holding, table
from tests.support.for_each import for_each

BOTS = {level.key: level.bot for level in LEVELS}
TABLES = [("bird", 2), ("lion", 4), pytest.param("lion", 3, marks=pytest.mark.long)]


@pytest.fixture(params=BOTS)
def bot(request):
    return BOTS[request.param]


def choose_move(bot, state, seed=0, late=lambda: False):
    return bot(bot_view(GAME, state, seats_to_move(state)[0], Luck(seed), late))


def game_between(bots, board="bird", seed=1):
    """The moments of a game with a bot on each seat, and the end."""
    dice = Luck(seed)
    state = new_game(GAME, len(bots), dice, board=board)
    while waiting := seats_to_move(state):
        yield state
        seat = waiting[0]
        advance(GAME, state, bots[seat](bot_view(GAME, state, seat, dice)), dice)
    yield state


def middle_of(board, seats):
    """A table after some moves of the third level."""
    return play_to_the_middle(board, seats).copy()


@cache
def play_to_the_middle(board, seats, moves=16):
    moments = game_between([BOTS["wu_qi"]] * seats, board)
    return next(state.copy() for number, state in enumerate(moments) if number == moves)


def test_the_levels_are_those_of_the_rule_book_the_weakest_first():
    """QIN-13.3"""
    assert [(level.key, GAME.bot_names()[level.key], level.label) for level in GAME.levels] == [
        ("li_mu", "Li Mu", "Easy"),
        ("sun_bin", "Sun Bin", "Crafty"),
        ("wu_qi", "Wu Qi", "Wise"),
        ("qin_shi_huang", "Qin Shi Huang", "Guru"),
    ]


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_bots_finish_games_with_legal_moves(board, seats):
    weak = [BOTS["li_mu"], BOTS["sun_bin"], BOTS["wu_qi"], random_bot][:seats]
    *moments, end = game_between(weak, board)
    assert len(moments) > 10
    assert end.winners


@cache
def moments_of_a_random_game(board, seats):
    """Every 80th, from the beginning on."""
    game = game_between([random_bot] * seats, board)
    return [one.copy() for n, one in enumerate(game) if n % 80 == 0 and seats_to_move(one)]


@pytest.mark.parametrize(("board", "seats"), TABLES)
def test_bots_choose_legal_moves_from_the_beginning_to_the_end(bot, board, seats):
    for state in moments_of_a_random_game(board, seats):
        judge(GAME, state, choose_move(bot, state, late=in_a_hurry(GAME, state)))


def test_bots_choose_the_same_with_the_same_dice(bot):
    state = middle_of("bird", 2)
    one, other = (choose_move(bot, state, 3, in_a_hurry(GAME, state)) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("seats", [pytest.param(2, marks=pytest.mark.long), 3])
def test_bots_do_not_know_the_hands_of_others_nor_the_pile(bot, seats):
    """QIN-12.1, QIN-13.3"""
    state = middle_of("lion", seats)
    others = [GAME.imagine(state, seats_to_move(state)[0], Luck(seed)) for seed in (1,)]
    assert any(contents(other) != contents(state) for other in others)
    tables = (state, *others)
    choices = {choose_move(bot, one, seed=4, late=in_a_hurry(GAME, one)) for one in tables}
    assert len(choices) == 1


def test_bots_answer_when_time_is_up(bot):
    state = middle_of("bird", 3)
    judge(GAME, state, choose_move(bot, state, late=lambda: True))


def test_the_strongest_falls_back_to_the_best_before_any_answer():
    """Time is up when the first sample begins."""
    state = middle_of("bird", 2)
    moves = len(legal_moves(GAME, state, seats_to_move(state)[0]))
    ticks = iter([*[False] * (moves + 2), *[True] * 1000])
    move = choose_move(BOTS["qin_shi_huang"], state, late=lambda: next(ticks))
    assert value_of(state, move) == max(
        value_of(state, other) for other in legal_moves(GAME, state, move.seat)
    )


def value_of(state, move):
    after = state.copy()
    advance(GAME, after, move, Luck(0))
    return evaluate(after, move.seat)


@for_each("level", ["sun_bin", "wu_qi", "qin_shi_huang"])
def test_bots_win_at_once_when_they_can(level):
    """QIN-10.1"""
    state = holding(table("B.......", "........", supply=(1, 1)), 0, "RR", "RY", "YB")
    for seed in range(4):
        after = state.copy()
        advance(GAME, after, choose_move(BOTS[level], state, seed), Luck(0))
        assert after.winners == (0,)


@pytest.mark.parametrize("level", ["sun_bin", "wu_qi", "qin_shi_huang"])
def test_bots_do_not_place_the_last_pagoda_of_a_rival_for_them(level):
    """QIN-5.5: the fifth space of the red province would be their victory."""
    state = table(
        "rrrr....",
        "........",
        "......y.",
        owners=("1111....", "........", "........"),
        supply=(9, 1),
    )
    state = holding(state, 0, "RR", "RY", "BR")
    for seed in range(4):
        after = state.copy()
        advance(GAME, after, choose_move(BOTS[level], state, seed), Luck(0))
        assert not after.winners


def test_the_strongest_leaves_the_next_player_no_room_for_a_last_pagoda():
    """Only blue on b1 and b2 keeps their red half away from the start space."""
    state = table(
        "R.....", "......", supply=(2, 1), hands=(("BB",), ("RY",)), pile=dict.fromkeys(KINDS, 0)
    )
    for seed in range(4):
        move = choose_move(BOTS["qin_shi_huang"], state, seed)
        assert {(half.row, half.col) for half in move.halves} == {at("b1"), at("b2")}


def test_pagodas_and_lead_count_what_is_on_the_board():
    state = table("rr.rr", ".....", owners=("00.11", "....."), supply=(20, 22), seats=2)
    assert pagodas(state, 0) - pagodas(state, 1) == 2
    assert (lead(state, 0), lead(state, 1)) == (2, -2)


def test_the_lead_is_over_the_best_of_several_rivals():
    state = table("rr.rr", ".....", seats=3, owners=("00.11", "....."), supply=(15, 18, 12))
    assert [lead(state, seat) for seat in range(3)] == [-3, -6, 3]


def test_victory_is_worth_more_than_anything_and_less_if_it_is_shared():
    state = table("rr.rr", ".....", owners=("00.11", "....."))
    state.winners = (0,)
    assert (evaluate(state, 0), evaluate(state, 1)) == (WON, -WON)
    state.winners = (0, 1)
    assert lead(state, 0) == lead(state, 1) == WON / 2


def weight(*cells, owners, seat=0, supply=(20, 20), **other):
    """The evaluation with equal supplies: what it adds to the lead."""
    return evaluate(table(*cells, owners=owners, supply=supply, **other), seat)


def test_spaces_of_minor_provinces_and_majors_count():
    assert weight("rrr", owners=("000",)) == pytest.approx(0.3)
    assert weight("rrrrr", owners=("00000",)) == pytest.approx(0.5)
    assert weight("rrrrrr", owners=("111111",)) == pytest.approx(-0.5)


def test_what_others_have_is_averaged():
    supply, owners = (9, 9, 9), ("11111",)
    assert weight("rrrrr", owners=owners, seats=3, supply=supply) == pytest.approx(-0.25)


def test_a_village_counts_with_its_margin_up_to_two():
    one = weight("rrV", owners=("000",)) - weight("rr.", owners=("00.",))
    two = weight("rrrrrV", owners=("000000",)) - weight("rrrrr.", owners=("00000.",))
    three = weight("rrrrrVyy", owners=("00000000",)) - weight("rrrrr~yy", owners=("00000.00",))
    assert (one, two, three) == pytest.approx((0.25, 0.5, 0.5))


def test_a_province_that_touches_a_village_twice_has_its_margin_once():
    """QIN-7.2"""
    twice = weight("rV.", "rr.", owners=("00.", "00.")) - weight(
        "r~.", "rr.", owners=("0..", "00.")
    )
    assert twice == pytest.approx(0.25)


def test_a_village_that_is_held_against_equals_has_no_margin():
    rows, owners = "rrVyy", "00011"
    without = weight("rr~yy", owners=("00.11",))
    assert weight(rows, owners=(owners,)) == pytest.approx(without)


def test_a_province_that_one_tile_would_give_to_another_is_worth_less():
    alone = weight("rr..rrr", ".......", owners=("00..111", "......."))
    prey = weight("rr.rrr.", ".......", owners=("00.111.", "......."))
    assert prey - alone == pytest.approx(-0.5)
    assert weight("rr.rrr.", ".......", owners=("11.000.", ".......")) == pytest.approx(-prey)


@for_each(
    ("row", "owners", "why"),
    [
        ("rr.rr.", "00.11.", "a tie cannot be joined"),
        ("rr.yyy", "00.111", "the colours differ"),
        ("rr.rrr", "00.000", "they have one owner"),
        ("rrrrr.rrrrr", "00000.11111", "majors cannot be joined"),
        ("rr.rrr", "xx.111", "a ruined area cannot be joined"),
    ],
)
def test_what_cannot_be_absorbed_is_safe(row, owners, why):
    """QIN-6.1, QIN-6.4, QIN-14.3"""
    free, nobody = "." * len(row), "." * len(row)
    apart, whose = row.replace(".", "~"), owners
    open_ = weight(row, free, owners=(owners, nobody), joining_majors="mutual_removal")
    closed = weight(apart, free, owners=(whose, nobody), joining_majors="mutual_removal")
    assert open_ == pytest.approx(closed), why


def test_a_free_cell_without_room_for_a_tile_joins_nothing():
    assert weight("rr.rrr", owners=("00.111",)) == pytest.approx(-0.1)


def test_a_single_space_with_room_beside_it_is_good_for_who_is_next():
    assert weight("r..", owners=("...",)) == pytest.approx(0.3)
    assert weight("r..", owners=("...",), seat=1) == pytest.approx(-0.3)
    assert weight("r~.", owners=("...",)) == 0


def test_the_weakest_often_plays_by_chance():
    state = holding(table("B.......", "........"), 0, "RR", "RY", "YB")
    founded = [after_choice("li_mu", state, seed).supply[0] < 24 for seed in range(40)]
    assert 20 < sum(founded) < 40


def after_choice(level, state, seed):
    after = state.copy()
    advance(GAME, after, choose_move(BOTS[level], state, seed), Luck(0))
    return after


def test_a_lead_in_pagodas_beats_pagodas_without_a_lead():
    """A game on each seat; the arena measures the strength precisely."""
    wins = 0
    for game in range(2):
        pair = [BOTS["sun_bin"], BOTS["li_mu"]]
        *_, end = game_between(pair if game % 2 else pair[::-1], seed=game)
        wins += (0 if game % 2 else 1) in end.winners
    assert wins == 2


def test_a_tile_is_placed_where_it_founds_two_provinces():
    state = holding(table("~~~~", "R..Y", "...."), 0, "RY", "RR", "YY")
    assert after_choice("sun_bin", state, 1).supply[0] == 22


def test_the_bots_know_of_every_province_that_half_a_tile_can_take():
    """QIN-6.2, QIN-6.3: the same as placing all tiles of two colours on all legal spaces."""
    found = 0
    for state in replay_tables(every=8):
        lost = set(find_absorbed(holding(state, seats_to_move(state)[0], *TWO_COLOURS)))
        assert lost <= prey(state)
        found += len(lost)
    assert found


TWO_COLOURS = [kind for kind in KINDS if kind[0] != kind[1]]


def find_absorbed(state):
    """The provinces that a legal placement makes part of another player's province."""
    for move in legal_moves(GAME, state, *seats_to_move(state)):
        for event in preview(GAME, state, move):
            if isinstance(event, ProvincesAbsorbed):
                old = [state.area(space) for space in event.provinces]
                yield from (area for area in old if state.owners[area] != event.seat + 1)


@for_each(
    ("rows", "owners", "lost"),
    [
        (["rr.rrr", "......"], ["00.111", "......"], {"a1"}),
        (["rrr.rr", "......"], ["000.11", "......"], {"e1"}),
        (["rrrrr.rr", "........"], ["11111.00", "........"], {"g1"}),
        (["rr.rr.", "......"], ["00.11.", "......"], set()),
        (["rr.rr.", "......"], ["00.00.", "......"], set()),
        (["rr.yyy", "......"], ["00.111", "......"], set()),
        (["rr.rrr", "~~~~~~"], ["00.111", "......"], set()),
        (
            ["......", "rr.rrr", "..r...", "..r..."],
            ["......", "00.111", "..2...", "..2..."],
            {"a2", "c3"},
        ),
        (
            [".......", "rrr.rr.", "..~r~..", "...r..."],
            [".......", "000.11.", "...1...", "...1..."],
            {"a2"},
        ),
        (
            ["..........", "rrrrr.rrr.", "....~r~...", ".....rr..."],
            ["..........", "00000.111.", ".....1....", ".....11..."],
            {"g2", "f3"},
        ),
        (["rrrrr.rrrrr", "..........."], ["00000.11111", "..........."], set()),
    ],
)
@for_each("joining", ["forbidden", "mutual_removal"])
def test_what_bots_take_for_prey(rows, owners, lost, joining):
    """QIN-4.3, QIN-6.1, QIN-6.2, QIN-6.3, QIN-6.4, QIN-14.2: a ruin is prey for no player."""
    state = table(*rows, owners=tuple(owners), seats=3, joining_majors=joining)
    assert prey(state) == {state.area(at(name)) for name in lost}


def test_what_touches_a_ruin_is_prey_for_no_player():
    """QIN-14.3"""
    ruin = {"joining_majors": "mutual_removal"}
    state = table("..rr..", "rr..rr", ".....r", owners=("..xx..", "00..11", ".....1"), **ruin)
    assert prey(state) == set()
    open_ = table("......", "rr.rr.", "....r.", owners=("......", "00.11.", "....1."), **ruin)
    assert prey(open_) == {open_.area(at("a2"))}
