"""Each Request: just enough fulfils it, a little less does not: GW-18.10."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.games.great_wall import moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.kinds import Request
from domain.games.great_wall.cards.requests import RequestNeed
from domain.games.great_wall.rules.coop import request_needs
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import soldiers
from tests.games.great_wall.course import after, begin
from tests.games.great_wall.table import horde, table
from tests.games.great_wall.test_requests import current_question, declare, winter
from tests.support.for_each import for_each

Values = dict[str, Any]
THREE = ("left", "center", "right")
ADVISED = {"active": ("herald",), "supporting": ("spy", "tea_master")}
GUARDED = {"rest": {name: {"spearman": 1} for name in THREE}}
BESIEGED = {name: [horde(f"scouts_{name}")] for name in THREE}


def each(**own: Any) -> list[Values]:
    """Three clans with these belongings."""
    return [own] * 3


def but_one(*clans: Values, **own: Any) -> list[Values]:
    """The same, except the last clan."""
    return [*clans[:-1], own]


CASES: dict[str, list[tuple[list[Values], Values, bool]]] = {
    "taunt_them": [
        ([], {"hordes": BESIEGED}, True),
        ([], {"hordes": BESIEGED, "breaches": 1}, False),
        ([], {"hordes": {**BESIEGED, "center": []}}, False),
    ],
    "emperors_guard": [
        ([{"pool": {"horseman": 2}}, {"pool": {"horseman": 1}}, {"pool": {}}], {}, True),
        ([{"pool": {"horseman": 2}}, {"pool": {"spearman": 9}}, {"pool": {}}], {}, False),
        ([{"pool": {}, "rest": {"left": {"horseman": 2}}}, {}, {"pool": {}}], {}, True),
    ],
    "glory_belongs": [
        ([{"honor": 0}, {"honor": 29}, {"honor": 1}], {}, True),
        ([{"honor": 0}, {"honor": 28}, {"honor": 1}], {}, False),
    ],
    "royal_escort": [
        ([GUARDED, GUARDED], {}, True),
        ([GUARDED, {"rest": {"left": {"spearman": 5}, "right": {"archer": 1}}}], {}, False),
    ],
    "timber_levy": [
        (each(resources={"wood": 2}), {}, True),
        (but_one(*each(resources={"wood": 9}), resources={"wood": 1, "gold": 9}), {}, False),
    ],
    "quarry_levy": [
        (each(resources={"stone": 2}), {}, True),
        (but_one(*each(resources={"stone": 9}), resources={"stone": 1, "gold": 9}), {}, False),
    ],
    "gold_tribute": [
        (each(resources={"gold": 2}), {}, True),
        (but_one(*each(resources={"gold": 9}), resources={"gold": 1, "wood": 9}), {}, False),
    ],
    "rites": [
        (each(resources={"chi": 3}), {}, True),
        (but_one(*each(resources={"chi": 9}), resources={"chi": 2, "wood": 9}), {}, False),
    ],
    "veterans_home": [
        (each(pool={"archer": 1}), {}, True),
        (but_one(*each(pool={"archer": 1}), pool={}, firing={"left": 1}), {}, True),
        (but_one(*each(pool={"archer": 1}), pool={}, shamed={"archer": 1}), {}, False),
    ],
    "higher_wall": [
        ([], {"walls": {"left": 1, "right": 3}}, True),
        ([], {"walls": {"left": 3}}, False),
    ],
    "learned_council": [
        (each(**ADVISED), {}, True),
        (but_one(*each(**ADVISED), active=("herald",), supporting=("spy",)), {}, False),
    ],
    "clean_hands": [
        (each(shamed={"archer": 1}), {}, True),
        (but_one(*each(), shamed={"archer": 1, "spearman": 1}), {}, False),
    ],
    "full_granaries": [
        ([], {"warehouse": {"wood": 1, "stone": 2, "gold": 3}}, True),
        ([], {"warehouse": {"stone": 2, "gold": 3}}, False),
    ],
    "heads_for_the_gate": [([], {"defeats": 2}, True), ([], {"defeats": 1}, False)],
}


def test_all_requests_are_tested_here():
    """GW-18.10"""
    assert set(CASES) == set(decks.REQUESTS)


@for_each(
    ("request_", "clans", "values", "met"),
    [(name, *case) for name, cases in CASES.items() for case in cases],
)
def test_a_request_can_be_declared_when_its_needs_hold(request_, clans, values, met):
    """GW-16.11, GW-18.10"""
    state = winter(*clans, requests=(request_,), **values)
    assert (current_question(state) is not None) == met


@for_each("request_", CASES)
def test_a_request_that_is_declared_and_agreed_to_is_fulfilled(request_):
    """GW-16.11, GW-18.10"""
    clans, values, _ = CASES[request_][0]
    state = declare(winter(*clans, requests=(request_,), **values), request_)
    while state.agenda:
        seat = state.agenda[-1].seats[0]
        answers: dict[str, moves.Move] = {
            "PayRequest": moves.AgreeToPay(seat, request_),
            "OfferShare": moves.GiveShare(seat, getattr(state.agenda[-1], "left", 0)),
            "Pay": moves.PayBill(seat, wood=1, stone=2, gold=3),
        }
        answer = answers[current_question(state)[0]]
        if isinstance(answer, moves.GiveShare):
            there = {"emperors_guard": 2 - seat, "glory_belongs": (0, 29, 1)[seat]}[request_]
            answer = moves.GiveShare(seat, there)
        state = after(state, answer)
    assert (state.requests, state.fulfilled) == ((), (request_,))
    kept = [(clan.resources, clan.honor) for clan in state.clans]
    assert kept == [((0, 0, 0, 0), 0)] * 3
    assert sum(state.warehouse) == 0
    lost = {"emperors_guard": (0, 0, 3), "veterans_home": (0, 3, 0)}.get(request_, (0, 0, 0))
    assert tuple(map(sum, zip(*(clan.lost for clan in state.clans), strict=True))) == lost


@for_each(("seats", "levels"), [(2, 3), (3, 4), (4, 5), (5, 5)])
def test_how_high_the_wall_must_be_depends_on_the_players(seats, levels):
    """GW-18.10"""
    high = {"center": 2, "right": levels - 2}
    state = table(seats=seats, mode="coop", walls=high)
    assert request_needs.can_fulfil(state, "higher_wall")
    state = table(seats=seats, mode="coop", walls={**high, "center": 1})
    assert not request_needs.can_fulfil(state, "higher_wall")


@for_each(("seats", "defeats"), [(2, 2), (3, 2), (4, 3), (5, 3)])
def test_how_many_hordes_must_be_defeated_depends_on_the_players(seats, defeats):
    """GW-18.10"""
    assert request_needs.can_fulfil(
        table(seats=seats, mode="coop", defeats=defeats), "heads_for_the_gate"
    )
    few = table(seats=seats, mode="coop", defeats=defeats - 1)
    assert not request_needs.can_fulfil(few, "heads_for_the_gate")


def test_the_reed_clan_is_no_player_for_requests():
    """GW-15.9, GW-16.11"""
    rich = {"resources": {"wood": 2}}
    state = winter(rich, rich, seats=2, requests=("timber_levy",))
    assert current_question(state) == ("DeclareRequests", (0, 1))
    assert current_question(declare(state, "timber_levy")) == ("PayRequest", (1,))


def test_the_reed_clan_needs_no_advisors():
    """GW-15.9, GW-18.10"""
    taught = {"supporting": ("herald", "spy", "scribe")}
    state = winter(taught, taught, seats=2, requests=("learned_council",))
    assert current_question(state) == ("DeclareRequests", (0, 1))


def test_the_declaring_player_chooses_the_resources_that_leave_the_warehouse():
    """GW-8.12, GW-18.10"""
    state = winter(requests=("full_granaries",), warehouse={"wood": 4, "gold": 4})
    state = declare(state, "full_granaries", 1)
    assert current_question(state) == ("Pay", (1,))
    state = after(state, moves.PayBill(1, wood=4, gold=2))
    assert (state.warehouse, state.fulfilled) == ((0, 0, 2, 0), ("full_granaries",))


# checks of what happened in a Year


def test_breaches_of_this_winter_count():
    """GW-13.5, GW-18.10"""
    state = table(mode="coop", hordes={"left": [horde("scouts_left")]}, barricades={})
    state = begin(state, steps.Assault(section="left"))
    assert state.breaches == 1
    assert not request_needs.can_fulfil(state, "taunt_them")


def test_defeated_hordes_count_until_the_next_year():
    """GW-10.11, GW-18.10"""
    state = table(mode="coop", hordes={"left": [horde("scouts_left", 4)]}, season="fall")
    state = begin(state, soldiers.DefeatCheck())
    assert state.defeats == 1
    assert begin(state, steps.Spring()).defeats == 0


# needs that are on no card


def needing(monkeypatch: pytest.MonkeyPatch, *needs: Values) -> str:
    """A Request with these needs."""
    told = {"id": "odd", "name": "Odd", "provenance": "reconstructed", "text": "?", "set": "base"}
    raw = {**told, "removed_with_2_players": False, "needs": needs}
    monkeypatch.setitem(decks.REQUESTS, "odd", msgspec.convert(raw, Request))
    return "odd"


def test_each_can_pay_resources_of_any_type_and_honor(monkeypatch):
    """GW-18.10"""
    odd = needing(monkeypatch, {"pay_each": {"wood": 1, "any": 2, "honor": 3}})
    own = {"resources": {"wood": 2, "chi": 2}, "honor": 5}
    rest = {"resources": {"wood": 3}, "honor": 3}
    state = declare(winter(own, rest, rest, requests=(odd,)), odd)
    state = after(state, moves.AgreeToPay(1, odd), moves.AgreeToPay(2, odd))
    assert current_question(state) == ("LoseResources", (0,))
    state = after(state, moves.LoseResource(0, "chi"), moves.LoseResource(0, "wood"))
    assert (state.clans[0].resources, state.clans[0].honor) == ((0, 0, 0, 1), 2)
    assert (state.clans[2].resources, state.fulfilled) == ((0, 0, 0, 0), (odd,))
    poor = {"resources": {"wood": 2}, "honor": 3}
    assert current_question(winter(own, rest, poor, requests=(odd,))) is None


def test_a_payment_of_each_player_does_not_count_for_joint_payments(monkeypatch):
    """GW-16.11, GW-18.10"""
    needs = {"pay_each": {"wood": 1}}, {"pay_together": {"wood": {"per_player": 1, "plus": 1}}}
    odd = needing(monkeypatch, *needs)
    clans = [{"resources": {"wood": count}} for count in (1, 2, 4)]
    state = winter(*clans, requests=(odd,), tea=(1, 0, 2))
    state = after(declare(state, odd, 2), moves.AgreeToPay(0, odd), moves.AgreeToPay(1, odd))
    assert current_question(state) == ("OfferShare", (2,))
    assert state.agenda[-1].left == 4
    state = after(state, moves.GiveShare(2, 3), moves.GiveShare(1, 1))
    assert ([clan.has("wood") for clan in state.clans], state.fulfilled) == ([0, 0, 0], (odd,))
    clans = [{"resources": {"wood": count}} for count in (1, 2, 3)]
    assert current_question(winter(*clans, requests=(odd,))) is None


def test_the_warehouse_can_be_asked_for_a_type(monkeypatch):
    """GW-18.10"""
    odd = needing(monkeypatch, {"pay_warehouse": {"stone": {"per_player": 1}}})
    assert current_question(winter(requests=(odd,), warehouse={"wood": 9, "stone": 2})) is None
    state = declare(winter(requests=(odd,), warehouse={"wood": 9, "stone": 4}), odd)
    assert (state.warehouse, state.fulfilled) == ((9, 1, 0, 0), (odd,))


@for_each(
    ("need", "why"),
    [
        ({}, "one payment or one check"),
        ({"pay_each": {"wood": 1}, "check": "no_breach_this_year"}, "one payment or one check"),
        ({"pay_each": {}}, "must not be empty"),
        ({"pay_warehouse": {"chi": 1}}, "Warehouse pays"),
        ({"pay_warehouse": {"honor": 1}}, "Warehouse pays"),
        ({"check": "each_player_count_at_least", "n": 3}, "`count`"),
        ({"check": "wall_levels_total_at_least", "n": 3, "count": "advisors"}, "`count`"),
        (
            {"check": "each_player_count_at_least", "n": 3, "count": "commands_on_track"},
            "`count`",
        ),
        ({"check": "each_player_count_at_most", "n": 3, "count": "killed_now"}, "`count`"),
        ({"check": "wall_levels_total_at_least"}, "`n`"),
        ({"check": "no_breach_this_year", "n": 1}, "`n`"),
        ({"check": "wall_levels_total_at_least", "n": {"2": 3}}, "`n`"),
    ],
)
def test_needs_that_mean_nothing_are_refused(need, why):
    """GW-18.10"""
    with pytest.raises(msgspec.ValidationError, match=why):
        msgspec.convert(need, RequestNeed)


def test_nothing_of_other_games_is_counted():
    """GW-18.10"""
    state = table(hordes={"left": [horde("scouts_left")]}, barricades={})
    assert begin(state, steps.Assault(section="left")).breaches == 0
