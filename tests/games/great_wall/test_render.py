"""Pictures and text of any table."""

from __future__ import annotations

from itertools import islice, product
from typing import Any
from xml.etree import ElementTree

import pytest

from domain.engine.dice import Luck
from domain.engine.drawing.terminal_width import column_width
from domain.engine.game import advance, legal_moves, new_state, seats_to_move
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.render import icons, letters, plain
from domain.games.great_wall.render.sentences import Table, summary
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, effects
from domain.games.great_wall.state.bills import Bill
from domain.games.great_wall.state.clans import Claim
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.view import view
from tests.games.every_panel import worst_faults
from tests.games.great_wall.course import begin
from tests.games.great_wall.game import GAME
from tests.games.great_wall.situations import full_table
from tests.games.great_wall.table import horde, table
from tests.games.picture_boxes import frames_of
from tests.games.picture_texts import words_of
from tests.support.for_each import for_each

SVG = "{http://www.w3.org/2000/svg}"
WORDS = {f"{SVG}text", f"{SVG}title"}
APART = 40
"""The number of moves between two looks at a table."""


def text_of(state: Any, seat: int | None = 0) -> str:
    """The text in one line."""
    return " ".join(plain.text(view(state, seat), GAME.words()).split())


def picture_of(state: Any, seat: int | None = 0, language: str = "en") -> ElementTree.Element:
    """The picture of a table as a seat sees it."""
    return ElementTree.fromstring(GAME.render_svg(view(state, seat), GAME.words(language)))


def words_of_picture(state: Any, seat: int | None = 0) -> list[str]:
    """All words in the picture and in the explanations of its signs, in drawing order."""
    panels = picture_of(state, seat).findall(f"{SVG}g[@data-panel]")
    return [node.text or "" for panel in panels for node in panel.iter() if node.tag in WORDS]


def said_at(state: Any, seat: int | None, kind: str, name: str) -> list[str]:
    """The words in a thing or a panel of the picture."""
    part = picture_of(state, seat).find(f".//*[@{kind}='{name}']")
    assert part is not None, name
    return [node.text or "" for node in part.iter() if node.tag in WORDS]


def names_to_touch(state: Any, seat: int | None) -> set[str]:
    """All that can be touched in the picture."""
    tree = picture_of(state, seat)
    return {node.attrib["data-at"] for node in tree.iter() if "data-at" in node.attrib}


def moments(seats: int, seed: int, mode: str = "standard") -> Any:
    """Some moments of a random game, and its end."""
    dice = Luck(seed)
    setup = GAME.setup(GAME.options(extended_decks=True, mode=mode), seats)
    state, made = new_state(GAME, setup, seats, dice), 0
    while seats_to_move(state):
        if made % APART == 0:
            yield state
        menu = legal_moves(GAME, state, seats_to_move(state)[0])
        advance(GAME, state, menu[dice.below(len(menu))], dice)
        made += 1
    yield state


@pytest.mark.slow
@pytest.mark.parametrize(
    "seats", [2, *(pytest.param(seats, marks=pytest.mark.long) for seats in (3, 4)), 5]
)
def test_text_is_never_wider_than_80_columns(seats):
    for state in moments(seats, 0):
        for seat, language in product((None, 0), GAME.resources.texts):
            text = plain.text(view(state, seat), GAME.words(language))
            assert max(map(column_width, text.splitlines())) <= 80


def test_the_status_names_who_must_decide_what():
    before = full_table()
    state = begin(before, steps.ChooseCommand((0, 1, 2)))
    seats = "Seat 1 (dragon), seat 2 (snake) and seat 3 (monkey)"
    assert f"{seats} are choosing command cards." in text_of(state, None)
    assert all("Choose a command card." in text_of(state, seat) for seat in (0, 1, 2))
    state = begin(before, clerks.MoveClerks((1,), left=1, spread="any"))
    assert all(
        "Seat 2 (snake) may move 1 clerk anywhere." in text_of(state, seat) for seat in (0, None)
    )
    assert "Move up to 1 clerk anywhere, or choose “done”." in text_of(state, 1)
    state = begin(before, clerks.MoveClerks((1,), left=1, spread="distinct"))
    assert "Seat 2 (snake) may move 1 clerk to another Location." in text_of(state, None)
    assert "Move 1 clerk to another Location, or choose “done”." in text_of(state, 1)
    state = begin(before, clerks.MoveReedClerks((0,), left=2))
    assert "Seat 1 (dragon) may move 2 clerks of the Reed Clan." in text_of(state, None)
    assert "Move up to 2 clerks of the Reed Clan, or choose “done”." in text_of(state)
    windows = ((0, ("you_attack",)),)
    attack = Context(hordes=("raiders_left",), types=("spearman", "archer"))
    state = begin(before, effects.React((0,), windows=windows, context=attack))
    there = "after the attack on Raiders (Spearman and Archer)"
    assert f"Seat 1 (dragon) may play a tactic card {there}." in text_of(state, None)
    assert f"Play a tactic card {there}, or pass." in text_of(state)
    assert "Nothing to decide." in text_of(before)


