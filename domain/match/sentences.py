"""Sentences about a match: events at the table, and events of its game."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce
from typing import Any

import msgspec

from domain.engine.game import Game, describe_event, describe_touch
from domain.engine.play import Awaiting, Event, Move, Seat
from domain.engine.resources.texts import Texts, figures, merge, read
from domain.engine.scoring import Scoring
from domain.engine.sentences import (
    Part,
    Sayings,
    SeatName,
    Sentence,
    cite_rules,
    describe,
    describe_fields,
    each,
    number_seat,
    person,
    sentence,
    silent,
    word,
)
from domain.match.events import (
    Clocked,
    Created,
    DiceFell,
    Ended,
    LessonBegun,
    NonceOpened,
    NoncesAwaited,
    Rated,
    Scored,
    Started,
    TimeReturned,
    UndoRequested,
)
from domain.match.log import AnyEvent
from domain.match.outcome import Outcome, outcome_of, parts_of_points
from domain.match.social_events import RematchOpened
from domain.match.state import Match
from domain.match.undoing.request import UndoRequest


def _player(match: Match, player: str) -> Part:
    """A player as one of their seats, or by their id if they never held one."""
    seat = find_seat(match, player)
    return player if seat is None else SeatName(seat)


def find_seat(match: Match, player: str) -> Seat | None:
    """The first seat of a player, or the one that they had until they were replaced; else None."""
    before = (one.seat for one in match.tenures if one.player == player)
    return next(iter(match.seats_of(player)), next(before, None))


def _level(match: Match, level: str) -> Part:
    """The name of a bot level, or its key if the game no longer has it."""
    known = any(one.key == level for one in match.game.levels)
    return Sentence(f"level_{level}") if known else level


def _end_sentence(match: Match, event: Ended) -> Part:
    """Why the match is over; silent if by the rules of the game, which has an event for that."""
    by_rules = event.reason == "rules"
    return silent(match, event) if by_rules else describe_fields(event, match, SAYINGS)


def _request_sentence(match: Match, event: UndoRequested) -> Part:
    """Whose moves a player asks to undo or redo."""
    return Sentence(
        "UndoRequested_redo" if event.redo else "UndoRequested",
        {
            "player": _player(match, event.player),
            "asked": each(_player)(match, event.asked),
            "moves": name_moves(match, event),
        },
    )


def name_moves(
    match: Match, request: UndoRequest | UndoRequested, reader: Seat | None = None
) -> Sentence:
    """The moves of a request, as words after `undo` or `redo`: `Ann's last move`, or `your last
    move` if the reader asks and made it. In a request that names none, the version that it is for.
    """
    moves, asks = request.moves, match.seats_of(request.player)
    if isinstance(moves, msgspec.UnsetType):
        return sentence("moves_to_step", to=request.to)
    owner = "named" if moves.seat not in asks else "your" if reader in asks else "their"
    kind = "undone_moves" if request.redo else "last_moves"
    named = sentence(f"{kind}_{owner}", seat=SeatName(moves.seat), count=moves.own)
    if moves.others:
        named = sentence("and_moves_of_others", moves=named, count=moves.others)
    if moves.instead:
        named = sentence("moves_instead", moves=named, count=moves.instead)
    return named


def _rating_sentence(match: Match, event: Rated) -> Part:
    """That the ratings have changed, and whom the rating leaves out; not why."""
    rated = {change.competitor for change in event.changes}
    others = [one.player for one in match.chairs if one.player and one.player not in rated]
    return (
        sentence("rated_except", players=each(_player)(match, others))
        if others
        else Sentence("Rated")
    )


def _duration(_match: Match, ms: int) -> Sentence:
    """A time in the largest unit of which it is a whole number."""
    unit, size = next((unit, size) for unit, size in _UNITS_MS.items() if ms % size == 0)
    return sentence(f"some_{unit}", count=ms // size)


_UNITS_MS = {"days": 86_400_000, "hours": 3_600_000, "minutes": 60_000, "seconds": 1_000}
SAYINGS: Sayings = {
    "Ended": _end_sentence,
    "Rated": _rating_sentence,
    "UndoRequested": _request_sentence,
    "BotSeated.seat": number_seat,  # the level names the bot
    "InvitationDeclined.seat": number_seat,
    "PlayerReplaced.leaver": silent,  # a seat has one name in a sentence: that of who has it now
    "PlayerReplaced.seat": number_seat,
    "Paused.since": silent,
    "Paused.until": silent,
    "Proposed.kind": word("proposal"),
    "Resumed.ms": silent,
    "PatienceSet.ms": _duration,
    "TimeGiven.ms": _duration,
    "asked": each(_player),
    "awaiting": each(person),
    "commitment": silent,
    "host": _player,
    "instead": _level,
    "level": _level,
    "note": word("note"),
    "player": _player,
    "reason": word("why"),
}
TEXTS = read(__package__)
NAME_ONLY_EVENTS = (Created, Scored, Started, TimeReturned)
"""Events whose data are not for a sentence: it only names them."""
UNREPORTED_EVENTS = (
    Awaiting, Clocked, DiceFell, LessonBegun, NonceOpened, NoncesAwaited, RematchOpened,
)  # fmt: skip
"""Bookkeeping events, which have no sentence."""


def sentence_of(match: Match, event: AnyEvent, view: Any) -> Sentence | None:
    """The sentence about an event for a viewer with this view; None for bookkeeping events."""
    if isinstance(event, UNREPORTED_EVENTS):
        return None
    if isinstance(event, TimeReturned) and match.status != "open" and match.clock_rule is None:
        return None  # no deadline that a reader knows of
    if isinstance(event, NAME_ONLY_EVENTS):
        return Sentence(type(event).__name__)
    if isinstance(event, Event):
        return describe_event(match.game, event, view)
    spoken = describe(event, match, SAYINGS)
    return spoken if isinstance(spoken, Sentence) else None


def sentences_of_move(
    match: Match, move: Move, seen: Iterable[AnyEvent], view: Any
) -> list[Sentence]:
    """What a move does, and then what follows from it: the sentences of its events for a viewer.

    The view is that before the move, of a seat that may know the move.
    """
    spoken = [(one, said) for one in seen if (said := sentence_of(match, one, view))]
    own = next((said for one, said in spoken if is_own_event(move, one)), None)
    first = own or name_touches(match.game, view, move)
    return [first, *(said for _, said in spoken if said is not own)]


def is_own_event(move: Move, event: AnyEvent) -> bool:
    """Whether an event may say what the player of a move does, rather than what follows."""
    own = move.own_events
    return isinstance(event, Event) and (own is None or type(event).__name__ in own)


def name_touches(game: Game[Any], view: Any, move: Move) -> Sentence:
    """What a player touches for a move, for moves that no event describes yet."""
    way = next(iter(game.pointing.touches(view, move)))
    labels: list[Part] = [describe_touch(game, touch, view) for touch in way]
    touches = reduce(lambda one, two: sentence("list_next", one=one, two=two), labels)
    return Sentence(
        "move_touches", {"seat": SeatName(move.seat), "touches": touches}, cite_rules(move)
    )


def says_end(game: Game[Any], event: Event[Any], view: Any) -> bool:
    """Whether the sentence about an event says why the game ended, as `outcome` does."""
    spoken = describe_event(game, event, view)
    reasons = {f"end_{reason}" for reason in game.end_reasons}
    parts = spoken.parts.values() if spoken else ()
    return any(isinstance(part, Sentence) and part.key in reasons for part in parts)


def outcome(match: Match) -> Sentence | None:
    """Who won, or whether a cooperative table has won, and why; None before scoring."""
    scoring, found = match.scoring, outcome_of(match)
    if scoring is None or found is None:
        return None
    left = _departures(found)
    early = scoring.reason == "resignation" and left
    if early and scoring.won is None:  # points decided nothing
        won = sentence("seats_won_early", winners=tuple(map(SeatName, found.winners)))
        return sentence("for_reason", said=won, why=left)
    reason = left if early else _end_reason(match, scoring.reason)
    spoken = [] if scoring.won is not None else [_victory(match, found)]
    spoken.append(sentence(_end_key(scoring), reason=reason))
    if scoring.rivals:
        spoken.append(_comparison(match, scoring, found))
    if left and not early:
        spoken.append(sentence("full_stop", said=left))
    return reduce(lambda one, two: sentence("sentences", one=one, two=two), spoken)


def _end_key(scoring: Scoring) -> str:
    if scoring.won is None:
        return "Ended"
    return "table_won" if scoring.won else "table_lost"


def _end_reason(match: Match, reason: str) -> Sentence:
    by_rules = reason in match.game.end_reasons
    return Sentence(f"{'end' if by_rules else 'why'}_{reason}")


def _departures(found: Outcome) -> tuple[Sentence, ...]:
    """Who resigned, and whose time was up."""
    seats = {"seats_resigned": found.resigned, "seats_timed_out": found.timed_out}
    return tuple(
        sentence(key, seats=tuple(map(SeatName, some))) for key, some in seats.items() if some
    )


def _victory(match: Match, found: Outcome) -> Sentence:
    """The winners with their points, the largest part of them, and the distance to the others."""
    assert found.points is not None
    grounds = []
    if found.category:
        grounds.append(_origins(match, found))
    if found.lead is not None and (distance := _distance(match, found, found.lead)):
        grounds.append(distance)
    key = "seats_won" if len(found.winners) == 1 else "seats_share"
    won = sentence(
        key,
        winners=tuple(map(SeatName, found.winners)),
        points=_count(match, found.points),
    )
    if not grounds:
        return sentence("full_stop", said=won)
    why = reduce(lambda one, two: sentence("grounds", one=one, two=two), grounds)
    return sentence("for_reason", said=won, why=why)


def _origins(match: Match, found: Outcome) -> Part:
    """The only part of the winner's points that counts, or the parts that add up to them."""
    assert match.scoring is not None
    assert found.category is not None
    if only := match.game.score_parts.only:
        return sentence(only, category=Sentence(f"score_{found.category.key}"))
    [winner] = found.winners
    parts = parts_of_points(match, match.scoring.lines[winner])
    named = [_part_of_points(Sentence(f"score_{one.key}"), one.points) for one in parts.named]
    if parts.others:
        named.append(_part_of_points(Sentence("other_parts"), parts.others))
    return tuple(named)


