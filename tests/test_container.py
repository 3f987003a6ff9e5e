"""The container of examples/hosting/Containerfile serves, stops and keeps its data."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from uuid import uuid4

import pytest

from tests.support.patience import eventually
from tests.support.ports import free_port
from tests.support.whole_service import ROOT
from tests.test_wheel import fetch, send

STOP_S = 20
"""How long a container may take to stop, as docs/hosting.md says."""
ANSWER_S = 10
"""How long an engine may take to say that it works."""
NAME = f"annals-test-{uuid4().hex[:8]}"


@cache
def find_engine() -> str:
    """The program of an engine that works here; empty if there is none."""
    for program in filter(None, map(shutil.which, ("docker", "podman"))):
        with suppress(subprocess.SubprocessError):
            subprocess.run([program, "info"], capture_output=True, check=True, timeout=ANSWER_S)
            return program
    return ""


pytestmark = pytest.mark.long


def engine(*words: str) -> str:
    """What a command of the engine prints; it must succeed."""
    return subprocess.run(
        [find_engine(), *words], stdout=subprocess.PIPE, text=True, check=True
    ).stdout.strip()


@pytest.fixture(scope="module")
def image() -> Iterator[str]:
    """The image, built from this checkout."""
    if not find_engine():
        pytest.skip("there is no container engine on this machine")
    engine("build", "-t", NAME, "-f", str(ROOT / "examples/hosting/Containerfile"), str(ROOT))
    engine("volume", "create", NAME)
    yield NAME
    engine("volume", "rm", NAME)
    engine("image", "rm", NAME)


@contextmanager
def running(image: str) -> Iterator[str]:
    """A container of this image with its volume, until the end of the block; its URL."""
    port = free_port()
    published = f"127.0.0.1:{port}:8000"
    container = engine("run", "-d", "-p", published, "-v", f"{NAME}:/data", image)
    url = f"http://127.0.0.1:{port}"
    try:
        eventually(lambda: fetch(f"{url}/readyz"))
        yield url
        engine("stop", "-t", str(STOP_S), container)
        assert engine("inspect", "--format", "{{.State.ExitCode}}", container) == "0"
    finally:
        engine("rm", "-f", container)


def test_a_container_keeps_its_matches_and_has_every_guide(image: str) -> None:
    with running(image) as url:
        assert fetch(f"{url}/guide/code_of_conduct")
        token = send(f"{url}/v1/players", {"name": "Ada"})["token"]
        plan = {"game": "qin", "seats": [{"me": True}, {"bot": "li_mu"}]}
        match = send(f"{url}/v1/matches", plan, Authorization=f"Bearer {token}")["id"]
    with running(image) as url:
        assert fetch(f"{url}/v1/matches/{match}/board.svg")
