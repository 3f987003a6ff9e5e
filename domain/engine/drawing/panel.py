"""What the pictures of all games share: colours, the card of a seat, and how a game ended."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

from domain.engine.drawing.svg import Attribute, Markup, marked, rect
from domain.engine.play import Seat
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.sentences import Sentence, Who, Words, read, sentence

INK = "#2b2620"
PAPER = "#fbf7ec"
FAINT = "#6f6657"
SHARED = Words(read("domain.engine")[ENGLISH])
"""The words of all games, in English."""


class Seats(Protocol):
    """What the view of every game says of its seats."""

    @property
    def seat(self) -> Seat | None:
        """The viewer's."""
        ...

    @property
    def awaiting(self) -> tuple[Seat, ...]:
        """Who has to decide now."""
        ...

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who has won; nobody before the end."""
        ...


class Result(Protocol):
    """What the view of every game says of its end."""

    @property
    def ended(self) -> str | None:
        """Why the game is over; None before the end."""
        ...

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Who has won; nobody before the end."""
        ...


def card(view: Seats, seat: Seat, width: float, height: float) -> Markup:
    """The background of the card of a seat: whoever has to decide or has won stands out."""
    return rect(0, 0, width, height, rx=9, **_frame(view, seat))


def own(view: Seats, seat: Seat, name: str, piece: Markup) -> Markup:
    """Something that belongs to a seat, marked with its name if it is the viewer who touches it."""
    return marked(name, piece) if seat == view.seat else piece


def note(view: Seats, seat: Seat, active: Seat | None = None, words: Words = SHARED) -> str:
    """What is special about this seat now, such as `you, to decide`; `active` has the turn."""
    notes = {
        "note_you": seat == view.seat,
        "note_active": seat == active,
        "note_to_decide": seat in view.awaiting,
        "note_winner": seat in view.winners,
    }
    return words("list_more").join(words(key) for key, holds in notes.items() if holds)


def coloured(colours: Iterable[str], words: Words) -> Words:
    """The same words, in which everybody is called by name, or seat, and by their colour."""
    names = [
        words("seat", seat=Who(seat), colour=sentence(f"colour_{colour}"))
        for seat, colour in enumerate(colours)
    ]
    return words.calling(names)


def over(view: Result) -> Sentence:
    """Why the game is over, and who has won it."""
    winners, reason = tuple(map(Who, view.winners)), Sentence(f"end_{view.ended}")
    return sentence("over", reason=reason, winners=winners, count=len(winners))


def _frame(view: Seats, seat: Seat) -> dict[str, Attribute]:
    if seat in view.winners:
        return {"fill": "#fff1bf", "stroke": INK, "stroke_width": 2.5}
    if seat in view.awaiting:
        return {"fill": "#ffffff", "stroke": INK, "stroke_width": 2.5}
    return {"fill": "#f3ecd9", "stroke": "#d8ccae", "stroke_width": 1}
