"""The table as a picture and as text."""

from __future__ import annotations

from itertools import cycle, product
from typing import Any, get_args
from xml.etree import ElementTree

import pytest
from msgspec.structs import replace

from domain.engine.game import seats_to_move
from domain.engine.sentences import LANGUAGES, Words
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import MARKERS
from domain.games.hansa_teutonica.moves import (
    DisplacePiece,
    EndTurn,
    LiftPiece,
    OpenOffice,
    PlacePiece,
    UseMarker,
)
from domain.games.hansa_teutonica.render.sentences import Scene
from domain.games.hansa_teutonica.state.steps import Relocate
from domain.games.hansa_teutonica.state.table import Deed, LastDeed
from tests.games.hansa_teutonica.moments import MOMENTS
from tests.games.hansa_teutonica.table import after, player, table
from tests.support.for_each import for_each

SVG = "{http://www.w3.org/2000/svg}"
KAMPEN = "kampen--osnabruck"
ADDRESSES = ("Your turn, ", "End your turn: ", "You may ", "Displaced from ", "In your hand: ")
ADDRESSES += ("Open an office ", "Pick up ", "Place ", "Remove ")
"""How a status starts for the player who must act."""
EXTRAS = " and up to 2 extra pieces"


def labels(picture: str) -> list[str]:
    """All words that a reader sees."""
    return [part.text or "" for part in ElementTree.fromstring(picture).iter(f"{SVG}text")]


def show(state: Any, seat: int | None = 0) -> Any:
    return GAME.view(state, seat)


def scene(view: Any, language: str = "en") -> Scene:
    return Scene(view, GAME.words(language))


def some_table() -> Any:
    one = player("tttt", levels={"privilege": 2}, ready={"remove_three": 1}, prestige=4)
    return table(
        one,
        player("t", used={"swap_offices": 1}),
        player(),
        routes={KAMPEN: ["0t", "0m"], "bremen--hannover": ["1t", "2t", None]},
        cities={"osnabruck": {"offices": ["1t", None, None], "extra": ["2t"]}},
        markers={KAMPEN: "plus_3_actions", "bremen--minden": "extra_office"},
        pile={"swap_offices": 1},
    )


def test_the_picture_has_a_title_and_says_in_words_what_it_shows():
    root = ElementTree.fromstring(GAME.render_svg(show(some_table()), GAME.words()))
    assert root[0].text == "Hansa Teutonica"
    assert root[1].text == scene(show(some_table())).summary
    assert "Your turn, 2 actions left: " in str(root[1].text)
    watched = ElementTree.fromstring(GAME.render_svg(show(some_table(), None), GAME.words()))
    assert "Seat 1 (red) has 2 actions left." in str(watched[1].text)


def test_all_cities_have_names_and_their_abilities():
    words = labels(GAME.render_svg(show(some_table()), GAME.words()))
    for city in some_table().setup.map.cities:
        assert {city.name, city.ability or city.name} <= set(words)


def test_markers_and_those_of_the_players_are_named():
    words = labels(GAME.render_svg(show(some_table()), GAME.words()))
    assert {"+3", "Extra", "Take 3", "T"} <= set(words)
    assert {"network 1", "1 used"} <= set(words)


def test_the_text_is_never_wider_than_80_columns():
    states = [some_table(), after(some_table(), OpenOffice(0, KAMPEN, "osnabruck"))]
    for state in (*states, table(player(), player(), pawn="P15")):
        lines = GAME.render_text(show(state), GAME.words()).splitlines()
        assert max(map(len, lines)) <= 80


def test_the_text_shows_offices_posts_and_stars_for_what_was_done_last():
    then = GAME.render_text(
        show(after(some_table(), OpenOffice(0, KAMPEN, "osnabruck"))), GAME.words()
    )
    row = next(line for line in then.splitlines() if "Osnabrück " in line and "|" in line)
    assert row.split() == ["*Osnabrück", "3t", "|", "2t", "1t", "B#", "seat", "1"]
    assert "Kampen–Osnabrück      *. *." in then
    assert "Last: Seat 1 (red) established Kampen–Osnabrück and opened an office in" in then
    assert "+3 actions (new)" in then


