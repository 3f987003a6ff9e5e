"""People in Discord, and what they see there."""

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
        """What a service must know to be in this Discord."""
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
        """What somebody sees in a channel, or what all see."""
        return [
            message
            for message in self.ask("messages")
            if message["channel"] == channel and message["only"] in (None, user)
        ]

    def newest(self, channel: str) -> Any:
        """The last message that all of a channel see."""
        return self.ask("newest", channel)

    def hook(self, channel: str, thread: str = "") -> str:
        """The address of a new incoming webhook of a channel."""
        if thread:
            self.ask("new_thread", thread)
        asked = f"?thread_id={thread}" if thread else ""
        return f"{self.url}/api/webhooks/{self.ask('new_hook', channel)}{asked}"

    def message(self, number: str) -> Any:
        """A message once there is something in it."""
        found: list[Any] = []

        def is_there() -> bool:
            found[:] = [self.ask("message", number)]
            return bool(found[0]["components"])

        eventually(is_there)
        return found[0]


@contextmanager
def stand_in() -> Iterator[StandIn]:
    """A Discord, until the block is left."""
    with subprocess.Popen(
        [sys.executable, "-m", "tests.discord.stand_in", "0"], cwd=ROOT, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout
        try:
            yield StandIn(int(process.stdout.readline()))
        finally:
            process.terminate()


class Person:
    """Somebody in Discord, in a channel."""

    def __init__(self, discord: StandIn, number: str, name: str, channel: str = "500") -> None:
        self.discord, self.id, self.channel = discord, number, channel
        self.user = {"id": number, "username": name.lower(), "global_name": name}
        self.more: dict[str, Any] = {}

    def says(self, part: str, **filled: Any) -> Any:
        """Use `/annals`; what is seen of it."""
        return self._shown(self.uses(2, self._command(part, filled)))

    def types(self, part: str, focused: str, **filled: Any) -> list[Any]:
        """What is offered while they type."""
        data = self._command(part, filled)
        for option in data["options"][0]["options"]:
            option["focused"] = option["name"] == focused
        choices: list[Any] = self.uses(4, data)["answer"]["data"]["choices"]
        return choices

    def presses(self, message: Any, label: str) -> Any:
        """Press a button; what is seen of it."""
        [mark] = [one["custom_id"] for one in parts(message) if one.get("label") == label]
        return self._shown(self._touches(message, {"custom_id": mark, "component_type": 2}))

    def chooses(self, message: Any, value: str) -> Any:
        """Choose from a menu; what is seen of it."""
        [mark] = [one["custom_id"] for one in parts(message) if one["type"] == 3]
        data = {"custom_id": mark, "component_type": 3, "values": [value]}
        return self._shown(self._touches(message, data))

    def uses(self, kind: int, data: Any, **more: Any) -> Any:
        asked = {"type": kind, "channel": self.channel, "user": self.user, "data": data}
        done = self.discord.ask("use", {**asked, **self.more, **more})
        assert done["status"] == 200, done
        return done

    def _touches(self, message: Any, data: Any) -> Any:
        return self.uses(3, data, message=message["id"])

    def _shown(self, done: Any) -> Any:
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
    """All that is said in a message."""
    return "\n".join(one["content"] for one in parts(message) if one["type"] == 10)


def labels(message: Any) -> list[str]:
    """What its buttons are called."""
    return [one["label"] for one in parts(message) if one["type"] == 2]


def options(message: Any) -> list[Any]:
    """What can be chosen in it."""
    return [option for one in parts(message) if one["type"] == 3 for option in one["options"]]
