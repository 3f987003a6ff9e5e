"""A game as a record of functions, and what can be done with any game."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Generic, Protocol

import msgspec

from domain.engine.answers import Answers
from domain.engine.dice import Dice, choose
from domain.engine.errors import GameOver, NotYourTurn, Refused, RuleBroken
from domain.engine.play import Awaiting, Event, Move, Play, Preview, S, Seat, Step, Unforeseen
from domain.engine.resources.examples import Example
from domain.engine.resources.field_notes import Glossary
from domain.engine.resources.rulebook import ENGLISH, Rulebook
from domain.engine.resources.win_probability import Calibration
from domain.engine.scoring import Scoring
from domain.engine.sentences import Sayings, Sentence, Texts, Words, called, told
from domain.engine.symmetry import Symmetries, none_but_itself
from domain.engine.touches import Kind, Touch, Tree, Way, in_no_part

Json = dict[str, Any]
Evaluation = Callable[[Any, Seat], float]
"""How good a state is for a seat: the more the better, and never infinite."""

Meant = Mapping[tuple[str, ...], Callable[..., Iterable[Json]]]
"""By the kinds of names that somebody touches in turn: the moves, legal or not, that they may mean,
from a view and what tells each of the names from others of its kind.
"""


class Drawn(Protocol):
    """Draws what is on the table, in the words of a language; by default in English."""

    def __call__(self, view: Any, words: Words = ..., /) -> str:
        """A picture, or text."""
        ...


def as_it_is(state: S, _seat: Seat, _dice: Dice) -> S:
    """What a seat can imagine of a game without secrets: just the state, as a copy."""
    return state.copy()


def as_planned(setup: Any, _position: Json) -> Any:
    """What a match from a position goes by where a position changes nothing of it: the setup."""
    return setup


def never(_setup: Any) -> bool:
    """Whether the seats play together, where they always play against each other."""
    return False


@dataclass(frozen=True, eq=False, kw_only=True)
class Game(Generic[S]):
    """What the engine needs to know of a game; the defaults are those of one without secrets."""

    key: str
    rulebooks: Mapping[str, Rulebook]  # by language, with the same numbers in each
    glossary: Glossary  # what the fields of its records are, by their names
    rules: int  # version of the rules; grows when they change
    seats: range  # how many can play, with the options as they are by default
    modes: Mapping[str, range] = field(default_factory=dict)
    """How many can play by the values of the option `mode`, where it has one that says so."""
    options: type[msgspec.Struct]  # what can be chosen, with the defaults
    setup_type: type[msgspec.Struct]  # what `setup` returns; the match keeps it as JSON
    setup: Callable[[Any, int], Any]  # from options and seats: all that the match will go by
    setup_for: Callable[[Any, Json], Any] = as_planned  # if it begins with a position
    together: Callable[[Any], bool] = never  # by a setup: all seats win, or all lose
    blank: Callable[[Any, int], S]  # an empty table, from a setup and a number of seats
    begin: Callable[[Play[S]], None]  # set the game up
    answers: Answers[S]  # which moves answer which steps, and what becomes of them
    legal: Callable[[S, Seat], list[Move]] | None = None
    """All that a seat may choose now, where that is found faster than by offering and judging: the
    same moves in the same order."""
    draw: Callable[[S, Seat, Dice], Move] | None = None
    """One of them, each as likely as the others, where that takes no list of all."""
    events: tuple[type[Event[Any]], ...]
    ends: tuple[str, ...]  # the reasons for which it can be over, as its scoring tells them
    scoring: Callable[[S], Scoring]  # the score as it stands; the final one once the game is over
    view: Callable[[S, Seat | None], Any]  # what a seat, or a spectator, may know
    view_type: type[msgspec.Struct]  # what that is, with the key of the game as `game`
    lasting: tuple[str, ...] = ()  # members of the view that are the same all through a match
    immaterial: tuple[str, ...] = ()  # of the view or the setup that make no difference to play
    symmetries: Symmetries = none_but_itself
    imagine: Callable[[S, Seat, Dice], S] = as_it_is  # a state it cannot tell from the real one
    touches: Callable[[Any, Any], Iterable[Way]]  # the ways to point at a move, from a view
    meant: Meant = field(default_factory=dict)  # by touches with which no offered move begins
    touch_kinds: tuple[Kind, ...]  # of the names in them, and of the parts they belong to
    within: Callable[[Any, Touch], Touch | None] = in_no_part  # that part, from a view and a name
    sayings: Sayings  # how fields of events and steps, and what names consist of, are said
    texts: Mapping[str, Texts]  # by language, the words for all that is told of it
    svg: Drawn  # the board as a picture, from a view
    text: Drawn  # the board as text, from a view
    read_position: Callable[[Any, Json, int], S]  # from a setup, a position, and seats; BadPosition
    write_position: Callable[[S], Json]
    position_type: type[msgspec.Struct]  # what these read and write
    levels: Sequence[Level]  # of its bots, the weakest first
    evaluate: Evaluation  # as the strong ones do, any state, also once the game is over
    calibration: Calibration = field(default_factory=Calibration)  # what it means for who will win
    sequels: Sequels[S] | None = None
    examples: Sequence[Example] = ()  # of the rules, worked out

    @property
    def all_seats(self) -> range:
        """From the fewest that can play in any mode to the most."""
        ranges = (self.seats, *self.modes.values())
        return range(min(one.start for one in ranges), max(one.stop for one in ranges))

    def unusual_mode(self, options: msgspec.Struct) -> str:
        """The mode that these options choose; "" if it is the one by default, or there is none."""
        mode: str = getattr(options, "mode", "")
        return mode if mode in self.modes and mode != getattr(self.options(), "mode", "") else ""

    def seats_with(self, options: msgspec.Struct) -> range:
        """How many can play with these options."""
        return self.modes.get(getattr(options, "mode", ""), self.seats)

    def plays_together(self, mode: str) -> bool:
        """Whether all seats win or none does in a mode, "" for the usual one."""
        options = self.options(**({"mode": mode} if mode else {}))
        return self.together(self.setup(options, self.seats_with(options)[0]))

    @property
    def title(self) -> str:
        """What the game is called in English."""
        return self.called(ENGLISH)

    @property
    def rulebook(self) -> Rulebook:
        """The rule book in English, of which the others are translations."""
        return self.rulebooks[ENGLISH]

    def words(self, language: str = ENGLISH, names: Sequence[str | None] = ()) -> Words:
        """How the game is told in a language, with the names of those who play by seat."""
        return Words(self.texts[language], names)

    def called(self, language: str) -> str:
        """What the game is called in a language."""
        return self.texts[language]["title"]

    def bots(self, language: str = ENGLISH) -> dict[str, str]:
        """What its bots are called in a language, by the keys of their levels."""
        texts = self.words(language).texts
        return {level.key: texts[f"level_{level.key}"] for level in self.levels}

    def strengths(self, language: str = ENGLISH) -> dict[str, str]:
        """How its bots play, in a word of a language, by the keys of their levels."""
        texts = self.words(language).texts
        return {level.key: texts[f"label_{level.label}"] for level in self.levels}


@dataclass(frozen=True)
class Sequels(Generic[S]):
    """How matches of a game follow one another in a series."""

    planned: Callable[[Any], bool]  # whether a setup is that of a series
    options: Callable[[S, int], Json | None]  # options of the n-th match (from 2), if there is one
    penalties: Callable[[S], Sequence[int]]  # what each seat is charged; the lowest total wins


@dataclass(frozen=True)
class Sight(Generic[S]):
    """What a bot has to go by: states that its seat cannot tell from the real one."""

    game: Game[S]
    seat: Seat
    imagine: Callable[[], S]  # another such state at each call, the caller's to change
    dice: Dice
    late: Callable[[], bool]  # time is up: answer with the best so far


Bot = Callable[[Sight[Any]], Any]
"""Chooses a legal move."""


@dataclass(frozen=True)
class Level:
    """One strength at which the bots of a game play."""

    key: str  # its name is the text `level_...` of the game
    label: str
    bot: Bot
    deep: bool = False  # searches for as long as it may; the others answer almost at once


def parted(game: Game[Any], view: Any) -> tuple[Json, Json]:
    """A view in two: what lasts all through the match, and what can change."""
    members = {name: getattr(view, name) for name in view.__struct_fields__}
    lasting = {name: members.pop(name) for name in game.lasting}
    return {"game": game.key, **lasting}, {"game": game.key, **members}


def begin(game: Game[S], setup: Any, seats: int, dice: Dice) -> list[Event[Any]]:
    """What happens when the game begins: the events that set it up."""
    play = Play(game.blank(setup, seats), dice)
    game.begin(play)
    return _settle(game, play)


def new_state(game: Game[S], setup: Any, seats: int, dice: Dice) -> S:
    """The table once the game has begun."""
    state: S = fold(game.blank(setup, seats), begin(game, setup, seats, dice))
    return state


def decide(game: Game[S], state: S, move: Move, dice: Dice) -> list[Event[Any]]:
    """What happens if this move is made, or Refused. Leaves `state` as it is."""
    judge(game, state, move)
    return advance(game, state.copy(), move, dice)


def advance(game: Game[S], state: S, move: Move, dice: Dice) -> list[Event[Any]]:
    """Make a move that is known to be legal, in place."""
    play = Play(state, dice)
    _answer(game, play, move)
    return _settle(game, play)


def preview(game: Game[S], state: S, move: Move) -> list[Event[Any]]:
    """What this move does as far as everybody knows beforehand, or Refused; `state` stays."""
    judge(game, state, move)
    play = Preview(state.copy(), NO_DICE)
    _foresee(game, play, move)
    return play.events


def foreseen(game: Game[S], state: S, move: Move) -> bool:
    """Whether everybody knew beforehand all that a legal move does; `state` stays."""
    return _foresee(game, Preview(state.copy(), NO_DICE), move)


def judge(game: Game[S], state: S, move: Move) -> None:
    """Refuse a move that is not allowed now."""
    if not state.agenda:
        raise GameOver
    if move.seat not in state.agenda[-1].seats:
        raise NotYourTurn
    game.answers.judge(state, move)


def awaited(state: S) -> tuple[Seat, ...]:
    """The seats that have to decide now; none if the game is over."""
    return tuple(state.agenda[-1].seats) if state.agenda else ()


def candidates(game: Game[S], state: S, seat: Seat) -> list[Move]:
    """All that this seat may well choose now: a few too many, all different, never too few."""
    offered = game.answers.offered(state, seat) if seat in awaited(state) else ()
    return [move for _, move in offered]


def legal_moves(game: Game[S], state: S, seat: Seat) -> list[Move]:
    """All that this seat may choose now."""
    if not state.agenda or seat not in state.agenda[-1].seats:
        return []
    return game.legal(state, seat) if game.legal else game.answers.legal(state, seat)


def any_move(game: Game[S], state: S, seat: Seat, dice: Dice) -> Move:
    """One of the legal moves of a seat that has to decide now, each as likely as the others."""
    if game.draw:
        return game.draw(state, seat, dice)
    return choose(dice, legal_moves(game, state, seat))


def tree(game: Game[Any], view: Any, moves: Iterable[Move]) -> Tree[Move]:
    """Moves that are legal in a view, by the ways to point at them."""
    ways = {way: move for move in moves for way in game.touches(view, move)}
    return Tree(ways, partial(game.within, view))


def tell(game: Game[Any], event: Event[Any], view: Any) -> Sentence:
    """What happened, as far as the viewer may know it: the event is what they are told of it."""
    return told(event, view, game.sayings)


def ask(game: Game[Any], step: Step, view: Any) -> Sentence:
    """What somebody has to do now."""
    return told(step, view, game.sayings, "ask_")


def call(game: Game[Any], touch: Touch, view: Any) -> Sentence:
    """What a name stands for, of those by which moves are pointed at."""
    return called(touch, view, game.sayings)


def refuse(refusal: RuleBroken) -> Sentence:
    """Why a move is refused."""
    return Sentence(refusal.text, refusal.parts, (refusal.rule,))


def game_of(games: Iterable[Game[Any]], rule: str) -> Game[Any] | None:
    """The one of these games that the number of a rule names."""
    return next((game for game in games if rule in game.rulebook.rules), None)


def why(games: Iterable[Game[Any]], refusal: Refused, language: str = ENGLISH) -> str:
    """Why something is refused: in the words of a language where the rules of a game refuse it."""
    if isinstance(refusal, RuleBroken) and (game := game_of(games, refusal.rule)):
        return game.words(language).say(refuse(refusal))
    return refusal.reason


def fold(state: S, events: Iterable[Event[S]]) -> S:
    """Apply events to this state, oldest first."""
    for event in events:
        event.apply(state)
    return state


def _answer(game: Game[S], play: Play[S], move: Move) -> None:
    """Carry out the move; others who were asked the same still owe an answer."""
    agenda = play.state.agenda
    step = agenda.pop()
    if len(step.seats) > 1:
        others = tuple(seat for seat in step.seats if seat != move.seat)
        agenda.append(msgspec.structs.replace(step, seats=others))
    game.answers.play(play, step, move)


def _foresee(game: Game[S], play: Play[S], move: Move) -> bool:
    """Carry out a move as far as it can be foreseen; whether that was all of it."""
    try:
        _answer(game, play, move)
        while _does_itself(play.state):
            if play.state.agenda[-1].secret:
                return False
            game.answers.proceed(play, play.state.agenda.pop())
    except Unforeseen:
        return False
    return True


def _settle(game: Game[S], play: Play[S]) -> list[Event[Any]]:
    """Do what needs nobody, and note where it comes to rest."""
    game.answers.settle(play)
    play.events.append(Awaiting(tuple(play.state.agenda)))
    return play.events


def _does_itself(state: S) -> bool:
    return bool(state.agenda) and not state.agenda[-1].seats


class _NoDice:
    """Dice that may not fall: whoever reaches for them has come to the end of a preview."""

    def below(self, n: int) -> int:
        raise Unforeseen(n)


NO_DICE = _NoDice()
