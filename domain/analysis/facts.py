"""The facts of a finished match that statistics count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Literal

import msgspec

from domain.analysis.timeline import TimelineEntry, replay_match
from domain.engine.game import Game, Json
from domain.engine.play import Seat
from domain.engine.scoring import ScoreLine
from domain.match.decisions.ending import competitors
from domain.match.events import Ended, Rated, Started, TimedOut, TimeReturned
from domain.match.lines import lines_of
from domain.match.log import AnyEvent, Entry
from domain.match.social_events import Resumed
from domain.match.state import Match

StartSource = Literal["fork", "position", "seed"]
"""What a match started from, if not from a normal setup."""


class SeatFacts(msgspec.Struct, frozen=True):
    """The facts of a seat. Times are in ms."""

    player: str | None  # id of the player who held it
    bot: str | None  # level of the bot that played it at the end
    points: int
    place: int  # from 1
    share: float  # of the victory: 1 / number of winners, or 0; 1 for each seat of a winning team
    breakdown: dict[str, int]  # points by source
    decisions: int  # on the line that was played
    ms: int  # for these decisions
    undos: int  # undos and redos that it asked for and got
    timed_out: bool
    resigned: bool
    rating: tuple[float, float] | None  # mu and sigma before the match; None if it was not rated
    first: str  # touches of its first decision


class Facts(msgspec.Struct, frozen=True):
    """The facts of a finished match. Times are in ms since the epoch, UTC."""

    match: str
    game: str
    rules: int
    options: Json
    created: int
    started: int
    ended: int
    returned: int  # after outages and pauses, between start and end
    end: str  # the reason in its scoring, or `length`, or `resignation`
    visibility: Literal["public", "private"]
    unrated: str | None
    given: StartSource | None
    together: bool  # whether all seats win or lose together
    decisions: int  # on the line that was played
    undos: int
    seats: tuple[SeatFacts, ...]

    @property
    def minutes(self) -> float:
        """The duration of the match without outages and pauses."""
        return (self.ended - self.started - self.returned) / 60_000

    @property
    def forfeited(self) -> bool:
        """Whether a seat resigned before its first decision; its player may have sat down by
        accident.
        """
        return any(seat.resigned and not seat.decisions for seat in self.seats)


class _FactCollector(msgspec.Struct):
    """The facts found so far."""

    started: int = 0
    ended: int = 0
    returned: int = 0
    decisions: Counter[Seat] = msgspec.field(default_factory=Counter)
    thought: Counter[Seat] = msgspec.field(default_factory=Counter)
    first: dict[Seat, str] = msgspec.field(default_factory=dict)
    timed_out: set[Seat] = msgspec.field(default_factory=set)
    ratings: dict[str, tuple[float, float]] = msgspec.field(default_factory=dict)

    def add_decision(self, game: Game[Any], moment: TimelineEntry) -> None:
        """Add a decision."""
        seat = moment.seat
        if seat is None or moment.undone:
            return
        if seat not in self.first:
            self.first[seat] = touches_of(game, moment)
        self.decisions[seat] += 1
        self.thought[seat] += moment.ms

    def add_event(self, event: AnyEvent, at: int) -> None:
        """Add an event of the match."""
        match event:
            case Started():
                self.started, self.returned = at, 0
            case Ended():
                self.ended = at
            case TimeReturned(ms=ms) | Resumed(ms=ms):
                self.returned += ms
            case TimedOut(seat=seat):
                self.timed_out.add(seat)
            case Rated(changes=changes):
                self.ratings = {one.competitor: one.before for one in changes}
            case _:  # no fact
                pass


def facts_of(game: Game[Any], entries: Sequence[Entry]) -> Facts | None:
    """The facts of a match from its entries, oldest first; None unless it is scored.

    Raises CorruptEntry if an entry makes no sense.
    """
    story, match = _FactCollector(), None
    for match, moment, events in replay_match(game, entries):
        if moment:
            story.add_decision(game, moment)
        for event in events:
            story.add_event(event, match.updated_at)
    if match is None or match.scoring is None:
        return None
    return _facts(match, story, Counter(one.player for one in lines_of(game, entries).undos))


def touches_of(game: Game[Any], moment: TimelineEntry) -> str:
    """The touches of a decision, separated by spaces; the first of the possible sequences."""
    view = game.view(moment.before, moment.seat)
    return " ".join(next(iter(game.pointing.touches(view, moment.move))))


def _facts(match: Match, story: _FactCollector, undos: Counter[str]) -> Facts:
    assert match.scoring
    return Facts(
        match=match.id,
        game=match.game.key,
        rules=match.rules,
        options=match.options,
        created=match.created_at,
        started=story.started,
        ended=story.ended,
        returned=story.returned,
        end=match.scoring.reason,
        visibility=match.visibility,
        unrated=match.unrated,
        given=_start_source(match),
        together=match.game.is_cooperative(match.setup),
        decisions=story.decisions.total(),
        undos=undos.total(),
        seats=tuple(_seat(match, line, story, undos) for line in match.scoring.lines),
    )


def _start_source(match: Match) -> StartSource | None:
    if match.forked_from:
        return "fork"
    if match.position is not None:
        return "position"
    return "seed" if match.seed_index is None else None


def _seat(match: Match, line: ScoreLine, story: _FactCollector, undos: Counter[str]) -> SeatFacts:
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
