"""What each game must do, as functions of a game and a number of seats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from itertools import count
from pkgutil import walk_packages
from typing import Any
from xml.etree import ElementTree

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from domain.engine import codec
from domain.engine.dice import Luck
from domain.engine.errors import GameOver, NotYourTurn, Refused, RuleBroken
from domain.engine.game import (
    Game,
    Sight,
    advance,
    awaited,
    begin,
    candidates,
    decide,
    fold,
    foreseen,
    judge,
    legal_moves,
    new_state,
    preview,
)
from domain.engine.play import Awaiting, Event, Move, Seat, Step
from domain.match.events import MATCH_EVENTS
from tests.engine.table import changeable, contents
from tests.games.record import record, sample, some_move, some_setup

AnyGame = Game[Any]
SEEDS = range(2)  # for what is looked at closely


def it_ends_with_places(game: AnyGame, seats: int, seed: int = 0) -> None:
    """Somebody is first, equals share a place, and the reason is told."""
    scoring = game.scoring(record(game, seats, seed).end)
    places = [line.rank for line in scoring.lines]
    assert [line.seat for line in scoring.lines] == list(range(seats))
    assert places == [1 + sum(other < place for other in places) for place in places]
    assert scoring.winners
    assert scoring.reason


def folding_gives_what_deciding_gave(game: AnyGame, seats: int, seed: int = 0) -> None:
    """All events, through JSON, onto a table laid from a setup that went through JSON."""
    played = record(game, seats, seed)
    events = codec.read_events(game, codec.encode(played.events))
    assert events == played.events
    assert contents(fold(game.blank(played.setup, seats), events)) == contents(played.end)


def deciding_leaves_the_state_alone(game: AnyGame, seats: int) -> None:
    """So do looking, listing, trying out, imagining and scoring."""
    for moment in record(game, seats, 0).some(12):
        state, seat = moment.state, moment.move.seat
        before = contents(state)
        decide(game, state, moment.move, Luck(1))
        preview(game, state, moment.move)
        legal_moves(game, state, seat)
        fold(game.imagine(state, seat, Luck(1)), [Awaiting(())])
        game.view(state, seat), game.scoring(state), game.write_position(state)
        assert contents(state) == before


def advancing_agrees_with_deciding(game: AnyGame, seats: int) -> None:
    """In place or not, with the same dice the same happens."""
    for moment in record(game, seats, 0).some(30):
        events = decide(game, moment.state, moment.move, Luck(7))
        advanced = moment.state.copy()
        assert advance(game, advanced, moment.move, Luck(7)) == events
        assert contents(advanced) == contents(fold(moment.state.copy(), events))


def a_preview_is_how_the_move_begins(game: AnyGame, seats: int) -> None:
    """Whatever the dice, what was previewed comes true."""
    for moment in record(game, seats, 0).some(30):
        tried = preview(game, moment.state, moment.move)
        for seed in range(2):
            assert decide(game, moment.state, moment.move, Luck(seed))[: len(tried)] == tried


def nobody_moves_out_of_turn(game: AnyGame, seats: int) -> None:
    """Nor after the end."""
    played = record(game, seats, 0)
    for state, move in ((moment.state, moment.move) for moment in played.moments):
        for seat in set(range(-1, seats + 1)) - set(awaited(state)):
            assert legal_moves(game, state, seat) == []
            with pytest.raises(NotYourTurn):
                judge(game, state, msgspec.structs.replace(move, seat=seat))
    for moment in played.some(5):
        with pytest.raises(GameOver):
            judge(game, played.end, moment.move)


def the_table_holds_every_step_and_every_move(game: AnyGame, _seats: int) -> None:
    """And `events` every event: whatever the files of the game define."""
    room = game.begin.__module__.partition(".rules")[0]
    assert set(game.answers.steps) == defined(Step, room)
    assert set(game.answers.moves) == defined(Move, room)
    assert set(game.events) == defined(Event, room)


def each_row_offers_its_own_kind_of_move(game: AnyGame, seats: int) -> None:
    """To the seat that was asked about."""
    for moment in record(game, seats, 0).some(60):
        for seat in awaited(moment.state):
            for row, move in game.answers.offered(moment.state, seat):
                assert (type(move), move.seat) == (row.move, seat)


def other_moves_are_refused_in_the_words_of_the_table(game: AnyGame, seats: int) -> None:
    """Whatever does not answer the step; the refusal names a rule of the book."""
    for refusal in game.answers.otherwise.values():
        assert refusal.rule in game.rulebook.rules
    played = record(game, seats, 0)
    for moment in played.some(12):
        step, seat = moment.state.agenda[-1], moment.move.seat
        for other in {type(other.move): other.move for other in played.moments}.values():
            if type(other) not in game.answers.to(type(step)):
                move = msgspec.structs.replace(other, seat=seat)
                assert refused(game, moment.state, move) == game.answers.otherwise[type(step)]


def candidates_are_all_different(game: AnyGame, seats: int) -> None:
    """And each of them is a move of the seat that was asked about."""
    for moment in record(game, seats, 0).moments:
        for seat in awaited(moment.state):
            moves = list(candidates(game, moment.state, seat))
            assert len(set(moves)) == len(moves)
            assert {move.seat for move in moves} <= {seat}


def moves_come_back_from_json(game: AnyGame, seats: int) -> None:
    """As they are listed, so they are read."""
    for moment in record(game, seats, 0).some(12):
        for move in legal_moves(game, moment.state, moment.move.seat):
            assert codec.read_move(game, move.seat, codec.to_json(move)) == move


def refusals_name_a_rule(game: AnyGame, seats: int) -> None:
    """Moves from elsewhere in the game are judged by a rule of the book, or allowed."""
    played = record(game, seats, 0)
    for moment in played.some(12):
        for other in played.some(40):
            move = msgspec.structs.replace(other.move, seat=moment.move.seat)
            refusal = refused(game, moment.state, move)
            assert refusal is None or refusal[0] in game.rulebook.rules


def a_copy_shares_nothing(game: AnyGame, seats: int) -> None:
    """Nothing that can change, that is; nor does an imagined state."""
    for moment in record(game, seats, 0).some(5):
        state = moment.state
        assert contents(state.copy()) == contents(state)
        mine = {id(thing) for thing in changeable(state)}
        for other in (state.copy(), game.imagine(state, moment.move.seat, Luck(1))):
            assert not mine & {id(thing) for thing in changeable(other)}


def a_position_comes_back_from_json(game: AnyGame, seats: int) -> None:
    """With the same views and the same choices."""
    played = record(game, seats, 1)
    for state in (moment.state for moment in played.some(8)):
        text = codec.encode(game.write_position(state))
        back = game.read_position(played.setup, msgspec.json.decode(text), seats)
        assert back.agenda == state.agenda
        assert game.scoring(back) == game.scoring(state)
        assert codec.encode(game.write_position(back)) == text
        for seat in played.viewers:
            assert shown(game, back, seat) == shown(game, state, seat)


def pictures_are_drawn_from_every_view(game: AnyGame, seats: int) -> None:
    """Also before the first event and after the last."""
    played = record(game, seats, 0)
    blank = game.blank(played.setup, seats)
    for state in (blank, *(moment.state for moment in played.some(2)), played.end):
        for seat in played.viewers:
            view = game.view(state, seat)
            assert ElementTree.fromstring(game.svg(view)).tag.endswith("svg")
            assert game.text(view).strip()


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
        if any(game.redact(event, seat) != event for event in played.events):
            assert any(
                contents(game.imagine(moment.state, seat, Luck(luck))) != contents(moment.state)
                for moment in played.some(12)
                for luck in range(5)
            )


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
        assert game.scoring(state).winners


def redacting_hides_the_same_whatever_it_hides(game: AnyGame, seats: int) -> None:
    """Another value in a hidden field makes no difference to what is shown of an event."""
    played = record(game, seats, 0)
    for event in played.events:
        for seat in played.viewers:
            known = game.redact(event, seat)
            assert game.redact(known, seat) == known
            assert codec.read_events(game, codec.encode([known])) == [known]
            for other in otherwise(event, known, played.events):
                assert codec.encode(game.redact(other, seat)) == codec.encode(known)


def events_tell_no_more_than_views(game: AnyGame, seats: int) -> None:
    """Where chance leaves the view of a seat as it is, the seat is told the same."""
    played = record(game, seats, 0)
    for moment in played.some(20):
        for seat in played.viewers:
            told: dict[bytes, list[bytes]] = {}
            for luck in range(6):
                events = decide(game, moment.state, moment.move, Luck(luck))
                view = game.view(fold(moment.state.copy(), events), seat)
                seen = sorted(codec.encode(game.redact(event, seat)) for event in events)
                assert told.setdefault(codec.encode(view), seen) == seen


def sealed_choices_look_alike(game: AnyGame, seats: int) -> None:
    """To all others, as long as they are of the same kind and size, and alike in what is shown."""
    played = record(game, seats, 0)
    for state, seat in ((moment.state, moment.move.seat) for moment in played.moments):
        sealed = [move for move in legal_moves(game, state, seat) if move.sealed]
        for viewer in set(played.viewers) - {seat}:
            told: dict[Any, list[bytes]] = {}
            for move in sealed:
                events = [game.redact(event, viewer) for event in preview(game, state, move)]
                sizes = [size(getattr(move, name)) for name in move.__struct_fields__]
                public = [getattr(move, name) for name in move.shown]
                seen = [codec.encode(event) for event in events]
                assert told.setdefault((type(move), *sizes, *public), seen) == seen


def a_spectator_knows_no_more_than_any_seat(game: AnyGame, seats: int) -> None:
    """Field by field, in every event of a game."""
    played = record(game, seats, 0)
    for event in played.events:
        public = known_of(game, event, None)
        assert all(public <= known_of(game, event, seat) for seat in range(seats))


def every_event_can_be_redacted(game: AnyGame, seats: int) -> None:
    """Also those that chance did not bring about."""
    for kind in game.events:
        event = sample(msgspec.inspect.type_info(kind))
        assert all(codec.encode(game.redact(event, seat)) for seat in (None, *range(seats)))


def bots_of_each_level_answer_at_once_if_time_is_up(game: AnyGame, seats: int) -> None:
    """With a move that is legal."""
    for moment in record(game, seats, 0).some(3):
        state, seat = moment.state, moment.move.seat
        for level in game.levels:
            dice = Luck(1)
            sight = Sight(game, seat, lambda: game.imagine(state, seat, dice), dice, lambda: True)  # noqa: B023  called before the loop goes on
            judge(game, state, level.bot(sight))


def events_that_follow_dice_reveal(game: AnyGame, seats: int) -> None:
    """So that nobody who dislikes a throw takes it back alone and throws again."""
    for seed in SEEDS:
        dice = Counted(seed)
        events = begin(game, some_setup(game, seats, Luck(seed)), seats, dice)
        assert not dice.fallen or any(event.reveals for event in events)
        for moment in record(game, seats, seed).some(60):
            dice = Counted(seed)
            events = decide(game, moment.state, moment.move, dice)
            assert not dice.fallen or any(event.reveals for event in events)


def what_was_foreseen_is_the_same_whatever_is_hidden(game: AnyGame, seats: int) -> None:
    """A move that a player takes back alone has taught them nothing."""
    for seed in SEEDS:
        for moment in record(game, seats, seed).some(80):
            state, move = moment.state, moment.move
            if foreseen(game, state, move):
                other = game.imagine(state, move.seat, Luck(seed))
                assert told(game, other, move) == told(game, state, move)


def names_of_events_are_not_those_of_the_match(game: AnyGame, _seats: int) -> None:
    """Both are read from the same entries."""
    names = [kind.__name__ for kind in (*game.events, *MATCH_EVENTS)]
    assert len(names) == len(set(names))


def any_choice_of_moves_keeps_the_game_sound(game: AnyGame, seats: int) -> None:
    """Hypothesis chooses, so that it can name the few moves that break something."""

    @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
    @given(seed=st.integers(0, 99), data=st.data())
    def choose_moves(seed: int, data: Any) -> None:
        dice = Luck(seed)
        setup = some_setup(game, seats, dice)
        state = new_state(game, setup, seats, dice)
        for _ in range(25):
            if not awaited(state):
                break
            menus = [legal_moves(game, state, seat) for seat in awaited(state)]
            assert all(menus)
            move = data.draw(st.sampled_from(data.draw(st.sampled_from(menus))))
            assert refused(game, state, move) is None
            events = decide(game, state, move, dice)
            assert codec.read_events(game, codec.encode(events)) == events
            assert [type(event) for event in events].count(Awaiting) == 1
            fold(state, events)
            assert events[-1] == Awaiting(tuple(state.agenda))

    choose_moves()


CHECKS: list[Callable[[AnyGame, int], None]] = [
    it_ends_with_places,
    folding_gives_what_deciding_gave,
    deciding_leaves_the_state_alone,
    advancing_agrees_with_deciding,
    a_preview_is_how_the_move_begins,
    nobody_moves_out_of_turn,
    the_table_holds_every_step_and_every_move,
    each_row_offers_its_own_kind_of_move,
    other_moves_are_refused_in_the_words_of_the_table,
    candidates_are_all_different,
    moves_come_back_from_json,
    refusals_name_a_rule,
    a_copy_shares_nothing,
    a_position_comes_back_from_json,
    pictures_are_drawn_from_every_view,
    nothing_leaks,
    pictures_leak_nothing,
    imagining_varies_what_is_hidden,
    games_go_on_from_what_is_imagined,
    redacting_hides_the_same_whatever_it_hides,
    events_tell_no_more_than_views,
    sealed_choices_look_alike,
    a_spectator_knows_no_more_than_any_seat,
    every_event_can_be_redacted,
    bots_of_each_level_answer_at_once_if_time_is_up,
    events_that_follow_dice_reveal,
    what_was_foreseen_is_the_same_whatever_is_hidden,
    names_of_events_are_not_those_of_the_match,
    any_choice_of_moves_keeps_the_game_sound,
]


class Counted(Luck):
    """Dice that count how often they fell."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self.fallen = 0

    def below(self, n: int) -> int:
        self.fallen += 1
        return super().below(n)


