"""Decisions of a finished match as features that can be counted over many matches."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from typing import Any

import msgspec

from domain.analysis.facts import Facts, SeatFacts, facts_of
from domain.analysis.positions import (
    Variant,
    canonical_move,
    canonical_position,
    read_canonical_move,
    symmetries_for,
    variant_of,
)
from domain.analysis.timeline import TimelineEntry, timeline
from domain.engine.codecs import json_codec
from domain.engine.game import Game, Json, split_view
from domain.engine.symmetry import Symmetry
from domain.match.log import Entry, fold_match

MAX_KEYED_DECISIONS = 8
"""Number of decisions per match whose exact position is recorded; later positions rarely repeat."""
MIDDLE_RATING = 25.0
"""The mean of a new rating."""
MAX_CACHED_MOVES = 10_000
"""Number of moves of all variants whose touches are cached, of some 500 bytes each."""
PLAYER_GROUPS = ("below", "above", "unknown")
"""Groups of players: rated below MIDDLE_RATING, at least at it, or not rated."""


class Decision(msgspec.Struct, frozen=True):
    """A decision of the line that was played, and the result of its seat."""

    version: int
    key: str | None  # of the position; None beyond MAX_KEYED_DECISIONS
    move: Json  # in the canonical orientation of the position
    stage: int
    kind: str
    names: tuple[str, ...]  # of the touches
    group: str  # who decided: `bot:<level>`, or one of PLAYER_GROUPS
    share: float  # of the victory
    points: int


class ExploredMatch(msgspec.Struct, frozen=True):
    """A finished match with its decisions."""

    facts: Facts
    variant: Variant
    decisions: Sequence[Decision]

    @property
    def rating(self) -> float | None:
        """The mean rating of its seats before the match; None unless all were rated."""
        known = [seat.rating[0] for seat in self.facts.seats if seat.rating]
        return sum(known) / len(known) if len(known) == len(self.facts.seats) else None


def explore(game: Game[Any], entries: Sequence[Entry]) -> ExploredMatch | None:
    """The decisions of a match, from its entries, oldest first; None unless it is scored.

    Raises CorruptEntry if an entry makes no sense.
    """
    facts = facts_of(game, entries)
    if facts is None:
        return None
    begun = fold_match({game.key: game}, entries[:1])
    variant = variant_of(game, begun.setup, len(begun.chairs))
    played = (one for one in timeline(game, entries) if one.move and not one.undone)
    return ExploredMatch(facts, variant, [_decision(variant, facts, one) for one in played])


def stage_of(decided: int, seats: int) -> int:
    """The stage after a number of decisions: 0 during the first decision per seat on average; each
    further stage lasts until the number of decisions has doubled.
    """
    return (decided // seats).bit_length()


def stage_span(stage: int, seats: int) -> tuple[int, int]:
    """The first and the last decision of a stage, counted from 1."""
    return (1 << stage >> 1) * seats + 1, (1 << stage) * seats


def _decision(variant: Variant, facts: Facts, moment: TimelineEntry) -> Decision:
    move = json_codec.to_json(moment.move)
    seat = facts.seats[move["seat"]]
    place = (
        canonical_position(variant, moment.before) if moment.number <= MAX_KEYED_DECISIONS else None
    )
    return Decision(
        version=moment.version,
        key=place.key if place else None,
        move=canonical_move(place, move) if place else move,
        stage=stage_of(moment.number - 1, variant.seats),
        kind=move["type"],
        names=touches_of_move(variant, moment.before, move),
        group=_group(moment.actor, seat),
        share=seat.share,
        points=seat.points,
    )


def _group(actor: str, seat: SeatFacts) -> str:
    """The group of similar strength that the decider belongs to."""
    if actor.startswith("bot:"):
        return actor
    below, above, unknown = PLAYER_GROUPS
    if seat.rating is None or seat.bot is not None:
        return unknown
    return below if seat.rating[0] < MIDDLE_RATING else above


_touches: OrderedDict[tuple[str, bytes], tuple[str, ...]] = OrderedDict()
"""Touches by variant and move, because the same moves recur; the oldest first."""


def touches_of_move(variant: Variant, state: Any, move: Json) -> tuple[str, ...]:  # noqa: ANN401
    """The touches of a move in a state, as if its seat were the first of all equivalent seats.

    Equivalent moves have the same touches.
    """
    ways = symmetries_for(variant, (move["seat"],))
    return min(_touches_from_cache(variant, way, state, way.forward(move)) for way in ways)


def _touches_from_cache(
    variant: Variant,
    way: Symmetry,
    state: Any,  # noqa: ANN401  any game's
    image: Json,
) -> tuple[str, ...]:
    which = variant.key, json_codec.encode(image)
    if (known := _touches.get(which)) is not None:
        return known
    found = _touches[which] = _find_touches(variant.game, way, state, image)
    if len(_touches) > MAX_CACHED_MOVES:
        _touches.popitem(last=False)
    return found


def _find_touches(game: Game[Any], way: Symmetry, state: Any, image: Json) -> tuple[str, ...]:  # noqa: ANN401
    seat = way.seats.index(image["seat"])
    lasting, changing = (
        json_codec.json_round_trip(part) for part in split_view(game, game.view(state, seat))
    )
    view = msgspec.convert(lasting | way.forward(changing), game.view_type)
    touched = next(iter(game.pointing.touches(view, read_canonical_move(game, image))))
    return tuple(dict.fromkeys(touched))
