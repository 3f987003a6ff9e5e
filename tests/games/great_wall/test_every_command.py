"""Each command card, part by part: what it lets its owner do, and the others."""

import pytest

from domain.engine.game import call, legal_moves, tree
from domain.engine.sentences import say
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.state.steps import clerks, soldiers, year
from domain.games.great_wall.state.table import Laid
from tests.games.great_wall.course import after, begun, change
from tests.games.great_wall.game import refusing
from tests.games.great_wall.situations import DEPLOY, DEPLOYED, DONE, clerk, crowded, wound

SPEAR = moves.Attack(0, "spearman", "rest", "left", 0, (8,))
SHOT = moves.Attack(0, "archer", "firing", "left", 1, (8,))
CHARGED = {"rest left spearman": -1, "covered scouts_left": 1, "wounds raiders_left": 1}


def played(part, *track, seat=0, **own):
    """What is asked after this part of the first card on this track, and the table before it."""
    before = crowded(**own)
    before.track = tuple(Laid(clan, card) for clan, card in track)
    return before, begun(before, year.CommandPart(clan=seat, slot=0, part=part))


def left_to_move(state):
    step = state.agenda[-1]
    assert isinstance(step, clerks.MoveClerks)
    return step.left, step.spread


@pytest.mark.parametrize(
    ("track", "left"),
    [
        ([(0, "despotism")], 4),
        ([(0, "despotism"), (1, "economy")], 6),
        ([(0, "despotism"), (1, "economy"), (2, "economy")], 8),
        ([(0, "economy")], 3),
        ([(0, "economy"), (1, "work_harder")], 4),
        ([(0, "raise_banners"), (1, "raise_banners")], 3),
        ([(0, "work_harder")], 6),  # all that there are, in the pool and on the Academy
    ],
)
def test_a_command_card_moves_clerks(track, left):
    """GW-7.3, GW-7.4, GW-18.6: the worked example WE05 is the second one."""
    _, state = played("first", *track)
    assert left_to_move(state) == (left, "any")


@pytest.mark.parametrize("card", ["economy", "despotism", "work_harder", "raise_banners"])
def test_others_move_two_clerks_to_two_locations(card):
    """GW-7.3"""
    before, state = played("others", (1, card))
    assert left_to_move(state) == (2, "distinct")
    new = after(state, *clerk("academy", "embassy"))
    assert change(before, new) == {"clerks": -2, "at academy": 1, "at embassy": 1}
    assert new.agenda == []


def test_she_saihua_moves_more_if_her_card_finds_others():
    """GW-18.5"""
    found = (0, "despotism"), (1, "economy")
    _, state = played("first", *found, general="she_saihua")
    assert left_to_move(state) == (8, "any")
    _, state = played("first", (0, "despotism"), general="she_saihua")
    assert left_to_move(state) == (4, "any")


def test_a_smuggler_moves_one_more_when_others_let_them():
    """GW-7.3, GW-18.7"""
    before, state = played("others", (1, "despotism"), active=("smuggler",))
    state = after(state, *clerk("academy", "embassy"))
    assert left_to_move(state) == (1, "any")
    new = after(state, *clerk("academy"))
    assert change(before, new) == {"clerks": -3, "at academy": 2, "at embassy": 1}


def test_a_smuggler_is_no_help_with_own_cards_and_with_attacks():
    """GW-18.7"""
    _, state = played("last", (0, "economy"), active=("smuggler",))
    assert after(state, DONE).agenda == []
    _, state = played("others", (1, "attack_order"), active=("smuggler",))
    assert after(state, DONE).agenda == []


def test_others_move_fewer_clerks_by_a_modifier(monkeypatch):
    """GW-18.5, GW-18.14"""
    monkeypatch.setattr(modifiers, "other_moves_more", lambda state, clan: -1)
    _, state = played("others", (1, "economy"))
    assert left_to_move(state) == (1, "distinct")
    _, state = played("first", (0, "economy"))
    assert left_to_move(state) == (3, "any")


@pytest.mark.parametrize(("part", "owner"), [("first", 0), ("others", 1), ("last", 0)])
def test_attack_order_has_all_soldiers_of_a_section_attack(part, owner):
    """GW-9.7"""
    before, state = played(part, (owner, "attack_order"))
    state = after(state, SPEAR)
    with refusing("must attack"):
        after(state, DONE)
    with refusing("another Section"):
        after(state, moves.Attack(0, "archer", "rest", "right", 0, (8,)))
    new = after(state, SHOT)
    assert change(before, new) == CHARGED
    if part == "last":
        assert left_to_move(new) == (2, "any")


def test_attack_order_may_choose_no_section():
    """GW-9.7"""
    before, state = played("first", (0, "attack_order"))
    new = after(state, DONE)
    assert (new.agenda, change(before, new)) == ([], {})


def test_attack_order_attacks_in_more_sections_for_raise_banners_on_the_track():
    """GW-7.4, GW-9.7"""
    rest = {"left": {"spearman": 1}, "center": {"spearman": 1}}
    track = (0, "attack_order"), (2, "raise_banners")
    before, state = played("last", *track, rest=rest, firing={})
    center = moves.Attack(0, "spearman", "rest", "center", 0, (7,))
    new = after(state, SPEAR, center)
    assert change(before, new)["covered lancers_center"] == 1
    assert left_to_move(new) == (2, "any")
    _, state = played("last", track[0], rest=rest, firing={})
    assert left_to_move(after(state, SPEAR)) == (2, "any")


