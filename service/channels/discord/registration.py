"""The commands as Discord is told of them, once, when they are registered."""

from __future__ import annotations

from collections.abc import Iterator

from service.channels.chat.markup import cut
from service.channels.discord.components import Json
from service.channels.discord.interactions.slash_commands import HELP

MOST_LETTERS = 8_000
"""Names, descriptions and values of a command with all its parts together."""
_PART, _TEXT, _WHOLE, _YES_NO, _USER = 1, 3, 4, 5, 6


def commands() -> list[Json]:
    """All commands: `/annals`, for servers and for whoever installs it for themselves."""
    parts = [
        _option(_PART, name, does, options=OPTIONS.get(name, [])) for name, does in HELP.items()
    ]
    return [
        {
            "type": 1,
            "name": "annals",
            "description": "Board games, played here.",
            "integration_types": [0, 1],
            "contexts": [0, 1, 2],
            "options": parts,
        }
    ]


def letters(command: Json) -> int:
    """How many letters of a command count."""
    return sum(len(str(text)) for text in _counted(command))


def _counted(part: Json) -> Iterator[object]:
    yield from (part.get("name", ""), part.get("description", ""), part.get("value", ""))
    for inner in (*part.get("options", ()), *part.get("choices", ())):
        yield from _counted(inner)


def _option(kind: int, name: str, does: str, **more: object) -> Json:
    return {"type": kind, "name": name, "description": cut(does, 100), **more}


def _typed(name: str, does: str, required: bool = False) -> Json:
    """What is typed, while we say what it could be."""
    return _option(_TEXT, name, does, required=required, autocomplete=True)


def _number(name: str, does: str, least: int, most: int) -> Json:
    return _option(_WHOLE, name, does, min_value=least, max_value=most)


_MATCH = _typed("match", "which match; the newest of this channel if none is named")
_GAME = _typed("game", "which game", required=True)
_LUCK = _option(_TEXT, "luck", "words of yours from which the dice follow, too", max_length=100)
OPTIONS = {
    "new": [
        _GAME,
        _number("seats", "how many seats the table has", 1, 8),
        _option(_USER, "opponent", "who is invited to the second seat"),
        _number("bots", "how many seats bots take", 0, 7),
        _typed("clock", "a time for each move, as 1d, or for all with what each adds, as 1h+30s"),
        _typed("options", "variants of the game, as they are offered, one after another"),
        _option(_YES_NO, "private", "let nobody else find the match; it is not rated"),
        _LUCK,
    ],
    "join": [_MATCH, _LUCK],
    "board": [_MATCH, _option(_YES_NO, "share", "let this channel see a match of yours")],
    "hand": [_MATCH],
    "move": [_MATCH, _typed("move", "words of the move; leave it out to be asked step by step")],
    "undo": [_MATCH],
    "resign": [_MATCH],
    "rules": [_GAME, _typed("rule", "a number, or words of a rule")],
    "link": [_option(_YES_NO, "unlink", "be your own player again")],
    "settings": [
        _option(_YES_NO, "ping", "be called when it is your turn"),
        _option(
            _TEXT,
            "board",
            "how boards are shown to you",
            choices=[
                {"name": "as a picture", "value": "picture"},
                {"name": "as text", "value": "text"},
            ],
        ),
    ],
}
