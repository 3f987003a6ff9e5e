"""Who expects that Redis fails expects it of a cluster, too: its client raises an error that is no
`RedisError`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.layout import ROOT

FOLDERS = ("service", "projections", "workers")
"""Code with clients of Redis, which may be clusters."""
ALL_ERRORS, ONE_ERROR = "REDIS_ERRORS", "RedisError"


def expected_errors() -> Iterator[tuple[str, str]]:
    """Each error that files which name those of Redis handle or suppress, with its place."""
    for path in (path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))):
        code = path.read_text()
        if not any(name in code for name in (ALL_ERRORS, ONE_ERROR)):
            continue  # to parse it would take longer
        for node in ast.walk(ast.parse(code)):
            for name in names_in(node):
                yield f"{path.relative_to(ROOT)}:{node.lineno}", name


def names_in(node: ast.AST) -> Iterator[str]:
    errors: list[ast.expr] = []
    if isinstance(node, ast.ExceptHandler) and node.type:
        errors = [node.type]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        errors = node.args if node.func.id == "suppress" else []
    for error in errors:
        for part in ast.walk(error):
            if isinstance(part, ast.Attribute):
                yield part.attr
            elif isinstance(part, ast.Name):
                yield part.id


def test_whoever_expects_an_error_of_redis_expects_it_of_a_cluster():
    found = list(expected_errors())
    assert [one for one in found if one[1] == ONE_ERROR] == []
    assert sum(name == ALL_ERRORS for _, name in found) > 8
