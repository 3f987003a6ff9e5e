"""The demonstration plays any game against its bots, without knowing their levels."""

from __future__ import annotations

import re
from collections.abc import Iterator
from io import StringIO
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen
from wsgiref.simple_server import WSGIRequestHandler, make_server

import click
import pytest
from redis import Redis
from rich.console import Console

from domain.games import GAMES
from domain.match.scheduled_work import DUE_NOW, Work, due_work
from domain.match.state import Match
from service.front.app import create_app
from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from tests.support.patience import PATIENCE_S
from workers.jobs import match_jobs
from workers.tools.bots.demo import Client, opponents, play, show

MOVES = 15
NOW = ("great_wall", "tigris_euphrates")
"""The others only in `make test-long`."""


class Quiet(WSGIRequestHandler):
    def log_message(self, *_: object) -> None:
        """Log nothing."""


class Working(Client):
    """A client whose service does due work at once, and which resigns after some moves to save
    time.
    """

    def __init__(self, url: str, annals: Annals) -> None:
        super().__init__(url)
        self._annals = annals
        self._moves = MOVES

    def get(self, path: str) -> Any:
        if "wait=" in path:
            self.work(path.split("/")[3])
        elif path.endswith("/legal-moves"):
            self._moves -= 1
            if self._moves == 0:
                self.post(path.replace("legal-moves", "resign"), {})
        return super().get(path)

    def work(self, match_id: str) -> None:
        while works := self._works(match := self._annals.matches.latest(match_id)):
            for work in works:
                getattr(match_jobs, work)(match.id, match.version)

    def _works(self, match: Match) -> list[Work]:
        """The work that waits for no time."""
        return [work for work, at in due_work(match).items() if at <= DUE_NOW]


@pytest.fixture
def client(
    redis_client: Redis, redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Working]:
    annals = open_annals(read_settings({"REDIS_URL": redis_url}))
    monkeypatch.setattr(match_jobs, "_annals", lambda: annals)
    with make_server("127.0.0.1", 0, create_app(annals), handler_class=Quiet) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield Working(f"http://127.0.0.1:{server.server_port}", annals)
        server.shutdown()
        thread.join()


@pytest.mark.parametrize(
    "game", [pytest.param(game, marks=[pytest.mark.long] * (game not in NOW)) for game in GAMES]
)
def test_it_plays_any_game_to_its_scored_end(client: Working, game: str) -> None:
    said = Console(file=StringIO(), width=120)
    match = play(client, game, opponents(client, game), said)
    show(client, match, said)
    assert isinstance(said.file, StringIO)
    told = said.file.getvalue()
    assert "Game over:" in told
    assert f"annals replay {match}" in told
    assert "…" not in told
    [address] = re.findall(r"^Watch it: (\S+)$", told, re.MULTILINE)
    assert re.search(rf"^Replay +{re.escape(address)}$", told, re.MULTILINE)
    with urlopen(Request(address, headers={"Accept": "text/html"}), timeout=PATIENCE_S) as page:
        assert f'data-match="{match}"' in page.read().decode()


@pytest.mark.parametrize("game", GAMES)
def test_its_opponents_are_the_weakest_bots(client: Working, game: str) -> None:
    assert opponents(client, game) == [level.key for level in GAMES[game].levels[:2]]


def test_an_unknown_game_is_one_sentence(client: Working) -> None:
    with pytest.raises(click.ClickException, match=r"There is no game 'go'; there are .*qin"):
        opponents(client, "go")
