"""What each game must do to keep its secrets, as functions of a game and a number of seats."""

from __future__ import annotations

from itertools import count
from typing import Any

import msgspec

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import advance, awaited, begin, decide, fold, foreseen, legal_moves, preview
from domain.engine.play import Seat, redact
from tests.engine.table import contents
from tests.games.hidden import otherwise, size
from tests.games.record import record, sample, some_move, some_setup
from tests.games.seen import AnyGame, shown

SEEDS = range(2)  # for what is looked at closely


def nothing_leaks(game: AnyGame, seats: int) -> None:
    """Whatever a seat cannot know may be otherwise, and it is shown the same, byte by byte."""
    for seed in SEEDS:
        for moment in record(game, seats, seed).some(6):
            public = shown(game, moment.state, None)
            for seat in range(seats):
                seen = shown(game, moment.state, seat)
                for luck in range(2):
                    other = game.imagine(moment.state, seat, Luck(luck))
                    assert shown(game, other, seat) == seen
                    assert shown(game, other, None) == public


def pictures_leak_nothing(game: AnyGame, seats: int) -> None:
    """Drawn of another table that looks the same to the viewer, they are the same."""
    for moment in record(game, seats, 0).some(3):
        for seat in range(seats):
            other = game.imagine(moment.state, seat, Luck(1))
            for viewer in (seat, None):
                mine, its = game.view(moment.state, viewer), game.view(other, viewer)
                assert game.svg(mine) == game.svg(its)
                assert game.text(mine) == game.text(its)


def imagining_varies_what_is_hidden(game: AnyGame, seats: int) -> None:
    """For each seat that was ever kept from knowing something."""
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


def what_is_imagined_comes_back_as_a_position(game: AnyGame, seats: int) -> None:
    """A fork of a match in play begins with it."""
    played = record(game, seats, 1)
    for number, moment in enumerate(played.some(20)):
        for seat in range(seats):
            other = game.imagine(moment.state, seat, Luck(number))
            text = json_codec.as_read_back(game.write_position(other))
            assert contents(game.read_position(played.setup, text, seats)) == contents(other)


def games_go_on_from_what_is_imagined(game: AnyGame, seats: int) -> None:
    """A seat's idea of the table is a table on which the game can be played to its end."""
    for number, moment in enumerate(record(game, seats, 0).some(6)):
        seat = number % seats
        dice = Luck(seat)
        state = game.imagine(moment.state, seat, dice)
        for made in count():
            if not awaited(state):
                break
            advance(game, state, some_move(game, state, dice, made), dice)
        score = game.scoring(state)
        assert score.winners or score.won is False


def redacting_hides_the_same_whatever_it_hides(game: AnyGame, seats: int) -> None:
    """Another value in a hidden field makes no difference to what is shown of an event."""
    played = record(game, seats, 0)
    for event in played.events:
        for seat in played.viewers:
            known = redact(event, seat)
            assert redact(known, seat) == known
            assert json_codec.read_events(game, json_codec.encode([known])) == [known]
            for other in otherwise(event, known, played.events):
                assert json_codec.encode(redact(other, seat)) == json_codec.encode(known)


def events_tell_no_more_than_views(game: AnyGame, seats: int) -> None:
    """Where chance leaves the view of a seat as it is, the seat is told the same."""
    played = record(game, seats, 0)
    for moment in played.some(20):
        for seat in played.viewers:
            told: dict[bytes, list[bytes]] = {}
            for luck in range(6):
                events = decide(game, moment.state, moment.move, Luck(luck))
                view = game.view(fold(moment.state.copy(), events), seat)
                seen = sorted(json_codec.encode(redact(event, seat)) for event in events)
                assert told.setdefault(json_codec.encode(view), seen) == seen


def sealed_choices_look_alike(game: AnyGame, seats: int) -> None:
    """To all others, as long as they are of the same kind and size, and alike in what is shown."""
    played = record(game, seats, 0)
    for state, seat in ((moment.state, moment.move.seat) for moment in played.moments):
        sealed = [move for move in legal_moves(game, state, seat) if move.sealed]
        for viewer in set(played.viewers) - {seat}:
            told: dict[Any, list[bytes]] = {}
            for move in sealed:
                events = [redact(event, viewer) for event in preview(game, state, move)]
                sizes = [size(getattr(move, name)) for name in move.__struct_fields__]
                public = [getattr(move, name) for name in move.shown]
                seen = [json_codec.encode(event) for event in events]
                assert told.setdefault((type(move), *sizes, *public), seen) == seen


def a_spectator_knows_no_more_than_any_seat(game: AnyGame, seats: int) -> None:
    """Field by field, in every event of a game."""
    played = record(game, seats, 0)
    for event in played.events:
        public = _known_of(game, event, None)
        assert all(public <= _known_of(game, event, seat) for seat in range(seats))


def every_event_can_be_redacted(game: AnyGame, seats: int) -> None:
    """Also those that chance did not bring about."""
    for kind in game.events:
        event = sample(msgspec.inspect.type_info(kind))
        assert all(json_codec.encode(redact(event, seat)) for seat in (None, *range(seats)))


def events_that_follow_dice_reveal(game: AnyGame, seats: int) -> None:
    """So that nobody who dislikes a throw takes it back alone and throws again."""
    for seed in SEEDS:
        dice = _Counted(seed)
        events = begin(game, some_setup(game, seats, Luck(seed)), seats, dice)
        assert not dice.fallen or any(event.reveals for event in events)
        for moment in record(game, seats, seed).some(60):
            dice = _Counted(seed)
            events = decide(game, moment.state, moment.move, dice)
            assert not dice.fallen or any(event.reveals for event in events)


def what_was_foreseen_is_the_same_whatever_is_hidden(game: AnyGame, seats: int) -> None:
    """A move that a player takes back alone has taught them nothing."""
    for seed in SEEDS:
        for moment in record(game, seats, seed).some(80):
            state, move = moment.state, moment.move
            if foreseen(game, state, move):
                other = game.imagine(state, move.seat, Luck(seed))
                assert _told(game, other, move) == _told(game, state, move)


def _told(game: AnyGame, state: Any, move: Any) -> list[Any]:
    """What the player of a move sees of what it does."""
    return [redact(event, move.seat) for event in decide(game, state, move, Luck(1))]


def _known_of(game: AnyGame, event: Any, seat: Seat | None) -> set[str]:
    """The fields that this seat, or a spectator, is told."""
    known = redact(event, seat)
    names = event.__struct_fields__
    return {name for name in names if getattr(known, name, ...) == getattr(event, name)}


class _Counted(Luck):
    """Dice that count how often they fell."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.fallen = 0

    def below(self, n: int) -> int:
        self.fallen += 1
        return super().below(n)
