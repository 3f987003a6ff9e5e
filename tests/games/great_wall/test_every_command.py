"""Each command card, part by part: what it does for its owner, and for the others."""

from domain.engine.game import describe_touch, legal_moves, touch_tree
from domain.engine.sentences import say
from domain.games.great_wall import GAME, moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.rules.effects import modifiers
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, soldiers
from domain.games.great_wall.state.table import LaidCommand
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import expect_refusal
from tests.games.great_wall.situations import DEPLOY, DEPLOYED, DONE, clerk, full_table, wound
from tests.support.for_each import for_each

SPEAR = moves.Attack(0, "spearman", "rest", "left", 0, (8,))
SHOT = moves.Attack(0, "archer", "firing", "left", 1, (8,))
CHARGED = {"rest left spearman": -1, "covered scouts_left": 1, "wounds raiders_left": 1}


def play_part(part, *track, seat=0, **own):
    """The table after this part of the first card on this track, and the table before it."""
    before = full_table(**own)
    before.track = tuple(LaidCommand(clan, card) for clan, card in track)
    return before, begin(before, steps.CommandPart(clan=seat, slot=0, part=part))


def clerks_to_move(state):
    step = state.agenda[-1]
    assert isinstance(step, clerks.MoveClerks)
    return step.left, step.spread


@for_each(
    ("track", "left"),
    [
        ([(0, "despotism")], 4),
        ([(0, "despotism"), (1, "economy")], 6),
        ([(0, "despotism"), (1, "economy"), (2, "economy")], 8),
        ([(0, "economy")], 3),
        ([(0, "economy"), (1, "work_harder")], 4),
        ([(0, "raise_banners"), (1, "raise_banners")], 3),
        ([(0, "work_harder")], 6),  # all that the clan has, in the pool and on the Academy
    ],
)
def test_a_command_card_moves_clerks(track, left):
    """GW-7.3, GW-7.4, GW-18.6: the worked example WE05 is the second one."""
    _, state = play_part("first", *track)
    assert clerks_to_move(state) == (left, "any")


@for_each("card", ["economy", "despotism", "work_harder", "raise_banners"])
def test_others_move_two_clerks_to_two_locations(card):
    """GW-7.3"""
    before, state = play_part("others", (1, card))
    assert clerks_to_move(state) == (2, "distinct")
    new = after(state, *clerk("academy", "embassy"))
    assert change(before, new) == {"clerks": -2, "at academy": 1, "at embassy": 1}
    assert new.agenda == []


def test_she_saihua_moves_more_if_her_card_finds_others():
    """GW-18.5"""
    found = (0, "despotism"), (1, "economy")
    _, state = play_part("first", *found, general="she_saihua")
    assert clerks_to_move(state) == (8, "any")
    _, state = play_part("first", (0, "despotism"), general="she_saihua")
    assert clerks_to_move(state) == (4, "any")


def test_a_smuggler_moves_one_more_when_others_let_them():
    """GW-7.3, GW-18.7"""
    before, state = play_part("others", (1, "despotism"), active=("smuggler",))
    state = after(state, *clerk("academy", "embassy"))
    assert clerks_to_move(state) == (1, "any")
    new = after(state, *clerk("academy"))
    assert change(before, new) == {"clerks": -3, "at academy": 2, "at embassy": 1}


def test_a_smuggler_does_not_help_with_their_own_cards_and_with_attacks():
    """GW-18.7"""
    _, state = play_part("last", (0, "economy"), active=("smuggler",))
    assert after(state, DONE).agenda == []
    _, state = play_part("others", (1, "attack_order"), active=("smuggler",))
    assert after(state, DONE).agenda == []


def test_others_move_fewer_clerks_by_a_modifier(monkeypatch):
    """GW-18.5, GW-18.14"""
    monkeypatch.setattr(modifiers, "other_moves_bonus", lambda state, clan: -1)
    _, state = play_part("others", (1, "economy"))
    assert clerks_to_move(state) == (1, "distinct")
    _, state = play_part("first", (0, "economy"))
    assert clerks_to_move(state) == (3, "any")


@for_each(("part", "owner"), [("first", 0), ("others", 1), ("last", 0)])
def test_attack_order_has_all_soldiers_of_a_section_attack(part, owner):
    """GW-9.7"""
    before, state = play_part(part, (owner, "attack_order"))
    state = after(state, SPEAR)
    with expect_refusal("must attack"):
        after(state, DONE)
    with expect_refusal("another Section"):
        after(state, moves.Attack(0, "archer", "rest", "right", 0, (8,)))
    new = after(state, SHOT)
    assert change(before, new) == CHARGED
    if part == "last":
        assert clerks_to_move(new) == (2, "any")


def test_attack_order_may_choose_no_section():
    """GW-9.7"""
    before, state = play_part("first", (0, "attack_order"))
    new = after(state, DONE)
    assert (new.agenda, change(before, new)) == ([], {})


def test_attack_order_attacks_in_more_sections_for_raise_banners_on_the_track():
    """GW-7.4, GW-9.7"""
    rest = {"left": {"spearman": 1}, "center": {"spearman": 1}}
    track = (0, "attack_order"), (2, "raise_banners")
    before, state = play_part("last", *track, rest=rest, firing={})
    center = moves.Attack(0, "spearman", "rest", "center", 0, (7,))
    new = after(state, SPEAR, center)
    assert change(before, new)["covered lancers_center"] == 1
    assert clerks_to_move(new) == (2, "any")
    _, state = play_part("last", track[0], rest=rest, firing={})
    assert clerks_to_move(after(state, SPEAR)) == (2, "any")


