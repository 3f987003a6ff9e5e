"""What the pictures of all games share: colours, the card of a seat, and the result."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from domain.engine.drawing.svg import Attribute, Markup, mark, rect
from domain.engine.play import Seat
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.resources.texts import read
from domain.engine.sentences import SeatName, Sentence, Words, sentence

INK = "#2b2620"
PAPER = "#fbf7ec"
FAINT = "#6f6657"
KEPT_INK, KEPT_FAINT = "#2B2620", "#6F6657"
"""On pieces that keep their colours in the dark: see themes.py."""
SHARED_WORDS = Words(read("domain.engine")[ENGLISH])
"""The texts that all games share, in English."""


class SeatsView(Protocol):
    """The part of every game's view that describes its seats."""

    @property
    def seat(self) -> Seat | None:
        """The seat of the viewer; None for a spectator."""
        ...

    @property
    def awaiting(self) -> tuple[Seat, ...]:
        """The seats that have to decide now."""
        ...

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that have won; empty before the end."""
        ...


class ResultView(Protocol):
    """The part of every game's view that describes its end."""

    @property
    def ended(self) -> str | None:
        """The reason why the game is over; None before the end."""
        ...

    @property
    def winners(self) -> tuple[Seat, ...]:
        """The seats that have won; empty before the end."""
        ...


def seat_card(view: SeatsView, seat: Seat, width: float, height: float) -> Markup:
    """The background of a seat's card; it stands out if the seat has to decide, or has won."""
    return rect(0, 0, width, height, rx=9, **_frame(view, seat))


def mark_own(view: SeatsView, seat: Seat, name: str, piece: Markup) -> Markup:
    """A piece of a seat, made touchable under this name if the viewer holds the seat."""
    return mark(name, piece) if seat == view.seat else piece


def seat_note(
    view: SeatsView, seat: Seat, active: Seat | None = None, words: Words = SHARED_WORDS
) -> str:
    """The current state of this seat in words, such as `you, to move`.

    `active` has the turn while another seat decides, unless the match is over.
    """
    notes = {
        "note_you": seat == view.seat,
        "note_active": seat == active and bool(view.awaiting) and seat not in view.awaiting,
        "note_to_decide": seat in view.awaiting,
        "note_winner": seat in view.winners,
    }
    return words("note_more").join(words(key) for key, holds in notes.items() if holds)


def name_with_colours(colours: Iterable[str], words: Words) -> Words:
    """The same words, in which each player is called by their name, or seat, and their colour."""
    names = [
        words("seat", seat=SeatName(seat), colour=sentence(f"colour_{colour}"))
        for seat, colour in enumerate(colours)
    ]
    return words.with_names(names)


def result_sentence(view: ResultView) -> Sentence:
    """A sentence with the reason why the game is over, and the winners."""
    winners, reason = tuple(map(SeatName, view.winners)), Sentence(f"end_{view.ended}")
    return sentence("over", reason=reason, winners=winners, count=len(winners))


def _frame(view: SeatsView, seat: Seat) -> dict[str, Attribute]:
    if seat in view.winners:
        return {"fill": "#fff1bf", "stroke": INK, "stroke_width": 2.5}
    if seat in view.awaiting:
        return {"fill": "#ffffff", "stroke": INK, "stroke_width": 2.5}
    return {"fill": "#f3ecd9", "stroke": "#d8ccae", "stroke_width": 1}