@for_each("reason", GAME.end_reasons)
def test_the_status_names_the_end(reason):
    """GW-13.8"""
    words = GAME.resources.texts["en"][f"end_{reason}"]
    state = full_table()
    state.ended, state.winners = reason, (1,)
    assert f"Game over: seat 2 (snake) wins ({words})." in text_of(state)
    assert "Seat 2 (snake), winner" in words_of_picture(state)


def test_the_wall_and_the_horde_cards_before_it():
    """GW-8.8, GW-9.8, GW-10.1"""
    state = table(
        {"firing": {"left": 1}, "rest": {"left": {"spearman": 2, "horseman": 1}}},
        walls={"left": 1},
        barricades={"left": 2},
        hordes={"left": [horde("scouts_left", wounds=1, by0=(3,), by1=(8, 9))]},
    )
    text = plain.text(view(state, 0), GAME.words())
    assert "Left Section: Wall level 1, 2 Barricades, Defense 9, Power 2" in text
    assert "Firing spots: 1 of 2 taken: 1 of seat 1 (dragon)" in text
    assert "seat 1 (dragon)'s Rest Zone: 2 Spearmen, 1 Horseman" in text
    assert "row 1, Steppe Scouts (full): Power 2, honor 3, Lethality 1. No ability." in text
    rows = [line.split() for line in text.splitlines() if line.startswith("      ")]
    assert rows[:2] == [[".", ".", "x", "1s", ".", "."], [".", ".", "2h", "2h", ".", "."]]
    seen = words_of_picture(state)
    for said in ("wound", "1 spear", "2 horse", "Defense 9 against Power 2", "2 Barricades"):
        assert said in seen
    assert "2 Spearmen, 1 Horseman at rest" in seen


def test_free_vital_spots_show_their_rewards():
    """GW-10.6"""
    state = table(hordes={"left": [horde("raiders_left")]})
    rows = [line.split() for line in plain.text(view(state, 0), GAME.words()).splitlines()]
    assert [".", ".", "G1", "H1", ".", "."] in rows
    assert [".", ".", "A1", "o", ".", "."] in rows
    assert {"1 gold", "1 honor", "1 any"} <= set(words_of_picture(state))


def test_locations_show_clerks_slots_and_overseers():
    """GW-6.1, GW-8.4"""
    mine = {"clerks": {"quarry": 2, "academy": 3}, "overseers": {"quarry": 2}}
    state = table(mine, {"clerks": {"quarry": 1}})
    text = text_of(state)
    assert "Quarry 3 of 4 seat 1 (dragon) 2, seat 2 (snake) 1" in text
    assert "War Academy 3 seat 1 (dragon) 3" in text
    assert "Overseers: Quarry 2" in text
    seen = words_of_picture(state)
    assert "lv 2" in seen
    icons = sum(place.shame_icon for place in board.PLACES.values())
    assert seen[: seen.index("The Great Wall")].count("Shame") == icons


def test_secrets_are_not_shown():
    """GW-1.10"""
    mine = {
        "tactics": ("volley", "ambush"),
        "resources": {"wood": 7},
        "supporting": ("herald", "spy"),
        "hand": ("economy",),
        "command": "betrayal",
        "general": "song_ci",
    }
    state = table(mine)
    own, other = text_of(state, 0), text_of(state, 1)
    for secret in ("Volley", "7 wood", "Herald"):
        assert secret in own
        assert secret not in other
    assert "Tactic cards: 2 hidden" in other
    assert "Supporting Advisors: unknown, Spy" in other
    for seat in (1, None):
        assert not {"Chosen: Betrayal"} & set(words_of_picture(state, seat))
        assert "Has chosen" in words_of_picture(state, seat)
    assert "Chosen: Betrayal" in words_of_picture(state, 0)


def test_text_and_picture_show_the_course_of_the_game():
    """GW-1.3, GW-4.1, GW-7.2"""
    state = full_table(claimed=(Claim("leader_left"), Claim("lancers_left", shame=1)))
    state.artifacts, state.warehouse = ("jade_seal",), (2, 0, 1, 0)
    text = text_of(state)
    assert "Tea order: seat 3 (monkey) > seat 2 (snake) > seat 1 (dragon)" in text
    assert "1 seat 1 (dragon)'s Despotism, 2 seat 2 (snake)'s Despotism" in text
    assert "Warehouse: 2 wood, 1 gold" in text
    assert "Jade Seal of Office (artifact): 8 honor per Supporting Advisor." in text
    assert "Claimed: Leader (5 honor), Lancers (1 Shame)" in text
    assert "Claimed: Leader (5 honor), Lancers (1 Shame)" in words_of_picture(state)


