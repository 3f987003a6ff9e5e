"""The command cards of Qin Jiushao, what he builds, and incomplete files: GW-18.9."""

import json

import pytest

from domain.engine.dice import Luck
from domain.engine.play import Play
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards import automata, decks
from domain.games.great_wall.cards.amounts import Count
from domain.games.great_wall.cards.decks import BadCards
from domain.games.great_wall.cards.solo_ops import QinGain
from domain.games.great_wall.events import clerks, solo, supply
from domain.games.great_wall.rules.solo.cards import OPERATIONS
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks as clerk_steps
from domain.games.great_wall.state.agenda import effects
from domain.games.great_wall.state.context import NOTHING
from domain.games.great_wall.state.counters import count_matches, value
from tests.games.great_wall.alone import AWAY, QIN, REED, clerks_at, deeds_of_qin, solo_table
from tests.games.great_wall.course import after, begin
from tests.games.great_wall.game import events_of_steps, kinds, legal_moves_of, of
from tests.games.great_wall.table import horde
from tests.support.for_each import for_each


def script(card, part, at=0):
    return effects.Perform(clan=QIN, script=f"solo/solo_{card}/{part}", at=at)


def turn(card, human="economy", **values):
    """His turn with this card, on a table with a card of the human."""
    laid = [(QIN, f"solo_{card}"), (0, human)]
    state = solo_table(track=laid, reed={"clerks": AWAY}, **values)
    return begin(state, steps.TakeTurn(slot=0))


def test_each_solo_card_has_the_name_of_a_command_card():
    """GW-14.2, GW-14.5"""
    assert len(automata.SOLO) == 6
    for card, namesake in automata.NAMESAKES.items():
        assert automata.SOLO[card].name == decks.COMMANDS[namesake].name


@for_each(
    ("card", "deeds", "his", "reeds"),
    [
        ("economy", ["move", "move_reed"], 3, 2),
        ("despotism", ["move", "move_reed"], 4, 2),
        ("work_harder", ["move", "move_reed"], 3, 2),
        ("raise_banners", ["move", "move_reed"], 2, 2),
    ],
)
def test_his_cards_do_these_deeds_first_and_for_others(card, deeds, his, reeds):
    """GW-14.5, GW-18.9"""
    state = turn(card)
    assert state.agenda[-1] == clerk_steps.MoveClerks((0,), left=2, spread="distinct")
    assert sum(clerks_at(state, QIN).values()) == his
    before = clerks_at(state, REED)
    state = after(state, moves.MoveClerk(0, "academy"), moves.Done(0))
    gone = {place for place in before if place not in clerks_at(state, REED)}
    assert len(gone) == reeds


def test_the_humans_clerks_are_moved_by_the_card_of_another():
    """GW-14.5"""
    state = begin(solo_table(active=QIN), script("economy", "others"))
    assert steps.Fire(trigger="other_clerk_move", clans=(0,), context=NOTHING) in state.agenda


def test_attack_order_recruits_shoots_lets_the_human_attack_and_recruits():
    """GW-18.9"""
    laid = {"right": [horde("lancers_right")], "center": [horde("scouts_center")]}
    resting = solo_table(
        {"rest": {"center": {"spearman": 2}}, "pool": {}},
        track=[(QIN, "solo_attack_order"), (0, "economy")],
        hordes=laid,
    )
    state = begin(resting, steps.TakeTurn(slot=0))
    assert state.clans[QIN].firing == (0, 0, 1)
    assert {one.section for one in legal_moves_of(state, moves.Attack)} == {"center"}
    state = after(state, moves.Attack(0, "spearman", "rest", "center", 0, (2,)))
    assert moves.Done(0) not in legal_moves_of(state, moves.Done), "all of that Section must attack"
    state = after(state, moves.Attack(0, "spearman", "rest", "center", 0, (3,)))
    assert state.horde_cards("right")[0].count_covered(QIN) == 1


def test_economy_upgrades_the_lowest_overseer():
    """GW-18.9"""
    low, high = (
        script("economy", "last"),
        {"quarry": 3, "lumber_mill": 1, "gold_mine": 1, "temple": 1},
    )
    state = solo_table()
    assert of(clerks.OverseerUpgraded, events_of_steps(state, low)) == [
        clerks.OverseerUpgraded(QIN, "quarry", 2, "spearman", "GW-18.9")
    ]
    raised = solo_table(qin={"overseers": high})
    assert begin(raised, low).clans[QIN].level("temple") == 2, "the Barracks have no Overseer"
    top = solo_table(qin={"overseers": dict.fromkeys(high, 3)})
    assert kinds(events_of_steps(top, low)) == ["QinActed"]


