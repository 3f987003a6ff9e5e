"""CI runs what the repository promises, and skips none of it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from tests import conftest
from tests.architecture.layout import ROOT

FLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
SKIPPING = re.compile(r"pytest\.skip\(|\bskipif\(|\bimportorskip\(")
MARKS = re.compile(r"^pytestmark = .*(?:\n[ \]].*)*", re.MULTILINE)
"""The marks of all tests of a file."""
ONCE_A_WEEK = {"tests/test_soak.py"}
"""They take too long for each change."""
TOOLS = {
    "tests/running/test_hosting.py": ("nginx", "caddy"),
    "tests/service/store/test_redis_client.py": (),
    "tests/test_container.py": (),
    "tests/test_full_disk.py": (),
    "tests/test_generated_clients.py": ("make clients",),
    "tests/test_kills_at_start.py": (),
    "tests/test_logs.py": (),
    "tests/test_soak.py": (),
    "tests/workers/host/test_forks.py": (),
    "tests/workers/host/test_memory.py": (),
    "tests/workers/host/test_sizes.py": (),
    "tests/workers/host/test_stale_processes.py": (),
    "tests/workers/host/test_supervisor.py": (),
}
"""The files with tests that skip where something is missing, and what a job has to install for
them: the image of a job is a Linux with systemd, docker and sudo.
"""


def test_ci_runs_on_every_python_of_the_project() -> None:
    job = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())["jobs"]["run"]
    listed = (ROOT / "pyproject.toml").read_text()
    assert all(
        f"Programming Language :: Python :: {version}" in listed
        for version in job["strategy"]["matrix"]["python"]
    )
    assert len(job["strategy"]["matrix"]["python"]) == listed.count("Language :: Python :: 3.")
    assert any(step.get("run") == ".ci/run" for step in job["steps"])


@pytest.mark.parametrize("flow", FLOWS, ids=[flow.stem for flow in FLOWS])
def test_no_test_may_skip_in_ci(flow: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    environment = yaml.safe_load(flow.read_text())["env"]
    assert report_of_skipped_test() == "skipped"
    for name, value in environment.items():
        monkeypatch.setenv(name, str(value))
    assert report_of_skipped_test() == "failed"


def test_each_file_with_tests_that_may_skip_says_what_they_need() -> None:
    found = {
        str(path.relative_to(ROOT))
        for path in (ROOT / "tests").rglob("test_*.py")
        if path != Path(__file__) and SKIPPING.search(path.read_text())
    }
    assert found == TOOLS.keys()


@pytest.mark.parametrize("file", TOOLS)
def test_a_job_runs_each_test_that_may_skip_with_all_it_needs(file: str) -> None:
    flow = "long.yml" if file in ONCE_A_WEEK else "ci.yml"
    jobs = yaml.safe_load((ROOT / ".github/workflows" / flow).read_text())["jobs"].values()
    installed = [before for job in jobs for before in commands_before(job, file)]
    assert any(all(tool in before for tool in TOOLS[file]) for before in installed), file


def commands_before(job: Mapping[str, Any], file: str) -> Iterator[str]:
    """What a job runs up to each step that runs the tests of a file."""
    marks = MARKS.search((ROOT / file).read_text())
    is_long = marks and "mark.long" in marks[0]
    runs = re.compile(rf"-m long .*{re.escape(file)}|\btest-long\b" if is_long else r"^\.ci/run$")
    commands = ""
    for step in job["steps"]:
        commands += f"{step.get('run', '')}\n"
        if job["runs-on"].startswith("ubuntu") and runs.search(step.get("run", "")):
            yield commands


def report_of_skipped_test() -> str:
    """The outcome that is reported for a test that was skipped."""
    report = SimpleNamespace(skipped=True, outcome="skipped")
    hook: Any = conftest.pytest_runtest_makereport()
    next(hook)
    with pytest.raises(StopIteration) as end:
        hook.send(report)
    found: str = end.value.value.outcome
    return found
