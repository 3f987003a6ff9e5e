"""Sentences as data, and as text in a language."""

from __future__ import annotations

import pytest

from domain.engine.play import Event, Seat
from domain.engine.resources.texts import distinguish, read
from domain.engine.sentences import (
    SeatName,
    Sentence,
    Words,
    capitalize,
    describe_fields,
    each,
    either,
    say,
    sentence,
    touch_label,
    verbatim,
    with_count,
    word,
)
from tests.engine import toy
from tests.engine.toy import GAME
from tests.support.for_each import for_each

NAMES = ("Ada", "Bo")
TEXTS = {
    "TilesTaken": "{seat} takes {count} of {color}.",
    "TilesTaken_one": "{seat} takes one of {color}.",
    "TilesTaken_zero": "{seat} takes none.",
    "TilesTaken_without_color": "{seat} takes {count}.",
    "TilesTaken_again": "{seat} takes {count} of {color} again.",
    "color_red": "red",
    "color_blue": "blue",
    "list_empty": "nothing",
    "list_last": "{one} and {two}",
    "list_more": ", ",
    "list_next": "{one}, {two}",
    "list_or": "{one} or {two}",
    "said": "{what}",
    "tiles_one": "{count} tile",
    "tiles_other": "{count} tiles",
    "touch_post": "post {b} of {a}",
}
SAYINGS = {"color": word("color")}


class TilesTaken(Event[None]):
    """A seat took tiles: TOY-1.1, TOY-1.2."""

    seat: Seat
    count: int
    color: str | None
    again: bool = False


def words(what):
    return say(sentence("said", what=what), TEXTS, NAMES)


def event(*values):
    return describe_fields(TilesTaken(*values), None, SAYINGS)


def test_what_happened_is_a_key_with_parts_and_the_rules_by_which_it_did():
    assert event(1, 3, "red") == Sentence(
        "TilesTaken",
        {"seat": SeatName(1), "count": 3, "color": Sentence("color_red")},
        ("TOY-1.1", "TOY-1.2"),
    )


@for_each(
    ("values", "said"),
    [
        ((1, 3, "red"), "Bo takes 3 of red."),
        ((1, 1, "red"), "Bo takes one of red."),
        ((0, 0, "red"), "Ada takes none."),
        ((0, 2, None), "Ada takes 2."),
        ((0, 2, "red", True), "Ada takes 2 of red again."),
    ],
)
def test_the_text_fits_how_many_there_are_what_is_hidden_and_what_is_true(values, said):
    assert say(event(*values), TEXTS, NAMES) == said


@for_each(
    ("several", "said"),
    [
        ((), "nothing"),
        ((SeatName(0),), "Ada"),
        ((SeatName(0), "a1"), "Ada and a1"),
        ((1, 2, Sentence("color_red")), "1, 2 and red"),
    ],
)
def test_several_are_said_in_a_row(several, said):
    assert words(several) == said


def test_values_are_said_one_by_one():
    assert words(each(word("color"))(None, ("red", "blue"))) == "red and blue"
    assert words(either(verbatim)(None, ("a", "b", "c"))) == "a, b or c"
    assert [words(with_count("tiles")(None, n)) for n in (0, 1, 2)] == [
        "0 tiles",
        "1 tile",
        "2 tiles",
    ]


def test_a_sentence_without_a_text_is_an_error():
    with pytest.raises(KeyError, match="color_green"):
        words(Sentence("color_green"))


def test_what_follows_the_colons_of_a_name_is_said():
    assert say(touch_label("post:a-b:2", None, {}), TEXTS, NAMES) == "post 2 of a-b"


def test_a_game_has_the_texts_that_all_share_and_its_own():
    texts = read(toy.__name__)["en"]
    assert texts == GAME.resources.texts["en"]
    assert {"list_last", "touch_card"} <= set(texts)


def test_words_begin_with_a_capital_where_a_line_begins():
    assert (capitalize("seat 0 passes."), capitalize("")) == ("Seat 0 passes.", "")
    assert capitalize("b1:C2 is full.") == "b1:C2 is full.", "a space keeps its name"


OF_LINES = {
    "person": "seat {seat}",
    "who": "{who} ({colour})",
    "passes": "{who} passes.",
    "wins": "{end} {winners} win.",
    "end": "the {pile} is empty.",
    "list_more": ", ",
    "list_last": "{one} and {two}",
}


@for_each(
    ("spoken", "line"),
    [
        (sentence("passes", who=SeatName(0)), "ada passes."),
        (sentence("passes", who=SeatName(1)), "Seat 2 passes."),
        (sentence("passes", who=(SeatName(0), SeatName(1))), "ada and seat 2 passes."),
        (sentence("passes", who=(SeatName(1), SeatName(0))), "Seat 2 and ada passes."),
        (
            sentence("wins", end=sentence("passes", who=SeatName(0)), winners=1),
            "ada passes. 1 win.",
        ),
        (sentence("wins", end=sentence("end", pile="pile"), winners=SeatName(0)),
         "The pile is empty. ada win."),
    ],
)  # fmt: skip
def test_a_line_begins_with_a_capital_or_with_a_name_as_it_is(spoken, line):
    assert Words(OF_LINES, ["ada", None]).line(spoken) == line


def test_a_player_with_a_longer_label_still_has_a_name():
    words = Words(OF_LINES, ["ada", None])
    called = words.with_names([words("who", who=SeatName(seat), colour="red") for seat in range(2)])
    lines = [called.line(sentence("passes", who=SeatName(seat))) for seat in range(2)]
    assert lines == ["ada (red) passes.", "Seat 2 (red) passes."]


def test_a_name_heads_what_is_theirs_as_it_is_and_a_number_with_a_capital():
    called = Words({"person": "seat {seat}"}, ["ada", None])
    assert [called.heading(seat) for seat in range(3)] == ["ada", "Seat 2", "Seat 3"]


def test_people_of_one_name_are_distinguished_by_their_seats():
    assert distinguish(["Ada", None, "Bo", "Ada", None]) == ("Ada (1)", None, "Bo", "Ada (4)", None)
    assert distinguish(["\u674e\u7267"] * 2) == (
        "\u674e\u7267\uff081\uff09",
        "\u674e\u7267\uff082\uff09",
    )
