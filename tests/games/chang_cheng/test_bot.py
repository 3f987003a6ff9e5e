"""The bots of Chang Cheng: what they value, and how they play."""

from __future__ import annotations

from dataclasses import replace

import pytest

from domain.engine.bots import bot_view
from domain.engine.dice import Luck
from domain.engine.game import advance, judge, legal_moves, random_bot, seats_to_move
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.bot.evaluation import WON, china_only, evaluate
from domain.games.chang_cheng.bot.levels import LEVELS
from domain.games.chang_cheng.bot.search import thinking_ahead
from domain.games.chang_cheng.moves import BuildSingle, ChangeValue, LayCard, RemoveThreat
from tests.engine.table import contents, new_game
from tests.games.chang_cheng.situations import LAST, WAITING, nearly_full
from tests.games.chang_cheng.table import card, happens, table
from tests.games.hurry import after_calls, in_a_hurry

BOTS = {level.key: level.bot for level in LEVELS}
STRONG = ["mason", "general", "meng_tian"]


@pytest.fixture(params=BOTS)
def bot(request):
    return BOTS[request.param]


def choose_move(bot, state, seed=0, late=lambda: False):
    return bot(bot_view(GAME, state, seats_to_move(state)[0], Luck(seed), late))


def game_between(bots, seed=1):
    """The end of a game with a bot on each seat."""
    dice = Luck(seed)
    state = new_game(GAME, len(bots), dice)
    while waiting := seats_to_move(state):
        move = bots[waiting[0]](bot_view(GAME, state, waiting[0], dice))
        judge(GAME, state, move)
        advance(GAME, state, move, dice)
    return state


def test_the_four_levels_begin_with_the_weakest():
    """CC-13.3"""
    assert [(level.key, GAME.bot_names()[level.key], level.label) for level in GAME.levels] == [
        ("labourer", "Labourer", "Beginner"),
        ("mason", "Mason", "Easy"),
        ("general", "General", "Skilled"),
        ("meng_tian", "Meng Tian", "Strong"),
    ]


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.long), 4])
def test_bots_finish_games_with_legal_moves(seats):
    """CC-13.3"""
    bots = [BOTS["general"], BOTS["labourer"], BOTS["mason"], random_bot][:seats]
    assert game_between(bots).winners


def test_each_level_answers_every_kind_of_step(bot):
    """CC-13.3"""
    for state in WAITING.values():
        judge(GAME, state, choose_move(bot, state, late=in_a_hurry(GAME, state)))


def test_bots_choose_the_same_with_the_same_dice(bot):
    state = WAITING["Turn"]
    one, other = (choose_move(bot, state, 3, in_a_hurry(GAME, state)) for _ in range(2))
    assert one == other


@pytest.mark.parametrize("seats", [2, pytest.param(3, marks=pytest.mark.long)])
@pytest.mark.parametrize("walls", ["b1:2=1", "b1:1=0 b1:2=1 b1:3=1 b2:1=0t b2:2=0 b2:12-13=1"])
def test_bots_do_not_know_hidden_cards_and_tiles(bot, walls, seats):
    """CC-13.3, CC-9.1, CC-9.2"""
    laid = [card(1, 5, "b1:C1"), card(0, 4, "b1:C1"), card(1, 2, "b2:C2")]
    state = table(walls, seats=seats, cards=laid)
    other = GAME.imagine(state, 0, Luck(0))
    assert contents(other) != contents(state)
    imagined = GAME.imagine(state, 0, Luck(7))
    assert bot(eyes(other, 0, imagined)) == bot(eyes(state, 0, imagined))


def eyes(state, seat, imagined):
    """A view of this table that imagines another table, which looks the same to the seat."""
    late = in_a_hurry(GAME, state)
    return replace(bot_view(GAME, state, seat, Luck(4), late), imagine=imagined.copy)


def test_bots_answer_when_time_is_up(bot):
    state = WAITING["Turn"]
    judge(GAME, state, choose_move(bot, state, late=lambda: True))


def test_what_was_tried_in_only_some_of_the_moves_decides_nothing_when_time_runs_out():
    """CC-13.3"""
    state = table("b1:1=0 b1:2=1 b1:3=1 b2:1=0t b2:12-13=1", hands=[[4], [5], [6]])
    looked = len(legal_moves(GAME, state, seats_to_move(state)[0]))
    whole = [choose_move(thinking_ahead(candidates=5, samples=n), state) for n in range(3)]
    for calls in range(looked, looked + 100, 30):
        bot = thinking_ahead(candidates=5, samples=2)
        assert choose_move(bot, state, late=after_calls(calls)) in whole
    assert choose_move(bot, state, late=after_calls(looked + 2)) == whole[0]


