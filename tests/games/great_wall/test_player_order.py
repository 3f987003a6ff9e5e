"""The order of players in the cooperative game: GW-16.3."""

import pytest

from domain.games.great_wall import board, moves
from domain.games.great_wall.cards import ops
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.events.coop import PlayersOrdered
from domain.games.great_wall.rules.effects.triggers import ABILITIES
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.agenda.coop import OrderPlayers
from domain.games.great_wall.state.agenda.effects import Perform
from domain.games.great_wall.state.counts import plus
from domain.games.great_wall.state.table import LaidCommand
from tests.games.great_wall.course import after, begin
from tests.games.great_wall.game import events_of, legal_moves_of, of, refusal_of
from tests.games.great_wall.table import table
from tests.support.for_each import for_each

TEA = (2, 0, 1)


def seats_asked(state):
    step = state.agenda[-1]
    return type(step).__name__, step.seats


def tea_house(*clerks, active=1, **values):
    """The resolution of the Tea House, with these clerks of each clan."""
    clans = [{"clerks": {"tea_house": count}, "clerks_pool": 5 - count} for count in clerks]
    state = table(*clans, mode="coop", active=active, tea=TEA, **values)
    return begin(state, clerk_steps.ResolveLocation(location="tea_house"))


def test_the_active_player_chooses_the_order_in_a_location():
    """GW-6.5, GW-16.3"""
    state = tea_house(1, 1, 1)
    assert seats_asked(state) == ("OrderPlayers", (1,))
    assert legal_moves_of(state, moves.NamePlayer, 1) == [moves.NamePlayer(1, clan) for clan in TEA]
    state = after(state, moves.NamePlayer(1, 1))
    assert (seats_asked(state), state.agenda[-1].waiting) == (("OrderPlayers", (1,)), (2, 0))
    events = events_of(state, moves.NamePlayer(1, 0))
    assert events[0] == PlayersOrdered(1, (1, 0, 2))
    # 1 goes up past 0, 0 past 1 again, 2 is on top
    assert [event.clan for event in events if type(event).__name__ == "TeaMoved"] == [1, 0]


def test_the_others_follow_in_tea_order():
    """GW-16.3"""
    events = events_of(tea_house(1, 1, 1), moves.Done(1))
    assert of(PlayersOrdered, events) == []
    state = after(tea_house(1, 1, 1), moves.NamePlayer(1, 0))
    assert of(PlayersOrdered, events_of(state, moves.Done(1))) == [PlayersOrdered(1, (0, 2, 1))]


def test_the_order_changes_what_happens():
    """GW-8.7, GW-16.3"""
    in_tea_order = after(tea_house(1, 1, 1), moves.Done(1))
    other = after(tea_house(1, 1, 1), moves.NamePlayer(1, 1), moves.NamePlayer(1, 2))
    assert in_tea_order.tea == (0, 1, 2)
    assert other.tea == TEA


@pytest.mark.parametrize("clerks", [(1, 0, 0), (0, 0, 2)])
def test_one_player_needs_no_question_for_the_order(clerks):
    """GW-16.3"""
    assert tea_house(*clerks).agenda == []


def test_a_player_and_the_reed_clan_need_no_question_for_the_order():
    """GW-15.4, GW-16.3"""
    clans = [{"clerks": {"quarry": 1}}, {}, {"clerks": {"quarry": 1, "gold_mine": 1, "temple": 1}}]
    state = table(*clans, seats=2, mode="coop", active=0)
    new = begin(state, clerk_steps.ResolveLocation(location="quarry"))
    assert not any(type(step).__name__ == "OrderPlayers" for step in new.agenda)


def test_the_reed_clan_is_named_among_players():
    """GW-15.7, GW-16.3"""
    clans = [{"clerks": {"builders": 1}}, {"clerks": {"builders": 1}}]
    state = table(*clans, seats=2, mode="coop", active=0, tea=(0, 1, 2), barricades={})
    state.clans[2].clerks = plus((0,) * len(board.LOCATIONS), board.LOCATION_NUMBER["builders"])
    state = begin(state, clerk_steps.ResolveLocation(location="builders"))
    assert legal_moves_of(state, moves.NamePlayer) == [
        moves.NamePlayer(0, clan) for clan in (0, 1, 2)
    ]
    state = after(state, moves.NamePlayer(0, 2), moves.Done(0))
    assert seats_asked(state) == ("ReedBarricade", (0,))


@for_each("location", board.PRODUCTION)
def test_in_production_no_player_is_asked_for_the_order(location):
    """GW-8.2, GW-16.3: what the clans gather, upgrade and donate does not concern the others."""
    clans = [{"clerks": {location: 1}}] * 3
    state = begin(table(*clans, mode="coop"), clerk_steps.ResolveLocation(location=location))
    assert not any(isinstance(step, OrderPlayers) for step in state.agenda)


def test_the_abilities_that_answer_production_do_not_concern_others():
    """GW-16.3: a card that does more would need the question again."""
    alone = (ops.Gain, ops.UpgradeOverseer, ops.WarehouseAdd)
    for own in ABILITIES.values():
        for script, ability in own.items():
            somewhere = board.LOCATIONS_BY_WORD[ability.where or "any"]
            fires = ability.trigger in ("upgrade", "donate") or (
                ability.trigger == "location_activated" and set(somewhere) & set(board.PRODUCTION)
            )
            if fires:
                assert all(isinstance(op, alone) for op in SCRIPTS[script]), script
                assert not any(getattr(op, "tactics", 0) for op in SCRIPTS[script]), script


