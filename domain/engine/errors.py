"""Why a move is refused."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from domain.engine.faults import Fault
    from domain.engine.sentences import Part


class Refused(Exception):
    """A move that is not accepted; it changes nothing."""

    code = "refused"

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Unreadable(Refused):
    """What was sent cannot be read; `faults` has each thing that is wrong, if it is known."""

    def __init__(self, reason: str, faults: Sequence[Fault] = ()) -> None:
        super().__init__(reason)
        self.faults = faults


class BadMove(Unreadable):
    """What was sent cannot be read as a move of this game."""

    code = "bad_move"


class Unfinished(Refused):
    """What was touched leads to several moves: `choices` has what can be touched next."""

    code = "bad_move"

    def __init__(self, choices: Sequence[str]) -> None:
        names = ", ".join(f"`{choice}`" for choice in choices)
        super().__init__(f"Several moves begin so. What can be touched next: {names}.")
        self.choices = choices


class BadOptions(Unreadable):
    """What was sent cannot be read as the options of this game, or they contradict each other."""

    code = "bad_options"


class BadPosition(Unreadable):
    """What was sent cannot be read as a position of this game, or no game could reach it."""

    code = "bad_position"


def require(condition: bool, reason: str) -> None:
    """Refuse a position with BadPosition, for this reason, unless the condition holds."""
    if not condition:
        raise BadPosition(reason)


def require_different(names: Collection[Hashable], where: str) -> None:
    """Refuse a position with BadPosition if the list of this name has something twice."""
    require(len(set(names)) == len(names), f"`{where}` names something twice.")


class NotYourTurn(Refused):
    """Somebody else has to decide now."""

    code = "not_your_turn"

    def __init__(self, reason: str = "It is not your turn.") -> None:
        super().__init__(reason)


class GameOver(Refused):
    """The game has ended."""

    code = "game_over"

    def __init__(self, reason: str = "The game is over.") -> None:
        super().__init__(reason)


class RuleBroken(Refused):
    """The rules forbid this: `rule` is the number of the rule, `fault` a word for programs.

    What is said to people is the text `fault_...` of the game, or that of the key `text` where a
    fault has several, with these parts filled in.
    """

    code = "rule_broken"

    def __init__(self, rule: str, fault: str, text: str = "", /, **parts: Part) -> None:
        super().__init__(f"{rule}: {fault}")
        self.rule = rule
        self.fault = fault
        self.text = text or f"fault_{fault}"
        self.parts = parts
