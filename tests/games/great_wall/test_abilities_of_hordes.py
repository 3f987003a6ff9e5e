"""Abilities of Horde cards that are on no card of the decks: GW-18.8."""

import pytest
from msgspec.structs import replace

from domain.games.great_wall import moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.cards.hordes import Ability
from domain.games.great_wall.events import soldiers
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import soldiers as soldier_steps
from domain.games.great_wall.state.table import LaidCommand
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import events_of_steps, legal_moves_of, of, refusal_of
from tests.games.great_wall.table import horde, table


@pytest.fixture
def able(monkeypatch):
    """Gives Scouts an ability."""

    def give(kind, amount=0):
        card = replace(decks.HORDES["scouts_left"], ability=Ability(kind, amount))
        monkeypatch.setitem(decks.HORDES, "scouts_left", card)

    return give


def attacking(spearmen=2, **own):
    """A table where Spearmen attack the Scouts."""
    clan = {"rest": {"left": {"spearman": spearmen}}, "pool": {}, **own}
    state = table(clan, hordes={"left": [horde("scouts_left"), horde("leader_left")]}, active=0)
    step = soldier_steps.Attacking(
        (0,), left=1, types=("spearman", "horseman"), origins=("rest",), sections=1
    )
    return begin(state, step)


def spearman(spot):
    return moves.Attack(0, "spearman", "rest", "left", 0, (spot,))


def test_a_card_strikes_back_at_the_first_attack_of_a_player_in_a_turn(able):
    """GW-10.9, GW-18.8"""
    able("kill_on_attack", 1)
    state = attacking()
    once = after(state, spearman(8))
    assert change(state, once) == {
        "rest left spearman": -1,
        "pool spearman": 1,
        "wounds scouts_left": 1,
    }
    assert once.hordes[0][0].struck == (0,)
    again = begin(once, state.agenda[-1])
    assert change(again, after(again, spearman(9)))["covered scouts_left"] == 1
    assert begin(once, steps.EndTurn()).hordes[0][0].struck == ()


def test_a_card_attacked_in_winter_strikes_back_in_the_next_turn(able):
    """GW-10.9, GW-18.8"""
    able("kill_on_attack", 1)
    state = attacking(firing={"left": 1})
    state.track = (LaidCommand(0, "economy"),)
    state = begin(state, steps.Shoot(seat=0, section="left"))
    shot = after(state, moves.Attack(0, "archer", "firing", "left", 0, (8,)))
    assert shot.hordes[0][0].struck == (0,)
    turn = begin(shot, steps.TakeTurn(slot=0))
    assert turn.hordes[0][0].struck == ()


def test_no_spearman_attacks_some_cards(able):
    """GW-18.8"""
    able("no_spearmen")
    state = attacking()
    assert legal_moves_of(state, moves.Attack) == []
    assert refusal_of(state, spearman(8)) == ("GW-18.8", "repelled")


def test_a_card_in_the_first_row_takes_a_toll_at_the_start_of_winter(able):
    """GW-13.1, GW-18.8"""
    able("toll_while_first", 2)
    clans = ({"resources": {"wood": 3}}, {"resources": {"gold": 1}}, {})
    laid = {"left": [horde("scouts_left")], "center": [horde("leader_left"), horde("scouts_left")]}
    state = begin(table(*clans, hordes=laid, walls={"left": 3, "center": 3}), steps.Winter())
    assert [clan.resources for clan in state.clans] == [(1, 0, 0, 0), (0,) * 4, (0,) * 4]


def test_a_card_in_the_first_row_kills_archers_at_the_start_of_winter(able):
    """GW-13.1, GW-18.8"""
    able("kill_firing_on_winter", 1)
    clans = ({"firing": {"left": 2}}, {"firing": {"left": 1}}, {"firing": {"right": 1}})
    state = table(*clans, hordes={"left": [horde("scouts_left", 4)]}, walls={"left": 3})
    killed = of(soldiers.SoldiersKilled, events_of_steps(state, steps.Winter()))
    assert [(event.clan, len(event.killed)) for event in killed] == [(0, 1), (1, 1)]