def test_the_two_parts_of_attack_order_are_two_attack_events():
    """GW-10.9, GW-18.4"""
    rest = {"left": {"spearman": 2}}
    before, state = played(
        "first", (0, "attack_order"), rest=rest, firing={}, active=("drill_master",)
    )
    state = after(state, SPEAR, moves.Attack(0, "spearman", "rest", "left", 0, (3,)))
    assert change(before, state)["honor"] == 1 + 1  # for the attack, and for the spot
    again = begun(state, year.CommandPart(clan=0, slot=0, part="last"))
    assert left_to_move(again) == (2, "any")


def test_economy_upgrades_an_overseer_for_one_less():
    """GW-8.4, GW-18.6"""
    before, state = played("last", (0, "economy"))
    new = after(state, moves.UpgradeOverseer(0, "quarry"))
    assert change(before, new) == {"level quarry": 1, "wood": -2}
    assert new.agenda == []


def test_despotism_activates_a_location_that_is_not_full():
    """GW-6.6"""
    before, state = played("last", (0, "despotism"))
    new = after(state, moves.ActivateLocation(0, "academy"))
    assert change(before, new) == {"clerks": 1, "at academy": -1, "tactics": 1}


@pytest.mark.parametrize(("orders", "left"), [(0, 0), (1, 1), (2, 2)])
def test_work_harder_activates_a_location_for_each_attack_order(orders, left):
    """GW-7.4, GW-6.6"""
    track = [(0, "work_harder"), *[(seat, "attack_order") for seat in (1, 2)[:orders]]]
    _, state = played("last", *track)
    if not left:
        assert state.agenda == []
    else:
        step = state.agenda[-1]
        assert isinstance(step, clerks.AdvancedActivation)
        assert step.left == left


def test_raise_banners_counts_clerks_in_the_barracks_twice_to_the_end_of_the_turn():
    """GW-6.8"""
    before, state = played("last", (0, "raise_banners"))
    assert state.agenda == []
    assert modifiers.counts(state, 0, "barracks", 2) == 4
    assert modifiers.counts(state, 0, "quarry", 2) == 2
    assert modifiers.counts(state, 1, "barracks", 2) == 2
    state.active = 0
    ended = begun(state, year.EndTurn())
    assert modifiers.counts(ended, 0, "barracks", 2) == 2
    assert change(before, ended) == {}


def test_raise_banners_recruits_for_each_despotism():
    """GW-7.4, GW-8.6"""
    before, state = played("last", (0, "raise_banners"), (1, "despotism"))
    new = after(state, moves.NameRecruit(0, "spearman"), moves.PayBill(0, stone=1, wood=1), DEPLOY)
    assert change(before, new) == {**DEPLOYED, "stone": -1, "wood": -1}


def test_betrayal_copies_what_the_owner_of_a_card_does_and_not_what_others_do():
    """GW-9.6: the worked example WE27."""
    track = (0, "betrayal"), (1, "work_harder"), (2, "attack_order")
    _, state = played("first", *track)
    state = after(state, moves.TakeOption(0, 0), moves.CopyCard(0, 1))
    assert left_to_move(state) == (6, "any")
    state = after(state, DONE)
    assert isinstance(state.agenda[-1], clerks.AdvancedActivation)
    assert (state.agenda[-1].seats, state.agenda[-1].left) == ((0,), 1)
    assert after(state, DONE).agenda == []


def test_betrayal_may_move_two_clerks_instead():
    """GW-9.6"""
    _, state = played("first", (0, "betrayal"), (1, "economy"))
    state = after(state, moves.TakeOption(0, 1))
    assert left_to_move(state) == (2, "one_or_two")


def test_the_options_of_betrayal_have_words():
    """GW-9.6"""
    _, state = played("first", (0, "betrayal"), (1, "economy"))
    view = GAME.view(state, 0)
    ways = tree(GAME, view, legal_moves(GAME, state, 0)).choices(())
    said = [say(call(GAME, name, view), GAME.texts["en"], ()) for name in ways]
    assert said == ["use the card of another", "move clerks"]


def test_betrayal_copies_neither_a_betrayal_nor_the_own_card():
    """GW-9.6"""
    _, state = played("first", (0, "betrayal"), (1, "economy"), (2, "betrayal"))
    state = after(state, moves.TakeOption(0, 0))
    assert left_to_move(state) == (3, "any")  # there was but one to copy
    _, state = played("first", (0, "betrayal"), (1, "betrayal"), (0, "economy"))
    assert left_to_move(state) == (2, "one_or_two")


def test_betrayal_does_nothing_else():
    """GW-9.6"""
    for part in ("others", "last"):
        _, state = played(part, (1, "betrayal"))
        assert state.agenda == []


def test_all_command_cards_are_played_here():
    """GW-7.3"""
    assert set(decks.COMMANDS) == {
        "attack_order",
        "economy",
        "despotism",
        "work_harder",
        "raise_banners",
        "betrayal",
    }


def test_a_wound_by_a_card_is_no_attack():
    """GW-18.12"""
    before = crowded(active=("archery_instructor",), tactics=("battle_drums", "volley"))
    wounding = soldiers.Wounding((0,), left=1, first_row=True, sections=("left",))
    new = after(begun(before, wounding), *wound("left", 0, 3))
    assert (new.agenda, change(before, new)) == ([], {"wounds scouts_left": 1})
