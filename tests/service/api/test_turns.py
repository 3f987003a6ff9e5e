"""Long answers are built in batches, so that other requests get their turn on the loop."""

from __future__ import annotations

import asyncio

import pytest
from flask import Flask

from service.http import compression
from service.runtime import event_loop
from service.runtime.event_loop import run
from service.runtime.shares.byte_cache import ByteCache
from service.runtime.shares.step_queue import StepQueue
from tests.service.api.conftest import Api, play_on


def turns(app: Flask, path: str, **headers: str) -> int:
    """How often other tasks run until this request is answered, plus one."""
    times: list[float] = []
    steps = StepQueue(lambda _, seconds: times.append(seconds))
    sent = {name.replace("_", "-"): value for name, value in headers.items()}

    def ask() -> int:
        return app.test_client().get(path, headers=sent).status_code

    assert asyncio.run(run(ask, share=steps.share_of("ann"))) == 200
    return len(times)


def test_entries_are_shown_in_steps(
    app: Flask, toy: str, ann: Api, bob: Api, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_on(toy, ann, bob, until=7)
    monkeypatch.setattr(event_loop, "STEP_S", -1.0)  # each entry takes longer
    few = turns(app, f"{toy}/events?limit=1")
    assert turns(app, f"{toy}/events?limit=7") == few + 6


@pytest.mark.parametrize(("path", "is_long"), [("/openapi.json", True), ("/v1/games", False)])
def test_long_answers_are_compressed_in_steps_and_only_once(
    app: Flask, path: str, is_long: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(compression, "_compressed", ByteCache(1_000_000))
    turns(app, path)  # the first request makes what later ones find
    plain = turns(app, path)
    assert (turns(app, path, Accept_Encoding="gzip") > plain) == is_long
    assert turns(app, path, Accept_Encoding="gzip") == plain
