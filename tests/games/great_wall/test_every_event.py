"""Each event of the cooperative game: its effect at once, and what it changes: GW-16.14."""

from domain.games.great_wall import moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.events.coop import EventRevealed
from domain.games.great_wall.rules import activation, winter
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.rules.war import defeat
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, soldiers
from domain.games.great_wall.state.agenda import coop as coop_steps
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import events_of_steps, legal_moves_of, of, refusal_of
from tests.games.great_wall.table import horde, table
from tests.support.for_each import for_each

TEA = (1, 2, 0)


def coop(*clans, **values):
    return table(*clans, mode="coop", **{"tea": TEA, "season": "winter", **values})


def reveal(event, *clans, **values):
    """The tables before and after this event, up to the first question."""
    state = coop(*clans, event_deck=(event,), **values)
    return state, begin(state, coop_steps.EventStep())


def current_question(state):
    step = state.agenda[-1]
    return type(step).__name__, step.seats[0]


@for_each("event", decks.EVENTS)
def test_an_event_is_revealed_from_the_deck_and_stays(event):
    """GW-16.14"""
    state, new = reveal(event)
    assert (new.events, new.event_deck) == ((event,), ())
    assert of(EventRevealed, events_of_steps(state, coop_steps.EventStep())) == [
        EventRevealed(event)
    ]


GATHERED = {"hard_frost": "wood", "flooded_quarries": "stone", "empty_treasury": "gold"}


@for_each(("event", "resource"), GATHERED.items())
def test_each_player_gathers_one_less(event, resource):
    """GW-8.3, GW-16.14, GW-18.5"""
    place = {"wood": "lumber_mill", "stone": "quarry", "gold": "gold_mine"}[resource]
    own = {"clerks": {place: 2}, "overseers": {place: 1}}
    state = coop(own, events=(event,))
    new = begin(state, clerks.ResolveFor(clan=0, location=place))
    assert change(state, new) == {resource: 2 - 1 + 1}
    others = {"wood", "stone", "gold", "chi"} - {resource}
    assert {modifiers.gather_bonus(state, 1, name) for name in others} == {0}


def test_the_treasury_costs_each_player_two_gold():
    """GW-16.14"""
    gold = [{"resources": {"gold": count}} for count in (5, 1, 0)]
    _, new = reveal("empty_treasury", *gold)
    assert ([clan.has("gold") for clan in new.clans], new.agenda) == ([3, 0, 0], [])


SHRINES = ("deserted_shrines",)


def test_saving_costs_one_chi_more():
    """GW-10.12, GW-16.14"""
    archer = soldiers.Unit("archer", "left", "firing")
    batch = soldiers.KillBatch(clan=0, doomed=(archer,))
    for events, chi, saved in (((), 1, 0), ((), 2, 1), (SHRINES, 2, 0), (SHRINES, 3, 1)):
        own = {"firing": {"left": 1}, "resources": {"chi": chi}}
        state = begin(coop(own, events=events), batch)
        assert len(legal_moves_of(state, moves.SaveSoldier)) == saved


def test_a_night_of_fires_costs_each_player_any_two_resources():
    """GW-16.14"""
    _, state = reveal("night_of_fires", *[{"resources": {"wood": 2, "chi": 2}}] * 3)
    for seat in TEA:
        assert current_question(state) == ("LoseResources", seat)
        state = after(state, *[moves.LoseResource(seat, "chi")] * 2)
    assert [clan.resources for clan in state.clans] == [(2, 0, 0, 0)] * 3


def test_the_khan_sends_a_horde_card_at_once():
    """GW-5.2, GW-16.14"""
    _, new = reveal("khans_levy")
    assert [len(cards) for cards in new.hordes] == [1, 0, 0]


def test_war_drums_make_every_horde_card_stronger():
    """GW-13.3, GW-16.14"""
    laid = {"left": [horde("tumen_host_left"), horde("foragers_left")]}
    plain, loud = coop(hordes=laid), coop(hordes=laid, events=("war_drums",))
    assert (winter.power(plain, "left"), winter.power(loud, "left")) == (5, 7)


def test_a_plague_kills_a_soldier_of_each_player_in_a_rest_zone():
    """GW-10.13, GW-16.14"""
    resting = [{"rest": {"left": {"archer": 1}, "right": {"spearman": 1}}}, {"rest": {}}]
    _, state = reveal("plague_in_camp", *resting)
    assert current_question(state) == ("ChooseDoomed", 0)
    new = after(state, moves.LoseSoldier(0, "archer", "left"))
    assert new.clans[0].rest == ((0, 0, 0), (0, 0, 0), (1, 0, 0))
    assert new.agenda == []


