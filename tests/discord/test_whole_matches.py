"""Whole matches in Discord through all processes: each player sees only their own hand, and a
killed process loses nothing.
"""

from __future__ import annotations

import os
import signal
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from random import Random
from typing import Any

import pytest

from tests.discord.people import Person, StandIn, labels, options, text
from tests.discord.state import APP
from tests.support.patience import eventually
from tests.support.whole_service import Service

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("discord")]
WAR = {
    "tiles": {
        **dict.fromkeys(("K1", "B2", "P2", "F3", "N5", "I7", "B8", "O9", "F10", "K11"), "red"),
        **dict.fromkeys(("G3", "H3", "J3", "K3"), "black"),
        "L3": "red",
    },
    "treasures": ("K1", "B2", "P2"),
    "leaders": ({"black": "F4"}, {"black": "L4"}),
    "hands": ({"green": 2, "black": 2}, {"black": 3, "blue": 2}),
    "bag": {"red": 1, "blue": 1, "green": 2, "black": 2},
    "agenda": [
        {"type": "EndTurn", "seat": 0}, {"type": "Turn", "seats": [0], "left": 2},
    ],
}  # fmt: skip
"""Two kings that are at war as soon as a tile connects them; the bag is nearly empty."""
MAX_MOVES = 1_000
"""Upper bound for the moves of a match."""
FIRST_MOVES = 11
"""Number of moves at the beginning of a match that does not end."""


@dataclass
class Room:
    """A channel in which two users play a match."""

    service: Service
    discord: StandIn
    channel: str
    names: tuple[str, str]

    def __post_init__(self) -> None:
        self.people = [
            Person(self.discord, f"{self.channel}{number}", name, self.channel)
            for number, name in enumerate(self.names)
        ]

    def turn(self) -> Any:
        """The message that names the player to move, or the last one of the match."""
        while True:
            card = self.discord.newest(self.channel)
            if over(card) or (self.players_to_move(card) and "Move" in labels(card)):
                return card
            self.people[0].says("board")

    def players_to_move(self, card: Any) -> list[Person]:
        """Which of the two are to move."""
        return [person for person in self.people if f"<@{person.id}>" in text(card)]

    def move(self, chance: Random, *wanted: str) -> Any:
        """Make a move and return the message for all.

        It prefers choices with these words, and else chooses randomly.
        """
        card = self.turn()
        person = self.players_to_move(card)[0]
        shown = person.presses(card, "Move")
        while choices := options(shown):
            named = [one for word in wanted for one in choices if word == one["label"]]
            shown = person.chooses(shown, (named or [chance.choice(choices)])[0]["value"])
        eventually(lambda: self.discord.newest(self.channel)["id"] != card["id"])
        return self.discord.newest(self.channel)

    def play(self, seed: int, most: int = MAX_MOVES) -> bool:
        """Make at most this number of random moves, looking at both hands; returns whether that was
        the end.
        """
        chance = Random(seed)
        for number in range(most):
            if over(self.turn()):
                return True
            if number % 10 == 0:
                one, two = (person.says("hand") for person in self.people)
                assert one["attachments"] != two["attachments"]
            self.move(chance)
        return False

    def lose(self, what: str, method: str) -> None:
        """Let Discord lose the next call of the answering process, or its answer."""
        self.discord.ask("lose", {"what": what, "method": method})

    def kill_whoever_answers(self) -> None:
        """Kill the answering process once the call has come."""
        eventually(lambda: self.discord.ask("lost"))
        [discord_worker] = self.service.processes()["discord-worker"]
        os.kill(discord_worker, signal.SIGKILL)
        self.discord.ask("found")

    def nobody_saw_a_hand_of_others(self) -> None:
        """Check that each picture with a hand went to one user only."""
        seen: dict[str, set[str | None]] = {}
        for message in self.discord.ask("messages"):
            if message["channel"] == self.channel:
                for file in message["attachments"]:
                    seen.setdefault(file["sha"], set()).add(message["only"])
        private = [who for who in seen.values() if None not in who]
        assert len(private) > 2
        assert all(len(who) == 1 for who in private)


def over(card: Any) -> bool:
    """Whether the message shows the end of a match."""
    return any(line.startswith(("The game is over", "1. ")) for line in text(card).splitlines())


@pytest.mark.parametrize(
    "most", [FIRST_MOVES, pytest.param(MAX_MOVES, marks=pytest.mark.long)], ids=["begun", "whole"]
)
def test_a_match_of_qin_with_a_bot(service: Service, discord: StandIn, most: int) -> None:
    """The next test plays to the end of a match."""
    room = Room(service, discord, f"60{most}", ("Ada", "Ben"))
    ada, ben = room.people
    ben.presses(ada.says("new", game="qin", seats=3, bots=1), "Join")
    assert room.play(seed=1, most=most) == (most == MAX_MOVES)
    room.nobody_saw_a_hand_of_others()


def test_tigris_and_euphrates_with_a_war_and_an_undo(service: Service, discord: StandIn) -> None:
    room = Room(service, discord, "700", ("Cid", "Dot"))
    cid, dot = room.people
    cid.says("board", match=at_war(room), share=True)
    chance = Random(2)
    begun = room.move(chance, "I3", "Row 3", "Market")
    assert "war" in text(begun).lower()
    for _ in room.people:
        card = room.move(chance)
    assert "wins the war" in text(card)
    asked = cid.says("undo")
    assert "Agree" in labels(asked)
    undone = dot.presses(asked, "Agree")
    assert text(undone).splitlines()[-1] == text(begun).splitlines()[-1]
    assert room.play(seed=3)
    room.nobody_saw_a_hand_of_others()


def at_war(room: Room) -> str:
    """A match of the two from that position, opened over REST by the first user."""
    first, second = room.people
    second.says("help")
    room.service.sign_up("Zheng")
    code = text(first.says("link")).split("`")[1]
    room.service.call("POST", "/v1/me/discord", {"code": code})
    plan = {
        "game": "tigris_euphrates", "position": WAR, "seed": "00" * 32,
        "seats": [{"me": True}, {"invite": second.user["global_name"]}],
    }  # fmt: skip
    status, match = room.service.call("POST", "/v1/matches", plan)
    assert status == 201, match
    second.says("join", match=match["id"])
    return str(match["id"])


def test_a_killed_process_answers_after_its_restart(service: Service, discord: StandIn) -> None:
    room = Room(service, discord, "800", ("Eva", "Flo"))
    eva, flo = room.people
    flo.presses(eva.says("new", game="qin", seats=2), "Join")
    chance = Random(4)
    room.lose("call", "POST")
    with ThreadPoolExecutor(1) as pool:
        moved = pool.submit(room.move, chance)
        room.kill_whoever_answers()
        card = moved.result()
    received = [text(one).splitlines()[0] for one in discord.messages("800")]
    assert received.count(text(card).splitlines()[0]) == 1


def test_a_repeated_answer_is_one_message(service: Service, discord: StandIn) -> None:
    room = Room(service, discord, "900", ("Gus", "Hal"))
    gus = room.people[0]
    gus.says("new", game="qin", seats=2)
    room.lose("answer", "PATCH")
    done = gus.uses(2, gus._command("board", {}))
    room.kill_whoever_answers()
    before = len(discord.messages("900"))
    patched = f"/webhooks/{APP}/{done['token']}/messages/@original"
    eventually(lambda: [path for _, path, _ in discord.ask("calls")].count(patched) == 2)
    assert "A table for 2" in text(discord.message(done["message"]))
    assert len(discord.messages("900")) == before
