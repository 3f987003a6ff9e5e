"""The commands as they are registered with Discord."""

from __future__ import annotations

from collections.abc import Iterator

from service.channels.chat.markup import truncate
from service.channels.discord.components import Json
from service.channels.discord.interactions.slash_commands import HELP

MAX_COMMAND_CHARS = 8_000
"""Maximum length of the names, descriptions and values of a command, all together."""
_PART, _TEXT, _INTEGER, _BOOLEAN, _USER = 1, 3, 4, 5, 6


def build_commands() -> list[Json]:
    """Return all commands: `/annals`, for servers and for users who install the application."""
    subcommands = [
        _option(_PART, name, does, options=OPTIONS.get(name, [])) for name, does in HELP.items()
    ]
    return [
        {
            "type": 1,
            "name": "annals",
            "description": "Board games in Discord.",
            "integration_types": [0, 1],
            "contexts": [0, 1, 2],
            "options": subcommands,
        }
    ]


def count_chars(command: Json) -> int:
    """Return the length of a command, as Discord counts it."""
    return sum(len(str(text)) for text in _texts(command))


def _texts(part: Json) -> Iterator[object]:
    yield from (part.get("name", ""), part.get("description", ""), part.get("value", ""))
    for inner in (*part.get("options", ()), *part.get("choices", ())):
        yield from _texts(inner)


def _option(kind: int, name: str, does: str, **more: object) -> Json:
    return {"type": kind, "name": name, "description": truncate(does, 100), **more}


def _text_option(name: str, does: str, required: bool = False) -> Json:
    """Return a text option with autocompletion."""
    return _option(_TEXT, name, does, required=required, autocomplete=True)


def _number_option(name: str, does: str, minimum: int, maximum: int) -> Json:
    return _option(_INTEGER, name, does, min_value=minimum, max_value=maximum)


_MATCH = _text_option("match", "a match; by default the newest of this channel")
_GAME = _text_option("game", "a game", required=True)
_LUCK = _option(_TEXT, "luck", "any words of yours; they take part in the dice", max_length=100)
OPTIONS = {
    "new": [
        _GAME,
        _number_option("seats", "number of seats", 1, 8),
        _option(_USER, "opponent", "the user to invite to the second seat"),
        _number_option("bots", "number of seats for bots", 0, 7),
        _text_option(
            "clock", "time per move, such as 1d, or a bank with an increment, such as 1h+30s"
        ),
        _text_option("options", "game options from the list, separated by spaces"),
        _option(_BOOLEAN, "private", "hide the match from others; it is not rated"),
        _LUCK,
    ],
    "join": [_MATCH, _LUCK],
    "board": [_MATCH, _option(_BOOLEAN, "share", "show a match of yours in this channel")],
    "hand": [_MATCH],
    "move": [
        _MATCH,
        _text_option("move", "words of the move; leave it out to choose step by step"),
    ],
    "undo": [_MATCH],
    "resign": [_MATCH],
    "rules": [_GAME, _text_option("rule", "a number, or words of a rule")],
    "link": [_option(_BOOLEAN, "unlink", "remove the link")],
    "settings": [
        _option(_BOOLEAN, "ping", "mention you when it is your turn"),
        _option(
            _TEXT,
            "board",
            "how boards look",
            choices=[
                {"name": "as a picture", "value": "picture"},
                {"name": "as text", "value": "text"},
            ],
        ),
    ],
}
