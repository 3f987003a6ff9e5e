"""What was decided in a match that is over, in terms that can be counted over many matches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import msgspec

from domain.analysis.facts import Facts, SeatFacts, facts_of
from domain.analysis.positions import (
    Variant,
    kept_move,
    place_of,
    read_kept,
    variant_of,
    ways_of,
)
from domain.analysis.timeline import Moment, moments
from domain.engine.codecs import json_codec
from domain.engine.game import Game, Json, parted
from domain.engine.symmetry import Symmetry
from domain.match.log import Entry, fold_match

DEPTH = 8
"""Of so many decisions of each match the exact position is kept; later ones hardly ever repeat."""
MIDDLE = 25.0
"""The mean with which everybody's rating begins."""
_MOST = 20_000
PEOPLE = ("below", "above", "unknown")
"""Groups of people who decide: rated below `MIDDLE`, at it or above, or not rated."""


class Decision(msgspec.Struct, frozen=True):
    """One decision of the line that was played, and what became of its seat."""

    version: int
    key: str | None  # of the position; None beyond DEPTH
    move: Json  # under the names of the position as it is kept
    stage: int
    kind: str
    names: tuple[str, ...]  # of what was touched
    group: str  # who decided: `bot:<level>`, or one of PEOPLE
    share: float  # of the victory
    points: int


class Explored(msgspec.Struct, frozen=True):
    """A match that is over, as far as it is explored."""

    facts: Facts
    variant: Variant
    decisions: Sequence[Decision]

    @property
    def rating(self) -> float | None:
        """The mean of the ratings that its seats had before it; None unless all had one."""
        known = [seat.rating[0] for seat in self.facts.seats if seat.rating]
        return sum(known) / len(known) if len(known) == len(self.facts.seats) else None


def explored(game: Game[Any], entries: Sequence[Entry]) -> Explored | None:
    """What was decided in a match, from its entries, oldest first; None unless it was scored;
    Damaged if one makes no sense.
    """
    facts = facts_of(game, entries)
    if facts is None:
        return None
    begun = fold_match({game.key: game}, entries[:1])
    variant = variant_of(game, begun.setup, len(begun.chairs))
    played = (one for one in moments(game, entries) if one.move and not one.undone)
    return Explored(facts, variant, [_decision(variant, facts, one) for one in played])


def stage_of(decided: int, seats: int) -> int:
    """The stage of a match in which so many decisions were made: 0 while each seat makes its first
    on an average, and then one more each time that the number of decisions doubles.
    """
    return (decided // seats).bit_length()


def stage_span(stage: int, seats: int) -> tuple[int, int]:
    """The first and the last decision of a stage, from 1."""
    return (1 << stage >> 1) * seats + 1, (1 << stage) * seats


def _decision(variant: Variant, facts: Facts, moment: Moment) -> Decision:
    move = json_codec.to_json(moment.move)
    seat = facts.seats[move["seat"]]
    place = place_of(variant, moment.before) if moment.number <= DEPTH else None
    return Decision(
        version=moment.version,
        key=place.key if place else None,
        move=kept_move(place, move) if place else move,
        stage=stage_of(moment.number - 1, variant.seats),
        kind=move["type"],
        names=names_of(variant, moment.before, move),
        group=_group(moment.actor, seat),
        share=seat.share,
        points=seat.points,
    )


def _group(actor: str, seat: SeatFacts) -> str:
    """Who decided, among those of about the same strength."""
    if actor.startswith("bot:"):
        return actor
    below, above, unknown = PEOPLE
    if seat.rating is None or seat.bot is not None:
        return unknown
    return below if seat.rating[0] < MIDDLE else above


_Named = dict[bytes, tuple[str, ...]]


@lru_cache(maxsize=64)
def _named(_variant: str) -> _Named:
    """What is touched for moves, as far as that was found out: the same moves come again."""
    return {}


def names_of(variant: Variant, state: Any, move: Json) -> tuple[str, ...]:  # noqa: ANN401
    """The names of what is touched for a move in a state. They are as if whoever decides sat on the
    first of the seats that are alike, and the same for all moves that are.
    """
    ways = ways_of(variant, (move["seat"],))
    return min(_names(variant, way, state, way.there(move)) for way in ways)


def _names(variant: Variant, way: Symmetry, state: Any, image: Json) -> tuple[str, ...]:  # noqa: ANN401
    known, text = _named(variant.key), json_codec.encode(image)
    if text not in known:
        if len(known) >= _MOST:
            known.clear()
        known[text] = _touched(variant.game, way, state, image)
    return known[text]


def _touched(game: Game[Any], way: Symmetry, state: Any, image: Json) -> tuple[str, ...]:  # noqa: ANN401
    seat = way.seats.index(image["seat"])
    lasting, changing = (
        json_codec.as_read_back(part) for part in parted(game, game.view(state, seat))
    )
    view = msgspec.convert(lasting | way.there(changing), game.view_type)
    touched = next(iter(game.touches(view, read_kept(game, image))))
    return tuple(dict.fromkeys(touched))
