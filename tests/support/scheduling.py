"""Which process runs which test: as in pytest-xdist, but also after a process has died.

pytest-xdist (its issue 1378) hands out again what a dead process had already completed: the others
then wait forever for a test that never comes. It also restarts the deadly test.
"""

from __future__ import annotations

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadGroupScheduling
from xdist.workermanage import WorkerController


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


def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> Scheduling | None:
    """Use our scheduler if tests are in groups."""
    return Scheduling(config, log) if config.option.dist == "loadgroup" else None