def test_despotism_activates_the_lowest_location_with_a_clerk_of_his():
    """GW-18.9"""
    state = solo_table(qin={"clerks": {"temple": 1, "gold_mine": 2}, "clerks_pool": 5})
    events = events_of_steps(state, script("despotism", "last"))
    (resolved,) = of(clerks.LocationActivated, events)
    assert (resolved.location, resolved.advanced) == ("temple", True)
    assert deeds_of_qin(events) == [("activate", "GW-18.9")]
    assert kinds(events_of_steps(solo_table(), script("despotism", "last"))) == ["QinActed"]


def test_each_of_several_activations_takes_the_lowest_location():
    """GW-18.9"""
    state = solo_table(qin={"clerks": {"temple": 1, "gold_mine": 2}, "clerks_pool": 5})
    events = events_of_steps(state, clerk_steps.QinActivations(left=3))
    assert [one.location for one in of(clerks.LocationActivated, events)] == ["temple", "gold_mine"]


@for_each(
    ("walls", "section", "level", "honor"),
    [
        ({}, "right", 1, 5),
        ({"right": 1}, "center", 1, 5),
        ({"right": 1, "center": 1}, "right", 2, 10),
        ({"right": 2, "center": 3}, "right", 3, 15),
    ],
)
def test_work_harder_builds_where_the_wall_is_lowest(walls, section, level, honor):
    """GW-14.10"""
    events = events_of_steps(solo_table(walls=walls), script("work_harder", "last"))
    assert of(supply.WallBuilt, events) == [
        supply.WallBuilt(QIN, section, level, honor, "GW-14.10")
    ]
    assert deeds_of_qin(events) == [("build_wall", "GW-14.10")]
    assert begin(solo_table(walls=walls), script("work_harder", "last")).clans[QIN].honor == honor


def test_with_all_walls_complete_nothing_is_built():
    """GW-14.10"""
    state = solo_table(walls={"center": 3, "right": 3})
    assert kinds(events_of_steps(state, script("work_harder", "last"))) == ["QinActed"]


@for_each(
    ("stored", "paid"),
    [
        ({}, None),
        ({"stone": 2, "gold": 3}, {"gold": 3, "stone": 2}),
        ({"wood": 4, "stone": 3}, {"wood": 4, "stone": 1}),
        ({"wood": 1, "gold": 9}, {"gold": 5}),
    ],
)
def test_the_warehouse_pays_first_with_its_most_frequent_resource(stored, paid):
    """GW-14.10"""
    events = events_of_steps(solo_table(warehouse=stored), script("work_harder", "last"))
    expected = [] if paid is None else [supply.WarehousePaid(QIN, paid, "GW-14.10")]
    assert of(supply.WarehousePaid, events) == expected


@for_each(
    ("barricades", "built"),
    [({"right": 2}, (0, 0, 3)), ({"right": 3}, (0, 1, 3)), ({"right": 3, "center": 3}, (0, 3, 3))],
)
def test_his_barricades_go_where_the_indicator_points_with_honor(barricades, built):
    """GW-18.9"""
    state = solo_table(barricades=barricades)
    step = effects.Perform(clan=QIN, script="solo/solo_betrayal/first/0.else", at=1)
    new = begin(state, step)
    assert new.barricades == built
    assert new.clans[QIN].honor == (2 if sum(built) > sum(barricades.values()) else 0)


@for_each("card", ["economy", "despotism", "work_harder", "raise_banners"])
def test_his_betrayal_does_his_card_with_the_name_of_the_humans_card(card):
    """GW-18.9, GW-9.6"""
    state = solo_table(track=[(0, card), (QIN, "solo_betrayal")])
    events = events_of_steps(state, script("betrayal", "first"))
    assert deeds_of_qin(events)[0] == ("copy", "GW-18.9")
    told = [(one.by.card, one.by.part) for one in of(solo.QinActed, events)[1:]]
    assert {named for named, _ in told} == {f"solo_{card}"}
    assert [part for _, part in told] == ["first", "last"], "never what others do"


@pytest.mark.parametrize(
    "track", [[(0, "betrayal"), (QIN, "solo_betrayal")], [(QIN, "solo_betrayal")]]
)
def test_his_betrayal_of_a_betrayal_moves_two_clerks_and_builds_a_barricade(track):
    """GW-18.9"""
    events = events_of_steps(solo_table(track=track, barricades={}), script("betrayal", "first"))
    assert [does for does, _ in deeds_of_qin(events)] == ["copy", "move", "build_barricade"]
    assert len(of(clerks.ClerkMoved, events)) == 2


