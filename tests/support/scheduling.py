"""Which process runs which test: as in pytest-xdist, but also after a process has died.

pytest-xdist (its issue 1378) hands out again what a dead process had already completed: the others
then wait forever for a test that never comes. It also restarts the deadly test. And after each test
it looks through all that its process has run so far, which took longer than many of them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadGroupScheduling
from xdist.workermanage import WorkerController

SENDER = "WorkerInteractor"
"""The class of pytest-xdist that sends events, in a copy of its module."""


class Scheduling(LoadGroupScheduling):
    """Tests of a group go to one process; if it dies, the remaining ones go to another."""

    def remove_node(self, node: WorkerController) -> str | None:
        """The test during which a process died, None if it had completed."""
        units = self.assigned_work.pop(node)
        left = [(unit, test) for unit in units.values() for test, done in unit.items() if not done]
        if not left:
            return None
        unit, deadly = left[0]
        unit[deadly] = True
        self.workqueue.update({name: one for name, one in units.items() if not all(one.values())})
        for other in self.assigned_work:
            self._reschedule(other)
        return deadly

    def mark_test_complete(
        self, node: WorkerController, item_index: int, duration: float = 0
    ) -> None:
        """Note that a test has completed, and forget its group with the last one."""
        work, test = self.assigned_work[node], self.registered_collections[node][item_index]
        name = self._split_scope(test)
        work[name][test] = True
        if all(work[name].values()):
            del work[name]
        self._reschedule(node)

    def _assign_work_unit(self, node: WorkerController) -> None:
        name, unit = self.workqueue.popitem(last=False)
        self.assigned_work[node][name] = unit
        node.send_runtest_some([self._numbers[test] for test, done in unit.items() if not done])

    @cached_property
    def _numbers(self) -> dict[str, int]:
        """The number of each test; all processes have the same."""
        assert self.collection
        return {test: number for number, test in enumerate(self.collection)}


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling | None:
    """Use our scheduler if tests are in groups."""
    return Scheduling(config, log) if config.option.dist == "loadgroup" else None


def pytest_collection_finish(session: pytest.Session) -> None:
    """Let processes that run tests send only what is shown: not that a test begins, nor that its
    fixtures were made or removed without a fault, nor what it printed if it passed.
    """
    for plugin in session.config.pluginmanager.get_plugins():
        if type(plugin).__name__ == SENDER:
            plugin.sendevent = partial(send_what_is_shown, plugin.sendevent)


def send_what_is_shown(send: Callable[..., None], name: str, **content: Any) -> None:
    """Send an event to the process that shows the results, if it is of interest there."""
    report = content["data"] if name == "testreport" else {}
    has_passed = report.get("outcome") == "passed"
    if has_passed:
        report |= {"keywords": {}, "sections": []}
    if name != "logstart" and not (has_passed and report["when"] != "call"):
        send(name, **content)