def test_the_reed_clan_is_shown():
    """GW-15.2"""
    state = table(seats=2)
    assert "2 players and the Reed Clan." in summary(Table(view(state, 0), GAME.words()))
    assert "The Reed Clan Soldiers: 10 Spearmen" in text_of(state)
    assert "The Reed Clan" in words_of_picture(state)


def test_the_choosing_seat_sees_its_leaders():
    """GW-2.8"""
    mine = {"dealt_generals": ("song_ci", "wan_yi"), "dealt_advisors": ("spy", "herald")}
    state = begin(table(mine), steps.ChooseLeaders((0, 1, 2)))
    assert "Choosing from Song Ci, Wan Yi; Spy, Herald" in words_of_picture(state, 0)
    setup = decks.GENERALS["song_ci"].setup
    brought = f"{setup.tactics} tactic cards; number {setup.tea} in Tea order."
    assert brought in text_of(state, 0)
    assert brought not in text_of(state, 1)
    assert not any("Song Ci" in said for said in words_of_picture(state, 1))


def test_the_viewers_cards_show_their_effects_and_can_be_touched():
    """GW-7.1, GW-9.3"""
    mine = {"hand": ("economy",), "discard": ("betrayal",), "tactics": ("volley",)}
    state = table(mine, advisors=("spy",))
    own = {"command:economy", "command:betrayal", "tactic:volley"}
    assert own | {"advisor:spy"} <= names_to_touch(state, 0)
    for seat in (1, None):
        assert "advisor:spy" in names_to_touch(state, seat)
        assert not own & names_to_touch(state, seat)
    assert "Betrayal (command card, discarded): Either resolve" in text_of(state, 0)
    assert "Volley (tactic card): You attack with an Archer" in text_of(state, 0)
    assert "Volley" not in text_of(state, 1)


@for_each("section", board.SECTIONS)
def test_empty_places_of_a_section_can_be_touched(section):
    """GW-8.6, GW-10.5"""
    places = {f"{kind}:{section}" for kind in ("section", "firing", "rest")}
    assert places <= names_to_touch(table(), 0)


@for_each(
    ("kind", "deck"),
    [
        ("advisor", decks.ADVISORS),
        ("artifact", decks.ARTIFACTS),
        ("command", decks.COMMANDS),
        ("event", decks.EVENTS),
        ("general", decks.GENERALS),
        ("horde", decks.HORDES),
        ("request", decks.REQUESTS),
        ("tactic", decks.TACTICS),
    ],
)
def test_in_english_the_cards_show_the_text_of_their_files(kind, deck):
    """GW-2.3"""
    texts = GAME.resources.texts["en"]
    for name, card in deck.items():
        assert texts[f"{kind}_{name}"] == card.name
        assert texts[f"{kind}_{getattr(card, 'type', name)}_text"] == card.text


def test_each_clan_sees_what_things_cost_it_now():
    """GW-8.4, GW-8.6, GW-8.8, GW-8.9, GW-10.12, GW-12.2: also with the discounts of its cards."""
    state = table({"active": ("academician", "spy")}, walls={"left": 1, "right": 3})
    own, other = (GAME.view(state, None).clans[seat].costs for seat in (0, 1))
    assert (own.advisor, other.advisor) == (Bill(gold=2), Bill(gold=1))
    assert own.recruits["spearman"] == Bill(stone=2, wood=1)
    assert (own.walls, own.barricade) == ({"left": 10, "center": 5}, 2)
    assert (own.clerk, own.life, own.shame) == (Bill(gold=2), Bill(chi=2), Bill(chi=2))
    said = " ".join(text_of(state).split())
    assert "Costs: Spearman 1 wood and 2 stone" in said
    assert "advisor 2 gold" in said
    assert "left 10, centre 5, Barricade 2" in said


def test_prices_stand_at_the_things_that_the_viewer_can_buy():
    """GW-8.4, GW-8.6, GW-8.8, GW-8.9, GW-10.12, GW-12.2"""
    mine = {"active": ("academician", "spy"), "overseers": {"quarry": 1}}
    state = table(mine, walls={"left": 1, "right": 3}, barricades={"left": 2}, advisors=("sifu",))
    places = {
        "section:left": (
            "Next Wall part: 10 wood, stone or gold for 10 honor",
            "Barricade: 2 wood, stone or gold for 2 honor",
        ),
        "section:center": ("Next Wall part: 5 wood, stone or gold for 5 honor",),
        "location:quarry": ("Next Overseer level: 3 wood",),
        "location:temple": ("Next Overseer level: 2 gold",),
        "location:barracks": ("Spearman 1 wood and 2 stone", "Horseman 1 wood and 3 gold"),
    }
    for place, prices in places.items():
        said = " ".join(said_at(state, 0, "data-at", place))
        assert all(price in said for price in prices), place
        assert "Next" not in " ".join(said_at(state, None, "data-at", place))
    assert "Next" not in " ".join(said_at(state, 0, "data-at", "section:right"))
    assert "advisor 2 gold" in said_at(state, 0, "data-panel", "market")
    own = said_at(state, 0, "data-panel", "own")
    assert {"clerk 2 gold", "saved soldier 2 chi", "returned Shame 2 chi"} <= set(own)


