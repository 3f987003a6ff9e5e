"""The analysis of a finished match: chances, errors, luck, and turning points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

import msgspec

from domain.analysis.attribution import Attribution, lead_changes
from domain.analysis.chances import Chances, chances, start_stage, win_shares
from domain.analysis.errors import accuracy, decision_error
from domain.analysis.luck import measure_draw
from domain.analysis.search_budget import SETUP_REDRAWS, search_budget
from domain.analysis.timeline import TimelineEntry, replay_match
from domain.analysis.turning_points import TurningPoint, find_turning_points
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import Game, Json, fold, legal_moves
from domain.engine.play import Move, Seat
from domain.engine.scoring import Scoring
from domain.match.events import Resigned
from domain.match.lines import lines_of
from domain.match.log import Entry
from domain.match.state import Match

METHOD_VERSION = 3
"""Version of the method; increases when it would analyse the same match differently."""


def method_of(game: Game[Any]) -> str:
    """A short name for all that an analysis depends on besides the match: the versions of the rules
    and of the method, and the curves.
    """
    return f"{game.rules}-{METHOD_VERSION}-{game.resources.calibration.mark}"


class CannotBeAnalysed(Exception):
    """The match is not over, or was played by another version of the rules."""


class Choice(msgspec.Struct, frozen=True):
    """A decision of the line that was played. Chances are by seat, from 0 to 1."""

    version: int
    number: int  # from 1
    seat: Seat
    legal: int  # number of legal moves
    before: Chances
    after: Chances
    best: Json | None  # a better move, if one was found
    error: float | None  # the chance to win that the move gave away; None if it was forced
    accuracy: float | None  # from 0 to 100; None if it was forced


class Draw(msgspec.Struct, frozen=True):
    """The chance events of one entry."""

    version: int
    draw: int  # its number
    what: tuple[str, ...]  # types of the events that could have been different
    dice: int  # numbers drawn
    outcomes: float  # number of possible results
    luck: tuple[float, ...]  # by seat: the chance to win that it gained (or lost)


class SeatAnalysis(msgspec.Struct, frozen=True):
    """Where the chance of a seat went: `luck + own + others = result - start`."""

    start: float  # before the first draw
    result: float  # its share of the win
    luck: float  # gained by all draws
    own: float  # by its own decisions
    others: float  # by decisions of other seats, and by an early end of the match
    adjusted: float  # result - luck; may be below 0 or above 1
    accuracy: float | None  # mean over decisions that were not forced
    error: float  # mean over decisions that were not forced


class Analysis(msgspec.Struct, frozen=True):
    """All results for a match."""

    match: str
    game: str
    rules: int
    model: int
    fitted: int  # matches that the curve from evaluations to chances was fitted to; 0 if none
    choices: tuple[Choice, ...]
    draws: tuple[Draw, ...]
    seats: tuple[SeatAnalysis, ...]
    turning_points: tuple[int, ...]  # versions with the largest changes and errors
    lead_changes: tuple[int, ...]  # versions after which another seat was the most likely winner
    turning_point_changes: tuple[TurningPoint, ...] = ()  # what makes each of them one


def analyse(
    game: Game[Any], entries: Sequence[Entry], report_progress: Callable[[int, int], None]
) -> Analysis:
    """Analyse a match from its entries, oldest first. The same match gives the same analysis.

    Calls `report_progress(done, total)` after each entry. Raises CannotBeAnalysed unless the match
    is scored and was played by the current rules; CorruptEntry if an entry makes no sense.
    """
    if any(entry.rules != game.rules for entry in entries):
        raise CannotBeAnalysed(f"It was not played by version {game.rules} of the rules.")
    decisions = len(lines_of(game, entries).played)
    analysis: _MatchAnalysis | None = None
    match: Match | None = None
    for done, (match, moment, events) in enumerate(replay_match(game, entries), 1):
        if moment and not moment.undone:
            analysis = analysis or _MatchAnalysis(match, decisions)
            analysis.play(match, moment)
        resigned = frozenset(event.seat for event in events if isinstance(event, Resigned))
        if analysis and resigned:
            analysis.resign(match, resigned)
        report_progress(done, len(entries))
    if match is None or analysis is None or match.scoring is None:
        raise CannotBeAnalysed("It is not over.")
    return analysis.result(match, match.scoring)


class _MatchAnalysis:
    """The analysis so far."""

    def __init__(self, match: Match, decisions: int) -> None:
        self.game = match.game
        self.stage = start_stage(match)
        self.curve = self.game.resources.calibration.curve(self.stage.seats, self.stage.mode)
        self.budget = search_budget(decisions, self.stage.seats)
        self.state: Any = None
        self.attribution = Attribution(self.stage.seats)
        self.choices: list[Choice] = []
        self.draws: list[Draw] = []
        self.without_choice: set[int] = set()  # versions

    def play(self, match: Match, moment: TimelineEntry) -> None:
        """Add the start, or a decision."""
        if moment.seat is not None:
            self.stage = self.stage.later()
        before = self.attribution.now
        self.state = fold(moment.before.copy(), moment.events)
        after = chances(self.game, self.state, self.stage)
        if moment.draw is None:
            self.attribution.add(moment.version, after, _deciders(moment))
        else:
            self.draws.append(self._draw(match, moment, moment.draw, after))
        if moment.move is not None:
            self.choices.append(self._choice(match, moment, moment.move, before, after))
        if moment.move is None or self.choices[-1].error is None:
            self.without_choice.add(moment.version)

    def resign(self, match: Match, resigned: frozenset[Seat]) -> None:
        """Give the remaining chance of resigned seats to the others."""
        self.stage = self.stage._replace(resigned=self.stage.resigned | resigned)
        self.attribution.add(match.version, chances(self.game, self.state, self.stage), resigned)

    def result(self, match: Match, scoring: Scoring) -> Analysis:
        """The whole analysis, with the result of the match."""
        result = win_shares(scoring)
        if result != self.attribution.now:  # the match ended before the game did
            self.attribution.add(match.version, result, ())
        turns = find_turning_points(self.attribution.swings, self._errors(), self.without_choice)
        return Analysis(
            match=match.id,
            game=self.game.key,
            rules=match.rules,
            model=METHOD_VERSION,
            fitted=self.curve.matches,
            choices=tuple(self.choices),
            draws=tuple(self.draws),
            seats=tuple(map(self._seat, range(self.stage.seats))),
            turning_points=tuple(turn.version for turn in turns),
            lead_changes=() if self.stage.is_cooperative else lead_changes(self.attribution.swings),
            turning_point_changes=turns,
        )

    def _errors(self) -> dict[int, tuple[Seat, float]]:
        """The seat and the error of each decision that was not forced, by version."""
        found = ((one.version, one.seat, one.error) for one in self.choices)
        return {version: (seat, error) for version, seat, error in found if error is not None}

    def _draw(self, match: Match, moment: TimelineEntry, draw: int, after: Chances) -> Draw:
        redraws = SETUP_REDRAWS if moment.move is None else self.budget.redraws
        found = measure_draw(match, moment, self.stage, redraws)
        luck = self.attribution.add(moment.version, after, _deciders(moment), found.mean)
        return Draw(moment.version, draw, found.what, found.dice, found.outcomes, luck)

    def _choice(
        self, match: Match, moment: TimelineEntry, move: Move, before: Chances, after: Chances
    ) -> Choice:
        legal = legal_moves(self.game, moment.before, move.seat)
        best, error = None, None
        if len(legal) > 1:
            dice = Luck(f"{match.id} {moment.version} error")
            best, error = decision_error(
                self.game, moment.before, move, legal, self.stage, self.budget, dice
            )
        return Choice(
            version=moment.version,
            number=moment.number,
            seat=move.seat,
            legal=len(legal),
            before=before,
            after=after,
            best=json_codec.to_json(best) if best else None,
            error=error,
            accuracy=None if error is None else accuracy(error),
        )

    def _seat(self, seat: Seat) -> SeatAnalysis:
        account = self.attribution
        free = [one for one in self.choices if one.seat == seat and one.error is not None]
        return SeatAnalysis(
            start=account.start[seat],
            result=account.now[seat],
            luck=account.luck[seat],
            own=account.own[seat],
            others=account.others[seat],
            adjusted=account.now[seat] - account.luck[seat],
            accuracy=fmean(one.accuracy or 0.0 for one in free) if free else None,
            error=fmean(one.error or 0.0 for one in free) if free else 0.0,
        )


def _deciders(moment: TimelineEntry) -> tuple[Seat, ...]:
    return () if moment.seat is None else (moment.seat,)
