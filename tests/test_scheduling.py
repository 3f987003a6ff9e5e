"""A process that dies while it runs tests costs one test, and no other process waits for it. Those
that run tests send only what is shown.
"""

from __future__ import annotations

import re
from pathlib import Path

from tests import conftest
from tests.support import scheduling
from tests.support.inner_run import run_pytest

TESTS = """
import os, signal
import pytest

@pytest.mark.parametrize("number", range(200))
def test_alone(number):
    pass

@pytest.mark.parametrize("number", range(20))
@pytest.mark.xdist_group("together")
def test_together(number):
    if number == 10:
        os.kill(os.getpid(), signal.SIGKILL)

@pytest.mark.parametrize("number", range(200))
def test_alone_later(number):
    pass
"""


def test_the_others_run_what_is_left_and_no_test_twice(tmp_path: Path) -> None:
    (tmp_path / "test_all.py").write_text(TESTS)
    said = run_pytest(
        tmp_path, "-q", "-p", "xdist.plugin", "-n", "2", "--dist", "loadgroup",
        "--no-loadscope-reorder", "-p", "tests.support.scheduling",
    ).stdout  # fmt: skip
    assert "crashed while running 'test_all.py::test_together[10]" in said
    assert "1 failed, 419 passed" in said


def test_each_hook_of_the_support_modules_is_called() -> None:
    """pytest calls those that `conftest.py` has."""
    found = {
        (hook, f"tests.support.{path.stem}")
        for path in Path(scheduling.__file__).parent.glob("*.py")
        for hook in re.findall(r"^def (pytest_\w+)", path.read_text(), re.MULTILINE)
    }
    assert len(found) > 5
    assert found == {(hook, getattr(conftest, hook).__module__) for hook, _ in found}


def test_only_what_is_shown_is_sent() -> None:
    sent = list[tuple[str, object]]()

    def send(name: str, **content: object) -> None:
        sent.append((name, content.get("data")))

    printed = {"keywords": {"test_some": 1}, "sections": [("Captured stdout call", "much")]}
    for outcome in ("passed", "failed"):
        scheduling.send_what_is_shown(send, "logstart")
        for when in ("setup", "call", "teardown"):
            report = {"when": when, "outcome": outcome, **printed}
            scheduling.send_what_is_shown(send, "testreport", data=report)
    bare: dict[str, object] = {"keywords": {}, "sections": []}
    assert sent == [
        ("testreport", {"when": "call", "outcome": "passed", **bare}),
        *(
            ("testreport", {"when": one, "outcome": "failed", **printed})
            for one in ("setup", "call", "teardown")
        ),
    ]
