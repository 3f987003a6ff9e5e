"""Which process runs which test: as pytest-xdist has it, also after one of them has died.

As it is (its issue 1378), it hands out again what a dead process had done already: the others then
wait for ever for a test that never comes. It also begins the deadly test again.
"""

from __future__ import annotations

import pytest
from xdist.remote import Producer
from xdist.scheduler import LoadGroupScheduling
from xdist.workermanage import WorkerController


class Scheduling(LoadGroupScheduling):
    """Tests of a group go to one process; those that are left go on elsewhere if it dies."""

    def remove_node(self, node: WorkerController) -> str | None:
        """The test during which a process died, None if it had come to its end."""
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
    """Ours where tests are in groups."""
    return Scheduling(config, log) if config.option.dist == "loadgroup" else None
