"""Each queue, pool and lock is listed in docs/operations.md with its bound, share and price."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache

from tests.architecture.layout import ROOT

KINDS = {
    "BoundedSemaphore", "ByteCache", "Condition", "FairQueue", "FairSlots", "HeldBodies",
    "LifoQueue", "Lock", "PriorityQueue", "ProcessPoolExecutor", "Queue", "RLock", "Semaphore",
    "SenderPool", "ShortLock", "SimpleQueue", "StepQueue", "ThreadPoolExecutor", "deque",
}  # fmt: skip
MADE = re.compile(rf"\b({'|'.join(sorted(KINDS))})[()]")
FOLDERS = ("service", "projections", "workers")
WITHOUT = ROOT / "workers/tools"
"""Programs that an operator runs; nobody else waits in them."""
HEADER = ["where", "what waits", "bound", "share", "price"]


def constructions(code: str) -> Iterator[str]:
    """The kinds of queues, pools and locks that code makes, except those with `maxlen`."""
    if not MADE.search(code):
        return  # each process that runs tests looks through all files
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and "maxlen" not in {one.arg for one in node.keywords}:
            factories = [one.value for one in node.keywords if one.arg == "default_factory"]
            names = {ast.unparse(made).rpartition(".")[2] for made in (node.func, *factories)}
            yield from names & KINDS


@cache
def in_code() -> set[tuple[str, str]]:
    return {
        (str(path.relative_to(ROOT)), kind)
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*.py")
        if WITHOUT not in path.parents
        for kind in constructions(path.read_text())
    }


def rows() -> list[list[str]]:
    """The cells of each row of the table."""
    text = (ROOT / "docs/operations.md").read_text()
    table = text.partition(f"| {' | '.join(HEADER)} |\n")[2].partition("\n\n")[0]
    return [line.strip("| ").split(" | ") for line in table.splitlines()[1:]]


def in_docs() -> set[tuple[str, str]]:
    found = set()
    for where, *_ in rows():
        for path, kinds in re.findall(r"`(\S+\.py)`: ((?:`\w+`(?:, )?)+)", where):
            found |= {(path, kind) for kind in re.findall(r"\w+", kinds)}
    return found


def test_each_queue_is_in_the_table_and_nothing_else() -> None:
    assert in_docs() == in_code()
    assert len(in_code()) > len(KINDS)


def test_each_row_says_bound_share_and_price() -> None:
    assert [row for row in rows() if len(row) != len(HEADER) or not all(row)] == []


def test_a_new_queue_is_found() -> None:
    code = "a = queue.Queue()\nb = deque(maxlen=3)\nc: deque = deque(())\n"
    code += "d = field(default_factory=asyncio.Lock)"
    assert [*constructions(code)] == ["Queue", "deque", "Lock"]
