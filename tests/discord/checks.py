"""Strict checks of what Discord accepts: messages, first answers and commands; else error 50035."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any

EPHEMERAL, SILENT, V2 = 1 << 6, 1 << 12, 1 << 15
MOST_COMPONENTS, MOST_TEXT = 40, 4_000
MEMBERS: Mapping[int, tuple[set[str], set[str]]] = {
    1: ({"components"}, set()),
    2: ({"style", "label"}, {"custom_id", "url", "disabled"}),
    3: ({"custom_id", "options"}, {"placeholder", "min_values", "max_values", "disabled"}),
    10: ({"content"}, set()),
    12: ({"items"}, set()),
    14: (set(), {"divider", "spacing"}),
    17: ({"components"}, {"accent_color", "spoiler"}),
}
"""The required and the optional members of each component type."""
INSIDE = {17: {1, 10, 12, 14}, 1: {2, 3}}
TOP = {1, 10, 12, 14, 17}


class Wrong(Exception):
    """What Discord would refuse, and why."""


def must(holds: object, why: str) -> None:
    if not holds:
        raise Wrong(why)


def check_message(message: Any, files: Mapping[str, bytes], kept: Mapping[str, str]) -> None:
    """Check a message of components, with its new files and those that stay (name by id)."""
    allowed = {"flags", "components", "allowed_mentions", "attachments", "nonce", "enforce_nonce"}
    must(isinstance(message, dict) and message.keys() <= allowed, f"members {sorted(message)}")
    must(message.get("flags", 0) & V2, "components of the second kind need the flag")
    must(not message["flags"] & ~(V2 | EPHEMERAL | SILENT), "flags")
    _check_mentions(message)
    _check_components(message["components"])
    shown = set(re.findall(r"attachment://([^\"]+)", repr(message["components"]).replace("'", '"')))
    named = {*_names(message.get("attachments", []), files, kept)}
    must(shown == named, f"shown files {shown}, there are {named}")
    nonce = message.get("nonce", "")
    must(isinstance(nonce, str) and len(nonce) <= 25, "nonce")


def check_hook_message(message: Any, files: Mapping[str, bytes]) -> None:
    """Check a message of an incoming webhook without application: it has no components."""
    allowed = {"content", "embeds", "allowed_mentions", "attachments", "flags", "username"}
    must(isinstance(message, dict) and message.keys() <= allowed, f"members {sorted(message)}")
    must(not message.get("flags", 0) & ~SILENT, "flags")
    must(message.get("content") or message.get("embeds") or files, "an empty message")
    must(len(message.get("content", "")) <= 2_000, "content")
    must(not re.search("discord|clyde", message.get("username", ""), re.IGNORECASE), "username")
    _check_mentions(message)
    _check_embeds(message.get("embeds", []))
    shown = set(re.findall(r"attachment://([^'\"]+)", repr(message)))
    named = {*_names(message.get("attachments", []), files, {})}
    must(shown == named, f"shown files {shown}, there are {named}")


def _check_embeds(embeds: Any) -> None:
    must(len(embeds) <= 10, "embeds")
    letters = 0
    for one in embeds:
        must(
            one.keys() <= {"title", "description", "url", "color", "footer", "image"},
            f"embed {one}",
        )
        texts = {**one, "footer": one.get("footer", {}).get("text", "")}
        for name, most in (("title", 256), ("description", 4_096), ("footer", 2_048)):
            must(len(texts.get(name, "")) <= most, f"{name} of an embed")
            letters += len(texts.get(name, ""))
    must(letters <= 6_000, f"{letters} letters in embeds")


def _names(attachments: Any, files: Mapping[str, bytes], kept: Mapping[str, str]) -> Iterator[str]:
    for one in attachments:
        must(one.keys() <= {"id", "filename", "description"}, "attachments")
        must(len(one.get("description", "")) <= 1_024, "description of a file")
        must(isinstance(one["id"], str), "an id is a string")
        if one["id"] == "0":
            must(one["filename"] in files, "no such file")
            yield one["filename"]
        else:
            must(one["id"] in kept, "no such attachment to keep")
            yield kept[one["id"]]
    must(len(files) <= sum(one["id"] == "0" for one in attachments), "a file unnamed")


def _check_mentions(message: Any) -> None:
    mentions = message.get("allowed_mentions")
    must(mentions is not None, "allowed_mentions must always be there")
    must(mentions.get("parse") == [] and mentions.keys() <= {"parse", "users"}, "allowed_mentions")
    users = mentions.get("users", [])
    must(len(users) <= 100 and len(set(users)) == len(users), "users to call")
    must(all(re.fullmatch(r"\d{1,20}", user) for user in users), "ids of users")


def _check_components(components: Any) -> None:
    found = list(_walk(components, TOP))
    must(0 < len(found) <= MOST_COMPONENTS, f"{len(found)} components")
    texts = [one["content"] for one in found if one["type"] == 10]
    must(sum(map(len, texts)) <= MOST_TEXT, f"{sum(map(len, texts))} letters")
    marks = [one["custom_id"] for one in found if "custom_id" in one]
    must(len(marks) == len(set(marks)), f"custom_id twice: {marks}")
    must(all(1 <= len(mark) <= 100 for mark in marks), "custom_id of 1 to 100")


def _walk(components: Any, may: set[int]) -> Iterator[Any]:
    must(isinstance(components, list), "components are a list")
    for one in components:
        kind = one.get("type")
        must(kind in may, f"type {kind} does not belong here")
        needed, more = MEMBERS[kind]
        given = one.keys() - {"type", "id"}
        must(needed <= given <= needed | more, f"type {kind} with {sorted(given)}")
        if check := CHECKS.get(kind):
            check(one)
        yield one
        yield from _walk(one.get("components", []), INSIDE.get(kind, set()))


def _button(one: Any) -> None:
    must(one["style"] in range(1, 6) and 1 <= len(one["label"]) <= 80, "button")
    must(("url" in one) == (one["style"] == 5), "a link has a url")
    must(("custom_id" in one) == (one["style"] != 5), "a button has a custom_id")


def _menu(one: Any) -> None:
    options = one["options"]
    must(1 <= len(options) <= 25, f"{len(options)} options")
    must(len(one.get("placeholder", "")) <= 150, "placeholder")
    values = [option["value"] for option in options]
    must(len(set(values)) == len(values), "values are all different")
    for option in options:
        must(option.keys() <= {"label", "value", "description"}, "option")
        must(all(1 <= len(text) <= 100 for text in option.values()), f"option {option}")


def _gallery(one: Any) -> None:
    must(1 <= len(one["items"]) <= 10, "items")
    for item in one["items"]:
        must(item.keys() <= {"media", "description", "spoiler"}, "item")
        must(1 <= len(item.get("description", "x")) <= 1_024, "alt text")


def _row(one: Any) -> None:
    kinds = [inner["type"] for inner in one["components"]]
    must(kinds == [3] or (0 < len(kinds) <= 5 and set(kinds) == {2}), f"row of {kinds}")


def _text(one: Any) -> None:
    must(isinstance(one["content"], str) and one["content"], "text")


CHECKS: Mapping[int, Callable[[Any], None]] = {
    1: _row, 2: _button, 3: _menu, 10: _text, 12: _gallery,
}  # fmt: skip


def check_answer(kind: int, answer: Any) -> None:
    """A first answer to an interaction of this type."""
    must(answer.keys() <= {"type", "data"}, "members of an answer")
    allowed = {1: {1}, 2: {4, 5}, 3: {4, 5, 6, 7}, 4: {8}}[kind]
    must(answer["type"] in allowed, f"answer {answer['type']} to {kind}")
    data = answer.get("data", {})
    if answer["type"] == 5:
        must(data in ({}, {"flags": EPHEMERAL}), "a deferral has no more than its visibility")
    if answer["type"] in (4, 7):
        check_message(data, {}, {})
    if answer["type"] == 8:
        _check_choices(data)


def _check_choices(data: Any) -> None:
    must(data.keys() == {"choices"} and len(data["choices"]) <= 25, "choices")
    for one in data["choices"]:
        must(one.keys() == {"name", "value"}, "choice")
        must(all(1 <= len(text) <= 100 for text in one.values()), f"choice {one}")


def check_commands(commands: Any) -> None:
    """The commands of an application."""
    must(len(commands) <= 100, "commands")
    for one in commands:
        must(one["type"] == 1 and set(one["contexts"]) <= {0, 1, 2}, "command")
        must(set(one["integration_types"]) <= {0, 1}, "integration types")
        must(sum(_letters(one)) <= 8_000, "letters")
        _check_options(one)


def _letters(part: Any) -> Iterator[int]:
    yield len(part.get("name", "")) + len(part.get("description", "")) + len(part.get("value", ""))
    for inner in (*part.get("options", ()), *part.get("choices", ())):
        yield from _letters(inner)


def _check_options(part: Any) -> None:
    must(re.fullmatch(r"[-_a-z0-9]{1,32}", part["name"]), f"name {part['name']}")
    must(1 <= len(part["description"]) <= 100, f"description of {part['name']}")
    options = part.get("options", ())
    must(len(options) <= 25, "options")
    required = [option.get("required", False) for option in options]
    must(required == sorted(required, reverse=True), "required ones come first")
    for option in options:
        must(not (option.get("autocomplete") and option.get("choices")), "both")
        _check_options(option)
