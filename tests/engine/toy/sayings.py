"""How the game is described; `texts` has the words of each language."""

from __future__ import annotations

from domain.engine.sentences import (
    Part,
    Sayings,
    SeatName,
    each,
    person,
    sentence,
    with_count,
    word,
)


def _card(_view: object, card: int | None) -> Part:
    """A shown card, or the word for none."""
    return sentence("no_card") if card is None else card


SAYINGS: Sayings = {
    "cards": each(_card),
    "left": with_count("challenges"),
    "points": with_count("points"),
    "reason": word("end"),
    "to": person,
    "touch_seat.a": lambda _view, seat: SeatName(int(seat)),
    "winner": person,
}