def crowded_clan(number: int) -> dict[str, Any]:
    """A clan with more of everything than in most games."""
    advisors = tuple(decks.ADVISORS)[7 * number :]
    special = ("builders", "embassy", "logistics", "academy")
    return {
        "general": tuple(decks.GENERALS)[number],
        "active": advisors[:5],
        "supporting": advisors[5:7],
        "hand": ("economy", "despotism", "raise_banners", "betrayal"),
        "discard": ("attack_order", "work_harder"),
        "tactics": tuple(decks.TACTICS)[:12],
        "resources": dict.fromkeys(board.RESOURCES, 24),
        "rest": {"left": {"spearman": 4, "archer": 2, "horseman": 1}},
        "clerks": dict.fromkeys(special, 2),
        "overseers": dict.fromkeys(board.PRODUCTION, 3),
        "claimed": tuple(Claim(card, shame=number % 2) for card in tuple(decks.HORDES)[:6]),
    }


def test_a_crowded_table_fits_the_screen():
    state = table(*map(crowded_clan, range(5)), seats=5, advisors=tuple(decks.ADVISORS)[-4:])
    for seat, language in product((0, None), GAME.resources.texts):
        picture = GAME.render_svg(view(state, seat), GAME.words(language))
        assert worst_faults([picture]) == []


def crossed_words(panel: ElementTree.Element) -> list[str]:
    """The words of a panel that cross the edge of a box: they are neither inside nor outside."""
    frames = list(frames_of(panel))
    return [
        said.words
        for said in words_of(panel)
        for box in frames
        if min(said.right, box.right) > max(said.left, box.left)
        and min(said.bottom, box.bottom) > max(said.top, box.top)
        and not (box.left <= said.left and said.right <= box.right)
    ]


@pytest.mark.parametrize(("mode", "seats"), [("standard", 5), ("solo", 1), ("coop", 5)])
def test_no_label_touches_a_box(mode, seats):
    words = {"standard": "Command track", "solo": "Location track", "coop": "Requests"}
    states = islice(moments(seats, 0, mode), 3)
    for state, language in zip(states, GAME.resources.texts, strict=True):
        panels = picture_of(state, 0, language).findall(f"{SVG}g[@data-panel]")
        assert [said for panel in panels for said in crossed_words(panel)] == []
        assert panels
    state = next(moments(seats, 0, mode))
    assert words[mode] in said_at(state, 0, "data-panel", "tracks")


def test_each_type_of_horde_cards_has_an_emblem():
    assert {card.type for card in decks.HORDES.values()} == set(icons.HORDE_EMBLEMS)


def test_a_label_that_touches_a_box_is_found():
    box, label = '<rect x="40" y="0" width="30" height="20" stroke="red"/>', "<text font-size='14'"
    for x, found in ((20, ["Years"]), (45, ["Years"]), (80, [])):
        panel = ElementTree.fromstring(f'<g>{box}{label} x="{x}" y="15">Years</text></g>')
        assert crossed_words(panel) == found


def test_the_command_card_that_is_resolved_is_shown():
    """GW-7.3"""
    state = table(track=[(1, "economy")], active=1, season="fall")
    assert "seat 2 (snake)'s turn: Economy" in " ".join(text_of(state).split())
    assert any("turn: Economy" in one for one in words_of_picture(state))
    shown = said_at(state, 0, "data-panel", "command")
    assert shown[:3] == ["Command card being resolved", "Economy", "seat 2 (snake)"]
    assert " ".join(shown[3:]) == decks.COMMANDS["economy"].text


@pytest.mark.parametrize(
    ("player", "between"), [("Guest 95CA6A (dragon)", ", "), ("游客3BAC12（龙）", "、")]
)
def test_a_heading_of_a_clan_breaks_between_its_parts(player, between):
    parts = [player, "you", "轮到行动"]
    lines = letters.wrap_list(parts, between, 210, 15, bold=True)
    assert len(lines) == 2
    assert all(any(part in line for line in lines) for part in parts)
    assert letters.wrap_list(parts, between, 90, 15)[0] != player  # too long for a line
