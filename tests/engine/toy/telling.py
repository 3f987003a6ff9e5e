"""What is said of the game, with the words of each language in `texts`."""

from __future__ import annotations

from domain.engine.sentences import (
    Part,
    Sayings,
    Who,
    Words,
    counted,
    each,
    person,
    read,
    sentence,
    word,
)


def _card(_view: object, card: int | None) -> Part:
    """A card that was shown, or that somebody had none to show."""
    return sentence("no_card") if card is None else card


SAYINGS: Sayings = {
    "cards": each(_card),
    "left": counted("challenges"),
    "points": counted("points"),
    "reason": word("end"),
    "to": person,
    "touch_seat.a": lambda _view, seat: Who(int(seat)),
    "winner": person,
}
TEXTS = read(__package__)
ENGLISH = Words(TEXTS["en"])
