"""Strict JSON for the modules of the page: reading an unknown member is an error in the console.

Templates raise an error for an unknown name; in JavaScript it would silently be `undefined`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec

from service.http.contract import ANY, read_contract

SCRIPT = """(() => {
    const optional = new Set(OPTIONAL);
    const report = (name) => console.error(`unknown member: ${name}`);
    const isMember = (object, name) => name in object || optional.has(name);
    const known = (object, name) => typeof name !== "string" || isMember(object, name);
    const get = (object, name) => (known(object, name) || report(name), object[name]);
    const isObject = (value) => value && typeof value === "object" && !Array.isArray(value);
    const strict = (_, value) => (isObject(value) ? new Proxy(value, { get }) : value);
    const parse = JSON.parse;
    JSON.parse = (text, reviver) => parse(text, reviver ?? strict);
    Response.prototype.json = async function () {
        return JSON.parse(await this.text());
    };
})();"""
ALLOWED = ("then", "toJSON", "undefined", "recovery_codes")
"""Names that the browser reads itself, the mode of a game without modes, and a member with a
default for responses that have none.
"""


@cache
def schemas() -> dict[str, Any]:
    """The schemas of the contract without those of games."""
    return {
        name: one
        for name, one in read_contract().without_games()["components"]["schemas"].items()
        if not name.startswith(ANY)
    }


def optional_members() -> Iterator[str]:
    """The members that a response can leave out."""
    for schema in schemas().values():
        required = schema.get("required", ())
        yield from (name for name in schema.get("properties", {}) if name not in required)


@cache
def strict_json() -> str:
    """The script that makes the JSON of a page strict; it has to run before its modules."""
    names = sorted({*optional_members(), *ALLOWED})
    return SCRIPT.replace("OPTIONAL", msgspec.json.encode(names).decode())
