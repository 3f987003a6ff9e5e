"""Calls in the Python of the guides fit the functions and records that they name."""

from __future__ import annotations

import ast
import builtins
import inspect
import re
import textwrap
from collections import defaultdict
from collections.abc import Callable, Iterator
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any, get_origin, get_type_hints

import pytest

from tests.architecture.layout import CODE, ROOT, TOY

PAGES = sorted(path for path in (ROOT / "docs").rglob("*.md") if "tutorials" not in path.parts)
"""Those of the tutorials run as they stand, see tests/running/test_tutorials.py."""
BLOCK = re.compile(r"^ *```python\n(.*?)^ *```$", re.MULTILINE | re.DOTALL)
OTHERS = {*dir(builtins), "Webhook"}
"""What Python and a library have, which a page names."""
DEFINED = re.compile(r"^(?:class|def) ([A-Za-z]\w*)", re.MULTILINE)
LEFT_OUT = re.compile(r"^ *…\n", re.MULTILINE)


def calls_in(page: str) -> Iterator[ast.Call]:
    """The calls of plain names in the Python blocks of a page, of which parts may be left out."""
    for block in BLOCK.findall(page):
        code = LEFT_OUT.sub("", textwrap.dedent(block)).replace("…", "...")
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                yield node


@cache
def modules_by_name() -> dict[str, list[str]]:
    """The modules of the project and of the toy game that define each public function or class."""
    found = defaultdict(list)
    rooms = (*(ROOT / room for room in CODE), TOY)
    for path in (file for room in rooms for file in room.rglob("*.py")):
        for name in DEFINED.findall(path.read_text(encoding="utf-8")):
            found[name].append(module_of(path))
    return found


def module_of(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts)


def fits(call: ast.Call, called: Any) -> bool:
    """Whether a function or a class takes these arguments; no word is a function."""
    if any(isinstance(one, ast.Starred) for one in call.args):
        return True
    named = {one.arg: one.value for one in call.keywords if one.arg}
    try:
        given = inspect.signature(called).bind(*call.args, **named).arguments
    except TypeError:
        return False
    kinds = get_type_hints(called)
    return not any(
        isinstance(node, ast.Constant) and get_origin(kinds.get(name)) is Callable
        for name, node in given.items()
    )


def unfit(page: str) -> list[str]:
    """The calls of a page that no function or class of that name takes."""
    found = []
    for call in calls_in(page):
        name = ast.unparse(call.func)
        known = [getattr(import_module(one), name) for one in modules_by_name().get(name, ())]
        if name not in OTHERS and not any(fits(call, one) for one in known):
            found.append(ast.unparse(call))
    return found


def test_a_guide_calls_functions_with_the_arguments_that_they_take() -> None:
    found = {page.name: unfit(page.read_text(encoding="utf-8")) for page in PAGES}
    assert {page: calls for page, calls in found.items() if calls} == {}


def test_calls_in_guides_are_found() -> None:
    calls = [ast.unparse(call.func) for page in PAGES for call in calls_in(page.read_text())]
    assert {"Level", "Answer", "legal_moves", "describe_event"} <= {*calls} & {*modules_by_name()}


@pytest.mark.parametrize(
    "call",
    [
        "Level('easy', 'Easy', 'easy', bot)",
        "fold(state)",
        "Level(bot, name='easy')",
        "svg(board, 1)",
    ],
)
def test_a_call_that_does_not_fit_is_found(call: str) -> None:
    assert unfit(f"1. So:\n\n    ```python\n    {call}\n    …\n    ```\n") == [call]
