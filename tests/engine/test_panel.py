"""What the pictures of all games share: the card of a seat, and how a game ended."""

from __future__ import annotations

from xml.etree import ElementTree

import msgspec
import pytest

from domain.engine.drawing import panel
from domain.engine.sentences import Words
from tests.engine.toy import GAME as TOY
from tests.support.for_each import for_each


class View(msgspec.Struct):
    """What a view says of seats."""

    seat: int | None = None
    awaiting: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    ended: str | None = None


@for_each(
    ("view", "words"),
    [
        (View(), ""),
        (View(seat=0), "you"),
        (View(seat=1, awaiting=(0,)), "to move"),
        (View(seat=0, awaiting=(0, 1)), "you, to move"),
        (View(winners=(0,)), "winner"),
        (View(seat=0, winners=(0, 1)), "you, winner"),
    ],
)
def test_the_note_says_what_is_special_about_a_seat(view, words):
    assert panel.seat_note(view, 0) == words


def test_the_player_whose_turn_it_is_is_active_even_while_another_decides():
    view = View(seat=0, awaiting=(1,))
    assert panel.seat_note(view, 0, active=0) == "you, active"
    assert panel.seat_note(view, 1, active=0) == "to move"
    assert panel.seat_note(view, 1, active=1) == "to move"


def test_the_note_is_in_the_requested_language():
    words = Words({"note_more": "/", "note_you": "YOU", "note_winner": "WON"})
    assert panel.seat_note(View(seat=0, winners=(0,)), 0, words=words) == "YOU/WON"


@pytest.mark.parametrize(
    ("winners", "said"),
    [
        ((1,), "Game over: seat 2 wins (all hands are empty)."),
        ((0, 1), "Game over: seat 1 and seat 2 win (all hands are empty)."),
    ],
)
def test_the_end_is_described_with_its_reason_and_its_winners(winners, said):
    view = View(winners=winners, ended="cards")
    assert TOY.words("en").say(panel.result_sentence(view)) == said


def frame(view: View, seat: int) -> dict[str, str]:
    """The attributes of the card."""
    return ElementTree.fromstring(panel.seat_card(view, seat, 200, 90)).attrib


def test_the_card_has_the_size_it_is_given():
    assert {"width": "200", "height": "90"}.items() <= frame(View(), 0).items()


def test_deciding_players_and_winners_stand_out_from_the_others():
    """A winner more than a deciding player."""
    view = View(awaiting=(1,), winners=(2,))
    quiet, deciding, won = (frame(view, seat)["fill"] for seat in range(3))
    assert len({quiet, deciding, won}) == 3
    strokes = [float(frame(view, seat)["stroke-width"]) for seat in range(3)]
    assert strokes[0] < strokes[1] == strokes[2]
    assert frame(View(awaiting=(0,), winners=(0,)), 0)["fill"] == won


def test_the_words_can_be_read_on_paper():
    """WCAG 2: at least 4.5 to 1 for small text."""
    assert contrast(panel.INK, panel.PAPER) > 7
    assert contrast(panel.FAINT, panel.PAPER) > 4.5


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour: str) -> float:
    """The relative luminance of a colour such as #2b2620."""
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
