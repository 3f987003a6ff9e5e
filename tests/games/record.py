"""Random games of any game, with all their events."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from typing import Any, TypeVar

import msgspec

from domain.engine.bots import bot_view
from domain.engine.codecs import json_codec
from domain.engine.dice import Dice, Luck, choose
from domain.engine.errors import BadOptions, BadPosition
from domain.engine.game import (
    Game,
    begin,
    decide,
    fold,
    legal_moves,
    seats_to_move,
    touch_tree,
)
from domain.engine.options import has_effect
from domain.engine.play import Event, Move, Seat
from domain.engine.starting.starts import check_position, read_start
from domain.engine.touches import TouchTree

Rec = TypeVar("Rec", bound=msgspec.Struct)
MAX_MOVES = 6000
"""No game has more moves than this."""
MAX_RANDOM_MOVES = 400
"""After this many random moves the weakest bot continues, since random moves may never end a game.
"""

MAX_RECORDS = 4
"""A long game takes up to 10 MB. Tests that look at the same games follow one another."""


@dataclass(frozen=True)
class Menu:
    """What a seat sees and can do at a moment, worked out once for all checks that ask."""

    game: Game[Any]
    state: Any
    seat: Seat

    @cached_property
    def view(self) -> Any:
        """What the seat sees."""
        return self.game.view(self.state, self.seat)

    @cached_property
    def picture(self) -> str:
        """The view, drawn in English."""
        return self.game.render_svg(self.view, self.game.words())

    @cached_property
    def legal(self) -> tuple[Move, ...]:
        """All legal moves of the seat."""
        return tuple(legal_moves(self.game, self.state, self.seat))

    @cached_property
    def touches(self) -> TouchTree[Move]:
        """These moves by their touches."""
        return touch_tree(self.game, self.view, self.legal)


@dataclass(frozen=True)
class Moment:
    """A state, and the move made in it."""

    game: Game[Any]
    state: Any
    move: Move

    @cached_property
    def menus(self) -> list[Menu]:
        """Those of all deciding seats."""
        return [Menu(self.game, self.state, seat) for seat in seats_to_move(self.state)]

    @cached_property
    def menu(self) -> Menu:
        """That of the seat that moves."""
        return next(menu for menu in self.menus if menu.seat == self.move.seat)


@dataclass(frozen=True)
class Record:
    """A game from its first event to its last."""

    game: Game[Any]
    setup: Any
    seats: int
    moments: list[Moment]
    events: list[Event[Any]]
    end: Any

    @property
    def viewers(self) -> list[Seat | None]:
        """All seats, and a spectator."""
        return [None, *range(self.seats)]

    @cached_property
    def starts(self) -> list[Any]:
        """The states from which a match may start; that of the first decision is one."""
        found = [one.state for at, one in enumerate(self.moments) if self._is_start_at(at)]
        assert found
        return found

    def any_start(self, dice: Dice) -> Any:
        """One of `starts`, each as likely: most of a game need not be read for it."""
        while not self._is_start_at(at := dice.below(len(self.moments))):
            pass
        return self.moments[at].state

    def some_starts(self, count: int) -> list[Any]:
        """The first of `starts` in each of this many parts of the game."""
        length = -(-len(self.moments) // count)
        parts = (
            range(len(self.moments))[at : at + length] for at in range(0, len(self.moments), length)
        )
        firsts = (next(filter(self._is_start_at, part), None) for part in parts)
        return [self.moments[at].state for at in firsts if at is not None]

    @cached_property
    def _is_start_at(self) -> Callable[[int], bool]:
        """Whether a match may start from the state of the moment with this number."""
        return cache(lambda at: is_start(self.game, self.setup, self.moments[at].state, self.seats))

    def some(self, count: int) -> list[Moment]:
        """Moments spread over the game."""
        return self.moments[:: max(1, len(self.moments) // count)]

    def of_each_step(self, count: int) -> list[Moment]:
        """Moments spread over the game, after the first moment of each kind of step."""
        first: dict[type, Moment] = {}
        for moment in self.moments:
            first.setdefault(type(moment.state.agenda[-1]), moment)
        return [*first.values(), *self.some(count)]


def is_start(game: Game[Any], setup: Any, state: Any, seats: int) -> bool:
    """Whether a match may start from a state. Most may not, which costs little to find out."""
    try:
        check_position(game, state)
        start_from(game, setup, state, seats)
    except BadPosition:
        return False
    return True


def start_from(game: Game[Any], setup: Any, state: Any, seats: int) -> Any:
    """The table of the JSON of the position of a state, as of one from outside. Raises BadPosition
    unless a match may start from it.
    """
    position = json_codec.json_round_trip(game.write_position(state))
    return read_start(game, setup, position, seats)


@lru_cache(maxsize=MAX_RECORDS)
def record(game: Game[Any], seats: int, seed: int) -> Record:
    """Play a game of random moves to its end; every deciding seat has a legal move."""
    dice = Luck(f"{game.key}/{seats}/{seed}")
    return play_randomly(game, some_setup(game, seats, dice), seats, dice)


def play_randomly(game: Game[Any], setup: Any, seats: int, dice: Dice) -> Record:
    """Play a game of random moves from this setup."""
    events = begin(game, setup, seats, dice)
    state = fold(game.blank_state(setup, seats), events)
    moments: list[Moment] = []
    while seats_to_move(state):
        move = some_move(game, state, dice, len(moments))
        moments.append(Moment(game, state.copy(), move))
        happened = decide(game, state, moments[-1].move, dice)
        events += happened
        fold(state, happened)
        assert len(moments) < MAX_MOVES
    return Record(game, setup, seats, moments, events, state)


def any_move(game: Game[Any], state: Any, dice: Dice) -> Move:
    """A move of a deciding seat; every deciding seat must have one."""
    menus = [legal_moves(game, state, seat) for seat in seats_to_move(state)]
    assert all(menus)
    move: Move = choose(dice, choose(dice, menus))
    return move


def some_move(game: Game[Any], state: Any, dice: Dice, made: int) -> Move:
    """A random move, or that of a bot after MAX_RANDOM_MOVES."""
    move = any_move(game, state, dice)
    if made < MAX_RANDOM_MOVES:
        return move
    chosen: Move = game.levels[0].bot(bot_view(game, state, move.seat, dice))
    return chosen


def some_setup(game: Game[Any], seats: int, dice: Dice) -> Any:
    """The setup of random options, as the match reads it from JSON."""
    try:
        setup = game.setup(some_options(game, dice), seats)
    except BadOptions:
        setup = game.setup(game.options(), seats)
    return msgspec.json.decode(json_codec.encode(setup), type=game.setup_type)


def some_options(game: Game[Any], dice: Dice) -> Any:
    """Random values for all options that are a choice or a boolean; those that do not apply to the
    mode keep their defaults.
    """
    info: Any = msgspec.inspect.type_info(game.options)
    picked = {}
    for field in info.fields:
        match field.type:
            case (
                msgspec.inspect.LiteralType(values=values)
                | msgspec.inspect.Metadata(type=msgspec.inspect.LiteralType(values=values))
            ):
                picked[field.name] = choose(dice, values)
            case msgspec.inspect.BoolType():
                picked[field.name] = bool(dice.below(2))
    mode = picked.get("mode")
    return game.options(
        **{name: one for name, one in picked.items() if has_effect(game.options, name, mode)}
    )


@cache
def sample_of(kind: type[Rec]) -> Rec:
    """Some record of this kind."""
    record: Rec = sample(msgspec.inspect.type_info(kind))
    return record


def sample(kind: Any) -> Any:
    """Some value of this type, as msgspec describes it."""
    match kind:
        case msgspec.inspect.StructType(cls=cls, fields=fields):
            return cls(**{field.name: sample(field.type) for field in fields})
        case msgspec.inspect.UnionType(types=types):
            return sample(types[0])
        case msgspec.inspect.LiteralType(values=values):
            return values[0]
        case msgspec.inspect.TupleType(item_types=types):
            return tuple(sample(item) for item in types)
        case msgspec.inspect.IntType(ge=least):
            return least or 0
        case _:
            return EMPTY[type(kind)]


EMPTY: dict[type, Any] = {
    msgspec.inspect.StrType: "",
    msgspec.inspect.BoolType: False,
    msgspec.inspect.NoneType: None,
    msgspec.inspect.VarTupleType: (),
    msgspec.inspect.ListType: [],
    msgspec.inspect.DictType: {},
    msgspec.inspect.AnyType: None,
}
