"""Each run has the same bytes, whatever the hashes of its process are."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from tests.games.same_bytes import digests

PROGRAM = "from tests.games.same_bytes import digests; print(digests(), end='')"


@pytest.mark.slow
def test_another_process_with_other_hashes_writes_the_same_bytes() -> None:
    """Clients compare `ETag`s, and auditors the bytes of entries."""
    seed = "2" if os.environ.get("PYTHONHASHSEED") == "1" else "1"
    there = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        capture_output=True, check=True, text=True,
        env={"PYTHONHASHSEED": seed, "PYTHONPATH": "."},
    ).stdout.splitlines()  # fmt: skip
    assert set(there) ^ set(digests().splitlines()) == set()
    assert any("picture" in line for line in there)
    assert any("analysis" in line for line in there)
