"""Pictures and text: what they show, of whatever table."""

from __future__ import annotations

from itertools import product
from typing import Any
from xml.etree import ElementTree

import pytest

from domain.engine.dice import Luck
from domain.engine.drawing.terminal_width import wide
from domain.engine.game import advance, awaited, legal_moves, new_state
from domain.games.great_wall import board
from domain.games.great_wall.cards import decks
from domain.games.great_wall.render import picture, plain
from domain.games.great_wall.render.sentences import Table, summary
from domain.games.great_wall.state.clans import Claim
from domain.games.great_wall.state.context import NOTHING
from domain.games.great_wall.state.steps import clerks, effects, year
from domain.games.great_wall.telling import ENGLISH
from domain.games.great_wall.view import view
from tests.games.great_wall.course import begun
from tests.games.great_wall.game import GAME
from tests.games.great_wall.situations import crowded
from tests.games.great_wall.table import horde, table

APART = 40
"""A look at the table after so many moves."""


def told(state: Any, seat: int | None = 0) -> str:
    """The text in one line."""
    return " ".join(plain.text(view(state, seat)).split())


def drawn(state: Any, seat: int | None = 0) -> list[str]:
    """All words in the picture, in the order in which they are drawn."""
    tree = ElementTree.fromstring(picture.svg(view(state, seat)))
    return [node.text or "" for node in tree.iter() if node.tag.endswith("}text")]


def touched(state: Any, seat: int | None) -> set[str]:
    """All that can be touched in the picture."""
    tree = ElementTree.fromstring(picture.svg(view(state, seat)))
    return {node.attrib["data-at"] for node in tree.iter() if "data-at" in node.attrib}


def moments(seats: int, seed: int) -> Any:
    """Some moments of a game of chance, and its end."""
    dice = Luck(seed)
    setup = GAME.setup(GAME.options(extended_decks=True), seats)
    state, made = new_state(GAME, setup, seats, dice), 0
    while awaited(state):
        if made % APART == 0:
            yield state
        menu = legal_moves(GAME, state, awaited(state)[0])
        advance(GAME, state, menu[dice.below(len(menu))], dice)
        made += 1
    yield state


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_text_is_never_wider_than_80_columns(seats):
    for state in moments(seats, 0):
        for seat, language in product((None, 0), GAME.texts):
            text = plain.text(view(state, seat), GAME.words(language))
            assert max(map(wide, text.splitlines())) <= 80


def test_who_has_to_decide_what():
    before = crowded()
    state = begun(before, year.ChooseCommand((0, 1, 2)))
    asked = "Seat 0 (dragon), seat 1 (snake) and seat 2 (monkey) to choose a command card."
    assert asked in told(state)
    state = begun(before, clerks.MoveClerks((1,), left=1, spread="any"))
    assert "Seat 1 (snake) may move 1 clerk." in told(state)
    state = begun(before, clerks.MoveReedClerks((0,), left=2))
    assert "Seat 0 (dragon) may move 2 clerks of the Reed Clan." in told(state)
    windows = ((0, ("you_attack",)),)
    state = begun(before, effects.React((0,), windows=windows, context=NOTHING))
    assert "Seat 0 (dragon) to play a tactic card or none." in told(state)
    assert "Nobody has to decide." in told(before)


@pytest.mark.parametrize("reason", GAME.ends)
def test_how_it_ended_is_told(reason):
    """GW-13.8"""
    words = GAME.texts["en"][f"end_{reason}"]
    state = crowded()
    state.ended, state.winners = reason, (1,)
    assert f"The game is over, {words}: seat 1 (snake) wins." in told(state)
    assert "Seat 1 (snake), winner" in drawn(state)


def test_the_wall_and_the_horde_cards_before_it():
    """GW-8.8, GW-9.8, GW-10.1"""
    state = table(
        {"firing": {"left": 1}, "rest": {"left": {"spearman": 2, "horseman": 1}}},
        walls={"left": 1},
        barricades={"left": 2},
        hordes={"left": [horde("scouts_left", wounds=1, by0=(3,), by1=(8, 9))]},
    )
    text = plain.text(view(state, 0))
    assert "Left Section: Wall level 1, 2 Barricades, Defense 9, Power 2" in text
    assert "Firing spots: 1 of 2 taken: 1 of seat 0 (dragon)" in text
    assert "Rest Zone of seat 0 (dragon): 2 Spearmen, 1 Horseman" in text
    assert "1 Steppe Scouts (full): Power 2, honor 3, Lethality 1. No ability." in text
    rows = [line.split() for line in text.splitlines() if line.startswith("      ")]
    assert rows[:2] == [[".", ".", "x", "0s", ".", "."], [".", ".", "1h", "1h", ".", "."]]
    seen = drawn(state)
    for said in ("wound", "0 spear", "1 horse", "Defense 9 against Power 2", "2 Barricades"):
        assert said in seen
    assert "2 Spearmen, 1 Horseman at rest" in seen