def test_in_a_standard_game_it_is_the_tea_order():
    """GW-6.5"""
    clans = [{"clerks": {"tea_house": 1}}] * 3
    state = table(*clans, active=1, tea=TEA)
    assert begin(state, clerk_steps.ResolveLocation(location="tea_house")).agenda == []


def test_absent_clans_and_named_clans_are_refused():
    """GW-16.3"""
    state = tea_house(1, 1, 0)
    assert refusal_of(state, moves.NamePlayer(1, 2)) == ("GW-16.3", "wrong_player")
    state = after(tea_house(1, 1, 1), moves.NamePlayer(1, 1))
    assert refusal_of(state, moves.NamePlayer(1, 1)) == ("GW-16.3", "wrong_player")


def test_outside_of_turns_the_highest_in_tea_order_chooses():
    """GW-15.3, GW-16.3"""
    assert seats_asked(tea_house(1, 1, 1, active=None)) == ("OrderPlayers", (2,))


def others(card, seats=3, owner=1, **values):
    """The part for others of a command card."""
    laid = (LaidCommand(owner, card), None, None)
    state = table(seats=seats, mode="coop", active=owner, **values)
    state.track = laid
    return begin(state, steps.OthersParts(slot=0))


def test_the_active_player_chooses_the_order_in_a_part_for_others():
    """GW-7.3, GW-16.3"""
    state = others("economy", tea=TEA)
    assert (seats_asked(state), state.agenda[-1].waiting) == (("OrderPlayers", (1,)), (2, 0))
    assert seats_asked(after(state, moves.Done(1))) == ("MoveClerks", (2,))
    state = after(state, moves.NamePlayer(1, 0))
    assert seats_asked(state) == ("MoveClerks", (0,))
    assert seats_asked(after(state, moves.Done(0))) == ("MoveClerks", (2,))


def test_a_card_without_a_part_for_others_needs_no_order():
    """GW-16.3"""
    assert others("betrayal").agenda == []


def test_two_players_need_no_order_for_one_of_them_and_the_reed_clan():
    """GW-15.6, GW-16.3"""
    assert seats_asked(others("economy", seats=2, owner=0, tea=(0, 1, 2))) == ("MoveClerks", (1,))


def test_on_the_turn_of_the_reed_clan_the_overlord_chooses():
    """GW-15.3, GW-15.5, GW-16.3"""
    state = table(seats=2, mode="coop", active=None, tea=(1, 0, 2))
    state.track = (LaidCommand(2, "reed_command"), None, None)
    state = begin(state, steps.TakeTurn(slot=0))
    assert seats_asked(state) == ("MoveReedClerks", (1,))
    state = after(state, moves.Done(1))
    assert (seats_asked(state), state.agenda[-1].waiting) == (("OrderPlayers", (1,)), (1, 0))
    state = after(state, moves.NamePlayer(1, 0))
    assert (seats_asked(state), state.agenda[-1].left) == (("MoveClerks", (0,)), 2)
    assert seats_asked(after(state, moves.Done(0))) == ("MoveClerks", (1,))


def test_an_effect_for_each_player_has_an_order_too():
    """GW-16.3, GW-18.6"""
    state = table(mode="coop", tea=TEA, season="winter", shame=20)
    state = begin(state, Perform(clan=2, script="events/corrupt_officials/immediate"))
    assert seats_asked(state) == ("OrderPlayers", (2,))
    state = after(state, moves.NamePlayer(2, 1), moves.Done(2))
    assert seats_asked(state) == ("PlaceShame", (1,))


def test_effects_without_influence_on_others_have_no_order():
    """GW-16.3"""
    clans = [{"resources": {"wood": 2, "chi": 2}}] * 3
    state = table(*clans, mode="coop", tea=TEA)
    state = begin(state, Perform(clan=2, script="events/night_of_fires/immediate"))
    assert seats_asked(state) == ("LoseResources", (2,))


def test_players_who_lose_soldiers_in_rest_zones_have_no_order():
    """GW-10.12, GW-16.3"""
    resting = [{"rest": {"left": {"archer": 1, "spearman": 1}}}] * 3
    state = table(*resting, mode="coop", tea=TEA, season="winter")
    state = begin(state, Perform(clan=1, script="events/plague_in_camp/immediate"))
    assert seats_asked(state) == ("ChooseDoomed", (2,))


def test_players_who_return_shame_have_no_order():
    """GW-11.4, GW-16.3"""
    clans = [{"shamed": {"spearman": 1, "archer": 1}}] * 3
    state = table(*clans, mode="coop", tea=TEA, shame=14)
    state = begin(state, Perform(clan=1, script="tactics/amnesty/boosted"))
    assert seats_asked(state) == ("DiscardShame", (2,))


def test_players_in_the_logistics_center_have_an_order():
    """GW-8.10, GW-16.3: the last free Firing spot is for the first who wants it."""
    clans = [{"clerks": {"logistics": 1}, "firing": {at: 1}} for at in ("left", "right")]
    state = table(*clans, {}, mode="coop", active=0, tea=TEA)
    state = begin(state, clerk_steps.ResolveLocation(location="logistics"))
    ways = [
        moves.MoveSoldier(seat, "archer", origin, "center", fired=True, fires=True)
        for seat, origin in ((0, "left"), (1, "right"))
    ]
    for first, second in ((0, 1), (1, 0)):
        asked = after(state, moves.NamePlayer(0, first), ways[first])
        while asked.agenda[-1].seats == (first,):
            asked = after(asked, moves.Done(first))
        assert seats_asked(asked) == ("Logistics", (second,))
        assert refusal_of(asked, ways[second])[0] == "GW-10.5"
