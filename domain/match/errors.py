"""Refusals of commands to a match, apart from the rules of its game."""

from __future__ import annotations

from domain.engine.errors import Refusal


class Forbidden(Refusal):
    """This player may not do that."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Impossible(Refusal):
    """The match does not allow this now, whichever player asks."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class TooEarly(Impossible):
    """A deadline has not passed yet."""

    def __init__(self, reason: str) -> None:
        super().__init__("too_early", reason)


class InvalidCommand(Refusal):
    """The command makes no sense in any match of this game."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
