"""Pictures and text: small, narrow, and with nothing that the viewer may not know."""

from __future__ import annotations

import re
from itertools import cycle
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from domain.engine.drawing.terminal_width import column_width
from domain.engine.game import describe_step
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.moves import AddWall, BuildSingle, BuildTower, ChangeValue
from domain.games.chang_cheng.places import place_name
from domain.games.chang_cheng.state.steps import AfterCard, Turn
from tests.games.chang_cheng.table import card, happens, menu, table
from tests.games.record import record
from tests.support.for_each import for_each

LONG = ["wolfgang_ama\u2026", "\u5bec\u6c38\u901a\u5bf6\u9322\u838a", None, "Bo"]
LANGUAGES = [GAME.words(language, LONG) for language in GAME.resources.texts]
SVG = "{http://www.w3.org/2000/svg}"
RING = 'stroke-dasharray="7 5"'
BATTLEMENTS = "M1 8h"
"""How the outline of each wall begins."""


def words(picture):
    """All words of a picture, its title and description too."""
    return ["".join(part.itertext()) for part in ElementTree.fromstring(picture).iter()]


def labels(picture):
    return [part.text for part in ElementTree.fromstring(picture).iter(f"{SVG}text")]


@pytest.mark.slow
@pytest.mark.parametrize("seats", [2, 3, 4])
def test_every_moment_makes_a_small_picture_and_narrow_lines(seats):
    played = record(GAME, seats, 4)
    for state in (*(moment.state for moment in played.some(2)), played.end):
        for seat, told in zip((None, *range(seats)), cycle(LANGUAGES)):
            view = GAME.view(state, seat)
            picture = GAME.render_svg(view, told)
            assert ElementTree.fromstring(picture).tag == f"{SVG}svg"
            assert len(picture.encode()) < 120_000
            assert max(map(column_width, GAME.render_text(view, told).splitlines())) <= 80


def test_a_picture_says_what_it_shows():
    state = table("b1:1=0 b1:2=1", turn=3)
    actions = (
        "build 2 singles, play 2 cards, play a card and build a single, "
        "build the double (2–4 points) or build the tower"
    )
    statuses = {0: f"Your turn: {actions}.", None: "Seat 1 (red) is choosing an action."}
    for seat, status in statuses.items():
        picture = ElementTree.fromstring(GAME.render_svg(GAME.view(state, seat), GAME.words()))
        title, *_ = (part for part in picture)
        assert title.text == "Chang Cheng"
        (description,) = picture.iter(f"{SVG}desc")
        assert "Boards I, II; 2 of 26 cells filled." in description.text
        assert status in description.text


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_prompt_of_a_turn_names_the_actions_that_the_seat_can_begin(seats):
    """CC-4, CC-4.6: as `legal_moves` has them."""
    named, words = set(), GAME.words()
    turns = [
        moment.state
        for seed in range(3)
        for moment in record(GAME, seats, seed).moments
        if isinstance(moment.state.agenda[-1], Turn)
    ]
    for state in turns:
        kinds = {type(move).__name__ for move in menu(state)}
        cards, single = "LayCard" in kinds, "BuildSingle" in kinds
        possible = {
            "build a single": single,
            "play a card": cards,
            "play a card and build a single": cards and single,
            "build the double (2–4 points)": "BuildDouble" in kinds,
            "build the tower": "BuildTower" in kinds,
        }
        (seat,) = state.agenda[-1].seats
        view = GAME.view(state, seat)
        said = words.line(describe_step(GAME, state.agenda[-1], view, seat))
        actions = re.split(", | or ", said.removeprefix("Your turn: ").removesuffix("."))
        plain = [re.sub(r" \d (card|single)s?$", r" a \1", action) for action in actions]
        assert plain == [action for action, can in possible.items() if can]
        named.update(actions)
    assert {"play 1 card", "play 2 cards", "build 2 singles", "build the tower"} <= named


@pytest.mark.parametrize("seats", [2, 4])
def test_the_prompt_after_a_card_names_what_can_follow(seats):
    """CC-4.2, CC-4.3, CC-4.6: as `legal_moves` has them."""
    named, words = set(), GAME.words()
    for moment in (one for seed in range(3) for one in record(GAME, seats, seed).moments):
        step = moment.state.agenda[-1]
        if not isinstance(step, AfterCard):
            continue
        kinds = {type(move).__name__ for move in menu(moment.state)}
        region = words.say(place_name(step.region))
        possible = {
            f"play another outside {region}": "LayCard" in kinds,
            "end the action": "EndAction" in kinds,
            f"build a single wall in {region}": "BuildSingle" in kinds,
        }
        said = words.line(
            describe_step(GAME, step, GAME.view(moment.state, step.seats[0]), step.seats[0])
        )
        actions = said.removeprefix("After your card, ").removesuffix(".").split(" or ")
        assert actions == [action for action, can in possible.items() if can]
        named.update(kinds)
    assert named >= {"LayCard", "BuildSingle", "EndAction"}


