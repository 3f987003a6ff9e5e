"""What each viewer sees; no hidden value leaks to a seat."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from domain.engine.dice import Luck
from domain.engine.game import Game, legal_moves
from domain.games.qin import GAME as QIN
from domain.match import visibility
from domain.match.decisions import playing
from domain.match.decisions.ending import score
from domain.match.errors import Forbidden, InvalidCommand
from domain.match.log import AnyEvent
from domain.match.state import Match
from tests.engine.toy import GAME as TOY
from tests.engine.toy.events import CardDrawn, CardSealed
from tests.match.table import SEED, Table, challenge
from tests.support.for_each import for_each


def bytes_of(record: Any) -> bytes:
    """The bytes of a response."""
    return msgspec.json.encode(record)


# Seats to see as


def test_every_player_sees_as_their_own_seat_and_others_as_spectators() -> None:
    match = Table("ann bob +easy").match
    seen_as = [visibility.default_viewer_seat(match, who) for who in ("ann", "bob", "cid", None)]
    assert seen_as == [0, 1, None, None]
    assert visibility.viewer_seat(match, "bob", 1) == 1
    assert visibility.viewer_seat(match, "cid", None) is None


@for_each("player", ["ann", "cid", None])
def test_no_player_looks_into_anothers_hand_before_the_end(player: str | None) -> None:
    match = Table("ann bob +easy").match
    for seat in (1, 2):
        with pytest.raises(Forbidden) as refused:
            visibility.viewer_seat(match, player, seat)
        assert refused.value.code == "not_your_view"


@for_each("over", [False, True])
@for_each("seat", [-1, 2])
def test_no_player_sees_as_a_seat_beside_the_table(over: bool, seat: int) -> None:
    table = Table("ann bob")
    if over:
        table.resign("ann")
    with pytest.raises(InvalidCommand) as refused:
        visibility.viewer_seat(table.match, "ann", seat)
    assert refused.value.code == "no_such_seat"
    assert str(refused.value) == f"The table has no seat {seat}."


def test_a_player_who_holds_several_seats_sees_the_hand_of_the_one_that_decides() -> None:
    """QIN-13.2"""
    table = Table("ann ann bob", position=challenge((3, 3, 3)))
    assert (table.match.seats_to_move, visibility.default_viewer_seat(table.match, "ann")) == (
        (0,),
        0,
    )
    assert visibility.viewer_seat(table.match, "ann", 0) == 0
    with pytest.raises(Forbidden):
        visibility.viewer_seat(table.match, "ann", 1)
    table.move(next(m for m in table.legal(0) if getattr(m, "to", None) == 1))
    assert (table.match.seats_to_move, visibility.default_viewer_seat(table.match, "ann")) == (
        (1,),
        1,
    )
    with pytest.raises(Forbidden):
        visibility.viewer_seat(table.match, "ann", 0)


def test_while_another_decides_a_player_of_several_seats_sees_no_hand() -> None:
    table = Table("ann ann bob").play(2)
    assert (table.match.seats_to_move, visibility.default_viewer_seat(table.match, "ann")) == (
        (2,),
        None,
    )


def test_after_the_end_every_player_sees_everything() -> None:
    table = Table("ann ann bob").play()
    table.resign("ann")
    for _ in range(2):
        assert visibility.default_viewer_seat(table.match, "ann") == 0
        for seat in range(3):
            assert visibility.viewer_seat(table.match, None, seat) == seat
        assert visibility.can_read_move(table.match, sealed=True, mover=0, seat=None)
        if table.match.status == "ended":
            table.act(score(table.match), "system")


def test_one_whose_seat_a_bot_plays_still_sees_their_hand() -> None:
    table = Table("ann bob cid").play()
    table.resign("bob")
    assert visibility.viewer_seat(table.match, "bob", 1) == 1


def test_before_the_start_no_state_is_visible() -> None:
    match = Table("ann .").match
    assert (visibility.view(match, 0), visibility.default_viewer_seat(match, "ann")) == (None, 0)


# Events


def test_only_the_seat_itself_reads_what_it_drew_before_the_end() -> None:
    table = Table("ann bob")
    drawn = next(e for e in table.match.line[0].events if isinstance(e, CardDrawn) and e.seat == 1)
    assert visibility.redact_event(table.match, drawn, 1) == drawn
    for seat in (0, None):
        assert visibility.redact_event(table.match, drawn, seat) == CardDrawn(1, None)
    table.resign("ann")
    assert visibility.redact_event(table.match, drawn, None) == drawn


def test_a_sealed_choice_is_read_by_the_one_who_made_it() -> None:
    table = Table("ann bob")
    [event, *_] = table.play().match.line[-1].events
    assert isinstance(event, CardSealed)
    assert visibility.redact_event(table.match, event, 1) == CardSealed(0, None)
    seats = (0, 1, None)
    assert [visibility.can_read_move(table.match, True, 0, s) for s in seats] == [
        True,
        False,
        False,
    ]
    assert [visibility.can_read_move(table.match, False, 0, s) for s in seats] == [True, True, True]


def test_taking_a_sealed_choice_back_does_not_show_it() -> None:
    table = Table("ann bob").play()
    sealed = table.match.line[-1].events[0]
    table.undo("ann")
    assert visibility.redact_event(table.match, sealed, 1) == CardSealed(0, None)
    assert not visibility.can_read_move(table.match, True, 0, 1)


# Leaks


def channels(match: Match, seat: int | None) -> bytes:
    """All data that a seat can read of the current match, and all moves that it can try."""
    said: list[Any] = [
        visibility.view(match, seat),
        match.seats_to_move,
        match.undo_request,
        match.clocks,
    ]
    if seat is not None:
        menu = legal_moves(match.game, match.state, seat)
        said += [menu, [playing.preview(match, choice) for choice in menu]]
    return bytes_of(said)


def redact_events(match: Match, events: list[AnyEvent], seat: int | None) -> bytes:
    """The events as a seat sees them."""
    return bytes_of([visibility.redact_event(match, event, seat) for event in events])


def change_hidden(match: Match, seat: int, luck: int) -> Match:
    """The match with other hidden values for this seat, and another seed."""
    other = match.copy()
    other.state = match.game.imagine(match.state, seat, Luck(luck))
    other.seed = bytes([luck % 256]) * 32
    return other


@pytest.mark.slow
@pytest.mark.parametrize("game", [TOY, QIN], ids=["toy", "qin"])
def test_what_a_seat_cannot_know_changes_nothing_that_it_sees(game: Game[Any]) -> None:
    table, luck, really = Table("ann bob cid", game=game, undo="free"), Luck(7), 0
    for turn in range(12):
        if table.match.status != "active":
            break
        for seat in range(3):
            other = change_hidden(table.match, seat, turn)
            really += game.write_position(other.state) != game.write_position(table.match.state)
            assert channels(other, seat) == channels(table.match, seat)
        assert channels(change_hidden(table.match, 0, turn), None) == channels(table.match, None)
        menu = table.legal()
        table.move(menu[luck.below(len(menu))])
    assert really > 12


@pytest.mark.parametrize("game", [TOY, QIN], ids=["toy", "qin"])
def test_a_seat_sees_the_same_of_its_own_move_until_something_is_revealed(
    game: Game[Any],
) -> None:
    table = Table("ann bob cid", game=game)
    for turn in range(15):
        if table.match.status != "active":
            break
        seat = table.match.seats_to_move[0]
        choice = table.legal(seat)[-1]
        stories = []
        for match in (table.match, change_hidden(table.match, seat, turn)):
            events = playing.preview(match, choice)
            stories.append(redact_events(match, list(events), seat))
        assert stories[0] == stories[1]
        table.move(choice)


def test_the_annals_of_a_running_match_show_a_spectator_no_hand() -> None:
    table = Table("ann bob", options={"rounds": 6})
    for _ in range(6):
        events = table.play().match.line[-1].events
        shown = redact_events(table.match, list(events), None)
        for event in events:
            if isinstance(event, CardDrawn):
                assert bytes_of(event) not in shown
    assert SEED.hex().encode() not in redact_events(
        table.match, list(table.match.line[0].events), 0
    )


def test_what_happens_around_the_game_is_public() -> None:
    table = Table("ann bob cid").play()
    events = table.undo("ann")
    assert [visibility.redact_event(table.match, event, None) for event in events] == events