def test_the_two_parts_of_attack_order_are_two_attack_events():
    """GW-10.9, GW-18.4"""
    rest = {"left": {"spearman": 2}}
    before, state = play_part(
        "first", (0, "attack_order"), rest=rest, firing={}, active=("drill_master",)
    )
    state = after(state, SPEAR, moves.Attack(0, "spearman", "rest", "left", 0, (3,)))
    assert change(before, state)["honor"] == 1 + 1  # for the attack, and for the spot
    again = begin(state, steps.CommandPart(clan=0, slot=0, part="last"))
    assert clerks_to_move(again) == (2, "any")


def test_economy_upgrades_an_overseer_for_one_less():
    """GW-8.4, GW-18.6"""
    before, state = play_part("last", (0, "economy"))
    new = after(state, moves.UpgradeOverseer(0, "quarry"))
    assert change(before, new) == {"level quarry": 1, "wood": -2}
    assert new.agenda == []


def test_despotism_activates_a_location_that_is_not_full():
    """GW-6.6"""
    before, state = play_part("last", (0, "despotism"))
    new = after(state, moves.ActivateLocation(0, "academy"))
    assert change(before, new) == {"clerks": 1, "at academy": -1, "tactics": 1}


@for_each(("orders", "left"), [(0, 0), (1, 1), (2, 2)])
def test_work_harder_activates_a_location_for_each_attack_order(orders, left):
    """GW-7.4, GW-6.6"""
    track = [(0, "work_harder"), *[(seat, "attack_order") for seat in (1, 2)[:orders]]]
    _, state = play_part("last", *track)
    if not left:
        assert state.agenda == []
    else:
        step = state.agenda[-1]
        assert isinstance(step, clerks.AdvancedActivation)
        assert step.left == left


def test_raise_banners_counts_clerks_in_the_barracks_twice_to_the_end_of_the_turn():
    """GW-6.8"""
    before, state = play_part("last", (0, "raise_banners"))
    assert state.agenda == []
    assert modifiers.count_clerks(state, 0, "barracks", 2) == 4
    assert modifiers.count_clerks(state, 0, "quarry", 2) == 2
    assert modifiers.count_clerks(state, 1, "barracks", 2) == 2
    state.active = 0
    ended = begin(state, steps.EndTurn())
    assert modifiers.count_clerks(ended, 0, "barracks", 2) == 2
    assert change(before, ended) == {}


def test_raise_banners_recruits_for_each_despotism():
    """GW-7.4, GW-8.6"""
    before, state = play_part("last", (0, "raise_banners"), (1, "despotism"))
    new = after(state, moves.NameRecruit(0, "spearman"), moves.PayBill(0, stone=1, wood=1), DEPLOY)
    assert change(before, new) == {**DEPLOYED, "stone": -1, "wood": -1}


def test_betrayal_copies_only_the_parts_of_the_owner():
    """GW-9.6: the worked example WE27."""
    track = (0, "betrayal"), (1, "work_harder"), (2, "attack_order")
    _, state = play_part("first", *track)
    state = after(state, moves.TakeOption(0, 0), moves.CopyCard(0, 1))
    assert clerks_to_move(state) == (6, "any")
    state = after(state, DONE)
    assert isinstance(state.agenda[-1], clerks.AdvancedActivation)
    assert (state.agenda[-1].seats, state.agenda[-1].left) == ((0,), 1)
    assert after(state, DONE).agenda == []


def test_betrayal_may_move_two_clerks_instead():
    """GW-9.6"""
    _, state = play_part("first", (0, "betrayal"), (1, "economy"))
    state = after(state, moves.TakeOption(0, 1))
    assert clerks_to_move(state) == (2, "one_or_two")


def test_the_options_of_betrayal_have_words():
    """GW-9.6"""
    _, state = play_part("first", (0, "betrayal"), (1, "economy"))
    view = GAME.view(state, 0)
    ways = touch_tree(GAME, view, legal_moves(GAME, state, 0)).choices(())
    said = [say(describe_touch(GAME, name, view), GAME.resources.texts["en"], ()) for name in ways]
    assert said == ["use another player's card", "move clerks"]


def test_betrayal_copies_neither_a_betrayal_nor_itself():
    """GW-9.6"""
    _, state = play_part("first", (0, "betrayal"), (1, "economy"), (2, "betrayal"))
    state = after(state, moves.TakeOption(0, 0))
    assert clerks_to_move(state) == (3, "any")  # there was only one card to copy
    _, state = play_part("first", (0, "betrayal"), (1, "betrayal"), (0, "economy"))
    assert clerks_to_move(state) == (2, "one_or_two")


def test_betrayal_has_no_other_effect():
    """GW-9.6"""
    for part in ("others", "last"):
        _, state = play_part(part, (1, "betrayal"))
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
    before = full_table(active=("archery_instructor",), tactics=("battle_drums", "volley"))
    wounding = soldiers.Wounding((0,), left=1, first_row=True, sections=("left",))
    new = after(begin(before, wounding), *wound("left", 0, 3))
    assert (new.agenda, change(before, new)) == ([], {"wounds scouts_left": 1})
