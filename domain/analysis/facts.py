"""The facts of a match that is over: what statistics count of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from domain.analysis.timeline import Moment, followed
from domain.engine.game import Game, Json
from domain.engine.play import Seat
from domain.engine.scoring import Line
from domain.match.decisions.ending import competitors
from domain.match.events import Ended, Rated, Started, TimedOut
from domain.match.lines import lines_of
from domain.match.log import AnyEvent, Entry
from domain.match.state import Match

Given = Literal["fork", "position", "seed"]
"""With what a match began that others do not begin with."""


class SeatFacts(msgspec.Struct, frozen=True):
    """What became of a seat. Times in ms."""

    player: str | None  # the id of whoever held it
    bot: str | None  # the level that plays it, instead of its holder if it has one
    points: int
    place: int  # from 1
    share: float  # of the victory: 1 divided by the number of winners, or 0; 1 if won together
    breakdown: dict[str, int]  # the points by where they come from
    decisions: int  # on the line that was played
    ms: int  # for these decisions
    undos: int  # undos and redos that it wanted, and got
    timed_out: bool
    resigned: bool
    rating: tuple[float, float] | None  # mu and sigma before the match, if it was rated
    first: str  # its first decision: what is touched for it


class Facts(msgspec.Struct, frozen=True):
    """What is counted of a match that is over. Times in ms since the epoch, UTC."""

    match: str
    game: str
    rules: int
    options: Json
    created: int
    started: int
    ended: int
    end: str  # how the game ended, as its scoring tells it; or `length`, `resignation`
    visibility: Literal["public", "private"]
    unrated: str | None
    given: Given | None
    together: bool  # whether all seats win or none does
    decisions: int  # on the line that was played
    undos: int
    seats: tuple[SeatFacts, ...]

    @property
    def minutes(self) -> float:
        """How long it took."""
        return (self.ended - self.started) / 60_000

    @property
    def forfeited(self) -> bool:
        """Whether somebody gave up before they had decided anything: perhaps they sat down by
        accident.
        """
        return any(seat.resigned and not seat.decisions for seat in self.seats)


class _Story(msgspec.Struct):
    """What is found out while a match is followed."""

    started: int = 0
    ended: int = 0
    decisions: Counter[Seat] = msgspec.field(default_factory=Counter)
    thought: Counter[Seat] = msgspec.field(default_factory=Counter)
    first: dict[Seat, str] = msgspec.field(default_factory=dict)
    timed_out: set[Seat] = msgspec.field(default_factory=set)
    ratings: dict[str, tuple[float, float]] = msgspec.field(default_factory=dict)

    def decided(self, game: Game[Any], moment: Moment) -> None:
        """A decision of the line that was played."""
        seat = moment.seat
        if seat is None or moment.undone:
            return
        if seat not in self.first:
            self.first[seat] = way_of(game, moment)
        self.decisions[seat] += 1
        self.thought[seat] += moment.ms

    def happened(self, event: AnyEvent, at: int) -> None:
        """An event of the match, at this time."""
        match event:
            case Started():
                self.started = at
            case Ended():
                self.ended = at
            case TimedOut(seat=seat):
                self.timed_out.add(seat)
            case Rated(changes=changes):
                self.ratings = {one.competitor: one.before for one in changes}
            case _:  # counts for nothing
                pass


def facts_of(game: Game[Any], entries: Sequence[Entry]) -> Facts | None:
    """The facts of a match from its entries, oldest first; None unless it has been scored; Damaged
    if an entry makes no sense.
    """
    story, match = _Story(), None
    for match, moment, events in followed(game, entries):
        if moment:
            story.decided(game, moment)
        for event in events:
            story.happened(event, match.updated_at)
    if match is None or match.scoring is None:
        return None
    return _facts(match, story, Counter(one.player for one in lines_of(game, entries).undos))


def way_of(game: Game[Any], moment: Moment) -> str:
    """What is touched for a decision, the first way to point at it: names with a space between."""
    view = game.view(moment.before, moment.seat)
    return " ".join(next(iter(game.touches(view, moment.move))))


def _facts(match: Match, story: _Story, undos: Counter[str]) -> Facts:
    assert match.scoring
    return Facts(
        match=match.id,
        game=match.game.key,
        rules=match.rules,
        options=match.options,
        created=match.created_at,
        started=story.started,
        ended=story.ended,
        end=match.scoring.reason,
        visibility=match.visibility,
        unrated=match.unrated,
        given=_given(match),
        together=match.game.together(match.setup),
        decisions=story.decisions.total(),
        undos=undos.total(),
        seats=tuple(_seat(match, line, story, undos) for line in match.scoring.lines),
    )


def _given(match: Match) -> Given | None:
    if match.forked_from:
        return "fork"
    if match.position is not None:
        return "position"
    return "seed" if match.seed_index is None else None


def _seat(match: Match, line: Line, story: _Story, undos: Counter[str]) -> SeatFacts:
    assert match.scoring
    chair, seat = match.chairs[line.seat], line.seat
    return SeatFacts(
        player=chair.player,
        bot=chair.bot,
        points=line.points,
        place=line.rank,
        share=match.scoring.share(seat),
        breakdown=line.breakdown,
        decisions=story.decisions[seat],
        ms=story.thought[seat],
        undos=undos[chair.player or ""],
        timed_out=seat in story.timed_out,
        resigned=chair.resigned,
        rating=story.ratings.get(competitors(match)[seat]),
        first=story.first.get(seat, ""),
    )
