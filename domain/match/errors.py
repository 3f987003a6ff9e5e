"""Why a command to a match is refused, apart from the rules of its game."""

from __future__ import annotations

from domain.engine.errors import Refused


class Forbidden(Refused):
    """This player may not do that."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Impossible(Refused):
    """Nobody can do that as the match stands."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code


class Malformed(Refused):
    """What was asked for makes no sense in any match of this game."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.code = code
