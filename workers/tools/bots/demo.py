"""`annals demo`: plays a whole match over REST against bots."""

from __future__ import annotations

import json
import secrets
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from os import environ
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from rich.table import Table

from domain.engine.dice import Luck, choose
from workers.tools.running_store import read_service_settings

Json = dict[str, Any]
START_S = 30


class Client:
    """A player of the service at this address."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.token = ""

    def get(self, path: str) -> Any:  # noqa: ANN401  JSON
        """Return the response at this path."""
        return self._call("GET", path)

    def post(self, path: str, body: Json) -> Any:  # noqa: ANN401  JSON
        """Return the response to a command."""
        return self._call("POST", path, json.dumps(body).encode())

    def _call(self, method: str, path: str, body: bytes | None = None) -> Any:  # noqa: ANN401  JSON
        headers = {"Content-Type": "application/json"} if body else {}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        request = Request(self.url + path, body, headers, method=method)  # noqa: S310  our service
        with urlopen(request, timeout=60) as answer:  # noqa: S310  our service
            text = answer.read().decode()
            return json.loads(text) if "json" in answer.headers["Content-Type"] else text


@click.command()
@click.option("--game", default="qin", show_default=True)
@click.option("--bots", help="Levels, one per seat, such as li_mu,wu_qi; default: the two weakest.")
@click.option(
    "--url", help="Address of a running service; default: start one for the demonstration."
)
def demo(game: str, bots: str | None, url: str | None) -> None:
    """Play a whole match over REST against bots, and show where to find it."""
    console = Console()
    settings = read_service_settings(environ)
    with _running_service(url or f"http://{settings.host}:{settings.port}", console) as address:
        client = Client(address)
        try:
            levels = bots.split(",") if bots else opponents(client, game)
            match = play(client, game, levels, console)
        except HTTPError as error:
            raise click.ClickException(json.load(error)["detail"]) from error
        show(client, match, console)
        if url is None and sys.stdin.isatty():
            console.print("Press Enter to continue.")
            input()


def opponents(client: Client, game: str) -> list[str]:
    """Return the two weakest levels of a game, or one if it has two seats. Raises ClickException
    for an unknown game.
    """
    games = {one["key"]: one for one in client.get("/v1/games")["games"]}
    if game not in games:
        raise click.ClickException(f"There is no game {game!r}; there are {', '.join(games)}.")
    seats: int = games[game]["seats"]["max"]
    return [level["key"] for level in games[game]["levels"][: min(2, seats - 1)]]


def play(client: Client, game: str, bots: list[str], console: Console) -> str:
    """Play a match to its end with random legal moves; returns its id."""
    client.token = client.post("/v1/players", {"name": f"Demo {secrets.token_hex(3)}"})["token"]
    seats = [{"me": True}, *({"bot": level} for level in bots)]
    match = client.post("/v1/matches", {"game": game, "seats": seats})
    path = f"/v1/matches/{match['id']}"
    dice = Luck(match["id"])
    console.print(f"Match [bold]{match['id']}[/] of {game}, against {', '.join(bots)}.")
    console.print(f"Watch it: {page_of(client, match['id'])}", highlight=False, soft_wrap=True)
    with _progress(console) as progress:
        task = progress.add_task("", total=None)
        while (state := client.get(path))["status"] != "scored":
            progress.update(task, completed=state["version"], description=_status_line(state))
            moves = client.get(f"{path}/legal-moves")["moves"]
            if moves:
                client.post(f"{path}/moves", {"move": choose(dice, moves)})
            else:
                client.get(f"{path}/events?after={state['version']}&wait=10")
    return str(match["id"])


def page_of(client: Client, match: str) -> str:
    """Return the address of the page of a match."""
    return f"{client.url}/matches/{match}"


def show(client: Client, match: str, console: Console) -> None:
    """Print the last position, the scoring, and links."""
    path = f"/v1/matches/{match}"
    state = client.get(path)
    console.print(client.get(f"{path}/board.txt"), highlight=False, markup=False)
    console.print(_scoring(state))
    address = f"{client.url}{path}"
    for line in (
        f"Replay    {page_of(client, match)}",
        f"Picture   {address}/board.svg",
        "          (any version: ?version=7)",
        f"Events    {address}/events",
        f"In words  annals replay {match}",
        "Start the service with `annals run` to open these links.",
    ):
        console.print(line, highlight=False, soft_wrap=True)


def _scoring(state: Json) -> Table:
    """Return a column for each seat, best first; a breakdown may be too long for a row."""
    lines = sorted(state["result"]["lines"], key=lambda line: int(line["rank"]))
    seats = [state["seats"][line["seat"]] for line in lines]
    table = Table("", *(seat["name"] or seat["bot"] for seat in seats))
    for what in ("rank", "seat", "points"):
        table.add_row(what, *(str(line[what]) for line in lines))
    for part in lines[0]["breakdown"]:
        table.add_row(part, *(str(line["breakdown"][part]) for line in lines))
    table.title = f"Game over: {state['result']['reason']}"
    return table


def _status_line(state: Json) -> str:
    return f"{state['status']}, points {' : '.join(map(str, state['scores'] or ()))}, version"


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), console=console
    )


@contextmanager
def _running_service(url: str, console: Console) -> Iterator[str]:
    """Yield the service at this address; if none runs there, one is started for
    the demonstration.
    """
    if _is_ready(url):
        yield url
        return
    console.print("Starting the service ...")
    own = subprocess.Popen([sys.executable, "-m", "annals", "run"], stdout=subprocess.DEVNULL)
    try:
        until = time.monotonic() + START_S
        while not _is_ready(url):
            if own.poll() is not None or time.monotonic() > until:
                raise click.ClickException(
                    "The service does not start; run `annals run` to see why."
                )
            time.sleep(0.2)
        yield url
    finally:
        own.terminate()
        own.wait()


def _is_ready(url: str) -> bool:
    try:
        with urlopen(f"{url}/readyz", timeout=2):  # noqa: S310  our service
            return True
    except (URLError, OSError):
        return False
