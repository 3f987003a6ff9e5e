"""Every Redis client has a timeout."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.layout import CODE, ROOT


def clients() -> Iterator[tuple[str, ast.Call]]:
    """Every call that creates a client, except those that only read its options."""
    for path in (path for folder in CODE for path in sorted((ROOT / folder).rglob("*.py"))):
        if "from_url" not in (text := path.read_text()):
            continue
        tree = ast.parse(text)
        looked_at = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        for node in ast.walk(tree):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if called and node.func.attr == "from_url" and id(node) not in looked_at:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_every_client_has_a_deadline():
    found = dict(clients())
    assert len(found) > 3
    for where, call in found.items():
        assert "socket_timeout" in {keyword.arg for keyword in call.keywords}, where
