"""Each cache of the processes is listed in docs/hosting.md with its bound in megabytes, or in kB if
a number of entries bounds it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

import pytest

from service.runtime.config.fields import SETTINGS
from tests.architecture.layout import CODE, ROOT

KINDS = {
    "ByteCache", "LruShard", "OrderedDict", "RecentCache", "TimedCache", "WeakValueDictionary",
    "lru_cache",
}  # fmt: skip
NO_CACHES_OF_PROCESSES = (ROOT / "workers/tools", ROOT / "domain/games")
"""Programs that an operator runs; caches of games, which tests/games/test_cache_sizes.py measures.
"""
HEADER = ["where", "what", "bound"]
MAX_KB = 1_000
"""What a cache takes at most that is bounded by a number of entries."""
MEGABYTES = re.compile(r"`(ANNALS_\w+_MB)`|\b\d+ MB\b")
KILOBYTES = re.compile(r"\b([\d,]+) kB\b")


def constructions(code: str) -> Iterator[str]:
    """The kinds of caches that code makes."""
    if not any(kind in code for kind in KINDS):
        return  # to parse all code takes seconds
    for node in ast.walk(ast.parse(code)):
        made = node.func if isinstance(node, ast.Call) else None
        if isinstance(made, ast.Subscript):
            made = made.value  # the type of the entries
        named = [made, *getattr(node, "decorator_list", [])]
        yield from {ast.unparse(one).rpartition(".")[2] for one in named if one} & KINDS


@cache
def in_code() -> set[tuple[str, str]]:
    return {
        (str(path.relative_to(ROOT)), kind)
        for folder in CODE
        for path in (ROOT / folder).rglob("*.py")
        if not {*NO_CACHES_OF_PROCESSES} & {*path.parents}
        for kind in constructions(path.read_text())
    }


def rows() -> list[list[str]]:
    """The cells of each row of the table."""
    text = (ROOT / "docs/hosting.md").read_text()
    table = text.partition(f"| {' | '.join(HEADER)} |\n")[2].partition("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines()[1:]]


def in_docs() -> set[tuple[str, str]]:
    found = set()
    for where, *_ in rows():
        for path, kinds in re.findall(r"`(\S+\.py)`: ((?:`\w+`(?:, )?)+)", where):
            found |= {(path, kind) for kind in re.findall(r"\w+", kinds)}
    return found


def is_bounded(bound: str) -> bool:
    """Whether the words name megabytes, or few kilobytes."""
    if megabytes := MEGABYTES.search(bound):
        return megabytes[1] is None or megabytes[1] in {one.name for one in SETTINGS.values()}
    kilobytes = KILOBYTES.search(bound)
    return kilobytes is not None and int(kilobytes[1].replace(",", "")) <= MAX_KB


def test_each_cache_is_in_the_table_and_nothing_else() -> None:
    assert in_docs() == in_code()
    assert len(in_code()) > len(KINDS)


def test_each_bound_is_in_megabytes_or_in_few_kilobytes() -> None:
    assert [row for row in rows() if len(row) != len(HEADER) or not is_bounded(row[-1])] == []


@pytest.mark.parametrize(
    ("bound", "is_enough"),
    [
        ("`ANNALS_MATCH_MB`", True),
        ("8 MB", True),
        ("2,000 of them: 900 kB", True),
        ("`ANNALS_NO_SUCH_MB`", False),
        ("10,000 of them", False),
        ("10,000 of them: 4,000 kB", False),
    ],
)
def test_a_number_of_entries_is_no_bound(bound: str, is_enough: bool) -> None:
    assert is_bounded(bound) == is_enough


def test_a_new_cache_is_found() -> None:
    code = "a = OrderedDict()\nb = RecentCache[str, int](3)\ne: dict[str, TimedCache] = {}\n"
    code += "@functools.lru_cache(7)\ndef c(): ...\n@lru_cache\ndef d(): ...\n"
    assert sorted(constructions(code)) == ["OrderedDict", "RecentCache", "lru_cache", "lru_cache"]
