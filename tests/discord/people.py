"""Users in Discord, and what they see there."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

from tests.discord.stand_in import PUBLIC
from tests.discord.state import APP, BOT_TOKEN
from tests.support.patience import eventually

ROOT = Path(__file__).parents[2]
NUMBERS = {bool: 5, int: 4, str: 3}


class StandIn:
    """The process that stands in for Discord."""

    def __init__(self, port: int) -> None:
        self.url = f"http://127.0.0.1:{port}"

    @property
    def settings(self) -> Mapping[str, str]:
        """The settings of a service that uses this stand-in."""
        return {
            "ANNALS_DISCORD_APP": APP,
            "ANNALS_DISCORD_KEY": PUBLIC,
            "ANNALS_DISCORD_TOKEN": BOT_TOKEN,
            "ANNALS_DISCORD_API": self.url,
        }

    def ask(self, what: str, body: Any = None) -> Any:
        asked = Request(f"{self.url}/_/{what}", json.dumps(body).encode(), method="POST")
        with urlopen(asked, timeout=120) as answer:
            return json.load(answer)

    def messages(self, channel: str, user: str | None = None) -> list[Any]:
        """The messages of a channel that a user sees, or that all see."""
        return [
            message
            for message in self.ask("messages")
            if message["channel"] == channel and message["only"] in (None, user)
        ]

    def newest(self, channel: str) -> Any:
        """The last message in a channel that all see."""
        return self.ask("newest", channel)

    def hook(self, channel: str, thread: str = "") -> str:
        """The URL of a new incoming webhook of a channel."""
        if thread:
            self.ask("new_thread", thread)
        asked = f"?thread_id={thread}" if thread else ""
        return f"{self.url}/api/webhooks/{self.ask('new_hook', channel)}{asked}"

    def message(self, number: str) -> Any:
        """A message, once it has content."""
        found: list[Any] = []

        def is_there() -> bool:
            found[:] = [self.ask("message", number)]
            return bool(found[0]["components"])

        eventually(is_there)
        return found[0]


@contextmanager
def stand_in() -> Iterator[StandIn]:
    """Run a stand-in."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.discord.stand_in", "0"], cwd=ROOT, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        try:
            yield StandIn(int(process.stdout.readline()))
        finally:
            process.terminate()


class Person:
    """A Discord user in a channel."""

    def __init__(self, discord: StandIn, number: str, name: str, channel: str = "500") -> None:
        self.discord, self.id, self.channel = discord, number, channel
        self.user = {"id": number, "username": name.lower(), "global_name": name}
        self.more: dict[str, Any] = {}

    def says(self, part: str, **filled: Any) -> Any:
        """Use `/annals`; returns the message that the user sees."""
        return self._latest_message(self.uses(2, self._command(part, filled)))

    def types(self, part: str, focused: str, **filled: Any) -> list[Any]:
        """The choices that the user gets while typing."""
        data = self._command(part, filled)
        for option in data["options"][0]["options"]:
            option["focused"] = option["name"] == focused
        choices: list[Any] = self.uses(4, data)["answer"]["data"]["choices"]
        return choices

    def presses(self, message: Any, label: str) -> Any:
        """Press a button; returns the message that the user sees."""
        [mark] = [one["custom_id"] for one in parts(message) if one.get("label") == label]
        return self._latest_message(
            self._touches(message, {"custom_id": mark, "component_type": 2})
        )

    def chooses(self, message: Any, value: str) -> Any:
        """Choose one of the options; returns the message that the user sees."""
        if value.startswith("pk|"):
            return self._latest_message(
                self._touches(message, {"custom_id": value, "component_type": 2})
            )
        [mark] = [one["custom_id"] for one in parts(message) if one["type"] == 3]
        data = {"custom_id": mark, "component_type": 3, "values": [value]}
        return self._latest_message(self._touches(message, data))

    def uses(self, kind: int, data: Any, **more: Any) -> Any:
        asked = {"type": kind, "channel": self.channel, "user": self.user, "data": data}
        done = self.discord.ask("use", {**asked, **self.more, **more})
        assert done["status"] == 200, done
        return done

    def _touches(self, message: Any, data: Any) -> Any:
        return self.uses(3, data, message=message["id"])

    def _latest_message(self, done: Any) -> Any:
        return self.discord.message(done["message"])

    def _command(self, part: str, filled: Mapping[str, Any]) -> Any:
        options = [
            {"name": name, "type": NUMBERS[type(value)], "value": value}
            for name, value in filled.items()
        ]
        inner = {"name": part, "type": 1, "options": options}
        return {"id": "1", "name": "annals", "type": 1, "options": [inner]}


def parts(message: Any) -> Iterator[Any]:
    """All components of a message."""
    waiting = list(message["components"])
    while waiting:
        one = waiting.pop(0)
        yield one
        waiting += one.get("components", [])


def text(message: Any) -> str:
    """All texts of a message."""
    return "\n".join(one["content"] for one in parts(message) if one["type"] == 10)


def labels(message: Any) -> list[str]:
    """The labels of its buttons."""
    return [one["label"] for one in parts(message) if one["type"] == 2]


def options(message: Any) -> list[Any]:
    """The options of its menu, or the buttons for moves, each with a label and a value."""
    return [
        option
        for one in parts(message)
        for option in one.get("options", ())
        or [{**one, "value": mark} for mark in [one.get("custom_id", "")] if mark[:3] == "pk|"]
    ]
