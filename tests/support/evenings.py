"""Two people who do at one table all that players do beside their moves: talk, notes, plans, votes,
gifts of time, lists of players and mail.
"""

from __future__ import annotations

import re
from typing import Any
from urllib.parse import urlencode
from urllib.request import urlopen

from tests.support.mail_server import Mail
from tests.support.patience import eventually
from tests.support.whole_service import Service

TOO_OFTEN = "too_many_requests"
CODE = re.compile(r"/mail/confirm\?code=(\S+)")
MAIL = {
    "ANNALS_SMTP_HOST": "localhost",
    "ANNALS_SMTP_SECURITY": "none",
    "ANNALS_MAIL_FROM": "annals@example.com",
    "ANNALS_PUBLIC_URL": "https://annals.example",
}
"""Settings with which a service sends mail; the port is missing."""


class Evening:
    """Two people, the first of whom gets mail, and the table at which they talk."""

    def __init__(self, service: Service, names: tuple[str, str], mail: Mail) -> None:
        self.people = [Service(service.process, service.environ) for _ in names]
        for person, name in zip(self.people, names, strict=True):
            person.sign_up(name)
        self._other = self.people[1].insist("GET", "/v1/me")["id"]
        self._mail = mail
        self._begin_mail()
        self._table = self._begin_match()

    def go_on(self) -> None:
        """Do everything once."""
        self._talk()
        self._write()
        self._list()
        self._vote()

    def _talk(self) -> None:
        room = f"{self._table}/talk/players"
        ann, bob = self.people
        said = ann.insist("POST", room, {"phrase": "hello"})["number"]
        urlopen(f"{ann.url}{room}/stream?access_token={ann.token}").close()
        assert bob.insist("GET", room)["position"] >= said
        bob.insist("PUT", f"{room}/read", {"number": said})
        ann.insist("DELETE", f"{room}/{said}")

    def _write(self) -> None:
        """A note, forced moves and a plan, which a worker drops or carries out."""
        for person in self.people:
            person.insist("PUT", f"{self._table}/notes/1", {"text": "Remember this."})
            person.insist("DELETE", f"{self._table}/notes/1")
            person.insist("PUT", f"{self._table}/forced-moves", {"automatic": True})
            if moves := person.insist("GET", f"{self._table}/legal-moves")["moves"]:
                plan: Any = {"moves": [{"move": moves[0]}]}
                person.insist("PUT", f"{self._table}/plan", plan, but=["game_over"])
        if self.people[0].insist("GET", self._table)["status"] not in ("open", "active"):
            self._table = self._begin_match()

    def _vote(self) -> None:
        """Give time in another match, pause and resume it, and agree to end it."""
        ann, bob = self.people
        path = self._begin_match()
        ann.insist("POST", f"{path}/time", {}, but=["no_time_to_give"])
        for kind in ("pause", "resume", "end"):
            ann.insist("POST", f"{path}/proposal", {"kind": kind})
            if kind != "resume":
                bob.insist("POST", f"{path}/proposal", {"kind": kind, "agree": True})
        assert ann.insist("GET", path)["status"] == "aborted"

    def _list(self) -> None:
        """Follow and mute the other, and end both; ask for mail, which is refused after a while."""
        ann, bob = self.people
        ann.insist("PUT", "/v1/me/presence", {"shown": True})
        for people, body in (("follows", None), ("mutes", {})):
            ann.insist("PUT", f"/v1/me/{people}/{self._other}", body)
            ann.insist("DELETE", f"/v1/me/{people}/{self._other}")
        bob.insist("PUT", "/v1/me/mail", {"address": "bob@example.org"}, but=[TOO_OFTEN])
        bob.insist("DELETE", "/v1/me/mail")

    def _begin_match(self) -> str:
        """The path of a match between the two, with a clock."""
        ann, bob = self.people
        seats, clock = [{"me": True}, {"open": True}], {"bank_s": 86_400}
        opened = ann.insist("POST", "/v1/matches", {"game": "qin", "seats": seats, "clock": clock})
        path = f"/v1/matches/{opened['id']}"
        bob.insist("POST", f"{path}/seats", {})
        if ann.insist("GET", path)["status"] == "open":
            ann.insist("POST", f"{path}/start")
        return path

    def _begin_mail(self) -> None:
        """Let the first confirm an address, as the link in the mail does."""
        ann, taken = self.people[0], self._mail.taken
        ann.insist("PUT", "/v1/me/mail", {"address": "ann@example.org", "kinds": ["turn", "end"]})
        eventually(lambda: taken)
        [code] = CODE.findall(str(taken[-1][2].get_body(("plain",)).get_content()))
        urlopen(f"{ann.url}/mail/confirm", urlencode({"code": code}).encode()).close()
        assert ann.insist("GET", "/v1/me/mail")["address"] == "ann@example.org"