def defined(kind: type, room: str) -> set[type]:
    """All records of a kind that the files of a game define, imported or not."""
    package = import_module(room)
    for file in walk_packages(package.__path__, f"{room}."):
        import_module(file.name)
    return {found for found in descendants(kind) if found.__module__.startswith(f"{room}.")}


def descendants(kind: type) -> set[type]:
    """All classes below this one that stand for records themselves: those without others below."""
    below = kind.__subclasses__()
    return {kind} if not below else set().union(*map(descendants, below))


def told(game: AnyGame, state: Any, move: Any) -> list[Any]:
    """What the player of a move sees of what it does."""
    return [game.redact(event, move.seat) for event in decide(game, state, move, Luck(1))]


def shown(game: AnyGame, state: Any, seat: Seat | None) -> list[Any]:
    """All that reaches this seat, or a spectator, of a state, as bytes."""
    view = game.view(state, seat)
    seen = [codec.encode(view), codec.encode(state.agenda)]
    if seat not in awaited(state):
        return seen
    legal = legal_moves(game, state, seat)
    previews = [codec.encode(preview(game, state, move)) for move in legal]
    judged = [refused(game, state, move) for move in candidates(game, state, seat)]
    return [*seen, codec.encode(legal), previews, judged]


def refused(game: AnyGame, state: Any, move: Any) -> tuple[str, str, str] | None:
    """The rule, the fault and the reason, if this move is not allowed now."""
    try:
        judge(game, state, move)
    except RuleBroken as refusal:
        return refusal.rule, refusal.fault, refusal.reason
    except Refused as refusal:
        return "", refusal.code, refusal.reason
    return None


def otherwise(event: Any, known: Any, events: list[Any]) -> Iterator[Any]:
    """This event with what is hidden replaced by what other events of its kind say there."""
    names = event.__struct_fields__
    hidden = [name for name in names if getattr(event, name) != getattr(known, name)]
    alike = [other for other in events if type(other) is type(event)] if hidden else []
    for other in alike[:20]:
        changes = {name: getattr(other, name) for name in hidden}
        if all(size(changes[name]) == size(getattr(event, name)) for name in hidden):
            yield msgspec.structs.replace(event, **changes)


def size(value: Any) -> int:
    """How many there are, which may be known of what is hidden."""
    return len(value) if isinstance(value, tuple | list | dict) else -1


def known_of(game: AnyGame, event: Any, seat: Seat | None) -> set[str]:
    """The fields that this seat, or a spectator, is told."""
    known = game.redact(event, seat)
    names = event.__struct_fields__
    return {name for name in names if getattr(known, name, ...) == getattr(event, name)}
