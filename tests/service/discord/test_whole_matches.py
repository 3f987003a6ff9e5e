"""Two people in Discord play whole matches, and each sees only their own hand."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from domain.games import GAMES
from domain.match import lobby
from domain.match.state import Chair
from service import commands
from service.commands import Metadata
from service.discord.interactions import User
from tests.discord.people import labels, options, text
from tests.match.table import HOUR
from tests.service.discord.conftest import Guest, Office
from tests.service.discord.test_playing import mover_of, newest, opened

pytestmark = pytest.mark.slow
WAR = {
    "tiles": {
        **dict.fromkeys(("K1", "B2", "P2", "F3", "N5", "I7", "B8", "O9", "F10", "K11"), "red"),
        **dict.fromkeys(("G3", "H3", "J3", "K3"), "black"),
        "L3": "red",
    },
    "treasures": ("K1", "B2", "P2"),
    "leaders": ({"black": "F4"}, {"black": "L4"}),
    "hands": ({"green": 2, "black": 2}, {"black": 3, "blue": 2}),
    "bag": {"red": 3, "blue": 3, "green": 3, "black": 3},
    "agenda": [
        {"type": "EndTurn", "seat": 0}, {"type": "Turn", "seats": [0], "left": 2},
    ],
}  # fmt: skip
"""Two kings who are at war as soon as there is a tile between them; the bag is nearly empty."""


def step(person: Guest, card: Any, chance: Random, *wanted: str) -> Any:
    """Make a move: at each step a choice with the first of these words, else by chance."""
    shown = person.presses(card, "Move")
    while choices := options(shown):
        named = [one for word in wanted for one in choices if word == one["label"]]
        shown = person.chooses(shown, (named or [chance.choice(choices)])[0]["value"])
    return shown


def played(office: Office, card: Any, ada: Guest, ben: Guest, *wanted: str) -> Any:
    """Play by chance to the end, looking at both hands now and then; the last message of all."""
    chance = Random(1)
    for number in range(1_000):
        if "Move" not in labels(card):
            return card
        if number % 10 == 0:
            assert ada.says("hand")["attachments"] != ben.says("hand")["attachments"]
        step(mover_of(card, ada, ben), card, chance, *wanted)
        card = newest(office)
    raise AssertionError("it never ends")


def nobody_saw_a_hand_of_others(office: Office) -> None:
    """Each picture that is not of what all may see was shown to one person."""
    seen: dict[str, set[str | None]] = {}
    for message in office.discord.ask("messages"):
        for file in message["attachments"]:
            seen.setdefault(file["sha"], set()).add(message["only"])
    private = [who for who in seen.values() if None not in who]
    assert len(private) > 2
    assert all(len(who) == 1 for who in private)


def test_a_match_of_qin(office: Office, ada: Guest, ben: Guest) -> None:
    end = played(office, opened(ada, ben), ada, ben)
    assert "The game is over" in text(end)
    nobody_saw_a_hand_of_others(office)


def test_tigris_and_euphrates_with_a_war_and_an_undo(
    office: Office, ada: Guest, ben: Guest
) -> None:
    at_war(office, ada, ben)
    card = ada.says("board", share=True)
    chance = Random(2)
    told = step(ada, card, chance, "I3", "Row 3", "Market")
    begun = newest(office)
    assert "war" in text(begun).lower(), text(told)
    for person in (ada, ben):
        step(person, newest(office), chance)
    assert "wins the war" in text(newest(office))
    asked = ada.says("undo")
    assert "Agree" in labels(asked)
    undone = ben.presses(asked, "Agree")
    assert text(undone).splitlines()[-1] == text(begun).splitlines()[-1]
    end = played(office, undone, ada, ben)
    assert "The game is over" in text(end)
    nobody_saw_a_hand_of_others(office)


def at_war(office: Office, ada: Guest, ben: Guest) -> None:
    """A match of the two from that position."""
    links = office.showing._desk.links
    one, two = (
        links.player_of(User(who.id, who.user["username"], who.user["global_name"]), office.now)
        for who in (ada, ben)
    )
    plan = lobby.Plan(
        match="clash", host=one.id, chairs=(Chair(player=one.id), Chair(player=two.id)),
        position=WAR, expires=office.now + HOUR,
    )  # fmt: skip
    game = GAMES["tigris_euphrates"]
    commands.create(office.annals, plan, game, bytes(32), Metadata(one.id))
    office.showing._desk.channels.show("500", "clash", office.now)
