"""The examples run without warnings."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest

from domain.games import GAMES
from tests.page.proxy import Trouble, below
from tests.support.patience import PATIENCE_S, eventually
from tests.support.ports import free_port
from tests.support.whole_service import ROOT, Service

IMPATIENT = """import sys
sys.path.insert(0, "examples")
import play_many
play_many.SILENCE_S = 1
play_many.main()"""
"""The example with a stream, which calls a stream dead sooner; it loses nothing by that."""


def run(example: str, *words: str) -> str:
    """The output of an example."""
    said = subprocess.run(
        [sys.executable, "-W", "error", f"examples/{example}", *words],
        cwd=ROOT, env={"PYTHONPATH": str(ROOT)}, capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip
    assert said.returncode == 0, said.stderr
    return said.stdout


def test_a_game_is_played_in_memory() -> None:
    assert "place 1: seat" in run("play_in_memory.py")


def test_a_custom_bot_beats_the_weakest() -> None:
    won = run("write_a_bot.py").split()
    assert won[0] == "won"
    assert int(won[1]) >= 5


def test_a_client_plays_many_matches_at_once_behind_a_proxy_that_fails(service: Service) -> None:
    """Given a proxy that answers 522, 502, 504 or 500 to each request once."""
    trouble = Trouble()
    with below(service.url, "", trouble) as address:
        trouble.fail_each_once()
        said = run("play_many.py", address.removesuffix("/"), "qin", "chang_cheng")
    assert "1 still in play" in said
    assert "0 still in play" in said


def test_a_client_opens_another_stream_when_its_stream_is_silent(service: Service) -> None:
    """Given a proxy that forwards nothing more through the stream, and does not close it."""
    trouble = Trouble()
    with below(service.url, "", trouble) as address:
        words = [sys.executable, "-W", "error", "-c", IMPATIENT, address.removesuffix("/"), "qin"]
        client = subprocess.Popen(words, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        try:
            eventually(trouble.marks)
            trouble.freeze()
            said, _ = client.communicate(timeout=PATIENCE_S)
        finally:
            client.kill()
            client.wait()
    assert "0 still in play" in said


@pytest.mark.parametrize(
    "game",
    [pytest.param(game, marks=[pytest.mark.long] * (game != "qin")) for game in GAMES],
)  # webhooks about each game: tests/service/channels/webhooks/test_every_game.py
def test_a_bot_with_webhooks_plays_a_whole_match(service: Service, game: str) -> None:
    assert "is over: place" in run("push_bot.py", service.url, game)


def test_a_client_plays_a_match_and_a_receiver_verifies_and_prints_its_messages(
    service: Service,
) -> None:
    port = str(free_port())
    example = Path(ROOT, "examples", "webhook_receiver.py")
    words = [sys.executable, str(example), service.url, port]
    with subprocess.Popen(words, stdout=subprocess.PIPE, text=True) as receiver:
        assert receiver.stdout
        url = f"http://127.0.0.1:{port}/hook"
        eventually(lambda: status(url))
        assert status(url) == 401
        played = run("client.py", service.url)
        received: list[str] = []
        while "match.scored" not in received:
            received += receiver.stdout.readline().split()[-1:]
        receiver.terminate()
    assert "place 1" in played
    assert "the dice follow from the promised seed and our nonce" in played
    assert (
        received.index("match.started")
        < received.index("move.made")
        < received.index("match.ended")
    )


def status(url: str) -> int:
    """The status of the answer to an unsigned message."""
    try:
        with urlopen(Request(url, b"{}", method="POST")) as answer:
            return int(answer.status)
    except HTTPError as error:
        return error.code


def test_every_example_is_tested() -> None:
    tested = Path(__file__).read_text()
    assert all(f'"{path.name}"' in tested for path in Path(ROOT, "examples").glob("*.py"))
