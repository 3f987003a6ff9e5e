"""CI runs what the repository promises, and skips none of it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
import yaml

from tests import conftest
from tests.architecture.layout import ROOT

FLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


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


def report_of_skipped_test() -> str:
    """The outcome that is reported for a test that was skipped."""
    report = SimpleNamespace(skipped=True, outcome="skipped")
    hook: Any = conftest.pytest_runtest_makereport()
    next(hook)
    with pytest.raises(StopIteration) as end:
        hook.send(report)
    found: str = end.value.value.outcome
    return found
