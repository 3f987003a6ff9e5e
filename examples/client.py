"""Play a match over REST with the standard library only: `python examples/client.py URL`."""

import json
import sys
import time
from hashlib import sha256
from http.client import HTTPException
from secrets import token_hex
from urllib.request import Request, urlopen
from uuid import uuid4

TOO_MANY, FAILURE = 429, 500  # from FAILURE on: the service, or a proxy before it, has failed
WAITS_S = (0.5, 1, 2, 4, 8, 16)
TIMEOUT_S = 30  # some answers wait up to 20 seconds for news


class Client:
    """Calls the service as one player."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        self.token = ""
        self.token = self.call("POST", "/v1/players", {"name": name})["token"]

    def call(self, method: str, path: str, body: object = None) -> dict:
        """Return the JSON of the answer; print a refusal with its rule, and raise it.

        Without a verdict, retry with the same key: the service carries out a command once.
        """
        headers = {"Content-Type": "application/json", "Idempotency-Key": str(uuid4())}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        data = json.dumps(body).encode() if body is not None else None
        request = Request(self.url + path, data, headers, method=method)
        for wait_s in (*WAITS_S, None):
            try:
                with urlopen(request, timeout=TIMEOUT_S) as answer:
                    return json.load(answer)
            except (OSError, HTTPException) as error:
                status = getattr(error, "code", FAILURE)  # or there is no answer
                is_refused = status < FAILURE and status != TOO_MANY
                if is_refused:
                    problem = json.load(error)
                    print(f"{problem['detail']} ({problem.get('rule', problem['code'])})")
                if is_refused or wait_s is None:
                    raise
                time.sleep(wait_s)
        raise AssertionError  # the last try returns or raises


def main() -> None:
    """Play Qin against Li Mu, always with the first legal move."""
    annals = Client(sys.argv[1], f"Example {uuid4().hex[:6]}")
    promised = annals.call("GET", "/v1/me")["next_seed"]["seed_hash"]
    nonce = token_hex(32)  # with it, no one else can choose the dice, not even the service
    plan = {"game": "qin", "seats": [{"me": True}, {"bot": "li_mu"}], "nonce": nonce}
    match = annals.call("POST", "/v1/matches", plan)["id"]
    while (state := annals.call("GET", f"/v1/matches/{match}"))["status"] != "scored":
        if moves := annals.call("GET", f"/v1/matches/{match}/legal-moves")["moves"]:
            annals.call("POST", f"/v1/matches/{match}/moves", {"move": moves[0]})
        else:  # the bot decides: wait until there is a new entry
            annals.call("GET", f"/v1/matches/{match}/events?after={state['version']}&wait=20")
    for line in state["result"]["lines"]:
        print(f"seat {line['seat']}: place {line['rank']}, {line['points']} points")
    is_kept = sha256(bytes.fromhex(state["seed"])).hexdigest() == promised == state["seed_hash"]
    is_ours = is_kept and state["seats"][0]["nonce"] == nonce
    print("the dice follow from the promised seed and our nonce" if is_ours else "other dice!")


if __name__ == "__main__":
    main()
