"""No process of a run outlives it; stale ones are ended."""

import os
import subprocess
import sys

import pytest

from tests.support.patience import eventually
from workers.host.die_with_parent import dying_with_parent
from workers.host.stale_processes import end_stale_processes, find_processes, open_run_file

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of processes")

STARTS_AND_ENDS = """
import os, subprocess, sys
from pathlib import Path
from workers.host.die_with_parent import dying_with_parent
from workers.host.stale_processes import open_run_file
file = open_run_file(Path(sys.argv[1]))
subprocess.Popen(dying_with_parent(os.getpid(), "sleep", "3600"), close_fds=False)
os._exit(0)
"""


def test_a_child_ends_if_its_parent_ended_early(tmp_path):
    subprocess.run(
        [sys.executable, "-c", STARTS_AND_ENDS, str(tmp_path)], start_new_session=True, check=True
    )
    eventually(lambda: not list(find_processes(tmp_path)))


def test_a_child_lives_as_long_as_its_parent(tmp_path):
    command = dying_with_parent(os.getpid(), sys.executable, "-c", "print(input())")
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.communicate("here still\n")[0] == "here still\n"


def run_with(folder):
    with open_run_file(folder):
        return subprocess.Popen(["sleep", "3600"], close_fds=False)


def test_stale_processes_are_ended_and_named(tmp_path):
    (tmp_path / "another").mkdir()
    ours, other = map(run_with, (tmp_path, tmp_path / "another"))
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
