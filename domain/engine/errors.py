"""Refusals of moves and other input."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from domain.engine.faults import Fault
    from domain.engine.play import Move
    from domain.engine.sentences import Part
    from domain.engine.touches import Way


class Refusal(Exception):
    """A command that is refused; it changes nothing."""

    code = "refused"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreadable(Refusal):
    """Input that cannot be decoded; `faults` lists all that is wrong in it, if that is known."""

    def __init__(self, reason: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(reason)
        self.faults = faults


class BadMove(Unreadable):
    """The input is not a move of this game."""

    code = "bad_move"


class IncompleteMove(Refusal):
    """The touches fit several moves: `choices` lists what can be touched next. `unlisted` has those
    moves by their touches, if the list of legal moves leaves them out.
    """

    code = "bad_move"

    def __init__(self, choices: Sequence[str], unlisted: Mapping[Way, Move] | None = None) -> None:
        names = ", ".join(f"`{choice}`" for choice in choices)
        super().__init__(f"Several moves start like this. Touch one of these next: {names}.")
        self.choices = choices
        self.unlisted = unlisted or {}


class BadOptions(Unreadable):
    """The input is not a set of options of this game, or the options contradict each other."""

    code = "bad_options"


class BadPosition(Unreadable):
    """The input is not a position of this game, or play cannot reach it."""

    code = "bad_position"


def require(condition: bool, reason: str) -> None:
    """Raise BadPosition with this reason unless the condition holds."""
    if not condition:
        raise BadPosition(reason)


def require_distinct(names: Collection[Hashable], where: str) -> None:
    """Raise BadPosition if the list called `where` has duplicates."""
    require(len(set(names)) == len(names), f"`{where}` names something twice.")


class NotYourTurn(Refusal):
    """Another seat has to decide now."""

    code = "not_your_turn"

    def __init__(self, reason: str = "It is not your turn.") -> None:
        super().__init__(reason)


class GameOver(Refusal):
    """The game has ended."""

    code = "game_over"

    def __init__(self, reason: str = "The game is over.") -> None:
        super().__init__(reason)


class RuleBroken(Refusal):
    """The rules forbid this: `rule` is the number of the rule, `fault` a code for programs.

    Players read the text `fault_<fault>` of the game, or the text with the key `text` if a fault
    has several. `parts` are filled into it. If touches were refused, the one at `refused_touch`
    is the first that leads to no move, and `choices` could stand in its place.
    """

    code = "rule_broken"

    def __init__(self, rule: str, fault: str, text: str = "", /, **parts: Part) -> None:
        super().__init__(f"{rule}: {fault}")
        self.rule = rule
        self.fault = fault
        self.text = text or f"fault_{fault}"
        self.parts = parts
        self.refused_touch: int | None = None
        self.choices: Sequence[str] = ()


class NotInLesson(Refusal):
    """The move is legal, but the step of a lesson asks for another one: `rule` is the number of the
    rule that the step teaches, `reasons` has the explanation by language.

    If touches were refused, `refused_touch` and `choices` are as in RuleBroken.
    """

    code = "not_in_lesson"

    def __init__(self, rule: str, reasons: Mapping[str, str]) -> None:
        super().__init__(reasons["en"])
        self.rule = rule
        self.reasons = reasons
        self.refused_touch: int | None = None
        self.choices: Sequence[str] = ()
