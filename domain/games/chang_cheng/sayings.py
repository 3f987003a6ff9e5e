"""The sentences of the game; `texts` has their words in each language."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from domain.engine.play import Seat
from domain.engine.resources.texts import figures
from domain.engine.sentences import (
    Part,
    Sayings,
    SeatName,
    Sentence,
    describe_fields,
    each,
    either,
    person,
    quoted,
    same_effects,
    sentence,
    verbatim,
    who_wins,
    with_count,
    word,
)
from domain.games.chang_cheng.events.course import MongolsInvaded
from domain.games.chang_cheng.places import board_name, place_name
from domain.games.chang_cheng.state.steps import AfterCard, Turn, UseCard
from domain.games.chang_cheng.state.table import Card
from domain.games.chang_cheng.view import View


def _card(_view: object, card: Card) -> Part:
    """A card that lies face up, and whose it is."""
    return sentence("card_of", card=quoted("card")(None, card.number), seat=SeatName(card.seat))


def _owner(_view: object, seat: Seat | None) -> Part:
    """Whose a wall is that may be neutral."""
    return Sentence("neutral") if seat is None else SeatName(seat)


def _board(_view: object, name: str) -> Part:
    """A board by its sign."""
    return board_name(name)


def _place(_view: object, name: str) -> Part:
    """A cell or a region by its signs."""
    return place_name(name)


def _threat(_view: object, threat: int | None) -> Part:
    return Sentence("unknown") if threat is None else threat


INVASIONS = {
    (True, True): "both",
    (True, False): "lost",
    (False, True): "protected",
    (False, False): "harmless",
}
"""What an invasion does, by whether it has payers, and players whom towers protect."""


def _invaded(view: View, event: MongolsInvaded) -> Sentence:
    """Who loses points, and whom towers protect; without empty lists."""
    spoken = describe_fields(event, view, SAYINGS)
    form = INVASIONS[bool(event.payers), bool(event.shielded)]
    points = sentence("points", count=event.threat)
    parts = {**spoken.parts, "points": points, "count": len(event.payers)}
    return Sentence(f"MongolsInvaded_{form}", parts, spoken.rules)


def _by_seat(_view: object, points: tuple[int, ...]) -> Part:
    """Points of each seat that has any."""
    scored = tuple(
        sentence("points_of", seat=SeatName(seat), points=sentence("points", count=count))
        for seat, count in enumerate(points)
        if count
    )
    return scored or Sentence("nobody_scores")


def _scorers(_view: object, seats: tuple[Seat, ...]) -> Part:
    """Who scores a region, up to the points: `A scores`."""
    return sentence("scorers", winners=tuple(map(SeatName, seats)), count=len(seats))


def _with_sign(_view: object, change: int | str) -> Part:
    return figures(int(change), "+")


def _turn(view: View, step: Turn) -> Sentence:
    """A turn, and the actions that the seat can take now: CC-4."""
    asked = describe_fields(step, view, SAYINGS, "ask_")
    named = [
        sentence(f"choice_{action}", **parts)
        for seat in step.seats
        for action, parts in _actions(view, seat)
    ]
    choices = either(verbatim)(view, named)
    return Sentence(asked.key, {**asked.parts, "choices": choices}, asked.rules)


def _actions(view: View, seat: Seat) -> Iterator[tuple[str, dict[str, int]]]:
    """The actions for which a seat has pieces or cards, and the wall has room: CC-4.6, CC-5."""
    left, cards = view.unbuilt[seat], view.hand_sizes[seat]
    row = [cell.kind is None and seat in (cell.kept_for or (seat,)) for cell in view.wall]
    singles = left.singles if any(row) else 0
    if singles:
        yield "singles", {"count": min(2, singles)}
    if cards:
        yield "cards", {"count": min(2, cards)}
    if cards and singles:
        yield "card_and_single", {}
    if left.doubles and any(map(all, pairwise(row))):
        yield "double", {}
    if left.towers and _has_room_for_a_tower(view, row):
        yield "tower", {}


def _after_card(view: View, step: AfterCard) -> Sentence:
    """How a seat can go on after its first card: CC-4.2, CC-4.3, CC-4.6."""
    asked = describe_fields(step, view, SAYINGS, "ask_")
    named = [
        sentence(f"choice_{action}", region=place_name(step.region))
        for seat in step.seats
        for action in _after_first_card(view, step.region, seat)
    ]
    choices = either(verbatim)(view, named)
    return Sentence(asked.key, {**asked.parts, "choices": choices}, asked.rules)


def _after_first_card(view: View, region: str, seat: Seat) -> Iterator[str]:
    """A second card or else the end, and a single beside the first: CC-4.2, CC-4.3, CC-4.6."""
    has_room_outside = any(cell.kind is None and cell.china != region for cell in view.wall)
    yield "second_card" if view.hand_sizes[seat] and has_room_outside else "end_action"
    beside = [cell for cell in view.wall if cell.kind is None and cell.china == region]
    is_open = any(seat in (cell.kept_for or (seat,)) for cell in beside)
    if is_open and view.unbuilt[seat].singles:
        yield "single_beside"


def _has_room_for_a_tower(view: View, row: Sequence[bool]) -> bool:
    """Whether a cell of the row is open and no tower stands beside it: CC-5.3."""
    tall = [False, *(cell.kind == "tower" for cell in view.wall), False]
    return any(
        is_open and not before and not after
        for is_open, before, after in zip(row, tall, tall[2:], strict=False)
    )


def _use_card(view: View, step: UseCard) -> Sentence:
    """Whose card it is, where it lies, and what it can do: CC-7."""
    asked = describe_fields(step, view, SAYINGS, "ask_")
    effect = Sentence(f"effect_{step.number}")
    return Sentence(asked.key, {**asked.parts, "effect": effect}, asked.rules)


def _declining(view: View, _id: str) -> Sentence:
    """What a seat does not do."""
    return Sentence(f"declining_{type(view.step).__name__}")


SAYINGS: Sayings = {
    "AfterCard": _after_card,
    "board": _board,
    "boards": each(_board),
    "card": _card,
    "CardLaid.number": quoted("card"),
    "CardsCancelled.cards": each(_card),
    "CardsRevealed.cards": each(_card),
    "cell": _place,
    "cells": each(_place),
    "change": _with_sign,
    "ChooseOrder.regions": either(_place),
    "colour": _owner,
    "colours": each(_owner),
    **same_effects("effect_cell", "effect_side", "effect_add_wall"),
    **same_effects("effect_board"),
    "effect_build": word("effect"),
    "effect_card": word("effect"),
    "effect_waiting": word("effect"),
    "EventCardScored.card": quoted("event"),
    "EventCardScored.points": _by_seat,
    "EventCardsOpened.cards": each(quoted("event")),
    "GameEnded.winners": who_wins,
    "MongolsInvaded": _invaded,
    "OfferNeutral.regions": either(_place),
    "payers": each(person),
    "points": with_count("points"),
    "reason": word("end"),
    "region": _place,
    "RegionScored.winners": _scorers,
    "scores": each(with_count("points")),
    "shielded": each(person),
    "struck": _card,
    "threats": each(_threat),
    "ThreatOpened.threat": with_count("points"),
    "ThreatSeen.threat": with_count("points"),
    "Turn": _turn,
    "UseCard": _use_card,
    "UseCard.number": quoted("card"),
    "value": with_count("points"),
    "WallsAdded.walls": with_count("walls"),
    "touch_board.a": _board,
    "touch_build.a": word("build"),
    "touch_card.a": word("card"),
    "touch_cell.a": _board,
    "touch_change.a": _with_sign,
    "touch_decline": _declining,
    "touch_region.a": _board,
    "touch_side.a": word("side"),
    "touch_waiting.a": word("card"),
    "touch_wall.a": _board,
}
