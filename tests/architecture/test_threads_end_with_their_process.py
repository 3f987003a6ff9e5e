"""A process that lacks one of its threads ends, and its parent starts another: each thread that
has to work as long as its process is a `lasting_thread`, and all others are listed here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tests.architecture.layout import CODE, ROOT

NAMES = ("Thread", "Timer", "start_new_thread")
OTHERS = {
    "service/channels/mail/smtp.py": "a deadline, which ends with what it limits",
    "service/runtime/logs.py": "makes lasting threads",
    "service/runtime/event_loop.py": "a task in the background, which ends when it is done",
    "workers/host/keeper.py": "ends once the metrics are served",
    "workers/processes/sender_pool.py": "ends with its deliveries; the next one gets another",
    "workers/tools/doctor/address.py": "a deadline, which ends with what it limits",
    "workers/tools/store/stall_watch.py": "ends with the work that it watches",
}
"""Files with other threads, and why their process can do without them."""


def threads(code: str) -> Iterator[int]:
    """The lines in which code makes a thread."""
    if not any(name in code for name in NAMES):
        return  # to parse all code takes seconds
    for node in ast.walk(ast.parse(code)):
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in NAMES:
            yield node.lineno


def test_each_thread_without_which_its_process_is_useless_ends_it() -> None:
    found = {
        str(path.relative_to(ROOT))
        for folder in CODE
        for path in sorted((ROOT / folder).rglob("*.py"))
        if [*threads(path.read_text())]
    }
    assert found == OTHERS.keys()


def test_a_new_thread_is_found() -> None:
    code = "one = threading.Thread(target=f)\nlasting_thread(stop, f)\nTimer(1, f).start()"
    assert [*threads(code)] == [1, 3]