def test_cards_and_threats_are_shown_to_those_who_may_know_them():
    """CC-9.1, CC-9.2"""
    position = {
        "cards": [card(1, 5, "b1:C1")],
        "threats": {"b1:M1": 4},
        "seen": {"b1:M1": [1]},
    }
    state = table("", **position)
    for seat in (None, 0, 1, 2):
        told = GAME.render_text(GAME.view(state, seat), GAME.words())
        assert ("cards seat 2: 5" in told) == (seat == 1)
        assert ("cards seat 2: ?" in told) == (seat != 1)
        assert ("M1 threat \u22124" in told) == (seat == 1)
        shown = labels(GAME.render_svg(GAME.view(state, seat), GAME.words())).count("\u22124")
        assert shown == (2 if seat == 1 else 1)  # once among the threats not seen


def test_both_sides_of_the_wall_are_labelled():
    """CC-1.1"""
    shown = labels(GAME.render_svg(GAME.view(table(), 0), GAME.words()))
    for name in ("I", "II", "M1", "M3", "C1", "C3"):
        assert name in shown
    assert not any("b1:" in label for label in shown if label)
    told = GAME.render_text(GAME.view(table(), 0), GAME.words())
    assert "north M1-----------------|M2-----------------|M3---------|" in told
    assert "south C1-------------|C2-----------------|C3-------------|" in told


def test_the_pieces_look_different_in_text():
    walls = "b1:1=0 b1:3-4=1 b1:6=2t b1:8=1x b1:5=0"
    told = GAME.render_text(
        GAME.view(table(walls, reserved={"2": ["b1:5", "b1:7"]}), 0), GAME.words()
    )
    assert "  wall    1   .   2=  2   1  3^  (3  2x   ." in told
    told = GAME.render_text(GAME.view(table("b1:2=n", seats=2), 0), GAME.words())
    assert "  wall    .   n   ." in told
    assert "Neutral singles: 11" in told


def test_what_was_touched_last_is_marked():
    state = table()
    happens(state, BuildTower(0, "b1:6"))
    view = GAME.view(state, 1)
    assert "*1^" in GAME.render_text(view, GAME.words())
    assert "Last turn: seat 1 (red) at I·6." in GAME.render_text(view, GAME.words())
    assert GAME.render_svg(view, GAME.words()) != GAME.render_svg(
        replace(view, last=None), GAME.words()
    )


def test_a_scoring_that_waits_for_a_card_is_described():
    """CC-7.1"""
    cards = [card(1, 3, "b1:C1"), card(2, 4, "b1:C1")]
    state = table("b1:1=0 b1:2=1 b1:3=2", cards=cards)
    happens(state, BuildSingle(0, "b1:4"))
    told = GAME.render_text(GAME.view(state, None), GAME.words())
    assert "Seat 2 (blue) is using the Flood in I·C1." in told
    own = "Your Flood in I·C1: 2 points more or less for the region."
    assert own in GAME.render_text(GAME.view(state, 1), GAME.words())
    assert "I·C1 is being scored; cards: seat 2's Flood, seat 3's Architect." in told
    assert "; being scored" in told


def test_a_scoring_is_in_chinese_by_names():
    state = table("b1:1=0 b1:2=1 b1:3=2", cards=[card(1, 3, "b1:C1"), card(2, 4, "b1:C1")])
    happens(state, BuildSingle(0, "b1:4"))
    told = GAME.render_text(GAME.view(state, None), GAME.words("zh-Hant", [None, "Bo", None]))
    assert told.splitlines()[1:3] == [
        "Bo（藍色）正在使用一板C1的「洪水」。",
        "一板C1正在計分；行動卡：Bo的「洪水」、第3座位的「建築師」。",
    ]
    assert "第1座位（紅色）：0分；單城牆12道、雙城牆1道、塔樓1座；6張行動卡" in told


