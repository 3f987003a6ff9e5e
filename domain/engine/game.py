"""The record of functions that defines a game, and the operations that work for every game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, cast

import msgspec

from domain.engine.answers import Answers
from domain.engine.defaults import (
    OVER,
    NoOptions,
    always_false,
    identity,
    keep_setup,
    lead,
    set_up_options,
)
from domain.engine.dice import Dice
from domain.engine.drawing.layout import Picture, Shape, compose
from domain.engine.drawing.seat_marks import SeatMark, numbered_mark
from domain.engine.errors import GameOver, NotYourTurn
from domain.engine.play import (
    Awaiting,
    Event,
    Move,
    NotDeterministic,
    Play,
    Preview,
    S,
    Seat,
    Step,
    record_returned,
)
from domain.engine.positions.derivation import declared_or_derived
from domain.engine.positions.reader import Position, read_position, write_position
from domain.engine.resources.folder import Resources
from domain.engine.resources.rulebook import ENGLISH, Rulebook
from domain.engine.scoring import ScoreParts, Scoring
from domain.engine.sentences import Sayings, Sentence, Words, describe, prompt, touch_label
from domain.engine.symmetry import Symmetries, identity_only
from domain.engine.touches import Pointing, Touch, TouchKind, TouchTree, kinds_of_fields

Json = dict[str, Any]
Evaluator = Callable[[Any, Seat], float]
"""The value of a state for a seat: finite, and higher is better."""
Draw = Callable[[Any, Words], Picture]
Renderer = Callable[[Any, Words], str]
"""Draws or renders a view with the words of a language: as a picture, or as plain text."""


@dataclass(frozen=True)
class BotView(Generic[S]):
    """The observation of a bot: states that its seat cannot distinguish from the real one."""

    game: Game[S]
    seat: Seat
    imagine: Callable[[], S]  # a new state on each call, which the bot may change
    dice: Dice
    is_late: Callable[[], bool]  # time is up: return the best move so far


Bot = Callable[[BotView[Any]], Any]
"""Returns a legal move."""


@dataclass(frozen=True)
class Level:
    """A level of the bots of a game."""

    key: str  # the text `level_<key>` of the game is its name
    label: str
    bot: Bot
    deep: bool = False  # searches until its time is up; other levels answer within milliseconds


def random_bot(view: BotView[Any]) -> Any:
    """Choose any legal move, each with the same probability."""
    return random_move(view.game, view.imagine(), view.seat, view.dice)


RANDOM_LEVEL = Level("random", "Beginner", random_bot)
"""The level of a game without bots of its own."""


@dataclass(frozen=True)
class SeriesRules(Generic[S]):
    """How the matches of a series follow one another."""

    is_series: Callable[[Any], bool]  # whether a setup belongs to a series
    next_options: Callable[[S, int], Json | None]
    """For the n-th match (n >= 2); None ends the series."""
    penalties: Callable[[S], Sequence[int]]  # penalty of each seat; the lowest total wins


@dataclass(frozen=True, eq=False, kw_only=True)
class Game(Generic[S]):
    """Everything that the engine needs from a game. The defaults suit an open game, without hidden
    information, in which the seats play against each other.

    Raises TypeError if `setup` or `view` does not name the record that it returns, or the view has
    no `scores`.
    """

    key: str
    resources: Resources  # texts, rule books, field notes, examples, calibration
    seats: range  # possible numbers of seats with the default options
    blank_state: Callable[[Any, int], S]  # an empty table, from a setup and a number of seats
    begin: Callable[[Play[S]], None]  # set the game up
    answers: Answers[S]  # which moves answer which steps, and what they do
    events: tuple[type[Event[Any]], ...]
    scoring: Callable[[S], Scoring]  # the current score; final once the game is over
    view: Callable[[S, Seat | None], Any]  # what a seat or a spectator may know
    draw: Draw  # the table as panels of a picture, from a view
    render_text: Renderer  # the board as text, from a view
    seat_mark: Callable[[Any, Seat], SeatMark] = numbered_mark  # in the picture, from a view
    rules: int = 1  # version of the rules; increases when they change
    options: type[msgspec.Struct] = NoOptions  # the options of the game, with defaults
    setup: Callable[[Any, int], Any] = set_up_options
    """From options and seats: the record with all that a match depends on, stored as JSON."""
    setup_for_position: Callable[[Any, Json], Any] = keep_setup  # if a match starts from a position
    seats_by_mode: Mapping[str, range] = field(default_factory=dict)
    """Possible numbers of seats by value of the option `mode`, if it changes them."""
    minutes: tuple[int, int] | None = None  # of a match at a table: from and to
    weight: int | None = None  # 1 (light) to 5 (heavy): how much there is to learn and consider
    is_cooperative: Callable[[Any], bool] = always_false
    """From a setup: whether all seats win or lose together."""
    end_reasons: tuple[str, ...] = (OVER,)  # possible values of the reason in its scoring
    score_parts: ScoreParts = ScoreParts()  # noqa: RUF009 - it cannot be changed
    series: SeriesRules[S] | None = None

    position_type: type[Position] = Position  # by default all fields of the state except `setup`
    check_position: Callable[[S], None] | None = None  # see `check_position` of starts.py

    imagine: Callable[[S, Seat, Dice], S] = identity  # a state the seat considers possible
    static_view_fields: tuple[str, ...] = ()  # fields of the view that never change during a match
    irrelevant_fields: tuple[str, ...] = ()  # of the view or the setup: no effect on play
    symmetries: Symmetries = identity_only

    pointing: Pointing = field(default_factory=Pointing)  # how players touch things to move
    sayings: Sayings = field(default_factory=dict)
    """How to say fields of events and steps, and the ids of touches; the others appear verbatim."""

    draw_move: Callable[[S, Seat, Dice], Move] | None = None
    """A faster way to draw one legal move than that of `answers`, each equally probable."""
    levels: Sequence[Level] = (RANDOM_LEVEL,)  # of its bots, weakest first
    evaluate: Evaluator | None = None
    """The value of a state, also when the game is over; without it, the lead in points."""

    setup_type: type[msgspec.Struct] = field(init=False)  # what `setup` returns
    view_type: type[msgspec.Struct] = field(init=False)  # what `view` returns

    def __post_init__(self) -> None:
        """Read the types of the records from the annotations of the functions."""
        own_setup = self.setup is not set_up_options
        setup_type = record_returned(self.setup) if own_setup else self.options
        object.__setattr__(self, "setup_type", setup_type)
        object.__setattr__(self, "view_type", record_returned(self.view))
        object.__setattr__(self, "position_type", declared_or_derived(self))
        if "scores" not in self.view_type.__struct_fields__:
            raise TypeError(
                f"{self.view_type} needs a field `scores`: the points of each seat, None if hidden."
            )

    def read_position(self, setup: Any, position: Json, seats: int, *, strict: bool = False) -> S:
        """The state of a position, by its structure alone unless `strict`. Raises BadPosition."""
        return cast("S", read_position(self, setup, position, seats, strict=strict))

    def write_position(self, state: S) -> Json:
        """The position of a state."""
        return write_position(self.position_type, state)

    @property
    def seat_range(self) -> range:
        """All numbers of seats that some mode allows, as one range."""
        ranges = (self.seats, *self.seats_by_mode.values())
        return range(min(one.start for one in ranges), max(one.stop for one in ranges))

    def non_default_mode(self, options: msgspec.Struct) -> str:
        """The mode that these options choose; "" for the default mode or without modes."""
        mode: str = getattr(options, "mode", "")
        return (
            mode
            if mode in self.seats_by_mode and mode != getattr(self.options(), "mode", "")
            else ""
        )

    def seats_for(self, options: msgspec.Struct) -> range:
        """The possible numbers of seats with these options."""
        return self.seats_by_mode.get(getattr(options, "mode", ""), self.seats)

    def is_cooperative_mode(self, mode: str) -> bool:
        """Whether all seats win or lose together in a mode; "" is the default mode."""
        options = self.options(**({"mode": mode} if mode else {}))
        return self.is_cooperative(self.setup(options, self.seats_for(options)[0]))

    @property
    def title(self) -> str:
        """The English name of the game."""
        return self.title_in(ENGLISH)

    @property
    def rulebook(self) -> Rulebook:
        """The English rule book; the others are translations of it."""
        return self.resources.rulebooks[ENGLISH]

    @property
    def touch_kinds(self) -> tuple[TouchKind, ...]:
        """The kinds of touches, and of the parts that contain them."""
        return self.pointing.kinds or kinds_of_fields(self.answers.moves)

    def render_svg(self, view: Any, words: Words, shape: Shape = "wide") -> str:
        """The table as an SVG picture, from a view."""
        return compose(self.draw(view, words), shape)

    def words(self, language: str = ENGLISH, names: Sequence[str | None] = ()) -> Words:
        """The texts of a language, with the names of the players by seat."""
        return Words(self.resources.texts[language], names)

    def title_in(self, language: str) -> str:
        """The name of the game in a language."""
        return self.resources.texts[language]["title"]

    def goal_in(self, language: str = ENGLISH, mode: str = "") -> str:
        """What players aim at, in a language; in the default mode or another one."""
        is_other = mode in self.seats_by_mode and self.non_default_mode(self.options(mode=mode))
        return self.resources.texts[language][f"goal_{mode}" if is_other else "goal"]

    def goals_in(self, language: str = ENGLISH) -> dict[str, str]:
        """What players aim at in each mode, in a language; empty for a game without modes."""
        return {mode: self.goal_in(language, mode) for mode in self.seats_by_mode}

    def bot_names(self, language: str = ENGLISH) -> dict[str, str]:
        """The names of its bots in a language, by key of their level."""
        texts = self.words(language).texts
        return {level.key: texts[f"level_{level.key}"] for level in self.levels}

    def bot_strengths(self, language: str = ENGLISH) -> dict[str, str]:
        """A word for the strength of each bot in a language, by key of its level."""
        texts = self.words(language).texts
        return {level.key: texts[f"label_{level.label}"] for level in self.levels}


def split_view(game: Game[Any], view: Any) -> tuple[Json, Json]:
    """Split a view into the fields that never change during a match, and the others."""
    members = {name: getattr(view, name) for name in view.__struct_fields__}
    lasting = {name: members.pop(name) for name in game.static_view_fields}
    return {"game": game.key, **lasting}, {"game": game.key, **members}


def begin(game: Game[S], setup: Any, seats: int, dice: Dice) -> list[Event[Any]]:
    """The events that set the game up."""
    play = Play(game.blank_state(setup, seats), dice)
    game.begin(play)
    return _settle(game, play)


def new_state(game: Game[S], setup: Any, seats: int, dice: Dice) -> S:
    """The state after the setup."""
    state: S = fold(game.blank_state(setup, seats), begin(game, setup, seats, dice))
    return state


def decide(game: Game[S], state: S, move: Move, dice: Dice) -> list[Event[Any]]:
    """The events of this move. Raises Refusal if it is illegal; does not change `state`."""
    judge(game, state, move)
    return advance(game, state.copy(), move, dice)


def advance(game: Game[S], state: S, move: Move, dice: Dice) -> list[Event[Any]]:
    """Carry out a legal move in place. Returns its events."""
    play = Play(state, dice)
    _carry_out(game, play, move)
    return _settle(game, play)


def preview(game: Game[S], state: S, move: Move) -> list[Event[Any]]:
    """The events of this move up to the first that depends on chance or reveals hidden information.

    Raises Refusal if the move is illegal; does not change `state`.
    """
    judge(game, state, move)
    play = Preview(state.copy())
    _carry_out_deterministic(game, play, move)
    return play.events


def is_deterministic(game: Game[S], state: S, move: Move) -> bool:
    """Whether every player could predict all events of a legal move; does not change `state`."""
    return _carry_out_deterministic(game, Preview(state.copy()), move)


def judge(game: Game[S], state: S, move: Move) -> None:
    """Raise Refusal if the move is illegal now."""
    if not state.agenda:
        raise GameOver
    if move.seat not in state.agenda[-1].seats:
        raise NotYourTurn
    game.answers.judge(state, move)


def seats_to_move(state: S) -> tuple[Seat, ...]:
    """The seats that have to decide now; empty if the game is over."""
    return tuple(state.agenda[-1].seats) if state.agenda else ()


def candidates(game: Game[S], state: S, seat: Seat) -> list[Move]:
    """A superset of the legal moves of this seat, without duplicates and cheap to compute."""
    offered = game.answers.offers(state, seat) if seat in seats_to_move(state) else ()
    return [move for _, move in offered]


def legal_moves(game: Game[S], state: S, seat: Seat) -> list[Move]:
    """All legal moves of this seat; empty if it does not have to decide."""
    if not state.agenda or seat not in state.agenda[-1].seats:
        return []
    return game.answers.legal_moves(state, seat)


def random_move(game: Game[S], state: S, seat: Seat, dice: Dice) -> Move:
    """A random legal move of a seat that has to decide now, each with the same probability."""
    draw_move = game.draw_move or game.answers.draw_move
    return draw_move(state, seat, dice)


def evaluate(game: Game[S], state: S, seat: Seat) -> float:
    """The value of a state for a seat; it works in every state, also when the game is over."""
    if game.evaluate:
        return game.evaluate(state, seat)
    return lead(game.scoring(state), seat)


def touch_tree(game: Game[Any], view: Any, moves: Iterable[Move]) -> TouchTree[Move]:
    """The moves, all legal in this view, indexed by their touches."""
    ways = {way: move for move in moves for way in game.pointing.touches(view, move)}
    return TouchTree(ways, partial(game.pointing.part_of, view))


def describe_event(game: Game[Any], event: Event[Any], view: Any) -> Sentence | None:
    """A sentence about an event that is already redacted for the viewer; None if the event is
    silent.
    """
    spoken = describe(event, view, game.sayings)
    return spoken if isinstance(spoken, Sentence) else None


def describe_step(game: Game[Any], step: Step, view: Any, reader: Seat | None) -> Sentence:
    """A prompt for the seats of this step, in the second person if the reader has one of them."""
    return prompt(step, view, game.sayings, reader)


def describe_touch(game: Game[Any], touch: Touch, view: Any) -> Sentence:
    """A label for a touch."""
    return touch_label(touch, view, game.sayings)


def fold(state: S, events: Iterable[Event[S]]) -> S:
    """Apply events to this state, oldest first. Returns the state."""
    for event in events:
        event.apply(state)
    return state


def _carry_out(game: Game[S], play: Play[S], move: Move) -> None:
    """Carry out the move. A step that waits for several seats goes on waiting for the others."""
    agenda = play.state.agenda
    step = agenda.pop()
    if len(step.seats) > 1:
        others = tuple(seat for seat in step.seats if seat != move.seat)
        agenda.append(msgspec.structs.replace(step, seats=others))
    game.answers.play(play, step, move)


def _carry_out_deterministic(game: Game[S], play: Play[S], move: Move) -> bool:
    """Carry out a move until it depends on chance or hidden information. Returns whether it never
    did.
    """
    try:
        _carry_out(game, play, move)
        while _is_automatic(play.state):
            if play.state.agenda[-1].secret:
                return False
            game.answers.run_step(play, play.state.agenda.pop())
    except NotDeterministic:
        return False
    return True


def _settle(game: Game[S], play: Play[S]) -> list[Event[Any]]:
    """Carry out automatic steps, then record the agenda that remains. Returns all events."""
    game.answers.settle(play)
    play.events.append(Awaiting(tuple(play.state.agenda)))
    return play.events


def _is_automatic(state: S) -> bool:
    return bool(state.agenda) and not state.agenda[-1].seats
