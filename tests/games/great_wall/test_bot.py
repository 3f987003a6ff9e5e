"""The bots of The Great Wall: what they weigh, and what they do on small tables."""

import pytest

from domain.engine.bots import sight_of
from domain.engine.dice import Luck
from domain.engine.game import awaited, judge, legal_moves
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.bot import outlook, worth
from domain.games.great_wall.bot.foresight import Effort, foresighted
from domain.games.great_wall.bot.hasty import appeal
from domain.games.great_wall.cards import decks
from domain.games.great_wall.state.clans import Claim
from domain.games.great_wall.state.steps import clerks, soldiers, year
from tests.games.great_wall.course import begun
from tests.games.great_wall.game import new_table
from tests.games.great_wall.situations import EVENT, crowded
from tests.games.great_wall.table import horde, table

MOMENT = ("you_attack", "you_deal_last_wound")
RICH = {"wood": 5, "stone": 5, "gold": 5}
THINKING = [level for level in GAME.levels if level.key in ("warden", "general")]


def number(name, state, seat=0):
    """One of the numbers that are weighed."""
    return outlook.numbers(state, seat)[outlook.NAMES.index(name)]


def chosen(level, state, seat=0):
    bot = next(each.bot for each in GAME.levels if each.key == level)
    return bot(sight_of(GAME, state, seat, Luck(1)))


def test_each_number_has_a_name_and_a_weight():
    assert len(outlook.numbers(new_table(3), 0)) == len(outlook.NAMES)
    assert set(worth.WEIGHTS) == set(outlook.NAMES)


@pytest.mark.parametrize(
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
def test_what_is_counted(name, own, more):
    assert number(name, table(own)) - number(name, table()) == more


def test_a_card_that_is_nearly_full_is_a_claim_in_sight_for_who_covers_most():
    laid = {"left": [horde("scouts_left", 1, by0=(3,)).with_soldier(0, (8,)).with_soldier(1, (9,))]}
    state = table(hordes=laid)
    assert number("claims in sight", state) == 3
    assert number("claims in sight", state, 1) == 0


def test_sections_that_would_be_breached_are_a_danger_for_who_has_no_soldier_there():
    state = table(hordes={"left": [horde("scouts_left", by0=(2,))]}, barricades={})
    assert (number("breaches in sight", state), number("breaches in sight", state, 1)) == (0, 1)


def test_the_end_is_near_when_little_shame_is_left():
    assert outlook.years_left(table(shame=0)) == 0
    assert outlook.years_left(table()) == 4


def test_points_count_as_they_stand():
    better = table({"claimed": (Claim("lancers_left"),)})
    assert worth.evaluate(better, 0) > worth.evaluate(table(), 0)
    assert worth.evaluate(better, 1) < worth.evaluate(table(), 1)


def test_who_has_won_has_won():
    ended = table(ended="time", winners=(1,), agenda=[])
    assert worth.evaluate(ended, 1) > 900 > -900 > worth.evaluate(ended, 0)


@pytest.mark.parametrize("level", GAME.levels, ids=lambda level: level.key)
def test_a_wall_that_can_be_paid_is_built(level):
    step = clerks.Build((0,), left=1, barricades=(), walls=("center",))
    state = begun(table({"resources": RICH}, active=0), step)
    assert appeal(state, 0, moves.BuildWall(0, "center")) > appeal(state, 0, moves.Done(0))
    assert isinstance(chosen("warden", state), moves.BuildWall)
    judge(GAME, state, level.bot(sight_of(GAME, state, 0, Luck(2))))


@pytest.mark.parametrize("level", THINKING, ids=lambda level: level.key)
def test_a_soldier_that_can_fill_the_last_spot_attacks(level):
    laid = {"left": [horde("scouts_left", 3)]}
    clans = ({"pool": {"spearman": 10}, "rest": {"left": {"spearman": 1}}}, {}, {})
    step = soldiers.Attacking((0,), left=1, types=("spearman",), origins=("rest",), sections=3)
    state = begun(table(*clans, hordes=laid, active=0), step, soldiers.DefeatCheck())
    assert isinstance(chosen(level.key, state), moves.Attack)


@pytest.mark.parametrize("candidates", [3, 8])
def test_how_long_a_bot_thinks_about_a_tactic_card_does_not_tell_what_it_holds(candidates):
    """GW-1.10, GW-9.4"""
    spent = set()
    for hand in (
        ("volley", "battle_drums", "spear_wall"),
        ("ambush", "withdrawal", "fresh_levies"),
    ):
        thoughts = []
        state = begun(crowded(tactics=hand), year.Moment(windows=((0, MOMENT),), context=EVENT))
        effort = {"standard": Effort(candidates, samples=4)}
        bot = foresighted(lambda *_, done=thoughts: done.append(1) or 0.0, effort)
        assert bot(sight_of(GAME, state, 0, Luck(1))).sealed
        spent.add(len(thoughts))
    assert len(spent) == 1


@pytest.mark.parametrize("level", THINKING, ids=lambda level: level.key)
def test_bots_give_no_orders_to_pass(level):
    """GW-9.4"""
    moment = year.Moment(windows=((0, ("horde_defeated",)),), context=EVENT)
    cards = {"tactics": ("volley",), "hand": tuple(decks.COMMANDS)}
    state = begun(table(cards, cards, cards), moment, year.Fall())
    assert moves.LetPass(0, "turn") in legal_moves(GAME, state, 0)
    answers = {level.bot(sight_of(GAME, state, 0, Luck(luck))) for luck in range(6)}
    assert answers == {moves.PlayTactic(0)}


def test_thinking_bots_stop_when_time_is_up():
    state = new_table(2)
    dice = Luck(1)
    for level in GAME.levels:
        (seat, *_) = awaited(state)
        sight = sight_of(GAME, state, seat, dice, late=lambda: True)
        assert level.bot(sight) in legal_moves(GAME, state, seat)