def test_a_card_that_lies_open_bears_the_sign_of_its_owner():
    """CC-7.1: readers who cannot distinguish the colours see the owner, too."""
    state = table("b1:1=0 b1:2=1 b1:3=2", cards=[card(1, 3, "b1:C1"), card(2, 4, "b1:C1")])
    happens(state, BuildSingle(0, "b1:4"))
    picture = ElementTree.fromstring(GAME.render_svg(GAME.view(state, None), GAME.words()))
    waiting = [part for part in picture.iter() if part.get("data-at", "").startswith("waiting:")]
    signs = [[one.text for one in part.iter(f"{SVG}text")] for part in waiting]
    assert signs == [["3", "2"], ["4", "3"]]


def test_who_won_a_region_and_what_it_brought_is_shown():
    """CC-6.4, CC-6.5"""
    state = table("b1:1=0 b1:2=0 b1:3=1", prestige={"b1:C1": 2})
    happens(state, BuildSingle(0, "b1:4"))
    view = GAME.view(state, None)
    region = next(region for region in view.china if region.name == "b1:C1")
    assert (region.brought, region.won_by) == (6, (0,))
    assert "6 points for seat 1" in GAME.render_text(view, GAME.words())
    assert "6 points" in labels(GAME.render_svg(view, GAME.words()))
    again = GAME.read_position(state.setup, GAME.write_position(state), 3)
    assert GAME.view(again, None) == view


def shown_in(view, region):
    """All words that a picture shows in a region."""
    picture = ElementTree.fromstring(GAME.render_svg(view, GAME.words()))
    [part] = (part for part in picture.iter() if part.get("data-at") == f"region:{region}")
    return [one.text for one in part.iter(f"{SVG}text")]


@for_each(
    ("walls", "seats", "shown"),
    [
        ("", 3, ["C1", "worth", "6", "2"]),
        ("b1:1=0 b1:2=0 b1:3=1", 3, ["C1", "1", "6", "2"]),
        ("b1:1=0 b1:2=1 b1:3=2", 3, ["C1", "1", "2", "3", "6", "2"]),
        ("b1:1=0x b1:2=0", 3, ["C1", "1", "5", "2"]),
        ("b1:1=n b1:2=n b1:3=1", 2, ["C1", "n", "6", "2"]),
        ("b1:1=n b1:2=1", 2, ["C1", "2", "6", "2"]),
    ],
)
def test_a_region_shows_who_would_score_it_now_and_what_it_would_bring(walls, seats, shown):
    """CC-6.4, CC-6.5, CC-11.5"""
    view = GAME.view(table(walls, seats=seats, prestige={"b1:C1": 2}), None)
    assert shown_in(view, "b1:C1") == shown
    _, *leading, points, _ = shown
    scorers = " and ".join(f"seat {sign}" for sign in leading if sign.isdigit())
    told = f"; now {points} points for {scorers.replace(' and ', ', ', len(leading) - 2)}"
    assert (told in " ".join(GAME.render_text(view, GAME.words()).split())) == bool(scorers)


def test_a_region_that_is_being_scored_counts_what_cards_have_changed():
    """CC-7.5"""
    cards = [card(1, 3, "b1:C1"), card(2, 4, "b1:C1")]
    state = table("b1:1=0 b1:2=1 b1:3=2", cards=cards, prestige={"b1:C1": 2})
    happens(state, BuildSingle(0, "b1:4"))
    happens(state, ChangeValue(1, 2))
    view = GAME.view(state, None)
    assert shown_in(view, "b1:C1") == ["C1", "1", "8", "2", "4", "3"]
    happens(state, AddWall(2))
    assert shown_in(GAME.view(state, None), "b1:C1") == ["C1", "1", "3", "8 points"]


def test_a_ring_goes_around_what_was_touched_last():
    state = table()
    happens(state, BuildTower(0, "b1:6"))
    view = GAME.view(state, 1)
    ringed = GAME.render_svg(view, GAME.words()).count(RING)
    without = GAME.render_svg(replace(view, last=None), GAME.words()).count(RING)
    assert (without, ringed) == (1, 2)  # one is in the legend


def test_a_double_on_a_seam_is_drawn_on_both_boards():
    """CC-4.2"""
    without, whole, divided = (
        GAME.render_svg(GAME.view(table(walls), None), GAME.words()).count(BATTLEMENTS)
        for walls in ("", "b1:12-13=0", "b1:13-b2:1=0")
    )
    assert (whole, divided) == (without + 1, without + 2)


def test_the_end_is_described():
    """CC-13.1"""
    end = record(GAME, 3, 0).end
    told = GAME.render_text(GAME.view(end, None), GAME.words())
    assert "The wall is complete: " in told
    assert "winner" in " ".join(words(GAME.render_svg(GAME.view(end, None), GAME.words())))