def test_free_vital_spots_show_what_they_bring():
    """GW-10.6"""
    state = table(hordes={"left": [horde("raiders_left")]})
    rows = [line.split() for line in plain.text(view(state, 0)).splitlines()]
    assert [".", ".", "G1", "H1", ".", "."] in rows
    assert [".", ".", "A1", "o", ".", "."] in rows
    assert {"1 gold", "1 honor", "1 any"} <= set(drawn(state))


def test_locations_show_clerks_slots_and_overseers():
    """GW-6.1, GW-8.4"""
    mine = {"clerks": {"quarry": 2, "academy": 3}, "overseers": {"quarry": 2}}
    state = table(mine, {"clerks": {"quarry": 1}})
    text = told(state)
    assert "Quarry 3 of 4 seat 0 (dragon) 2, seat 1 (snake) 1" in text
    assert "War Academy 3 seat 0 (dragon) 3" in text
    assert "Overseers: Quarry 2" in text
    seen = drawn(state)
    assert "lv 2" in seen
    assert seen.count("Shame") == sum(place.shame_icon for place in board.PLACES.values())


def test_what_others_may_not_know_is_not_shown():
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
    own, other = told(state, 0), told(state, 1)
    for secret in ("Volley", "7 wood", "Herald"):
        assert secret in own
        assert secret not in other
    assert "Tactic cards: 2 hidden" in other
    assert "Supporting Advisors: unknown, Spy" in other
    for seat in (1, None):
        assert not {"Chosen: Betrayal"} & set(drawn(state, seat))
        assert "Has chosen" in drawn(state, seat)
    assert "Chosen: Betrayal" in drawn(state, 0)


def test_the_course_of_the_game_is_told():
    """GW-1.3, GW-4.1, GW-7.2"""
    state = crowded(claimed=(Claim("leader_left"), Claim("lancers_left", shame=1)))
    state.artifacts, state.warehouse = ("jade_seal",), (2, 0, 1, 0)
    text = told(state)
    assert "Tea order: seat 2 (monkey) > seat 1 (snake) > seat 0 (dragon)" in text
    assert "1 Despotism of seat 0 (dragon), 2 Despotism of seat 1 (snake)" in text
    assert "Warehouse: 2 wood, 1 gold" in text
    assert "Jade Seal of Office (artifact): 8 honor per Supporting Advisor." in text
    assert "Claimed: Leader (5 honor), Lancers (1 Shame)" in text
    assert "Claimed: Leader (5 honor), Lancers (1 Shame)" in drawn(state)


def test_the_reed_clan_is_shown():
    """GW-15.2"""
    state = table(seats=2)
    assert "2 players and the Reed Clan." in summary(Table(view(state, 0), ENGLISH))
    assert "The Reed Clan Soldiers: 10 Spearmen" in told(state)
    assert "The Reed Clan" in drawn(state)


def test_what_leaders_can_be_chosen_of_is_shown_to_whoever_chooses():
    """GW-2.8"""
    mine = {"dealt_generals": ("song_ci", "wan_yi"), "dealt_advisors": ("spy", "herald")}
    state = begun(table(mine), year.ChooseLeaders((0, 1, 2)))
    assert "Chooses of Song Ci, Wan Yi; Spy, Herald" in drawn(state, 0)
    setup = decks.GENERALS["song_ci"].setup
    brought = f"{setup.tactics} tactic cards; number {setup.tea} in the Tea order."
    assert brought in told(state, 0)
    assert brought not in told(state, 1)
    assert not any("Song Ci" in said for said in drawn(state, 1))


def test_the_own_cards_say_what_they_do_and_can_be_touched():
    """GW-7.1, GW-9.3"""
    mine = {"hand": ("economy",), "discard": ("betrayal",), "tactics": ("volley",)}
    state = table(mine, advisors=("spy",))
    own = {"command:economy", "command:betrayal", "tactic:volley"}
    assert own | {"advisor:spy"} <= touched(state, 0)
    for seat in (1, None):
        assert "advisor:spy" in touched(state, seat)
        assert not own & touched(state, seat)
    assert "Betrayal (command card, discarded): Either resolve" in told(state, 0)
    assert "Volley (tactic card): You attack with an Archer" in told(state, 0)
    assert "Volley" not in told(state, 1)


@pytest.mark.parametrize("section", board.SECTIONS)
def test_the_places_of_a_section_can_be_touched_also_while_nobody_stands_there(section):
    """GW-8.6, GW-10.5"""
    places = {f"{kind}:{section}" for kind in ("section", "firing", "rest")}
    assert places <= touched(table(), 0)


@pytest.mark.parametrize(
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
def test_in_english_the_cards_say_what_is_in_their_files(kind, deck):
    """GW-2.3"""
    texts = GAME.texts["en"]
    for name, card in deck.items():
        assert texts[f"{kind}_{name}"] == card.name
        assert texts[f"{kind}_{getattr(card, 'type', name)}_text"] == card.text