def test_each_task_has_a_text():
    state = some_table()
    pushed = after(state, DisplacePiece(0, "trader", ("bremen--hannover", 0), 1, 0))
    tasks = [
        after(state, UseMarker(0, "remove_three")),
        after(state, LiftPiece(0, (KAMPEN, 0))),
        after(state, EndTurn(0)),
    ]
    yellow, red, watched = (
        [
            " ".join(GAME.render_text(show(each, seat), GAME.words()).split())
            for each in (*tasks, pushed)
        ]
        for seat in (1, 0, None)
    )
    assert "Remove pieces of any player from posts (3 left)." in red[0]
    assert "In your hand: 1 trader of yours. Put each on a free post, or" in red[1]
    assert "Place a marker: swap offices." in red[2]
    displaced = "trader displaced from Bremen–Hannover and up to 1 extra piece."
    put = "put your trader and up to 1 extra piece on free posts of the nearest routes."
    assert f"Displaced from Bremen–Hannover: {put}" in yellow[3]
    for texts in (yellow[:3], watched[:3]):
        assert "Seat 1 (red) is removing pieces from posts (3 left)." in texts[0]
        assert (
            "Seat 1 (red) is moving pieces. In hand: 1 trader of seat 1 (red); up to 1 more."
            in texts[1]
        )
        assert "Seat 1 (red) is placing a marker: swap offices." in texts[2]
    for text in (red[3], watched[3]):
        assert f"Seat 2 (yellow) is placing the {displaced}" in text


@pytest.mark.parametrize(
    ("placed", "extras", "words", "put"),
    [
        (False, 2, "the merchant displaced from {}" + EXTRAS, "your merchant" + EXTRAS),
        (False, 0, "the merchant displaced from {}", "your merchant"),
        (True, 1, "up to 1 extra piece (displaced from {})", "up to 1 extra piece"),
    ],
)
def test_the_status_names_what_a_displaced_player_may_place(placed, extras, words, put):
    """HT-5.3"""
    step = Relocate(
        (1,), route="gottingen--quedlinburg", piece="merchant", placed=placed, extras=extras
    )
    view = replace(show(some_table()), pending=step, awaiting=(1,))
    status = f"Seat 2 (yellow) is placing {words.format('Göttingen–Quedlinburg')}."
    for lines in (
        GAME.render_text(view, GAME.words()).split(),
        labels(GAME.render_svg(view, GAME.words())),
    ):
        assert status in " ".join(lines).replace("- ", "-")
    own = replace(view, seat=1)
    addressed = f"Displaced from Göttingen–Quedlinburg: put {put} on free posts of the nearest"
    for lines in (
        GAME.render_text(own, GAME.words()).split(),
        labels(GAME.render_svg(own, GAME.words())),
    ):
        assert addressed in " ".join(lines).replace("- ", "-")


def test_a_spectator_is_no_player():
    assert "(you" in GAME.render_text(show(some_table()), GAME.words())
    assert "(you" not in GAME.render_text(show(some_table(), None), GAME.words())


@for_each("deed", get_args(Deed))
def test_every_deed_has_words(deed):
    view = replace(show(some_table()), last=LastDeed(1, deed, KAMPEN, (0, 1), "minden"))
    assert "Last: Seat 2 (yellow) " in GAME.render_text(view, GAME.words())
    assert GAME.render_svg(view, GAME.words()).count("stroke-dasharray") >= 3


def test_two_players_have_a_pawn_soldiers_and_provinces():
    view = show(table(player(), player(), pawn="P15"))
    assert {"pawn", "soldier", "North Sea"} <= set(labels(GAME.render_svg(view, GAME.words())))
    assert "Pawn: P15 Southern rim" in GAME.render_text(view, GAME.words())
    waiting = replace(view, pawn=None)
    assert "The pawn is not on the map yet." in GAME.render_text(waiting, GAME.words())
    assert "P01" not in labels(GAME.render_svg(show(table()), GAME.words()))


def test_the_card_of_the_viewer_says_their_abilities_and_actions_in_words():
    """HT-1.5, HT-3.1: with the next value of each ability, but of one that is complete."""
    desk = {"actions": 2, "privilege": 3}
    state = table(player("tttt", levels=desk), player(levels={"bag": 3}), player())
    own, watched = (labels(GAME.render_svg(show(state, seat), GAME.words())) for seat in (0, None))
    said = {
        "2 actions left",
        "keys: network 0 \u00d71 (next: 2)",
        "actions: 3 per turn (next: 4)",
        "privilege: up to black",
        "book: move 2 pieces (next: 3)",
        "bag: income of 3 (next: 5)",
    }
    assert said <= set(own)
    assert not said & set(watched)
    brief = " ".join(watched)
    assert "keys 1, actions 3, privilege black, book 2, bag 3" in brief
    assert "keys 1, actions 2, privilege white, book 2, bag all" in brief


