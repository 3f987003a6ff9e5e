"""A player of many matches, told by one stream: `python examples/play_many.py URL [GAME ...]`.

It moves at random wherever it has to decide, sits down where it is invited, and agrees to undo.
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


class Player(Client):
    """Plays all matches that it takes part in."""

    def changes(self) -> Iterator[dict]:
        """Each match whenever it has changed, as it stands then, with what it wants of one.

        If the connection breaks, the next one goes on after the last event that was read.
        """
        seen = "0"
        while True:
            headers = {"Authorization": f"Bearer {self.token}", "Last-Event-ID": seen}
            with (
                suppress(OSError, HTTPException),
                urlopen(Request(f"{self.url}/v1/me/stream", headers=headers)) as stream,
            ):
                for event in events(stream):
                    if event.get("event") == "match":
                        yield json.loads(event["data"])
                    seen = event.get("id", seen)
            time.sleep(1)

    def react(self, change: dict) -> None:
        """Do what a match waits for; if it has moved on meanwhile, the stream tells."""
        path = f"/v1/matches/{change['match']['id']}"
        with suppress(HTTPError):
            if change["undo_asked"]:
                self.call("POST", f"{path}/undo/answer", {"agree": True})
            elif change["invited"]:
                self.call("POST", f"{path}/seats", {"nonce": token_hex(32)})  # for the dice
            elif change["your_turn"]:
                moves = self.call("GET", f"{path}/legal-moves")["moves"]
                if moves:  # it may be somebody else's turn by now
                    move = random.choice(moves)  # noqa: TID251 - the dice are the service's
                    self.call("POST", f"{path}/moves", {"move": move})


def events(lines: Iterator[bytes]) -> Iterator[dict[str, str]]:
    """Server-sent events: the fields of each."""
    fields: dict[str, str] = {}
    for line in lines:
        if text := line.decode().rstrip("\n"):
            name, _, value = text.partition(": ")
            fields[name] = value
        else:
            yield fields
            fields = {}


def main() -> None:
    """Play a match of each of these games, or of all, against the weakest bots, all at once."""
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
