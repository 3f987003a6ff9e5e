"""The turning points of an analysed match in words, and the better moves on the board."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from domain.analysis.analysis import Analysis, Choice
from domain.engine.codecs.json_codec import read_move
from domain.engine.play import Move, Seat
from domain.match.decisions import playing
from domain.match.events import TimeReturned
from domain.match.log import Entry, read_events
from domain.match.log import read_move as read_recorded_move
from domain.match.state import Match
from service.matches import queries
from service.matches.container import Annals
from service.matches.sentences import Narrator, RenderedSentence, acting_seat
from service.runtime.errors import NotFound


class TurningPoint(msgspec.Struct, frozen=True):
    """A turning point: what happened, and what the better move would have done for certain, if one
    was found.
    """

    version: int
    seat: Seat | None  # that acted
    choice: Choice | None  # None if it was no decision, such as a resignation
    sentences: list[RenderedSentence]
    best_sentences: list[RenderedSentence]


class BetterMove(msgspec.Struct, frozen=True):
    """A better move, and the match before it."""

    match: Match
    move: Move


def list_turning_points(
    annals: Annals, match: Match, analysis: Analysis, language: str
) -> Iterator[TurningPoint]:
    """Yield the turning points of a scored match, the oldest first."""
    choices = {choice.version: choice for choice in analysis.choices}
    names = queries.seat_names(annals, match, language)
    for version in analysis.turning_points:
        (entry,) = annals.store.read(match.id, after=version - 1, limit=1)
        choice = choices.get(version)
        before = queries.at_version(annals, match, version - 1)
        best = _best_move(before, choice) if choice else None
        seat = acting_seat(match, entry)
        narrator = Narrator(before, seat, language, names)
        yield TurningPoint(
            version,
            seat,
            choice,
            _describe_move(match, entry, narrator)
            if entry.move
            else _describe_entry(entry, Narrator(match, None, language, names)),
            narrator.of_move(best, playing.preview(before, best)) if best else [],
        )


def _describe_move(match: Match, entry: Entry, narrator: Narrator) -> list[RenderedSentence]:
    """Say what a recorded move did, and what followed."""
    events = queries.visible_events(match, read_events(match.game, entry.events), None)
    return narrator.of_move(read_recorded_move(match.game, entry.move), events)


def _describe_entry(entry: Entry, narrator: Narrator) -> list[RenderedSentence]:
    """Say what happened without a move, before what an outage changed."""
    events = read_events(narrator.match.game, entry.events)
    seen = queries.visible_events(narrator.match, events, None)
    return narrator.of_events(sorted(seen, key=lambda event: isinstance(event, TimeReturned)))


def find_better_move(annals: Annals, match: Match, analysis: Analysis, version: int) -> BetterMove:
    """Return the better move than the one at a version. Raises NotFound if there is none."""
    for choice in analysis.choices:
        if choice.version == version and choice.best is not None:
            before = queries.at_version(annals, match, version - 1)
            return BetterMove(before, read_move(match.game, choice.seat, choice.best))
    raise NotFound("The analysis has no better move at this version.")


def _best_move(before: Match, choice: Choice) -> Move | None:
    return None if choice.best is None else read_move(before.game, choice.seat, choice.best)
