"""The commands as they are registered with Discord."""

from __future__ import annotations

from collections.abc import Iterator

from service.channels.discord.components import Json
from service.channels.discord.interactions.commands import COMMANDS, Command

MAX_COMMAND_CHARS = 8_000
"""Maximum length of the names, descriptions and values of a command, all together."""
_SUBCOMMAND = 1


def build_commands() -> list[Json]:
    """Return all commands: `/annals`, for servers and for users who install the application."""
    return [
        {
            "type": 1,
            "name": "annals",
            "description": "Board games in Discord.",
            "integration_types": [0, 1],
            "contexts": [0, 1, 2],
            "options": [_subcommand(one) for one in COMMANDS.values()],
        }
    ]


def count_chars(command: Json) -> int:
    """Return the length of a command, as Discord counts it."""
    return sum(len(str(text)) for text in _texts(command))


def _subcommand(command: Command) -> Json:
    return {
        "type": _SUBCOMMAND,
        "name": command.name,
        "description": command.does,
        "options": [one.registered for one in command.options],
    }


def _texts(part: Json) -> Iterator[object]:
    yield from (part.get("name", ""), part.get("description", ""), part.get("value", ""))
    for inner in (*part.get("options", ()), *part.get("choices", ())):
        yield from _texts(inner)
