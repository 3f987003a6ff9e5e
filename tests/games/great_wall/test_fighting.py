"""Fighting: GW-10.1 to GW-10.10, GW-10.14."""

from domain.engine.dice import Luck
from domain.engine.play import Play
from domain.games.great_wall import board, moves
from domain.games.great_wall.events import soldiers, supply
from domain.games.great_wall.rules.war import attacking, wounds
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import soldiers as soldier_steps
from domain.games.great_wall.state.agenda.soldiers import Attacking
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.hordes import NEIGHBOURS, WOUND
from tests.games.great_wall.course import after, begin, change
from tests.games.great_wall.game import (
    events_of,
    events_of_steps,
    kinds,
    legal_moves_of,
    of,
    refusal_of,
)
from tests.games.great_wall.table import horde, table
from tests.support.for_each import for_each

ALL: tuple[board.Soldier, ...] = board.SOLDIERS
DONE = moves.Done(0)


def ready(left=None, laid=None, sections=1, types=ALL, seats=3, others=(), each=None, **own):
    """A table where the first seat attacks from Rest Zones and Firing spots."""
    cards = laid or {"left": [horde("scouts_left"), horde("raiders_left")]}
    state = table(own, *others, hordes=cards, active=0, seats=seats, walls={"left": 1})
    step = Attacking(
        (0,),
        left=left,
        types=types,
        origins=("rest", "firing"),
        sections=sections,
        each_section=each,
    )
    return begin(state, step)


def attack(soldier, row, *spots, origin="rest", section="left"):
    return moves.Attack(0, soldier, origin, section, row, spots)


def test_a_spearman_covers_a_free_spot_of_the_card_in_the_first_row():
    """GW-10.1, GW-10.3"""
    state = ready(rest={"left": {"spearman": 1}})
    assert {(one.row, one.spots) for one in legal_moves_of(state, moves.Attack)} == {
        (0, (2,)),
        (0, (3,)),
        (0, (8,)),
        (0, (9,)),
    }
    assert refusal_of(state, attack("spearman", 1, 2)) == ("GW-10.3", "out_of_reach")
    assert refusal_of(state, attack("spearman", 0, 4)) == ("GW-10.3", "not_free")
    assert refusal_of(state, attack("spearman", 0, 2, 3)) == ("GW-10.4", "wrong_spots")
    assert events_of(state, attack("spearman", 0, 2))[0] == soldiers.SoldierAttacked(
        0, "spearman", "rest", "left", 0, "scouts_left", (2,)
    )


def test_a_horseman_covers_two_adjacent_free_spots_in_any_row():
    """GW-10.4, GW-10.7"""
    state = ready(rest={"left": {"horseman": 1}})
    pairs = {(one.row, one.spots) for one in legal_moves_of(state, moves.Attack)}
    assert pairs == {(row, pair) for row in (0, 1) for pair in ((2, 3), (2, 8), (3, 9), (8, 9))}
    assert refusal_of(state, attack("horseman", 0, 2, 9)) == ("GW-10.7", "not_adjacent")
    assert refusal_of(state, attack("horseman", 0, 2)) == ("GW-10.4", "wrong_spots")
    ridden = after(state, attack("horseman", 1, 2, 8))
    assert change(state, ridden)["covered raiders_left"] == 2


def test_spots_are_adjacent_in_a_row_or_a_column_and_not_around_the_edge():
    """GW-10.7"""
    assert NEIGHBOURS[0] == (1, 6)
    assert NEIGHBOURS[5] == (11,)
    assert NEIGHBOURS[11] == ()


def test_an_archer_takes_a_firing_spot_and_wounds_any_card_of_the_section():
    """GW-10.5"""
    state = ready(rest={"left": {"archer": 1}})
    assert len(legal_moves_of(state, moves.Attack)) == 8
    shot = after(state, attack("archer", 1, 3))
    assert change(state, shot) == {
        "rest left archer": -1,
        "firing left": 1,
        "wounds raiders_left": 1,
    }


def test_an_archer_in_a_firing_spot_stays_there():
    """GW-10.5"""
    state = ready(firing={"left": 1})
    shot = after(state, attack("archer", 0, 2, origin="firing"))
    assert change(state, shot) == {"wounds scouts_left": 1}


