"""The Barracks: GW-8.6."""

from domain.games.great_wall import GAME, board, moves
from domain.games.great_wall.events import soldiers
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.agenda import soldiers as soldier_steps
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import events_of, kinds, legal_moves_of, of, refusal_of
from tests.games.great_wall.table import horde, table
from tests.support.for_each import for_each

SPEARMAN, ARCHER, HORSEMAN = (
    moves.NameRecruit(0, soldier) for soldier in ("spearman", "archer", "horseman")
)
RICH = {"wood": 9, "stone": 9, "gold": 9, "chi": 9}
DONE = moves.Done(0)


def recruiting(clerks=2, **own):
    """A table where the first seat recruits in the Barracks."""
    state = table(
        {"clerks": {"barracks": clerks}, "resources": RICH, **own},
        hordes={"left": [horde("scouts_left"), horde("raiders_left")]},
        active=0,
    )
    return begin(state, clerk_steps.ResolveLocation(location="barracks", advanced=True))


@for_each(
    ("soldier", "cost"),
    [
        ("spearman", {"stone": -2, "wood": -1}),
        ("archer", {"chi": -2, "wood": -1}),
        ("horseman", {"gold": -3, "wood": -1}),
    ],
)
def test_each_type_has_its_cost(soldier, cost):
    """GW-8.6"""
    state = recruiting()
    new = after(state, moves.NameRecruit(0, soldier), DONE)
    assert change(state, new) == cost
    assert isinstance(new.agenda[-1], soldier_steps.Deploy)


@for_each("soldier", board.SOLDIERS)
@for_each(
    ("own", "less"),
    [
        ({}, {}),
        ({"active": ("herald",)}, {"spearman": 1}),
        ({"general": "zong_ze", "supporting": ("spy", "herald")}, dict.fromkeys(board.SOLDIERS, 2)),
    ],
)
def test_a_recruit_costs_what_the_clan_is_shown(own, less, soldier):
    """GW-8.6, GW-18.5"""
    state = recruiting(**own)
    shown = GAME.view(state, None).clans[0].costs.recruits[soldier]
    assert shown.total == sum(board.RECRUIT_COSTS[soldier].values()) - less.get(soldier, 0)
    named = after(state, moves.NameRecruit(0, soldier), DONE)
    paid = after(named, *legal_moves_of(named, moves.PayBill)[:1])
    assert -sum(change(state, paid).values()) == shown.total


def test_one_recruit_for_each_clerk_at_most_and_all_are_paid_at_once():
    """GW-8.6"""
    state = after(recruiting(), SPEARMAN)
    assert change(recruiting(), state) == {}
    both = after(state, ARCHER)
    assert change(state, both) == {"stone": -2, "chi": -2, "wood": -2}
    assert both.agenda[-1].left == ("spearman", "archer")


def test_recruits_come_out_of_the_pool_without_shame_and_must_be_paid_together():
    """GW-8.6, GW-11.3"""
    state = recruiting(pool={"spearman": 3, "archer": 1}, shamed={"horseman": 2})
    assert refusal_of(state, HORSEMAN) == ("GW-11.3", "no_soldier")
    assert refusal_of(after(state, ARCHER), ARCHER) == ("GW-11.3", "no_soldier")
    poor = recruiting(resources={"stone": 4, "wood": 1})
    assert legal_moves_of(poor, moves.NameRecruit) == [SPEARMAN]


def test_each_recruit_attacks_anywhere_or_rests_anywhere():
    """GW-8.6, GW-10.2"""
    state = after(recruiting(), SPEARMAN, ARCHER)
    attack = moves.Attack(0, "spearman", "pool", "left", 0, (2,))
    rest = moves.SendToRest(0, "archer", "right")
    assert {one.section for one in legal_moves_of(state, moves.SendToRest)} == {
        "left",
        "center",
        "right",
    }
    attacked = after(state, attack)
    assert change(state, attacked) == {
        "pool spearman": -1,
        "covered scouts_left": 1,
        "wood": 1,
    }
    events = events_of(attacked, rest)
    assert of(soldiers.SoldierRested, events) == [soldiers.SoldierRested(0, "archer", "right")]
    assert refusal_of(attacked, moves.SendToRest(0, "horseman", "left")) == ("GW-8.6", "no_recruit")
    standing = moves.Attack(0, "archer", "rest", "left", 0, (3,))
    assert refusal_of(attacked, standing) == ("GW-8.6", "no_recruit")


def test_the_attack_event_comes_before_answers_to_recruits():
    """GW-8.6, GW-9.4, GW-10.9"""
    state = recruiting(
        clerks=1, active=("drill_master",), general="yang_miaozhen", tactics=("volley",)
    )
    state = after(state, SPEARMAN)
    attack = moves.Attack(0, "spearman", "pool", "left", 0, (2,))
    assert kinds(events_of(state, attack)) == [
        "SoldierAttacked",
        "ResourcesTaken",
        "HonorChanged",
    ]
    moment = after(state, attack)
    windows = [dict(step.windows)[0] for step in moment.agenda if hasattr(step, "windows")]
    assert windows[-1] == ("you_attack",)
    assert ("you_recruit",) in windows


def test_a_seat_that_can_pay_no_soldier_is_not_asked():
    """GW-8.6"""
    assert recruiting(resources={"wood": 9, "stone": 1, "gold": 2, "chi": 1}).agenda == []


def test_a_seat_may_recruit_no_soldier():
    """GW-1.5, GW-8.6"""
    state = after(recruiting(), DONE)
    assert (state.agenda, state.clans[0].resources) == ([], (9, 9, 9, 9))


def test_recruits_go_to_sections_in_use_only():
    """GW-1.8, GW-8.6"""
    deploy = soldier_steps.Deploy((0,), left=("spearman",), recruited=("spearman",))
    state = begin(table(seats=2, active=0), deploy)
    assert [one.section for one in legal_moves_of(state, moves.SendToRest)] == ["center", "right"]
    left = moves.SendToRest(0, "spearman", "left")
    assert refusal_of(state, left) == ("GW-1.8", "no_section")
