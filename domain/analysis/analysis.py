"""The analysis of a match that is over: chances, errors, luck, and when it turned."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from statistics import fmean
from typing import Any

import msgspec

from domain.analysis.attribution import Ledger, lead_changes, turning_points
from domain.analysis.chances import Chances, Stage, chances, shares
from domain.analysis.errors import accuracy, weigh
from domain.analysis.luck import drawn
from domain.analysis.search_budget import SETUPS, effort
from domain.analysis.timeline import Moment, followed
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import Game, Json, fold, legal_moves
from domain.engine.play import Move, Seat
from domain.engine.scoring import Scoring
from domain.match.events import Resigned
from domain.match.lines import lines_of
from domain.match.log import Entry
from domain.match.state import Match

MODEL = 1
"""Version of the method: grows when the same match would be told otherwise."""


def method_of(game: Game[Any]) -> str:
    """What an analysis follows from besides the match, in short: versions of the rules and of the
    method, and the curves.
    """
    return f"{game.rules}-{MODEL}-{game.calibration.mark}"


class CannotBeAnalysed(Exception):
    """The match is not over, or was played by other rules than those of today; says so."""


class Choice(msgspec.Struct, frozen=True):
    """A decision of the line that was played. Chances by seat, from 0 to 1."""

    version: int
    number: int  # from 1
    seat: Seat
    legal: int  # how many moves there were
    before: Chances
    after: Chances
    best: Json | None  # a better move, if one was found
    error: float | None  # how much of the chance to win was given away; None if it was forced
    accuracy: float | None  # from 0 to 100; None if it was forced


class Draw(msgspec.Struct, frozen=True):
    """What chance decided in one entry."""

    version: int
    draw: int  # its number
    what: tuple[str, ...]  # the types of the events that could have been others
    dice: int  # how many numbers fell
    outcomes: float  # how many ways there were for them to fall
    luck: tuple[float, ...]  # by seat, chance to win that it gained or lost by it


class SeatAnalysis(msgspec.Struct, frozen=True):
    """What became of the chance of a seat: `luck + own + others = result - start`."""

    start: float  # before anything was drawn
    result: float  # its share of the win
    luck: float  # gained by all draws
    own: float  # by its own decisions
    others: float  # by those of others, and by an end that no rule brought about
    adjusted: float  # the result without the luck: result - luck; can be beyond 0 and 1
    accuracy: float | None  # mean of its decisions that were not forced
    error: float  # likewise


class Analysis(msgspec.Struct, frozen=True):
    """All that was found out of a match."""

    match: str
    game: str
    rules: int
    model: int
    fitted: int  # matches on which the curve from evaluations to chances was fitted; 0: none was
    choices: tuple[Choice, ...]
    draws: tuple[Draw, ...]
    seats: tuple[SeatAnalysis, ...]
    turning_points: tuple[int, ...]  # the versions with the largest swings
    lead_changes: tuple[int, ...]  # the versions after which another seat was the likeliest winner


def analyse(
    game: Game[Any], entries: Sequence[Entry], tell: Callable[[int, int], None]
) -> Analysis:
    """Analyse a match from its entries, oldest first; the same match gives the same analysis.

    `tell(done, of)` hears of each entry that is done. CannotBeAnalysed unless the match is scored
    and was played by the rules of today; Damaged if an entry makes no sense.
    """
    if any(entry.rules != game.rules for entry in entries):
        raise CannotBeAnalysed(f"It was not played by version {game.rules} of the rules.")
    decisions = len(lines_of(game, entries).played)
    story: _Story | None = None
    match: Match | None = None
    for done, (match, moment, events) in enumerate(followed(game, entries), 1):
        if moment and not moment.undone:
            story = story or _Story(match, decisions)
            story.play(match, moment)
        gone = frozenset(event.seat for event in events if isinstance(event, Resigned))
        if story and gone:
            story.resign(match, gone)
        tell(done, len(entries))
    if match is None or story is None or match.scoring is None:
        raise CannotBeAnalysed("It is not over.")
    return story.told(match, match.scoring)


class _Story:
    """The match as far as it has been analysed."""

    def __init__(self, match: Match, decisions: int) -> None:
        self.game = match.game
        self.stage = _begun(match)
        self.curve = self.game.calibration.curve(self.stage.seats, self.stage.mode)
        if match.position is not None:  # as if it were the middle of a match
            self.stage = self.stage.later(round(self.curve.usual / 2))
        self.effort = effort(decisions, self.stage.seats)
        self.state: Any = None
        self.ledger = Ledger(self.stage.seats)
        self.choices: list[Choice] = []
        self.draws: list[Draw] = []

    def play(self, match: Match, moment: Moment) -> None:
        """The start, or a decision."""
        if moment.seat is not None:
            self.stage = self.stage.later()
        before = self.ledger.now
        self.state = fold(moment.before.copy(), moment.events)
        after = chances(self.game, self.state, self.stage)
        if moment.draw is None:
            self.ledger.enter(moment.version, after, _deciders(moment))
        else:
            self.draws.append(self._draw(match, moment, moment.draw, after))
        if moment.move is not None:
            self.choices.append(self._choice(match, moment, moment.move, before, after))

    def resign(self, match: Match, gone: frozenset[Seat]) -> None:
        """Seats gave up: what they had left is for the others."""
        self.stage = self.stage._replace(out=self.stage.out | gone)
        self.ledger.enter(match.version, chances(self.game, self.state, self.stage), gone)

    def told(self, match: Match, scoring: Scoring) -> Analysis:
        """All of it, now that the result is known."""
        result = shares(scoring)
        if result != self.ledger.now:  # it ended before the game was over
            self.ledger.enter(match.version, result, ())
        return Analysis(
            match=match.id,
            game=self.game.key,
            rules=match.rules,
            model=MODEL,
            fitted=self.curve.matches,
            choices=tuple(self.choices),
            draws=tuple(self.draws),
            seats=tuple(map(self._seat, range(self.stage.seats))),
            turning_points=turning_points(self.ledger.swings),
            lead_changes=() if self.stage.together else lead_changes(self.ledger.swings),
        )

    def _draw(self, match: Match, moment: Moment, draw: int, after: Chances) -> Draw:
        redraws = SETUPS if moment.move is None else self.effort.redraws
        found = drawn(match, moment, self.stage, redraws)
        luck = self.ledger.enter(moment.version, after, _deciders(moment), found.mean)
        return Draw(moment.version, draw, found.what, found.dice, found.outcomes, luck)

    def _choice(
        self, match: Match, moment: Moment, move: Move, before: Chances, after: Chances
    ) -> Choice:
        legal = legal_moves(self.game, moment.before, move.seat)
        best, error = None, None
        if len(legal) > 1:
            dice = Luck(f"{match.id} {moment.version} error")
            best, error = weigh(
                self.game, moment.before, move, legal, self.stage, self.effort, dice
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
        account = self.ledger
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


def _begun(match: Match) -> Stage:
    """Before the first decision."""
    options = json_codec.read_options(match.game, match.options)
    return Stage(
        seats=len(match.chairs),
        mode=match.game.unusual_mode(options),
        together=match.game.together(match.setup),
    )


def _deciders(moment: Moment) -> tuple[Seat, ...]:
    return () if moment.seat is None else (moment.seat,)
