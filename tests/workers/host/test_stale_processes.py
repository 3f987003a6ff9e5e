"""No process of a run outlives it; stale ones are ended."""

import os
import subprocess
import sys

import pytest

from tests.support.patience import eventually
from workers.host.die_with_parent import LEADER, dying_with_parent
from workers.host.stale_processes import RUN_VARIABLE, end_stale_processes, find_processes

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of processes")

STARTS_AND_ENDS = """
import os, subprocess, sys
from workers.host.die_with_parent import LEADER, dying_with_parent
parent = {"itself": os.getpid(), "the leader": LEADER}[sys.argv[1]]
subprocess.Popen(dying_with_parent(parent, "sleep", "3600"))
os._exit(0)
"""


@pytest.mark.parametrize("parent", ["itself", "the leader"])
def test_a_child_ends_if_its_parent_ended_early(tmp_path, parent):
    environ = {**os.environ, RUN_VARIABLE: str(tmp_path)}
    subprocess.run(
        [sys.executable, "-c", STARTS_AND_ENDS, parent],
        env=environ, start_new_session=True, check=True,
    )  # fmt: skip
    eventually(lambda: not list(find_processes(tmp_path)))


def test_a_child_lives_as_long_as_its_parent(tmp_path):
    command = dying_with_parent(os.getpid(), sys.executable, "-c", "print(input())")
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.communicate("here still\n")[0] == "here still\n"


def test_a_child_of_another_process_than_the_leader_ends():
    assert subprocess.run(dying_with_parent(LEADER, "true"), check=False).returncode == 1


def test_stale_processes_are_ended_and_named(tmp_path):
    ours, other = (
        subprocess.Popen(["sleep", "3600"], env={**os.environ, RUN_VARIABLE: str(folder)})
        for folder in (tmp_path, tmp_path / "another")
    )
    eventually(lambda: list(find_processes(tmp_path)))
    try:
        [sentence] = end_stale_processes(tmp_path)
        assert sentence == (
            f"sleep 3600 (process {ours.pid}) was left by an earlier run and has been stopped."
        )
        assert ours.wait() < 0
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()
