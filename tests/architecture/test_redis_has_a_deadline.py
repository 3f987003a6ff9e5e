"""Every Redis client has a timeout."""

from __future__ import annotations

import ast
from collections.abc import Iterator

import pytest

from tests.architecture.layout import CODE, ROOT

FILES = [path for folder in CODE for path in sorted((ROOT / folder).rglob("*.py"))]


def clients() -> Iterator[tuple[str, ast.Call]]:
    """Every call that creates a client, except those that only read its options."""
    for path in FILES:
        if "from_url" not in (text := path.read_text()):
            continue  # each process that runs tests looks through all files
        tree = ast.parse(text)
        looked_at = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
        for node in ast.walk(tree):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
            if called and node.func.attr == "from_url" and id(node) not in looked_at:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", node


CLIENTS = list(clients())


def test_clients_are_found():
    assert len(CLIENTS) > 3


@pytest.mark.parametrize(("where", "call"), CLIENTS, ids=[where for where, _ in CLIENTS])
def test_every_client_has_a_deadline(where: str, call: ast.Call):
    assert "socket_timeout" in {keyword.arg for keyword in call.keywords}, where