def test_the_humans_betrayal_copies_his_card_by_its_name():
    """GW-9.6"""
    laid = [(QIN, "solo_despotism"), (0, "betrayal"), (REED, "reed_command")]
    state = begin(solo_table(track=laid, active=0), effects.CopyCommand((0,)))
    assert legal_moves_of(state, moves.CopyCard) == [moves.CopyCard(0, 0)]
    state = after(state, moves.CopyCard(0, 0))
    assert isinstance(state.agenda[-1], clerk_steps.MoveClerks)
    assert state.agenda[-1].left == 4, "as the player's own Despotism says"
    both = solo_table(track=[(QIN, "solo_betrayal"), (0, "betrayal")])
    assert legal_moves_of(begin(both, effects.CopyCommand((0,))), moves.CopyCard) == []


def test_we05_his_economy_counts_for_the_humans_despotism():
    """GW-7.4, GW-14.5"""
    laid = [(QIN, "solo_economy"), (0, "despotism"), (REED, "reed_command")]
    state = solo_table(track=laid, active=0)
    assert count_matches(state, "economy") == 1
    state = begin(state, steps.CommandPart(clan=0, slot=1, part="first"))
    assert state.agenda[-1].left == 6


def test_a_card_of_his_of_the_same_name_counts_as_one():
    """GW-14.5, GW-18.7"""
    state = solo_table(track=[(QIN, "solo_economy"), (0, "economy"), (REED, "reed_command")])
    assert value(state, 0, Count("same_name_commands_on_track")) == 2


def test_every_operation_of_the_solo_cards_has_a_function():
    """GW-18.9"""
    said = json.loads(board.read_text("ai.json"))
    named = {kind.__struct_config__.tag for kind in OPERATIONS}
    used = {op["op"] for card in said["solo_command_cards"] for part in ("first", "others", "last")
            for op in card[part]}  # fmt: skip
    assert used <= named
    assert named - used == {"qin_gain", "qin_barricade"}, "on his own card, and inside a Betrayal"


def test_honor_of_a_card_is_his():
    """GW-18.9"""
    step = script("economy", "first")
    state = solo_table(qin={"supporting": ("herald", "spy")})
    play = Play(state, Luck())
    OPERATIONS[QinGain](play, step, automata.QIN.ability.do[0])
    assert (state.clans[QIN].honor, deeds_of_qin(play.events)) == (2, [("gain", "GW-18.9")])


# files


def alter(**changes):
    """The file of both automata with these changes."""
    data = json.loads(board.read_text("ai.json"))
    for path, told in changes.items():
        *way, last = path.split("__")
        place = data
        for name in way:
            place = place[int(name) if name.isdigit() else name]
        place[last] = told
    return json.dumps(data)


@for_each(
    ("changes", "reason"),
    [
        (
            {"qin__location_track": ["wood", "wood", "gold", "chi", "wound"]},
            "a Location of its own",
        ),
        ({"qin__location_track": ["wood", "stone", "gold", "wound"]}, "each production Location"),
        ({"qin__token_location__chi": "quarry"}, "a Location of its own"),
        ({"qin__token_location__chi": "moon"}, "Invalid enum value 'moon'"),
        ({"qin__start_overseers__soldiers": {"spearman": 3}}, "an Overseer stands in each"),
        ({"qin__honor_per_wound": -1}, ">= 0"),
        ({"qin__colour": "red"}, "unknown field `colour`"),
        ({"solo_command_cards__0__name": "Economy"}, "their names must be"),
        ({"solo_command_cards__0__first": [{"op": "qin_dance"}]}, "'qin_dance'"),
        ({"solo_command_cards__0__first": [{"op": "move_clerks", "n": 2}]}, "'move_clerks'"),
        ({"solo_command_cards__0__first": [{"op": "qin_move", "n": 0}]}, ">= 1"),
        ({"reed__start_locations": ["quarry"]}, "each clerk begins in a Location of its own"),
    ],
)
def test_an_incomplete_file_is_refused(changes, reason):
    """GW-14.2, GW-14.3, GW-14.5, GW-15.2"""
    with pytest.raises(BadCards) as caught:
        automata.read_automata("own.json", alter(**changes))
    assert reason in str(caught.value)
    assert caught.value.file == "own.json"


def test_the_real_file_is_read():
    """GW-14.2"""
    assert automata.read_automata("own.json", alter()).qin == automata.QIN
