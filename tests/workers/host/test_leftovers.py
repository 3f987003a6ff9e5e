"""Nothing of a run outlives it, however short it was; and what did all the same is ended."""

import os
import subprocess
import sys

import pytest

from tests.support.patience import eventually
from workers.host.die_with_parent import LEADER, dying_with_parent
from workers.host.stale_processes import MARK, end_leftovers, of_run

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells of processes")

STARTS_AND_ENDS = """
import os, subprocess, sys
from workers.host.die_with_parent import LEADER, dying_with_parent
parent = {"itself": os.getpid(), "the leader": LEADER}[sys.argv[1]]
subprocess.Popen(dying_with_parent(parent, "sleep", "3600"))
os._exit(0)
"""


@pytest.mark.parametrize("parent", ["itself", "the leader"])
def test_a_child_whose_parent_ended_before_it_could_ask_ends(tmp_path, parent):
    environ = {**os.environ, MARK: str(tmp_path)}
    subprocess.run(
        [sys.executable, "-c", STARTS_AND_ENDS, parent],
        env=environ, start_new_session=True, check=True,
    )  # fmt: skip
    eventually(lambda: not list(of_run(tmp_path)))


def test_a_child_lives_as_long_as_its_parent(tmp_path):
    command = dying_with_parent(os.getpid(), sys.executable, "-c", "print(input())")
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.communicate("here still\n")[0] == "here still\n"


def test_a_child_of_somebody_else_than_the_leader_ends():
    assert subprocess.run(dying_with_parent(LEADER, "true"), check=False).returncode == 1


def test_what_an_earlier_run_left_is_ended_and_named(tmp_path):
    ours, other = (
        subprocess.Popen(["sleep", "3600"], env={**os.environ, MARK: str(folder)})
        for folder in (tmp_path, tmp_path / "another")
    )
    eventually(lambda: list(of_run(tmp_path)))
    try:
        [sentence] = end_leftovers(tmp_path)
        assert sentence == (
            f"sleep 3600 (process {ours.pid}) was left by an earlier run; it has been ended."
        )
        assert ours.wait() < 0
        assert other.poll() is None
    finally:
        other.kill()
        other.wait()
