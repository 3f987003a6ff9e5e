"""What is told in words of any game, and that it tells nobody what their seat may not know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import pytest

from domain.engine.dice import Luck
from domain.engine.game import decide, fold, legal_moves, preview
from domain.engine.play import Event, Seat, redact
from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from domain.match.log import Draft, Entry, entry
from domain.match.state import Match
from service.matches import queries
from service.matches.sentences import Teller
from tests.games.hidden import otherwise
from tests.games.modes import tables
from tests.games.record import Moment, Record, record
from tests.match.table import NOON, Table

TABLES = [
    pytest.param(table.game, table.seats, id=table.id, marks=pytest.mark.xdist_group(table.id))
    for table in tables(GAMES.values())
]
NAMES = tuple(f"<{seat}>" for seat in range(9))
Worlds = Iterator[tuple[Match, Sequence[Event[Any]]]]
"""A match after something happened, and what that was."""


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_nobody_is_told_what_their_seat_may_not_know(game: Any, seats: int) -> None:
    """In whichever world that looks the same to them, they are told the same."""
    played, table = record(game, seats, 0), opened(game, seats)
    for moment in played.some(40):
        for viewer in played.viewers:
            told = {
                str(all_told(match, events, viewer, "en"))
                for match, events in worlds(table, played, moment, viewer)
            }
            assert len(told) == 1


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_whoever_knows_more_is_told_more(game: Any, seats: int) -> None:
    """Else the worlds above would differ in nothing that is ever told."""
    played, table = record(game, seats, 0), opened(game, seats)
    hides = any(redact(event, seat) != event for event in played.events for seat in played.viewers)
    table.status = "scored"  # everything is revealed
    assert not hides or any(
        len({str(all_told(match, events, viewer, "en")) for match, events in found}) > 1
        for moment in played.moments
        for viewer in played.viewers
        for found in [list(worlds(table, played, moment, viewer))]
    )


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_entry_and_every_step_is_told_in_every_language(
    game: Any, seats: int, language: str
) -> None:
    played, table = record(game, seats, 0), opened(game, seats)
    for moment in played.some(60):
        for viewer in played.viewers:
            match, events = next(worlds(table, played, moment, viewer))
            asked, says = all_told(match, events, viewer, language)
            assert bool(asked) == bool(match.awaited)
            assert not any("{" in text or "_" in text for text in (asked, *says))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_what_a_move_would_do_is_told_before_it_is_made(game: Any, seats: int) -> None:
    """Though what it would bring about is not on the table yet."""
    played, table = record(game, seats, 0), opened(game, seats)
    for moment in played.some(30):
        match, seat = with_state(table, moment.state), moment.move.seat
        teller = Teller(match, seat, "zh-Hant", NAMES)
        for move in legal_moves(game, moment.state, seat)[::5]:
            events = queries.seen_events(match, preview(game, moment.state, move), seat)
            assert all(said.text for said in teller.events(events))


def opened(game: Any, seats: int) -> Match:
    """A match of so many players."""
    return Table(" ".join(f"p{seat}" for seat in range(seats)), game=game).match


def worlds(table: Match, played: Record, moment: Moment, viewer: Seat | None) -> Worlds:
    """The match after a move, and others that this viewer cannot tell from it."""
    game = played.game
    events = decide(game, moment.state, moment.move, Luck(0))
    after = fold(moment.state.copy(), events)
    yield with_state(table, after), events
    other = with_state(table, game.imagine(after, viewer or 0, Luck(1)))
    yield other, events
    for place, event in enumerate(events):
        for instead in islice(otherwise(event, redact(event, viewer), played.events), 5):
            yield other, [*events[:place], instead, *events[place + 1 :]]


def with_state(table: Match, state: Any) -> Match:
    match = table.fork()
    match.state = state
    return match


def all_told(
    match: Match, events: Sequence[Event[Any]], viewer: Seat | None, language: str
) -> tuple[str, list[str]]:
    """What is to be decided, and what an entry says."""
    teller = Teller(match, viewer, language, NAMES)
    return teller.asked(), [said.text for said in teller.entry(recorded(events))]


def recorded(events: Sequence[Event[Any]]) -> Entry:
    return entry(Draft("move", tuple(events)), 9, "p0", NOON, 1)
