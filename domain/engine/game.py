"""A game as a record of functions, and what can be done with any game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import msgspec

from domain.engine.dice import Dice
from domain.engine.errors import GameOver, NotYourTurn, Refused
from domain.engine.play import Awaiting, Curtain, Event, Move, Play, Rehearsal, S, Seat, Step
from domain.engine.scoring import Scoring

M = TypeVar("M", bound=Move)
Json = dict[str, Any]


@dataclass(frozen=True, eq=False)
class Game(Generic[S, M]):
    """What the engine needs to know of a game."""

    key: str
    title: str
    rules: int  # version of the rules; grows when they change
    seats: range
    options: type[msgspec.Struct]  # what can be chosen, with the defaults
    setup_type: type[msgspec.Struct]  # what `setup` returns; the match keeps it as JSON
    setup: Callable[[Any, int], Any]  # from options and seats: all that the match will go by
    blank: Callable[[Any, int], S]  # an empty table, from a setup and a number of seats
    begin: Callable[[Play[S]], None]  # set the game up
    candidates: Callable[[S, Seat], Iterable[M]]  # moves worth asking `check` about
    check: Callable[[S, M], None]  # RuleBroken if not allowed
    play: Callable[[Play[S], Any, M], None]  # carry out a move, in answer to a step
    proceed: Callable[[Play[S], Any], None]  # carry out a step that needs nobody
    scoring: Callable[[S], Scoring]  # the score as it stands; the final one once the game is over
    view: Callable[[S, Seat | None], Any]  # what a seat, or a spectator, may know
    redact: Callable[[Event[Any], Seat | None], Event[Any]]  # what a seat may know of an event
    imagine: Callable[[S, Seat, Dice], S]  # a state this seat cannot tell from the real one
    svg: Callable[[Any], str]  # the board as a picture, from a view
    text: Callable[[Any], str]  # the board as text, from a view
    read_position: Callable[[Any, Json, int], S]  # from a setup, a position, and seats; BadPosition
    write_position: Callable[[S], Json]
    levels: Sequence[Level]  # of its bots, the weakest first
    moves: tuple[type[Move], ...]
    events: tuple[type[Event[Any]], ...]
    steps: tuple[type[Step], ...]
    rulebook: Mapping[str, str]  # the text of each rule by its number
    sequels: Sequels[S] | None = None


@dataclass(frozen=True)
class Sequels(Generic[S]):
    """How matches of a game follow one another in a series."""

    planned: Callable[[Any], bool]  # whether a setup is that of a series
    options: Callable[[S, int], Json | None]  # options of the n-th match (from 2), if there is one
    penalties: Callable[[S], Sequence[int]]  # what each seat is charged; the lowest total wins


@dataclass(frozen=True)
class Sight(Generic[S, M]):
    """What a bot has to go by: states that its seat cannot tell from the real one."""

    game: Game[S, M]
    seat: Seat
    imagine: Callable[[], S]  # another such state at each call, the caller's to change
    dice: Dice
    late: Callable[[], bool]  # time is up: answer with the best so far


Bot = Callable[[Sight[Any, Any]], Any]
"""Chooses a legal move."""


@dataclass(frozen=True)
class Level:
    """One strength at which the bots of a game play."""

    key: str
    name: str
    label: str
    bot: Bot


def start(game: Game[S, M], setup: Any, seats: int, dice: Dice) -> list[Event[Any]]:
    """What happens when the game begins."""
    play = Play(game.blank(setup, seats), dice)
    game.begin(play)
    return _settle(game, play)


def decide(game: Game[S, M], state: S, move: M, dice: Dice) -> list[Event[Any]]:
    """What happens if this move is made, or Refused. Leaves `state` as it is."""
    judge(game, state, move)
    return advance(game, state.copy(), move, dice)


def advance(game: Game[S, M], state: S, move: M, dice: Dice) -> list[Event[Any]]:
    """Make a move that is known to be legal, in place."""
    play = Play(state, dice)
    _answer(game, play, move)
    return _settle(game, play)


def preview(game: Game[S, M], state: S, move: M) -> list[Event[Any]]:
    """What this move does as far as everybody knows beforehand, or Refused; `state` stays."""
    judge(game, state, move)
    play = Rehearsal(state.copy(), NO_DICE)
    _rehearse(game, play, move)
    return play.events


def foreseen(game: Game[S, M], state: S, move: M) -> bool:
    """Whether everybody knew beforehand all that a legal move does; `state` stays."""
    return _rehearse(game, Rehearsal(state.copy(), NO_DICE), move)


def judge(game: Game[S, M], state: S, move: M) -> None:
    """Refuse a move that is not allowed now."""
    if not state.agenda:
        raise GameOver
    if move.seat not in state.agenda[-1].seats:
        raise NotYourTurn
    game.check(state, move)


def awaited(state: S) -> tuple[Seat, ...]:
    """The seats that have to decide now; none if the game is over."""
    return tuple(state.agenda[-1].seats) if state.agenda else ()


def legal_moves(game: Game[S, M], state: S, seat: Seat) -> list[M]:
    """All that this seat may choose now."""
    if seat not in awaited(state):
        return []
    return [move for move in game.candidates(state, seat) if _allowed(game, state, move)]


def fold(state: S, events: Iterable[Event[S]]) -> S:
    """Apply events to this state, oldest first."""
    for event in events:
        event.apply(state)
    return state


def _answer(game: Game[S, M], play: Play[S], move: M) -> None:
    """Carry out the move; others who were asked the same still owe an answer."""
    agenda = play.state.agenda
    step = agenda.pop()
    if others := tuple(seat for seat in step.seats if seat != move.seat):
        agenda.append(msgspec.structs.replace(step, seats=others))
    game.play(play, step, move)


def _rehearse(game: Game[S, M], play: Play[S], move: M) -> bool:
    """Carry out a move up to what is hidden or left to chance; whether there was nothing such."""
    try:
        _answer(game, play, move)
        while _does_itself(play.state):
            if play.state.agenda[-1].secret:
                return False
            game.proceed(play, play.state.agenda.pop())
    except Curtain:
        return False
    return True


def _settle(game: Game[S, M], play: Play[S]) -> list[Event[Any]]:
    """Do what needs nobody, and note where it comes to rest."""
    agenda = play.state.agenda
    while _does_itself(play.state):
        game.proceed(play, agenda.pop())
    play.events.append(Awaiting(tuple(agenda)))
    return play.events


def _does_itself(state: S) -> bool:
    return bool(state.agenda) and not state.agenda[-1].seats


def _allowed(game: Game[S, M], state: S, move: M) -> bool:
    try:
        game.check(state, move)
    except Refused:
        return False
    return True


class _NoDice:
    """Dice that may not fall: whoever reaches for them has come to the end of a preview."""

    def below(self, n: int) -> int:
        raise Curtain(n)


NO_DICE = _NoDice()
