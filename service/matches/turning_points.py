"""The turning points of an analysed match in words, and the better moves on the board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Literal

import msgspec

from domain.analysis.analysis import Analysis, Choice
from domain.engine import game as engine
from domain.engine.codecs.json_codec import read_move
from domain.engine.dice import Luck
from domain.engine.game import Game
from domain.engine.play import Event, Move, Seat
from domain.match.events import TimeReturned
from domain.match.log import Entry, read_events
from domain.match.log import read_move as read_recorded_move
from domain.match.state import Match
from service.matches import queries
from service.matches.container import Annals
from service.matches.sentences import Narrator, RenderedSentence, acting_seat
from service.runtime.errors import NotFound
from service.runtime.event_loop import in_steps

MAX_MOVES = 8
"""Maximum number of moves that complete a better one."""


class TurningPoint(msgspec.Struct, frozen=True):
    """A turning point: what happened, the change in chance that makes it one, and, if a decision
    gave that away, what the better move would have done for certain.
    """

    version: int
    seat: Seat | None  # that acted
    choice: Choice | None  # None if it was no decision, such as a resignation
    reason: Literal["error", "swing"]
    change: float
    change_seat: Seat  # whose chance it is
    sentences: list[RenderedSentence]
    best_sentences: list[RenderedSentence]


class BetterMove(msgspec.Struct, frozen=True):
    """A better move: if it only begins something, such as to lift a piece, the move that completes
    that, with its events and the view of its seat after it.
    """

    move: Move
    events: Sequence[Event[Any]]
    view: Any


def list_turning_points(
    annals: Annals, match: Match, analysis: Analysis, language: str
) -> Iterator[TurningPoint]:
    """Yield the turning points of a scored match, the oldest first."""
    choices = {choice.version: choice for choice in analysis.choices}
    for turn in analysis.turning_point_changes:
        version = turn.version
        (entry,) = annals.store.read(match.id, after=version - 1, limit=1)
        choice = choices.get(version)
        before = queries.at_version(annals, match, version - 1)
        names = queries.seat_names(annals, before, language)  # of the players of then
        best = _best_move(before, choice) if choice and turn.is_error else None
        seat = acting_seat(match, entry)
        narrator = Narrator(before, seat, language, names)
        yield TurningPoint(
            version,
            seat,
            choice,
            "error" if turn.is_error else "swing",
            turn.change,
            turn.seat,
            _describe_move(match, entry, narrator)
            if entry.move
            else _describe_entry(entry, Narrator(match, None, language, names)),
            narrator.of_move(best.move, best.events) if best else [],
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
            return _complete_move(
                match.game, before.state, read_move(match.game, choice.seat, choice.best)
            )
    raise NotFound("The analysis has no better move at this version.")


def _best_move(before: Match, choice: Choice) -> BetterMove | None:
    if choice.best is None:
        return None
    return _complete_move(
        before.game, before.state, read_move(before.game, choice.seat, choice.best)
    )


def _complete_move(
    game: Game[Any],
    state: Any,  # noqa: ANN401  any game
    move: Move,
    most: int = MAX_MOVES,
) -> BetterMove:
    """Return a move, or the last of those that complete what it begins: each the best by the
    evaluation of the game.
    """
    events = engine.preview(game, state, move)
    after = engine.fold(state.copy(), events)
    better = BetterMove(move, events, game.view(after, move.seat))
    if most == 1 or not _only_begins(game, better):
        return better
    begun = _advance(game, state, move)
    following = engine.legal_moves(game, begun, move.seat)
    best = max(in_steps(following), key=partial(_evaluate_after, game, begun))
    return _complete_move(game, begun, best, most - 1)


def _only_begins(game: Game[Any], better: BetterMove) -> bool:
    """Whether a later sentence says the whole of all that a move did."""
    said = (engine.describe_event(game, event, better.view) for event in better.events)
    parts = [one.partial for one in said if one]
    return bool(parts) and all(parts)


def _evaluate_after(game: Game[Any], state: Any, move: Move) -> float:  # noqa: ANN401  of any game
    return engine.evaluate(game, _advance(game, state, move), move.seat)


def _advance(game: Game[Any], state: Any, move: Move) -> Any:  # noqa: ANN401  any game
    """Return the state after a move, with some dice."""
    after = state.copy()
    engine.advance(game, after, move, Luck(0))
    return after
