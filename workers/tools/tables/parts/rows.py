"""Computes the rows of one match."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import Raw, Struct

from domain.analysis.analysis import Analysis, Choice, Draw
from domain.analysis.facts import Facts, facts_of
from domain.analysis.timeline import TimelineEntry, replay_match
from domain.engine.codecs.json_codec import encode, to_json
from domain.engine.game import Game, legal_moves
from domain.match.decisions.ending import competitors
from domain.match.events import Rated
from domain.match.log import AnyEvent, Entry
from domain.match.outcome import RatingChange
from domain.match.state import Match
from workers.tools.tables.parts.pseudonyms import Pseudonyms
from workers.tools.tables.parts.schema import DecisionRow, DrawRow, EventRow, MatchRow, SeatRow

BOT_PREFIX = "bot:"


class MatchContext(Struct, frozen=True):
    """What is known about a match besides its entries."""

    analysis: Analysis | None = None
    log_index: int | None = None
    fast: bool = False  # skip the legal moves, which take the most time


class Rows(NamedTuple):
    """The rows of a match, in the order of the tables."""

    matches: list[MatchRow]
    seats: list[SeatRow]
    decisions: list[DecisionRow]
    draws: list[DrawRow]
    events: list[EventRow]


def build_rows(
    game: Game[Any], entries: Sequence[Entry], pseudonyms: Pseudonyms, context: MatchContext
) -> Rows:
    """Return all rows of a scored match. Raises CorruptEntry if an entry is corrupt."""
    rows, analysis = Rows([], [], [], [], []), context.analysis
    choices = {one.version: one for one in analysis.choices} if analysis else {}
    draws = {one.version: one for one in analysis.draws} if analysis else {}
    changes: Sequence[RatingChange] = ()
    match: Match | None = None
    for entry, (match, moment, events) in zip(entries, replay_match(game, entries), strict=True):
        rows.events.extend(_event_rows(match, entry, events, pseudonyms))
        changes = next((event.changes for event in events if isinstance(event, Rated)), changes)
        if moment and moment.move:
            choice = choices.get(entry.version)
            legal = (
                choice.legal if choice else None if context.fast else _count_legal(match, moment)
            )
            rows.decisions.append(_decision_row(match, moment, choice, legal, pseudonyms))
        if moment and moment.draw is not None:
            rows.draws.append(_draw_row(match, moment, draws.get(entry.version)))
    facts = facts_of(game, entries)
    assert match
    assert facts
    rows.matches.append(_match_row(match, facts, context, len(rows.draws)))
    rows.seats.extend(_seat_rows(match, facts, changes, analysis, pseudonyms))
    return rows


def _match_row(match: Match, facts: Facts, context: MatchContext, draws: int) -> MatchRow:
    return MatchRow(
        match=match.id,
        rules=facts.rules,
        options=_json(facts.options),
        seats=len(match.chairs),
        persons=sum(chair.player is not None for chair in match.chairs),
        visibility=facts.visibility,
        undo=match.undo_policy,
        clock=_json(match.clock_rule) if match.clock_rule else None,
        created=facts.created,
        started=facts.started,
        ended=facts.ended,
        end_reason=facts.end,
        won=match.scoring.won if match.scoring else None,
        versions=match.version,
        decisions=facts.decisions,
        draws=draws,
        undos=facts.undos,
        rated=match.rated,
        unrated=facts.unrated,
        given=facts.given,
        forked_from=match.forked_from.match if match.forked_from else None,
        series=match.series.id if match.series else None,
        series_number=match.series.number if match.series else None,
        seed_hash=match.seed_hash,
        log_index=context.log_index,
        model=context.analysis.model if context.analysis else None,
    )


def _seat_rows(
    match: Match,
    facts: Facts,
    changes: Sequence[RatingChange],
    analysis: Analysis | None,
    people: Pseudonyms,
) -> Iterator[SeatRow]:
    rated = {change.competitor: change for change in changes}
    names = people.names_of({seat.player for seat in facts.seats if seat.player})
    for number, (seat, who) in enumerate(zip(facts.seats, competitors(match), strict=True)):
        rating, known = rated.get(who), analysis.seats[number] if analysis else None
        yield SeatRow(
            match=match.id,
            seat=number,
            player=people.pseudonym_of(seat.player) if seat.player else None,
            name=names.get(seat.player or ""),
            bot=seat.bot,
            score=seat.points,
            place=seat.place,
            win_share=seat.share,
            breakdown=_json(seat.breakdown),
            decisions=seat.decisions,
            ms=seat.ms,
            undos=seat.undos,
            timed_out=seat.timed_out,
            resigned=seat.resigned,
            first=seat.first,
            rating_before=rating.before[0] if rating else None,
            deviation_before=rating.before[1] if rating else None,
            rating_after=rating.after[0] if rating else None,
            deviation_after=rating.after[1] if rating else None,
            start=known.start if known else None,
            luck=known.luck if known else None,
            own=known.own if known else None,
            others=known.others if known else None,
            adjusted=known.adjusted if known else None,
            accuracy=known.accuracy if known else None,
            error=known.error if known else None,
        )


def _count_legal(match: Match, moment: TimelineEntry) -> int:
    """Return the number of legal moves at a decision."""
    assert moment.seat is not None
    return len(legal_moves(match.game, moment.before, moment.seat))


def _decision_row(
    match: Match,
    moment: TimelineEntry,
    choice: Choice | None,
    legal: int | None,
    people: Pseudonyms,
) -> DecisionRow:
    seat, move = moment.seat, moment.move
    assert seat is not None
    assert move is not None
    is_bot = moment.actor.startswith(BOT_PREFIX)
    scores = tuple(line.points for line in match.game.scoring(match.state).lines)
    arguments = to_json(move)
    best = choice.best if choice else None
    return DecisionRow(
        match=match.id,
        version=moment.version,
        number=moment.number,
        seat=seat,
        actor="bot" if is_bot else "person",
        player=None if is_bot else people.pseudonym_of(moment.actor),
        bot=moment.actor.removeprefix(BOT_PREFIX) if is_bot else None,
        decided=moment.at,
        ms=moment.ms,
        kind=arguments.pop("type"),
        arguments=_json({name: arguments[name] for name in arguments if name != "seat"}),
        n_legal=legal,
        score_after=scores[seat],
        scores=scores,
        win_before=choice.before[seat] if choice else None,
        win_after=choice.after[seat] if choice else None,
        chances=choice.after if choice else None,
        best_kind=best["type"] if best else None,
        best=_json(best) if best else None,
        error=choice.error if choice else None,
        accuracy=choice.accuracy if choice else None,
        undone=moment.undone,
    )


def _draw_row(match: Match, moment: TimelineEntry, draw: Draw | None) -> DrawRow:
    assert moment.draw is not None
    return DrawRow(
        match=match.id,
        version=moment.version,
        k=moment.draw,
        dice=draw.dice if draw else None,
        what=draw.what if draw else None,
        n_possible=draw.outcomes if draw else None,
        luck=draw.luck if draw else None,
        undone=moment.undone,
    )


def _event_rows(
    match: Match, entry: Entry, events: Sequence[AnyEvent], people: Pseudonyms
) -> Iterator[EventRow]:
    for i, event in enumerate(events):
        yield EventRow(
            match=match.id,
            version=entry.version,
            i=i,
            recorded=entry.at,
            type=str(type(event).__struct_config__.tag),
            event=Raw(msgspec.json.encode(people.encode_event(event))),
        )


def _json(value: object) -> Raw:
    return Raw(encode(value))
