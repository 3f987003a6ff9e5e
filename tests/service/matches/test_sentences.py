"""The text of any game, which reveals nothing that the seat may not know."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Any

import pytest

from domain.engine.dice import Luck
from domain.engine.game import decide, fold, legal_moves, preview
from domain.engine.play import Event, Seat, redact
from domain.engine.sentences import LANGUAGES
from domain.games import GAMES
from domain.games.hansa_teutonica.events.pieces import PieceLifted, PiecePut
from domain.games.hansa_teutonica.moves import LiftPiece
from domain.match.events import TimeReturned
from domain.match.log import Draft, Entry, make_entry
from domain.match.state import Match
from service.matches import queries
from service.matches.sentences import Narrator
from tests.games.hidden import otherwise
from tests.games.modes import ALL, tables
from tests.games.record import Moment, Record, record
from tests.match.table import NOON, Table

TABLES = [
    pytest.param(table.game, table.seats, id=table.id, marks=pytest.mark.xdist_group(table.id))
    for table in tables(ALL)
]
NAMES = tuple(f"<{seat}>" for seat in range(9))
WRONG_PERSON = re.compile(r"\b[Yy]ou(?:'s| (?!\w+ss\b)[a-z]+s)\b")
"""Such as `you moves`, but not `you pass`."""
VERB, AFTER_AND = re.compile(r":(\w+)\|"), re.compile(r"\band (\w+)")
"""The form of a verb for others than the reader, and what may be another verb."""
Worlds = Iterator[tuple[Match, Sequence[Event[Any]]]]
"""A match after an entry, and that entry."""


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_no_text_reveals_what_a_seat_may_not_know(game: Any, seats: int) -> None:
    """In every world that looks the same to a seat, its text is the same."""
    played, table = record(game, seats, 0), new_match(game, seats)
    for moment in played.some(8):
        for viewer in played.viewers:
            received = {
                str(all_told(match, events, viewer, "en"))
                for match, events in worlds(table, played, moment, viewer)
            }
            assert len(received) == 1


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_seat_that_knows_more_reads_more(game: Any, seats: int) -> None:
    """Otherwise the worlds above would never differ in their text."""
    played, table = record(game, seats, 0), new_match(game, seats)
    hides = any(redact(event, seat) != event for event in played.events for seat in played.viewers)
    table.status = "scored"  # this reveals everything
    assert not hides or any(
        len({str(all_told(match, events, viewer, "en")) for match, events in found}) > 1
        for moment in played.moments
        for viewer in played.viewers
        for found in [list(worlds(table, played, moment, viewer))]
    )


IN_TURN = [
    pytest.param(
        table.game,
        table.seats,
        language,
        id=f"{table.id}-{language}",
        marks=[
            pytest.mark.xdist_group(table.id),
            *([] if number % len(LANGUAGES) == place else [pytest.mark.long]),
        ],
    )
    for number, table in enumerate(tables(ALL))
    for place, language in enumerate(LANGUAGES)
]
"""Languages take turns: all have the same texts (`languages_say_the_same`)."""


@pytest.mark.parametrize(("game", "seats", "language"), IN_TURN)
def test_every_entry_and_every_step_has_a_text_in_every_language(
    game: Any, seats: int, language: str
) -> None:
    played, table = record(game, seats, 0), new_match(game, seats)
    for moment in played.some(10):
        for viewer in played.viewers:
            match, events = next(worlds(table, played, moment, viewer))
            asked, says = all_told(match, events, viewer, language)
            assert bool(asked) == bool(match.seats_to_move)
            assert not any("{" in text or "_" in text for text in (asked, *says))


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_the_effect_of_a_move_is_described_before_it_is_made(game: Any, seats: int) -> None:
    """Although its effect is not on the table yet."""
    played, table = record(game, seats, 0), new_match(game, seats)
    for moment in played.some(6):
        match, seat = with_state(table, moment.state), moment.move.seat
        teller = Narrator(match, seat, "zh-Hant", NAMES)
        for move in legal_moves(game, moment.state, seat)[::5]:
            events = queries.visible_events(match, preview(game, moment.state, move), seat)
            first, *_ = said = teller.of_move(move, events)
            assert all(one.text for one in said)
            assert first.rules


@pytest.mark.parametrize("language", ["en", pytest.param("zh-Hans", marks=pytest.mark.long)])
@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_a_player_reads_of_their_own_move_in_the_second_person(
    game: Any, seats: int, language: str
) -> None:
    played, table = record(game, seats, 0), new_match(game, seats)
    for moment in played.of_each_step(2):
        match, seat = with_state(table, moment.state), moment.move.seat
        teller = Narrator(match, seat, language, NAMES)
        for move in (moment.move, *legal_moves(game, moment.state, seat)[::20]):
            events = queries.visible_events(match, preview(game, moment.state, move), seat)
            for said in teller.of_own_move(move, events):
                assert NAMES[seat] not in said.text
                assert not WRONG_PERSON.search(said.text), said.text


@pytest.mark.parametrize("game", ALL, ids=lambda game: game.key)
def test_all_verbs_of_a_text_agree_with_the_reader(game: Any) -> None:
    """Also the second one: `{seat} {seat:founds|found} a province and {seat:places|place} it`."""
    texts = game.resources.texts["en"].values()
    verbs = {verb for text in texts for verb in VERB.findall(text)}
    assert verbs
    agreeing = [text for text in texts if VERB.search(text)]
    assert not [text for text in agreeing if verbs.intersection(AFTER_AND.findall(text))]


def test_a_piece_that_moves_is_one_line_of_the_log() -> None:
    """A preview says what is picked up; the log says from where to where once it is put down."""
    game, post = GAMES["hansa_teutonica"], ("halle--magdeburg", 1)
    teller = Narrator(new_match(game, 3), None, "en", NAMES)
    lifted = PieceLifted(0, 0, "trader", ("bremen--hamburg", 0))
    put = PiecePut(0, 0, "trader", post, lifted=lifted.post)
    assert [said.text for said in teller.of_events((lifted, put))] == [
        "<0> moves a trader from Bremen–Hamburg to Halle–Magdeburg."
    ]
    assert [said.text for said in teller.of_move(LiftPiece(0, lifted.post), (lifted,))] == [
        "<0> picks up a trader from Bremen–Hamburg."
    ]
    after_an_outage = teller.of_move(LiftPiece(0, lifted.post), (TimeReturned(5_000), lifted))
    assert "picks up" in after_an_outage[0].text
    unknown = teller.of_events([PiecePut(0, 1, "merchant", post)])  # of older rules
    assert [said.text for said in unknown] == ["<0> moves <1>'s merchant to Halle–Magdeburg."]


@pytest.mark.parametrize(("game", "seats"), TABLES)
def test_every_line_of_a_whole_game_names_the_rule_it_follows_from(game: Any, seats: int) -> None:
    played = record(game, seats, 0)
    match = with_state(new_match(game, seats), played.end)
    spoken = Narrator(match, None, "en", NAMES).of_events(played.events)
    assert len(spoken) > len(played.moments) / 2
    assert not [one.text for one in spoken if not one.rules]


@pytest.mark.parametrize(
    ("players", "viewer", "prompt"),
    [
        ("ann bob", 0, "Your turn: place a tile to win provinces and villages (24 pagodas left)."),
        ("ann bob", 1, "<0> is placing a tile (24 pagodas left)."),
        ("ann bob", None, "<0> is placing a tile (24 pagodas left)."),
        (
            "ann ann",
            0,
            "<0>: Your turn: place a tile to win provinces and villages (24 pagodas left).",
        ),
        ("ann ann", 1, "<0> is placing a tile (24 pagodas left)."),
        ("ann ann", None, "<0> is placing a tile (24 pagodas left)."),
    ],
)
def test_a_prompt_addresses_the_viewer_and_names_the_one_of_their_seats_that_decides(
    players: str, viewer: Seat | None, prompt: str
) -> None:
    """Players who share a screen must know which of their seats is to move."""
    game = GAMES["qin"]
    moments = record(game, 2, 0).moments
    state = next(one.state for one in moments if one.state.agenda[-1].seats == (0,))
    match = with_state(Table(players, game=game).match, state)
    assert Narrator(match, viewer, "en", NAMES).prompt() == prompt


def new_match(game: Any, seats: int) -> Match:
    """A match with this number of players."""
    return Table(" ".join(f"p{seat}" for seat in range(seats)), game=game).match


def worlds(table: Match, played: Record, moment: Moment, viewer: Seat | None) -> Worlds:
    """The match after a move, and others that this viewer cannot distinguish from it."""
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
    match = table.copy()
    match.state = state
    return match


def all_told(
    match: Match, events: Sequence[Event[Any]], viewer: Seat | None, language: str
) -> tuple[str, list[str]]:
    """The text of the pending step, and of an entry."""
    teller = Narrator(match, viewer, language, NAMES)
    return teller.prompt(), [said.text for said in teller.of_entry(entry_of(events))]


def entry_of(events: Sequence[Event[Any]]) -> Entry:
    return make_entry(Draft("move", tuple(events)), 9, "p0", NOON, 1)