def test_without_a_free_firing_spot_an_archer_cannot_attack():
    """GW-10.5"""
    state = ready(others=[{"firing": {"left": 2}}], rest={"left": {"archer": 1, "spearman": 2}})
    assert {one.soldier for one in legal_moves_of(state, moves.Attack)} == {"spearman"}
    assert refusal_of(state, attack("archer", 0, 2)) == ("GW-10.5", "no_firing_spot")


def test_an_archer_that_can_wound_nothing_still_takes_the_firing_spot():
    """GW-10.5, GW-18.8"""
    cards = {"left": [horde("horse_archers_left"), horde("scouts_left", 4)]}
    state = ready(laid=cards, rest={"left": {"archer": 1, "spearman": 1}})
    bare = moves.Attack(0, "archer", "rest", "left")
    assert bare in legal_moves_of(state, moves.Attack)
    assert refusal_of(state, attack("archer", 0, 1)) == ("GW-18.8", "repelled")
    assert events_of(state, bare)[0] == soldiers.ArcherPosted(0, "rest", "left")
    both = ready(rest={"left": {"archer": 1}})
    assert refusal_of(both, bare) == ("GW-10.5", "name_a_spot")


def test_covering_a_spot_brings_its_reward_and_a_wound_does_not():
    """GW-10.6"""
    state = ready(rest={"left": {"horseman": 1, "archer": 1}}, sections=2)
    ridden = after(state, attack("horseman", 1, 2, 3))  # gold, and 1 honor
    assert change(state, ridden)["gold"] == 1
    assert change(state, ridden)["honor"] == 1
    wounded = after(state, attack("archer", 1, 2))
    assert "gold" not in change(state, wounded)


def test_a_reward_of_any_resource_is_chosen():
    """GW-10.6, GW-18.6"""
    cards = {"left": [horde("raiders_left")]}
    state = after(ready(laid=cards, rest={"left": {"spearman": 1}}), attack("spearman", 0, 8))
    assert {one.resource for one in legal_moves_of(state, moves.TakeResource)} == set(
        board.RESOURCES
    )
    assert change(state, after(state, moves.TakeResource(0, "chi"))) == {"chi": 1}


def test_nothing_can_be_put_on_a_full_card():
    """GW-10.10"""
    cards = {"left": [horde("scouts_left", 4), horde("raiders_left", 4)]}
    state = ready(laid=cards, rest={"left": {"horseman": 1, "spearman": 1}})
    assert legal_moves_of(state, moves.Attack) == []


def test_all_of_a_section_must_attack_if_one_does():
    """GW-9.7, GW-10.2"""
    resting = {"left": {"spearman": 2}, "right": {"spearman": 1}}
    cards = {"left": [horde("scouts_left")], "right": [horde("scouts_right")]}
    state = ready(laid=cards, rest=resting)
    assert refusal_of(state, DONE) is None
    once = after(state, attack("spearman", 0, 2))
    assert refusal_of(once, DONE) == ("GW-9.7", "must_attack")
    other = attack("spearman", 0, 2, section="right")
    assert refusal_of(once, other) == ("GW-18.6", "other_section")
    twice = after(once, attack("spearman", 0, 3))
    assert twice.agenda == []


def test_up_to_that_many_attack_in_up_to_that_many_sections():
    """GW-18.6"""
    resting = {"left": {"spearman": 2}, "right": {"spearman": 2}}
    cards = {"left": [horde("scouts_left")], "right": [horde("scouts_right")]}
    state = ready(2, cards, sections=3, rest=resting)
    once = after(state, attack("spearman", 0, 2))
    assert refusal_of(once, DONE) is None
    assert after(once, attack("spearman", 0, 2, section="right")).agenda == []


def test_some_effects_let_one_soldier_of_each_section_attack():
    """GW-18.6"""
    cards = {"left": [horde("scouts_left")], "right": [horde("scouts_right")]}
    state = ready(None, cards, 3, ("archer",), each=1, firing={"left": 2, "right": 1})
    once = after(state, attack("archer", 0, 2, origin="firing"))
    again = attack("archer", 0, 3, origin="firing")
    assert refusal_of(once, again) == ("GW-18.6", "no_more_there")