@pytest.mark.parametrize("language", LANGUAGES)
def test_all_kinds_of_markers_fit_on_a_card(language):
    """HT-12.1: on that of the viewer, which keeps its height, and on that of another seat."""
    held = dict.fromkeys(MARKERS, 2)
    state = table(player(ready=held, used=held), player(ready=held), player())
    words = GAME.words(language)
    picture = ElementTree.fromstring(GAME.render_svg(show(state), words))
    drawn = panels(picture)
    for name in ("own", "seat-1"):
        said = [part.text or "" for part in drawn[name].iter(f"{SVG}text")]
        assert {two(words, kind) for kind in MARKERS} <= set(said)
    width, height = map(float, drawn["own"].attrib["data-size"].split())
    assert width <= 340
    assert height <= 270


def two(words: Words, kind: str) -> str:
    """Two markers of a kind, in words."""
    return words("short_several", count=2, what=words(f"short_{kind}"))


def panels(picture: ElementTree.Element) -> dict[str, ElementTree.Element]:
    """The panels of a picture by name."""
    return {part.attrib["data-panel"]: part for part in picture if part.get("data-panel")}


def test_the_status_says_that_only_the_end_of_the_turn_is_left():
    """HT-11.6"""
    closed = {"closed": True, "acted": True, "pawn_moved": True, "actions": 1}
    state = table(player(), player(), **closed)
    own, watched = (
        " ".join(GAME.render_text(show(state, seat), GAME.words()).split()) for seat in (0, None)
    )
    assert "End your turn: the pawn moved after an action." in own
    assert "Seat 1 (red) must end the turn, because the pawn moved after an action." in watched


def test_the_end_names_the_winners():
    over = replace(show(some_table()), ended="prestige", winners=(0, 2), awaiting=())
    text = " ".join(GAME.render_text(over, GAME.words()).split())
    why = "a player reached 20 prestige"
    assert f"Game over: seat 1 (red) and seat 3 (blue) win ({why})." in text
    assert "Seat 1, red (you, winner)" in labels(GAME.render_svg(over, GAME.words()))
    assert "Nothing to decide." in GAME.render_text(
        replace(show(some_table()), awaiting=()), GAME.words()
    )


@pytest.mark.parametrize("name", MOMENTS)
def test_the_status_names_who_must_decide_what(name):
    """HT-3.4: text and picture agree, before every kind of decision."""
    state = MOMENTS[name]()
    (seat,) = seats_to_move(state)
    own, watched = show(state, seat), show(state, None)
    name = f"Seat {seat + 1} ({own.colours[seat]})"
    assert scene(own).status.startswith(ADDRESSES)
    assert name.lower() not in scene(own).status.lower()
    assert scene(watched).status.startswith(f"{name} ")
    for view in (own, watched):
        status = scene(view).status
        assert status in " ".join(GAME.render_text(view, GAME.words()).replace("-\n", "-").split())
        assert status in scene(view).summary
    others = {*range(len(own.players))} - {seat}
    assert {scene(show(state, other)).status for other in others} == {scene(watched).status}
    assert f"Seat {seat + 1}, {own.colours[seat]} (you, to move)" in labels(
        GAME.render_svg(own, GAME.words())
    )


@for_each(
    ("name", "own", "of_others"),
    [
        (
            "moving any two",
            "Pick up a piece of any player to move it (2 left), or choose “done”",
            "may move up to 2 pieces of any player",
        ),
        (
            "green office",
            "Open an office in a green city, or choose “done”",
            "may open an office in a green city",
        ),
        (
            "redeploying",
            "You may redeploy two pieces of the route (2 left), or choose “done”",
            "may redeploy two pieces of the route (2 left)",
        ),
        (
            "placing in Wales",
            "You may place two pieces in Wales or Scotland (2 left), or choose “done”",
            "may place two pieces in Wales or Scotland (2 left)",
        ),
        (
            "placing the pawn",
            "Place the pawn in a province: players place, displace and establish only beside it",
            "is placing the pawn",
        ),
        (
            "no actions left",
            "Your turn, no actions left: use a marker or end the turn",
            "has no actions left",
        ),
        (
            "turn that is closed",
            "End your turn: the pawn moved after an action",
            "must end the turn, because the pawn moved after an action",
        ),
    ],
)
def test_tasks_in_words(name, own, of_others):
    """HT-11.3, HT-11.6, HT-14.5, HT-14.7, HT-14.8, HT-14.9"""
    state = MOMENTS[name]()
    assert scene(show(state)).status == f"{own}."
    assert scene(show(state, None)).status.partition(") ")[2] == f"{of_others}."