def _part_of_points(category: Sentence, points: int) -> Sentence:
    """A part with its points: `regions 40`, or `invasion 6` with a minus sign."""
    return sentence("part_of_points", category=category, points=figures(points))


def _distance(match: Match, found: Outcome, lead: int) -> Sentence | None:
    """How far the others are behind; None if points do not show it."""
    others = tuple(map(SeatName, found.runners_up))
    if lead > 0:
        return sentence("ahead_of", others=others, points=_count(match, lead))
    if lead == 0 and (rule := match.game.score_parts.tie_break):
        return sentence("level_with", others=others, rule=Sentence(rule))
    return None


def _comparison(match: Match, scoring: Scoring, found: Outcome) -> Sentence:
    """The points of the only seat and of the rival for whom the rules decide."""
    [rival, *_] = scoring.rivals
    return sentence(
        "against_rival",
        points=_count(match, found.points or 0),
        rival=Sentence(f"rival_{rival.key}"),
        other=_count(match, rival.points),
    )


def _count(match: Match, number: int) -> Sentence:
    """A number of what the game counts: points, or pagodas."""
    return sentence(match.game.score_parts.counted, count=number)


def texts_of(match: Match, language: str) -> Texts:
    """All texts about a match in a language, or else in English."""
    game = match.game.resources.texts
    return merge(TEXTS.get(language, TEXTS["en"]), game.get(language, game["en"]))
