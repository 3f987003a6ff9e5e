"""Players agree to pause and to end a match while web processes and workers are killed."""

from __future__ import annotations

import os
import signal
from contextlib import suppress
from itertools import chain
from typing import Any

import pytest

from tests.support.whole_service import Service


class Voter:
    """A player of a match, who repeats a request with the same key until it is answered."""

    def __init__(self, service: Service, name: str) -> None:
        self._service = service
        status, answer = service.call("POST", "/v1/players", {"name": name})
        assert status == 201, answer
        self.id, self.token = answer["player"]["id"], answer["token"]
        self._keys = 0

    def send(self, path: str, body: Any) -> Any:
        self._keys += 1
        others, self._service.token = self._service.token, self.token
        try:
            key = f"{self.id}-{self._keys}"
            return self._service.insist("POST", path, body, Idempotency_Key=key)
        finally:
            self._service.token = others


def kill(service: Service) -> None:
    """Kill all web processes and workers."""
    found = service.processes()
    for pid in chain(found["web"], found["worker"]):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


@pytest.mark.slow
def test_no_proposal_and_no_answer_is_lost_or_counts_twice(service: Service) -> None:
    first, second = (Voter(service, f"Voter {number}") for number in range(2))
    plan = {
        "game": "qin", "seats": [{"me": True}, {"open": True}], "clock": {"per_move_s": 86_400},
    }  # fmt: skip
    match = first.send("/v1/matches", plan)["id"]
    second.send(f"/v1/matches/{match}/seats", {})
    path = f"/v1/matches/{match}/proposal"
    for player, body in (
        (first, {"kind": "pause"}),
        (second, {"kind": "pause", "agree": True}),
        (second, {"kind": "resume"}),
        (first, {"kind": "end"}),
        (second, {"kind": "end", "agree": True}),
    ):
        player.send(path, body)
        kill(service)
    kinds = [one["kind"] for one in service.insist("GET", f"/v1/matches/{match}/events")["events"]]
    assert kinds[2:] == ["Proposed", "Paused", "Resumed", "Proposed", "Aborted"]
    assert service.insist("GET", f"/v1/matches/{match}")["end_reason"] == "agreement"