def test_only_the_weakest_chooses_between_kinds_by_chance():
    """CC-13.3"""
    kinds = [type(choose_move(BOTS["labourer"], table(), seed)) for seed in range(60)]
    assert len(set(kinds)) == 4
    assert max(map(kinds.count, set(kinds))) < 30


@pytest.mark.parametrize("level", STRONG)
def test_bots_fill_a_region_that_they_win(level):
    """CC-6.5"""
    walls = "b1:1=0 b1:2=0 b1:3=1 b2:8=0t b2:10-11=0"
    state = table(walls, prestige={"b1:C1": 4}, hands=[[], [1, 2], [1, 2]])
    after = state.copy()
    while seats_to_move(after) == (0,):
        happens(after, choose_move(BOTS[level], after))
    assert after.scored[0]
    assert after.score(0) >= 8


def test_victory_is_worth_more_than_the_points():
    """CC-13.1"""
    end = nearly_full("0 1 n 0 1", points=[{"regions": 9}, {}])
    happens(end, LAST)
    (winner,) = end.winners
    assert evaluate(end, winner) > WON
    assert evaluate(end, 1 - winner) < -WON


def test_threats_matter_to_those_who_think_of_the_mongols():
    """CC-10.2"""
    walls = "b1:1=0 b1:2=0 b1:3=0 b1:4=0 b1:5=1"
    one, other = (table(walls, threats={"b1:M1": n}, seen={"b1:M1": [0, 1, 2]}) for n in (2, 4))
    assert evaluate(one, 0) > evaluate(other, 0)
    assert evaluate(one, 1) < evaluate(other, 1)
    assert china_only(one, 0) == china_only(other, 0)


def test_a_threat_that_was_not_seen_is_taken_for_a_mean_one():
    """CC-9.2"""
    walls = "b1:1=0 b1:2=0 b1:3=0 b1:4=0 b1:5=1"
    one, other = (table(walls, threats={"b1:M1": n}) for n in (2, 4))
    assert evaluate(one, 0) == evaluate(other, 0)


def test_every_hidden_card_of_a_rival_is_worth_the_same():
    """CC-9.1"""
    one, other = (table("b1:1=0", cards=[card(1, n, "b1:C1")]) for n in (1, 5))
    assert evaluate(one, 0) == evaluate(other, 0)
    assert evaluate(one, 1) < evaluate(other, 1)


def test_a_tower_shields_in_the_evaluation_too():
    """CC-10.3"""
    assert weight("b1:1=0 b1:2=0 b1:3=0t") > weight("b1:1=0 b1:2=0 b1:3=0") - 1.8


def weight(walls):
    return evaluate(table(walls, threats={"b1:M1": 4}, seen={"b1:M1": [0]}), 0)


@pytest.mark.parametrize("level", ["general", "meng_tian"])
def test_a_traitor_takes_away_the_threat_that_its_owner_would_pay(level):
    """CC-7.4"""
    walls = "b1:1=1 b1:2=1 b1:3=1 b1:5=1 b1:6=2 b1:7=2"
    position = {"cards": [card(1, 2, "b1:C1")], "threats": {"b1:M1": 4}, "seen": {"b1:M1": [0, 1]}}
    state = table(walls, **position)
    happens(state, BuildSingle(0, "b1:4"))
    assert choose_move(BOTS[level], state) == RemoveThreat(1, "b1:M1")


@pytest.mark.parametrize("level", STRONG)
@pytest.mark.parametrize(("owner", "change"), [(0, -2), (1, 2)])
def test_a_flood_swells_what_its_owner_wins_and_drains_what_others_win(level, owner, change):
    """CC-7.5: also while another card still waits."""
    cards = [card(owner, 3, "b1:C1"), card(1 - owner, 6, "b1:C1")]
    walls = "b1:1=1 b1:2=1 b1:3=1 b2:1=1"
    for seed in range(4):
        state = table(walls, cards=cards, prestige={"b1:C1": 4}, seats=2)
        happens(state, BuildSingle(0, "b1:4"))
        assert choose_move(BOTS[level], state, seed) == ChangeValue(owner, change)


def test_cards_in_hand_are_kept_for_the_imperial_reward():
    """CC-12.4"""
    state = table(events=["imperial_reward"])
    assert not isinstance(choose_move(BOTS["general"], state), LayCard)


def test_the_general_beats_the_labourer():
    """Four games, two on each seat; the arena measures the strength precisely. CC-13.3"""
    wins = 0
    for game in range(4):
        pair = [BOTS["general"], BOTS["labourer"]]
        end = game_between(pair if game % 2 else pair[::-1], seed=game)
        wins += (0 if game % 2 else 1) in end.winners
    assert wins == 4
