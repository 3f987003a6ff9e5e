"""What each game must do to keep its secrets, as functions of a game and a number of seats."""

from __future__ import annotations

from functools import partial
from itertools import count
from statistics import fmean
from typing import Any

import pytest

from domain.analysis import hints
from domain.analysis.chances import Stage
from domain.analysis.hints import Hint, HintSearch
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import (
    advance,
    begin,
    decide,
    fold,
    is_deterministic,
    legal_moves,
    preview,
    seats_to_move,
)
from domain.engine.play import Event, Seat, redact
from tests.engine.table import contents
from tests.games.hidden import otherwise, size
from tests.games.record import record, sample_of, some_move, some_setup
from tests.games.seen import TRIED, AnyGame, show_all

SEEDS = range(2)  # for the slow checks
SOME_MOVES = 6
"""Number of legal moves that a search for hints compares here."""
FEW_POSITIONS = 2
"""Number of positions in which it compares them: what it may know is the same in any number."""


def nothing_leaks(game: AnyGame, seats: int, count: int = 2, tried: int = TRIED) -> None:
    """Other hidden values give the same response, byte by byte, and the same view, from which alone
    pictures and texts are drawn.
    """
    played = record(game, seats, 0)
    for moment in (*played.some(count), played.moments[-1]):  # the last move shows all hands
        show = partial(show_all, game, tried=tried)
        public = show(moment.state, None)
        for seat in range(seats):
            other = game.imagine(moment.state, seat, Luck(0))
            assert game.view(other, seat) == game.view(moment.state, seat)
            assert show(other, seat) == show(moment.state, seat)
            assert show(other, None) == public


def imagining_varies_what_is_hidden(game: AnyGame, seats: int) -> None:
    """For each seat that ever lacks knowledge."""
    for seat in range(seats):
        played = record(game, seats, 0)
        if any(redact(event, seat) != event for event in played.events):
            assert any(
                contents(game.imagine(moment.state, seat, Luck(luck))) != contents(moment.state)
                for moment in played.some(12)
                for luck in range(5)
            )


def what_is_imagined_depends_on_nothing_hidden(game: AnyGame, seats: int) -> None:
    """With the same dice the same from any table that looks the same to a seat: all a bot sees."""
    for number, moment in enumerate(record(game, seats, 0).some(12)):
        for seat in range(seats):
            other = game.imagine(moment.state, seat, Luck(number))
            mine = game.imagine(moment.state, seat, Luck("same"))
            assert contents(game.imagine(other, seat, Luck("same"))) == contents(mine)


def public_answers_depend_on_nothing_hidden(game: AnyGame, seats: int) -> None:
    """All others know the legal moves of such a step, so the speed of one that plays itself tells
    them nothing.
    """
    for number, moment in enumerate(record(game, seats, 0).moments):
        if not moment.state.agenda[-1].public_answers:
            continue
        for other in set(range(seats)) - {moment.move.seat}:
            imagined = game.imagine(moment.state, other, Luck(number))
            assert legal_moves(game, imagined, moment.move.seat) == [*moment.menu.legal]


def hints_depend_on_nothing_hidden(game: AnyGame, seats: int) -> None:
    """With the same dice the same from any table that looks the same to the seat that asks."""
    moment = record(game, seats, 0).some(2)[1]
    state, seat = moment.state, moment.move.seat
    other = game.imagine(state, seat, Luck(0))
    assert _hints(game, other, seat, seats) == _hints(game, state, seat, seats)


def _hints(game: AnyGame, state: Any, seat: Seat, seats: int) -> list[Hint]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hints, "POSITIONS", FEW_POSITIONS)
        search = HintSearch(game, state, seat, Stage(seats), Luck("same"))
    few = legal_moves(game, state, seat)[:SOME_MOVES]
    average = fmean(search.chances_after(few))
    return list(search.compare(list(search.glance(few)), average))


def what_is_imagined_comes_back_as_a_position(game: AnyGame, seats: int) -> None:
    """A fork of a match in play begins with it."""
    played = record(game, seats, 1)
    for number, moment in enumerate(played.some(4)):
        for seat in range(seats):
            other = game.imagine(moment.state, seat, Luck(number))
            text = json_codec.json_round_trip(game.write_position(other))
            assert contents(game.read_position(played.setup, text, seats)) == contents(other)


def games_go_on_from_what_is_imagined(game: AnyGame, seats: int) -> None:
    """From a state that a seat imagines, the game can be played to its end."""
    for number, moment in enumerate(record(game, seats, 0).some(3)[1:]):
        seat = number % seats
        dice = Luck(seat)
        state = game.imagine(moment.state, seat, dice)
        for made in count():
            if not seats_to_move(state):
                break
            advance(game, state, some_move(game, state, dice, made), dice)
        score = game.scoring(state)
        assert score.winners or score.won is False


def redacting_does_not_depend_on_hidden_values(game: AnyGame, seats: int) -> None:
    """Another value in a hidden field does not change the redacted event."""
    played = record(game, seats, 0)
    for event in _list_hiding(played.events):
        for seat in played.viewers:
            known = redact(event, seat)
            assert redact(known, seat) == known
            assert json_codec.read_events(game, json_codec.encode([known])) == [known]
            for other in otherwise(event, known, played.events):
                assert json_codec.encode(redact(other, seat)) == json_codec.encode(known)