def test_only_soldiers_of_the_rest_zone_attack_there_and_each_once():
    """GW-10.1, GW-10.2"""
    state = ready(2, rest={"left": {"spearman": 1}}, firing={"left": 1})
    elsewhere = attack("horseman", 0, 2, 3)
    assert refusal_of(state, elsewhere) == ("GW-10.2", "no_such_soldier")
    shot = after(state, attack("archer", 0, 2, origin="firing"))
    again = attack("archer", 0, 3, origin="firing")
    assert refusal_of(shot, again) == ("GW-10.2", "no_such_soldier")


def test_new_recruits_can_be_spared():
    """GW-18.6"""
    state = table({"rest": {"left": {"spearman": 2}}}, hordes={"left": [horde("scouts_left")]})
    recruits = Context(resting=(("left", "spearman"),))
    waiting = ask(state, attacking.attack, 0, 2, ALL, ("rest", "firing"), 3, spared=recruits)
    assert after(waiting, attack("spearman", 0, 2)).agenda == []


def ask(state, plan, *args, **values):
    """The table after a rule planned something, up to the first question."""
    play = Play(state.copy(), Luck())
    play.state.agenda = []
    plan(play, *args, **values)
    return begin(play.state, *reversed(play.state.agenda))


def test_an_attack_event_is_followed_by_these_steps():
    """GW-10.9, GW-10.14"""
    cards = {"left": [horde("scouts_left", 3)]}
    own = {"active": ("drill_master", "tactician_monk"), "tactics": ("finishing_blow", "volley")}
    state = table({**own, "rest": {"left": {"spearman": 1}}}, hordes=cards, active=0)
    step = Attacking((0,), left=None, types=ALL, origins=("rest",), sections=0, chosen=("left",))
    events = events_of_steps(state, steps.Ask(step=step))
    assert kinds(events)[:3] == ["SoldierAttacked", "ResourcesTaken", "HonorChanged"]
    assert [event.seat for event in of(supply.TacticDrawn, events)] == [0, 0]
    waiting = begin(state, steps.Ask(step=step))
    assert waiting.agenda[-1].windows == ((0, ("you_attack", "you_deal_last_wound")),)


def test_wounds_of_an_effect_count_as_last_wounds():
    """GW-10.9, GW-10.14, GW-18.12"""
    state = table({"active": ("tactician_monk",)}, hordes={"left": [horde("scouts_left", 3)]})
    new = after(ask(state, wounds.ask_wounds, 0, 2), moves.Wound(0, "left", 0, 9))
    assert len(new.clans[0].tactics) == 2
    assert new.agenda == []


@for_each(
    ("values", "cards"),
    [
        ({}, {"scouts_left", "raiders_left", "leader_right"}),
        ({"first_row": True}, {"scouts_left", "leader_right"}),
        ({"sections": ("left",)}, {"scouts_left", "raiders_left"}),
        ({"cards": ("raiders_left",)}, {"raiders_left"}),
    ],
)
def test_an_effect_says_which_cards_can_be_wounded(values, cards):
    """GW-18.6"""
    laid = {
        "left": [horde("scouts_left"), horde("raiders_left")],
        "right": [horde("leader_right")],
    }
    state = ask(table(hordes=laid), wounds.ask_wounds, 0, 1, **values)
    found = {laid[one.section][one.row].card for one in legal_moves_of(state, moves.Wound)}
    assert found == cards


def test_wounds_for_one_section_all_go_there():
    """GW-18.6"""
    laid = {"left": [horde("scouts_left")], "right": [horde("leader_right")]}
    state = ask(table(hordes=laid), wounds.ask_wounds, 0, 2, one=True)
    once = after(state, moves.Wound(0, "left", 0, 2))
    assert refusal_of(once, moves.Wound(0, "right", 0, 0)) == ("GW-18.6", "other_card")
    assert refusal_of(once, moves.Wound(0, "left", 0, 2)) == ("GW-10.3", "not_free")


def test_a_soldier_that_leaves_is_replaced_by_wounds():
    """GW-10.8"""
    laid = horde("scouts_left", by0=(2, 3))
    unit = soldier_steps.Unit("horseman", "left", "horde", "scouts_left", 2)
    dying = soldier_steps.Dying(clan=0, doomed=(unit,))
    state = begin(table(hordes={"left": [laid]}), dying)
    assert [spot for spot, what in enumerate(state.hordes[0][0].spots) if what == WOUND] == [2, 3]
