"""Lost moves are counted while masters are killed."""

import pytest

from bench.store import failover
from bench.store.failover import measure_mode


@pytest.mark.long
@pytest.mark.parametrize("mode", ["a", "c"])
def test_lost_moves_are_counted(tmp_path, monkeypatch, mode):
    monkeypatch.setattr(failover, "QUIET_S", 1.0)
    found = dict(measure_mode(tmp_path, mode, 1, cuts_s=[3.0]))
    cut = "cut off for 3 s, then killed"
    meanwhile, lost = (found[f"{cut}: {what}"] for what in ("acknowledged during the cut", "lost"))
    if mode == "c":
        assert (meanwhile, lost, found["killed: lost"]) == (0, 0, 0)
    else:
        assert 0 < lost <= meanwhile + failover.CLIENTS
