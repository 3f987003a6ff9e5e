"""No JSON file of the code gives a key twice: readers of JSON keep the last one, silently."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from typing import Any

from tests.architecture.layout import CODE, ROOT, TOY


def repeated_keys(text: str) -> list[str]:
    """The keys that an object in a JSON text gives twice or more."""
    found: list[str] = []

    def read_object(members: Sequence[tuple[str, Any]]) -> dict[str, Any]:
        found.extend(key for key, count in Counter(key for key, _ in members).items() if count > 1)
        return dict(members)

    json.loads(text, object_pairs_hook=read_object)
    return found


def test_no_file_gives_a_key_twice() -> None:
    files = [path for folder in (*CODE, TOY) for path in (ROOT / folder).rglob("*.json")]
    assert ROOT / "service/page/texts/en.json" in files
    found = {str(path.relative_to(ROOT)): repeated_keys(path.read_text("utf-8")) for path in files}
    assert {path: keys for path, keys in found.items() if keys} == {}


def test_a_repeated_key_is_found() -> None:
    assert repeated_keys('{"a": 1, "b": {"c": 1, "a": 2, "c": 1}}') == ["c"]
    assert repeated_keys('{"a": 1, "a": 1}') == ["a"]
