"""The ends of the game and the final scoring: GW-13.8, GW-13.9."""

from domain.games.great_wall.events import course
from domain.games.great_wall.scoring import scoring
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.clans import Claim
from tests.games.great_wall.game import events_of_steps, plan_of
from tests.games.great_wall.table import participation_honor, table, without_zeros
from tests.support.for_each import for_each

WALLS = {"left": 3, "center": 3, "right": 1}


@for_each(
    ("seats", "values", "reason"),
    [
        (3, {"walls": WALLS}, "walls"),
        (2, {"walls": {"center": 3, "right": 3}}, "walls"),
        (4, {"walls": WALLS}, None),
        (5, {"walls": {**WALLS, "right": 3}}, "walls"),
        (3, {"shame": 0}, "shame"),
        (3, {"slot": 5}, "time"),
        (3, {"slot": 4}, None),
        (4, {"slot": 4}, "time"),
        (3, {"walls": {"left": 3}, "shame": 1}, None),
    ],
)
def test_the_game_ends_with_the_walls_or_the_shame_or_the_time(seats, values, reason):
    """GW-4.1, GW-13.8, GW-15.1"""
    state = table(seats=seats, **values)
    if reason is None:
        assert plan_of(state, steps.EndCheck()) == ["Spring"]
    else:
        (ended,) = events_of_steps(state, steps.EndCheck())
        assert (type(ended), ended.reason) == (course.GameEnded, reason)


def test_the_final_score():
    """GW-9.9, GW-11.5, GW-13.9"""
    own = {
        "honor": 40,
        "counted": participation_honor(40),
        "shamed": {"spearman": 2},
        "claimed": (Claim("lancers_left"), Claim("scouts_left", 1)),
        "supporting": ("spy", "herald", "fletcher"),
        "overseers": {"quarry": 3, "temple": 2},
    }
    state = table(own, artifacts=("jade_seal", "bronze_ding", "scroll_of_deeds"))
    line = scoring(state).lines[0]
    assert without_zeros(line.breakdown) == {
        "participation": 40,
        "shame": -10,
        "hordes": 6,
        "jade_seal": 24,
        "bronze_ding": 15,
        "scroll_of_deeds": 11,
    }
    assert line.points == 86


def test_shame_takes_at_most_the_honor_of_the_clan():
    """GW-1.7, GW-13.9"""
    own = {"honor": 7, "counted": participation_honor(7), "shamed": {"spearman": 2}}
    assert scoring(table(own)).lines[0].points == 0


def test_most_honor_wins_and_the_higher_marker_breaks_ties():
    """GW-1.3, GW-13.9"""
    clans = [{"honor": honor, "counted": participation_honor(honor)} for honor in (5, 8, 8)]
    assert scoring(table(*clans)).winners == (1,)
    assert scoring(table(*clans, tea=(0, 2, 1))).winners == (2,)
    assert [line.rank for line in scoring(table(*clans)).lines] == [3, 1, 2]
