"""Shame: chapter 11."""

import pytest

from domain.engine.game import describe_step
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.events import supply
from domain.games.great_wall.state.agenda import clerks, soldiers
from domain.games.great_wall.state.agenda import supply as supply_steps
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.clans import Claim
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import events_of, events_of_steps, legal_moves_of, of, refusal_of
from tests.games.great_wall.table import table
from tests.support.for_each import for_each


def give_shame(count=1, shame=30, **own):
    """A table where the first seat gets Shame tokens."""
    return begin(table(own, shame=shame), supply_steps.GainShame(seat=0, left=count))


def test_a_token_goes_under_a_soldier_of_the_pool_or_onto_a_claimed_card():
    """GW-11.1, GW-11.2"""
    claimed = (Claim("scouts_left", 2), Claim("leader_left", 1))
    state = give_shame(pool={"spearman": 1, "archer": 2}, claimed=claimed)
    assert legal_moves_of(state, moves.PutShame) == [
        moves.PutShame(0, "spearman"),
        moves.PutShame(0, "archer"),
        moves.PutShame(0, None, "leader_left"),
    ]
    full = moves.PutShame(0, None, "scouts_left")
    assert refusal_of(state, full) == ("GW-11.2", "no_room")
    soldier = after(state, moves.PutShame(0, "archer"))
    assert (soldier.shame, soldier.clans[0].pool, soldier.clans[0].shamed) == (
        29,
        (1, 1, 0),
        (0, 1, 0),
    )
    card = after(state, moves.PutShame(0, None, "leader_left"))
    assert card.clans[0].claimed == (Claim("scouts_left", 2), Claim("leader_left", 2))


def test_several_tokens_are_placed_one_after_the_other_and_then_abilities_answer():
    """GW-11.2"""
    own = {"pool": {"spearman": 3}, "active": ("court_musician",), "resources": {"chi": 5}}
    state = give_shame(2, **own)
    assert state.clans[0].shamed == (2, 0, 0)
    assert type(state.agenda[-1]).__name__ == "Consider"


def test_an_empty_pool_costs_five_honor():
    """GW-11.2"""
    events = events_of_steps(table({"honor": 12}, shame=0), supply_steps.GainShame(seat=0, left=1))
    assert events == [supply.ShameUnplaced(0, 5, True)]
    assert give_shame(shame=0, honor=12).shame == 0


def test_a_token_that_fits_nowhere_leaves_the_game_for_five_honor():
    """GW-11.2, GW-11.4"""
    state = give_shame(shame=4, pool={}, honor=12)
    assert (state.shame, state.clans[0].honor, state.clans[0].shame) == (3, 7, 0)


def test_honor_never_drops_below_zero():
    """GW-1.7"""
    events = events_of_steps(table({"honor": 3}, shame=0), supply_steps.GainShame(seat=0, left=2))
    assert [event.honor for event in events] == [3, 0]


@pytest.mark.parametrize(
    "step",
    [
        soldiers.Recruit((0,), left=1, types=("archer",)),
        clerks.Upgrade((0,), left=1, where=("quarry",)),
    ],
)
def test_a_soldier_with_a_token_cannot_be_used(step):
    """GW-11.3"""
    rich = {"wood": 9, "stone": 9, "gold": 9, "chi": 9}
    state = begin(table({"pool": {}, "shamed": {"archer": 4}, "resources": rich}), step)
    assert (
        legal_moves_of(state, moves.NameRecruit)
        == legal_moves_of(state, moves.UpgradeOverseer)
        == []
    )


def test_returned_tokens_go_back_to_the_pool():
    """GW-11.4"""
    own = {"shamed": {"spearman": 1}, "claimed": (Claim("leader_left", 1),)}
    state = begin(table(own, shame=10), supply_steps.DiscardShame((0,), left=2))
    assert len(legal_moves_of(state, moves.ReturnShame)) == 2
    strange = moves.ReturnShame(0, "archer")
    assert refusal_of(state, strange) == ("GW-11.4", "no_token")
    new = after(state, moves.ReturnShame(0, "spearman"), moves.ReturnShame(0, None, "leader_left"))
    assert (new.shame, new.clans[0].shame) == (12, 0)
    assert change(state, new)["pool spearman"] == 1


def test_each_returned_token_is_paid():
    """GW-11.4, GW-12.2"""
    own = {"shamed": {"spearman": 3}, "resources": {"chi": 4}}
    step = supply_steps.DiscardShame((0,), left=3, bill=Bill(chi=2))
    state = begin(table(own, shame=10), step)
    token = moves.ReturnShame(0, "spearman")
    assert of(supply.Paid, events_of(state, token)) == [supply.Paid(0, {"chi": 2}, 0, "GW-12.2")]
    assert after(state, token, token).agenda == []


@for_each(
    ("own", "mode", "choices"),
    [
        ({"pool": {"spearman": 1}}, "standard", "put it under a soldier in your supply"),
        (
            {"pool": {}, "claimed": (Claim("leader_left", 1),)},
            "standard",
            "put it on a Horde card you claimed",
        ),
        (
            {"pool": {"archer": 1}, "claimed": (Claim("leader_left", 1),)},
            "standard",
            "put it under a soldier in your supply or put it on a Horde card you claimed",
        ),
        ({"pool": {"archer": 1}, "honor": 9}, "coop", "put it under a soldier in your supply"),
        (
            {"pool": {"archer": 1}, "honor": 10},
            "coop",
            "put it under a soldier in your supply or return it for 10 honor",
        ),
        (
            {"pool": {}, "honor": 10},
            "coop",
            "return it for 10 honor or give it up and lose 5 honor",
        ),
    ],
)
def test_the_prompt_for_a_shame_token_names_what_is_legal(own, mode, choices):
    """GW-11.2, GW-16.5, GW-16.6: in the cooperative game no Horde card takes one."""
    step = supply_steps.PlaceShame((0,), rule="GW-13.6")
    state = table(own, shame=8, mode=mode)
    state.agenda.append(step)
    spoken = describe_step(GAME, step, GAME.view(state, 0), 0)
    asked = GAME.words().line(spoken)
    assert asked == f"You get a Shame token (breach): {choices}."
