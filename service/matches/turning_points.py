"""The turning points of an analysed match in words, and the better moves on the board."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from domain.analysis.analysis import Analysis, Choice
from domain.engine.codecs.json_codec import read_move
from domain.engine.play import Move, Seat
from domain.match.decisions import playing
from domain.match.log import AnyEvent, Entry, read_events
from domain.match.state import Match
from service.matches import queries
from service.matches.container import Annals
from service.matches.sentences import RenderedSentence, acting_seat, narrator_for
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
    narrator = narrator_for(annals, match, None, language)
    for version in analysis.turning_points:
        (entry,) = annals.store.read(match.id, after=version - 1, limit=1)
        choice = choices.get(version)
        better = _better_move(annals, match, choice) if choice else None
        yield TurningPoint(
            version,
            acting_seat(match, entry),
            choice,
            narrator.of_preview(_visible_events(match, entry)),
            narrator.of_preview(playing.preview(better.match, better.move)) if better else [],
        )


def find_better_move(annals: Annals, match: Match, analysis: Analysis, version: int) -> BetterMove:
    """Return the better move than the one at a version. Raises NotFound if there is none."""
    for choice in analysis.choices:
        if choice.version == version and (better := _better_move(annals, match, choice)):
            return better
    raise NotFound("The analysis has no better move at this version.")


def _visible_events(match: Match, entry: Entry) -> list[AnyEvent]:
    return queries.visible_events(match, read_events(match.game, entry.events), None)


def _better_move(annals: Annals, match: Match, choice: Choice) -> BetterMove | None:
    if choice.best is None:
        return None
    before = queries.at_version(annals, match, choice.version - 1)
    return BetterMove(before, read_move(match.game, choice.seat, choice.best))
