"""Pages that count what they have yet to use of what a proxy sends, in a time that only a test
advances: theirs, and that of the shared worker.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from tests.page.visitors import OWN_STREAMS

_HERE = Path(__file__).parent
COUNT = (_HERE / "traffic.js").read_text()
WORKER_TIME = (_HERE / "worker_time.js").read_text()
WORKER_PAGE = (_HERE / "worker_page.js").read_text()
NO_WORKER = "passWorkerTime = async () => ({ pending: 0, marks: [], posted: 0, received: 0 })"
READ = """async () => {
    const worker = await passWorkerTime(0);
    const sum = (name) => traffic[name] + worker[name];
    const marks = [...traffic.marks, ...worker.marks];
    const between = Math.abs(sum("posted") - sum("received"));
    return { pending: sum("pending") + between, marks };
}"""


def stop_time(page: Page) -> None:
    """Stop the time of a page that opens its streams itself."""
    _stop_time(page, f"{OWN_STREAMS}; {NO_WORKER};")


def stop_time_with_worker(page: Page) -> None:
    """Stop the time of a page and of its shared worker. The page cannot open streams itself."""
    script = json.dumps(COUNT + WORKER_TIME)
    _stop_time(page, f"workerScript = {script}; {WORKER_PAGE}")


def pass_time(page: Page, seconds: int) -> None:
    """Let time pass in a page and its worker."""
    page.clock.run_for(1_000 * seconds)
    page.evaluate("passWorkerTime", 1_000 * seconds)


def jump(page: Page, seconds: int) -> None:
    """Let time jump in a page and its worker, as when the machine sleeps."""
    page.clock.fast_forward(1_000 * seconds)
    page.evaluate("passWorkerTime", 1_000 * seconds)


def read_traffic(page: Page) -> dict[str, Any]:
    """The number of `pending` requests, new streams and messages between the page and its worker,
    and the `marks` of the proxy that have come.
    """
    found: dict[str, Any] = page.evaluate(READ)
    return found


def _stop_time(page: Page, script: str) -> None:
    page.add_init_script(COUNT + script)
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now()") + 1_000)
