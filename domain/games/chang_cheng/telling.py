"""What is said of the game, with the words of each language in `texts`."""

from __future__ import annotations

from domain.engine.play import Seat
from domain.engine.sentences import (
    Part,
    Sayings,
    Sentence,
    Who,
    Words,
    as_it_is,
    counted,
    each,
    either,
    person,
    read,
    sentence,
    word,
)
from domain.games.chang_cheng.state.table import Card


def _card(_view: object, card: Card) -> Part:
    """A card that lies face up, and whose it is."""
    return sentence("card_of", card=Sentence(f"card_{card.number}"), seat=Who(card.seat))


def _owner(_view: object, seat: Seat | None) -> Part:
    """Whose a wall is that may be neutral."""
    return Sentence("neutral") if seat is None else Who(seat)


def _threat(_view: object, threat: int | None) -> Part:
    return Sentence("unknown") if threat is None else threat


def _by_seat(_view: object, points: tuple[int, ...]) -> Part:
    """Points of each seat that has any."""
    return tuple(
        sentence("points_of", seat=Who(seat), points=sentence("points", count=count))
        for seat, count in enumerate(points)
        if count
    )


def _signed(_view: object, change: int | str) -> Part:
    return f"{int(change):+}"


SAYINGS: Sayings = {
    "card": _card,
    "CardLaid.number": word("card"),
    "CardsCancelled.cards": each(_card),
    "CardsRevealed.cards": each(_card),
    "change": _signed,
    "ChooseOrder.regions": either(as_it_is),
    "colour": _owner,
    "colours": each(_owner),
    "EventCardScored.card": word("event"),
    "EventCardScored.points": _by_seat,
    "EventCardsOpened.cards": each(word("event")),
    "payers": each(person),
    "points": counted("points"),
    "reason": word("end"),
    "scores": each(counted("points")),
    "shielded": each(person),
    "struck": _card,
    "threats": each(_threat),
    "UseCard.number": word("card"),
    "value": counted("points"),
    "WallsAdded.walls": counted("walls"),
    "touch_build.a": word("build"),
    "touch_card.a": word("card"),
    "touch_change.a": _signed,
    "touch_side.a": word("side"),
    "touch_waiting.a": word("card"),
}
TEXTS = read(__package__)
ENGLISH = Words(TEXTS["en"])
