"""The bots of The Great Wall: their features, and their moves on small tables."""

import pytest

from domain.engine.bots import bot_view
from domain.engine.dice import Luck
from domain.engine.game import judge, legal_moves, seats_to_move
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.bot import outlook, worth
from domain.games.great_wall.bot.foresight import Effort, make_search_bot
from domain.games.great_wall.bot.hasty import appeal
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, soldiers
from domain.games.great_wall.state.clans import Claim
from tests.games.great_wall.course import begin
from tests.games.great_wall.game import new_table
from tests.games.great_wall.situations import EVENT, full_table
from tests.games.great_wall.table import horde, table
from tests.support.for_each import for_each

MOMENT = ("you_attack", "you_deal_last_wound")
RICH = {"wood": 5, "stone": 5, "gold": 5}
THINKING = [level for level in GAME.levels if level.key in ("warden", "general")]


def number(name, state, seat=0):
    """One of the features of the evaluation."""
    return outlook.compute_features(state, seat)[outlook.FEATURES.index(name)]


def choose(level, state, seat=0):
    bot = next(each.bot for each in GAME.levels if each.key == level)
    return bot(bot_view(GAME, state, seat, Luck(1)))


def test_each_feature_has_a_name_and_a_weight():
    assert len(outlook.compute_features(new_table(3), 0)) == len(outlook.FEATURES)
    assert set(worth.WEIGHTS) == set(outlook.FEATURES)


@for_each(
    ("name", "own", "more"),
    [
        ("material", {"resources": {"wood": 3, "chi": 2}}, 3),
        ("chi", {"resources": {"wood": 3, "chi": 2}}, 2),
        ("overseer levels", {"overseers": {"quarry": 2, "temple": 1}}, 3),
        ("archers in firing spots", {"firing": {"left": 1, "right": 1}}, 2),
        ("soldiers under shame", {"shamed": {"spearman": 2}}, 2),
        ("tactic cards", {"tactics": ("volley",)}, 1),
        ("production clerks", {"clerks": {"quarry": 2}}, 1),
    ],
)
def test_features_have_these_values(name, own, more):
    assert number(name, table(own)) - number(name, table()) == more


def test_a_nearly_full_card_is_a_claim_in_sight_for_the_clan_that_covers_most():
    laid = {"left": [horde("scouts_left", 1, by0=(3,)).with_soldier(0, (8,)).with_soldier(1, (9,))]}
    state = table(hordes=laid)
    assert number("claims in sight", state) == 3
    assert number("claims in sight", state, 1) == 0


def test_an_expected_breach_is_a_danger_for_clans_without_soldiers_there():
    state = table(hordes={"left": [horde("scouts_left", by0=(2,))]}, barricades={})
    assert (number("breaches in sight", state), number("breaches in sight", state, 1)) == (0, 1)


def test_the_end_is_near_when_little_shame_is_left():
    assert outlook.years_left(table(shame=0)) == 0
    assert outlook.years_left(table()) == 4


def test_current_points_count():
    better = table({"claimed": (Claim("lancers_left"),)})
    assert worth.evaluate(better, 0) > worth.evaluate(table(), 0)
    assert worth.evaluate(better, 1) < worth.evaluate(table(), 1)


def test_the_winner_has_the_best_value():
    ended = table(ended="time", winners=(1,), agenda=[])
    assert worth.evaluate(ended, 1) > 900 > -900 > worth.evaluate(ended, 0)


@for_each("level", GAME.levels)
def test_a_wall_that_can_be_paid_is_built(level):
    step = clerks.Build((0,), left=1, barricades=(), walls=("center",))
    state = begin(table({"resources": RICH}, active=0), step)
    assert appeal(state, 0, moves.BuildWall(0, "center")) > appeal(state, 0, moves.Done(0))
    assert isinstance(choose("warden", state), moves.BuildWall)
    judge(GAME, state, level.bot(bot_view(GAME, state, 0, Luck(2))))


@pytest.mark.parametrize("level", THINKING, ids=lambda level: level.key)
def test_a_soldier_that_can_fill_the_last_spot_attacks(level):
    laid = {"left": [horde("scouts_left", 3)]}
    clans = ({"pool": {"spearman": 10}, "rest": {"left": {"spearman": 1}}}, {}, {})
    step = soldiers.Attacking((0,), left=1, types=("spearman",), origins=("rest",), sections=3)
    state = begin(table(*clans, hordes=laid, active=0), step, soldiers.DefeatCheck())
    assert isinstance(choose(level.key, state), moves.Attack)


@pytest.mark.parametrize("candidates", [3, 8])
def test_the_time_for_a_tactic_card_does_not_reveal_the_hand(candidates):
    """GW-1.10, GW-9.4"""
    spent = set()
    for hand in (
        ("volley", "battle_drums", "spear_wall"),
        ("ambush", "withdrawal", "fresh_levies"),
    ):
        thoughts = []
        state = begin(full_table(tactics=hand), steps.Moment(windows=((0, MOMENT),), context=EVENT))
        effort = {"standard": Effort(candidates, samples=4)}
        bot = make_search_bot(lambda *_, done=thoughts: done.append(1) or 0.0, effort)
        assert bot(bot_view(GAME, state, 0, Luck(1))).sealed
        spent.add(len(thoughts))
    assert len(spent) == 1


@pytest.mark.parametrize("level", GAME.levels, ids=lambda level: level.key)
def test_bots_give_no_orders_to_pass(level):
    """GW-9.4: nor do they withdraw one; a bot may sit down where a person gave orders."""
    moment = steps.Moment(windows=((0, ("you_defeat_horde",)),), context=EVENT)
    cards = {"tactics": ("volley",), "hand": tuple(decks.COMMANDS), "passing": ("you_attack",)}
    state = begin(table(cards, cards, cards), moment, steps.Fall())
    orders = {moves.LetPass(0, "turn"), moves.AskAgain(0)}
    assert orders <= {*legal_moves(GAME, state, 0)}
    lucks = range(6 if level in THINKING else 60)
    answers = {level.bot(bot_view(GAME, state, 0, Luck(luck))) for luck in lucks}
    assert answers
    assert not {type(one) for one in answers} & {moves.LetPass, moves.AskAgain}


def test_thinking_bots_stop_when_time_is_up():
    state = new_table(2)
    dice = Luck(1)
    for level in GAME.levels:
        (seat, *_) = seats_to_move(state)
        view = bot_view(GAME, state, seat, dice, late=lambda: True)
        assert level.bot(view) in legal_moves(GAME, state, seat)
