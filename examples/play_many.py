"""Play many matches from one event stream: `python examples/play_many.py URL [GAME ...]`.

The player moves at random, takes seats it is invited to, and agrees to undo.
"""

import json
import random
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from http.client import HTTPException
from secrets import token_hex
from urllib.error import HTTPError
from urllib.request import Request, urlopen

from client import Client

SILENCE_S = 36  # a stream sends a heartbeat every 12 seconds


class Player(Client):
    """Plays all matches in which it has a seat."""

    def changes(self) -> Iterator[dict]:
        """Yield each match whenever it changes, with what it waits for.

        If the connection breaks or is silent for three heartbeats, reconnect with the id of the
        last event.
        """
        cursor = "0"
        while True:
            headers = {"Authorization": f"Bearer {self.token}", "Last-Event-ID": cursor}
            with (
                suppress(OSError, HTTPException),
                urlopen(
                    Request(f"{self.url}/v1/me/stream", headers=headers), timeout=SILENCE_S
                ) as stream,
            ):
                for event in events(stream):
                    if event.get("event") == "match":
                        yield json.loads(event["data"])
                    cursor = event.get("id", cursor)
            time.sleep(1)

    def react(self, change: dict) -> None:
        """Do what a match waits for; if it has moved on, its next change follows in the stream."""
        path = f"/v1/matches/{change['match']['id']}"
        with suppress(HTTPError):
            if change["undo_vote_pending"]:
                self.call("POST", f"{path}/undo/answer", {"agree": True})
            elif change["invited"]:
                self.call("POST", f"{path}/seats", {"nonce": token_hex(32)})  # for the dice
            elif change["seats_to_move"]:
                moves = self.call("GET", f"{path}/legal-moves")["moves"]
                if moves:  # the turn may have passed meanwhile
                    move = random.choice(moves)  # noqa: TID251 - the dice are the service's
                    self.call("POST", f"{path}/moves", {"move": move})


def events(lines: Iterator[bytes]) -> Iterator[dict[str, str]]:
    """Yield the fields of each server-sent event."""
    fields: dict[str, str] = {}
    for line in lines:
        if text := line.decode().rstrip("\n"):
            name, _, value = text.partition(": ")
            fields[name] = value
        else:
            yield fields
            fields = {}


def main() -> None:
    """Play a match of each game, or of those named, against the weakest bots at the same time."""
    player = Player(sys.argv[1], f"Example {random.getrandbits(24):06x}")
    levels = {
        game["key"]: game["levels"][0]["key"] for game in player.call("GET", "/v1/games")["games"]
    }
    running = set()
    for game in sys.argv[2:] or levels:
        seats = [{"me": True}, {"bot": levels[game]}]
        plan = {"game": game, "seats": seats, "nonce": token_hex(32)}
        running.add(player.call("POST", "/v1/matches", plan)["id"])
    for change in player.changes():
        player.react(change)
        match = change["match"]
        if match["status"] == "scored" and match["id"] in running:
            running.remove(match["id"])
            points = [line["points"] for line in match["result"]]
            print(f"{match['game']}: {points}, {len(running)} still in play", flush=True)
        if not running:
            return


if __name__ == "__main__":
    main()
