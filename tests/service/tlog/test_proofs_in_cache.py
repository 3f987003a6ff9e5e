"""A proof is built once for a checkpoint, and is the same from the cache."""

from __future__ import annotations

import pytest

from service.runtime.errors import NotLogged
from service.runtime.shares.byte_cache import ByteCache
from service.tlog.folder import Folder
from service.tlog.responses import LogResponses, Which
from tests.service.tlog.harness import MINUTES, LogHarness


def without_cache(harness: LogHarness) -> LogResponses:
    return LogResponses(harness.folder, harness.annals.store, ByteCache(0))


@pytest.mark.parametrize("which", ["open", "newest"])
def test_a_proof_reads_no_tile_again_until_the_log_grows(
    harness: LogHarness, which: Which, monkeypatch: pytest.MonkeyPatch
) -> None:
    harness.open("m1")
    notary = harness.work()
    harness.move("m1")
    notary.step(harness.now + 10 * MINUTES)
    first = harness.served.proof("m1", which)
    assert first == without_cache(harness).proof("m1", which)
    with monkeypatch.context() as patch:
        patch.setattr(Folder, "tile", None)
        assert harness.served.proof("m1", which) == first
    harness.open("m2")
    harness.work()
    second = harness.served.proof("m1", which)
    assert second == without_cache(harness).proof("m1", which) != first


def test_a_leaf_without_a_proof_gets_one_later(harness: LogHarness) -> None:
    harness.work()
    harness.open("m1")
    with pytest.raises(NotLogged):
        harness.served.proof("m1", "open")
    harness.work()
    assert harness.served.proof("m1", "open")