def events_reveal_no_more_than_views(game: AnyGame, seats: int) -> None:
    """If other dice do not change the view of a seat, nor the steps to do, which all see, the seat
    receives the same events, in any order; a view does not show which of its cards a seat drew by
    which rule.
    """
    played = record(game, seats, 0)
    for moment in played.some(4):
        told: dict[tuple[Seat | None, bytes], list[bytes]] = {}
        for luck in range(4):
            events = decide(game, moment.state, moment.move, Luck(luck))
            state = fold(moment.state.copy(), events)
            for seat in played.viewers:
                view = json_codec.encode([game.view(state, seat), state.agenda])
                seen = sorted(_without_rule_of_hidden(redact(event, seat)) for event in events)
                assert told.setdefault((seat, view), seen) == seen


def _without_rule_of_hidden(event: Event[Any]) -> bytes:
    data = json_codec.to_json(event)
    left_out = {"rule"} if event.hidden_fields else set()
    return json_codec.encode({name: data[name] for name in data if name not in left_out})


def sealed_choices_look_alike(game: AnyGame, seats: int) -> None:
    """Other seats cannot distinguish choices of the same kind and size with the same visible
    fields.
    """
    played = record(game, seats, 0)
    for state, seat in ((moment.state, moment.move.seat) for moment in played.moments):
        if not any(move.sealed for move in game.answers.moves_for(type(state.agenda[-1]))):
            continue
        sealed = [move for move in legal_moves(game, state, seat) if move.sealed]
        for viewer in set(played.viewers) - {seat}:
            told: dict[Any, list[bytes]] = {}
            for move in sealed:
                events = [redact(event, viewer) for event in preview(game, state, move)]
                sizes = [size(getattr(move, name)) for name in move.__struct_fields__]
                public = [getattr(move, name) for name in move.visible_fields]
                seen = [json_codec.encode(event) for event in events]
                assert told.setdefault((type(move), *sizes, *public), seen) == seen


def a_spectator_knows_no_more_than_any_seat(game: AnyGame, seats: int) -> None:
    """Field by field, in every event of a game."""
    played = record(game, seats, 0)
    for event in _list_hiding(played.events):
        public = _list_known_fields(game, event, None)
        assert all(public <= _list_known_fields(game, event, seat) for seat in range(seats))


def every_event_can_be_redacted(game: AnyGame, seats: int) -> None:
    """Also those that chance did not bring about."""
    for kind in game.events:
        event = sample_of(kind)
        assert all(json_codec.encode(redact(event, seat)) for seat in (None, *range(seats)))


def events_that_follow_dice_reveal(game: AnyGame, seats: int) -> None:
    """A player who dislikes a throw cannot take it back without consent and throw again."""
    for seed in SEEDS:
        dice = _CountingLuck(seed)
        events = begin(game, some_setup(game, seats, Luck(seed)), seats, dice)
        assert not dice.fallen or any(event.reveals for event in events)
        for moment in record(game, seats, seed).some(30):
            dice = _CountingLuck(seed)
            events = decide(game, moment.state, moment.move, dice)
            assert not dice.fallen or any(event.reveals for event in events)


def deterministic_moves_do_not_depend_on_hidden_values(game: AnyGame, seats: int) -> None:
    """A move that a player takes back without consent reveals nothing to them."""
    for seed in SEEDS:
        for moment in record(game, seats, seed).some(30):
            state, move = moment.state, moment.move
            if is_deterministic(game, state, move):
                other = game.imagine(state, move.seat, Luck(seed))
                assert _see_effects(game, other, move) == _see_effects(game, state, move)


def previews_do_not_depend_on_hidden_values(game: AnyGame, seats: int) -> None:
    """The picture of a move that a player only tries shows nothing that the move would reveal."""
    for moment in record(game, seats, 0).some(8):
        state, seat = moment.state, moment.move.seat
        other = game.imagine(state, seat, Luck(1))
        moves = moment.menu.legal
        for move in (moment.move, *moves[:: len(moves) // 3 + 1]):
            assert _try_move(game, other, move) == _try_move(game, state, move)


def _try_move(game: AnyGame, state: Any, move: Any) -> bytes:
    """The view of the player of a move after what is certain about it, as pictures show it."""
    return json_codec.encode(game.view(fold(state.copy(), preview(game, state, move)), move.seat))


def _see_effects(game: AnyGame, state: Any, move: Any) -> list[Any]:
    """The events of a move as its player sees them."""
    return [redact(event, move.seat) for event in decide(game, state, move, Luck(1))]


def _list_hiding(events: list[Event[Any]]) -> list[Event[Any]]:
    """The events with fields that some may not know; all know the others."""
    return [event for event in events if event.hidden_fields]


def _list_known_fields(game: AnyGame, event: Any, seat: Seat | None) -> set[str]:
    """The fields that this seat, or a spectator, receives."""
    known = redact(event, seat)
    names = event.__struct_fields__
    return {name for name in names if getattr(known, name, ...) == getattr(event, name)}


class _CountingLuck(Luck):
    """Dice that count their throws."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.fallen = 0

    def below(self, n: int) -> int:
        self.fallen += 1
        return super().below(n)