def test_the_map_of_the_east_shows_its_additions():
    """HT-14.1, HT-14.4, HT-14.10"""
    view = show(MOMENTS["turn in the east"]())
    words = labels(GAME.render_svg(view, GAME.words()))
    assert {
        "Move 2",
        "Privilege",
        "Redeploy 2",
        "Green city",
        "free post for a",
        "m",
    } <= set(words)
    told = " ".join(GAME.render_text(view, GAME.words()).split())
    assert "Stralsund–Wismar (move two pieces of any player)" in told
    assert "A free post o is for a merchant." in told
    (waren,) = (
        line
        for line in GAME.render_text(view, GAME.words()).splitlines()
        if line.startswith(" Waren")
    )
    assert waren.split() == ["Waren", "bag", "or", "actions,", "green"]
    standard = labels(GAME.render_svg(show(some_table()), GAME.words()))
    assert not {"Move 2", "Privilege", "m"} & set(standard)


def test_text_and_picture_show_countries_and_permissions():
    """HT-14.3, HT-14.12"""
    state = MOMENTS["turn in Britannia"]()
    view = show(state)
    assert "Wales" in labels(GAME.render_svg(view, GAME.words()))
    told = " ".join(GAME.render_text(view, GAME.words()).replace("-\n", "-").split())
    assert "Permissions: Cardiff for Wales (seat 1), London for Wales" in told
    assert "In Wales: Cardiff–Montgomery, Cardiff–Pembroke" in told
    then = after(state, PlacePiece(0, "trader", ("conway--montgomery", 0)))
    used = " ".join(GAME.render_text(show(then), GAME.words()).replace("-\n", "-").split())
    assert "Cardiff for Wales (seat 1, used)" in used


def test_the_card_of_a_seat_stands_out_if_it_decides_or_has_won():
    """HT-5.2, HT-10.7: the owner of a displaced piece decides in the turn of another player."""
    pushed = show(MOMENTS["displaced trader"](), None)
    words = labels(GAME.render_svg(pushed, GAME.words()))
    assert "Seat 2, yellow (to move)" in words
    assert "Seat 1, red" in words
    assert (
        GAME.render_svg(pushed, GAME.words()).count(
            'fill="#ffffff" stroke="#2b2620" stroke-width="2.5"'
        )
        == 1
    )
    over = replace(pushed, ended="pieces", winners=(2,), awaiting=())
    assert "Seat 3, blue (winner)" in labels(GAME.render_svg(over, GAME.words()))
    assert GAME.render_svg(over, GAME.words()).count('fill="#fff1bf"') == 1
    why = "too few pieces are left to establish a route"
    assert scene(over).status == f"Game over: seat 3 (blue) wins ({why})."


def ends_well(state, words):
    """Whether the head of the picture says all, or ends with an ellipsis."""
    view = show(state)
    head = panels(ElementTree.fromstring(GAME.render_svg(view, words)))["head"]
    _, _, *lines = [part.text or "" for part in head.iter(f"{SVG}text")]
    scene_of = Scene(view, words)
    shown = "".join("".join(lines).split())
    wholes = {scene_of.status + scene_of.last_deed, scene_of.status}
    is_whole = shown in {"".join(whole.split()) for whole in wholes}
    return is_whole != shown.endswith("\u2026")


def test_a_last_deed_that_is_too_long_ends_with_an_ellipsis():
    """The languages take turns."""
    for (name, build), language in zip(MOMENTS.items(), cycle(LANGUAGES)):
        assert ends_well(build(), GAME.words(language)), (name, language)


@pytest.mark.long
def test_so_it_does_in_each_language():
    for (name, build), language in product(MOMENTS.items(), LANGUAGES):
        assert ends_well(build(), GAME.words(language)), (name, language)