def test_corrupt_officials_bring_shame_and_end_donations():
    """GW-8.5, GW-16.14"""
    _, state = reveal("corrupt_officials", shame=20)
    state = after(state, moves.Done(1))
    for seat in TEA:
        state = after(state, moves.PutShame(seat, "spearman"))
    assert ([clan.shame for clan in state.clans], state.shame) == ([1, 1, 1], 17)
    assert not modifiers.can_donate(state, 0)
    state.clans[0].clerks, state.clans[0].resources = (1, *[0] * 9), (1, 0, 0, 0)
    assert begin(state, clerks.OfferDonation(seat=0, location="lumber_mill")).agenda == []


def test_remounts_make_all_horde_cards_more_lethal():
    """GW-4.2, GW-16.14"""
    laid = {"left": [horde("tumen_host_left")]}
    (plain,) = coop(hordes=laid).hordes_on_board()
    assert defeat.lethality(coop(hordes=laid, events=("fresh_remounts",)), plain) == 1 + (
        defeat.lethality(coop(hordes=laid), plain)
    )


def test_the_tea_house_closes_for_good():
    """GW-6.1, GW-6.3, GW-16.14"""
    drinking = [{"clerks": {"tea_house": 2}, "clerks_pool": 3}, {"clerks": {"tea_house": 1}}]
    before, new = reveal("closed_tea_roads", *drinking)
    assert change(before, new) == {"at tea_house": -2, "clerks": 2}
    assert new.clans[1].at("tea_house") == 0
    step = clerks.MoveClerks((0,), left=1, spread="any")
    moving = begin(new, steps.Ask(step=step))
    assert refusal_of(moving, moves.MoveClerk(0, "tea_house")) == ("GW-6.1", "closed")
    new.clans[0].clerks = tuple(4 * (place == 5) for place in range(10))
    assert not activation.activates(new, "tea_house")


def test_clerks_of_the_reed_clan_stay_in_a_closed_tea_house():
    """GW-15.4, GW-16.14"""
    state = coop(seats=2, tea=(0, 1, 2), event_deck=("closed_tea_roads",))
    state.clans[2].clerks = (1, 1, 0, 0, 0, 1, 0, 0, 0, 0)
    assert begin(state, coop_steps.EventStep()).clans[2].at("tea_house") == 1


def test_others_move_one_clerk_less():
    """GW-7.3, GW-15.5, GW-15.6, GW-16.14"""
    closed = ("closed_tea_roads",)
    state = coop(seats=2, tea=(0, 1, 2), events=closed, active=0, track=[(0, "economy")])
    first, second = (
        begin(state, steps.CommandPart(clan=clan, slot=0, part="others")) for clan in (1, 2)
    )
    assert (current_question(first), first.agenda[-1].left) == (("MoveClerks", 1), 1)
    assert (current_question(second), second.agenda[-1].left) == (("MoveReedClerks", 0), 1)
    of_reed = coop(seats=2, tea=(0, 1, 2), events=closed, track=[(2, "reed_command")])
    own = begin(of_reed, steps.TakeTurn(slot=0))
    assert (current_question(own), own.agenda[-1].left) == (("MoveReedClerks", 0), 2)
    others = after(own, moves.Done(0), moves.Done(0))
    assert (current_question(others), others.agenda[-1].left) == (("MoveClerks", 0), 1)
    part = steps.CommandPart(clan=0, slot=0, part="first")
    assert begin(state, part).agenda[-1].left == 3


def test_a_subsidy_fills_the_warehouse_and_overseers_yield_less():
    """GW-8.12, GW-12.1, GW-16.14"""
    _, state = reveal("imperial_subsidy", {"overseers": {"quarry": 2, "temple": 1}})
    assert (current_question(state), state.agenda[-1].left) == (("StockWarehouse", TEA[0]), 4)
    assert refusal_of(state, moves.StockResource(1, "chi")) == ("GW-18.6", "wrong_type")
    new = after(state, *[moves.StockResource(1, "stone")] * 4)
    assert new.warehouse == (0, 4, 0, 0)
    assert change(new, begin(new, steps.Income(seat=0))) == {"stone": 1}


def test_modifiers_of_events_hold_for_each_clan_and_once_for_the_board():
    """GW-16.14, GW-18.5"""
    state = coop(events=("war_drums", "hard_frost"), seats=5, tea=(0, 1, 2, 3, 4))
    assert modifiers.power_bonus(state) == 1
    assert [modifiers.gather_bonus(state, seat, "wood") for seat in range(5)] == [-1] * 5


def test_all_events_are_tested_here():
    """GW-16.14"""
    tested = {*GATHERED, "deserted_shrines", "night_of_fires", "khans_levy", "war_drums"}
    tested |= {"plague_in_camp", "corrupt_officials", "fresh_remounts", "closed_tea_roads"}
    assert {*tested, "imperial_subsidy"} == set(decks.EVENTS)
