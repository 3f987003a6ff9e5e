"""The page of a seat holds nothing that another seat hides: all that it receives is equal, byte for
byte, whatever the others hold. The same holds for a spectator's page.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import islice
from typing import Any

import pytest
from playwright.sync_api import Page, Response

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import advance, legal_moves, new_state, seats_to_move
from domain.engine.play import Move, redact
from domain.games import GAMES
from domain.match.dice import KeyedDice, dice_key
from tests.engine.table import contents
from tests.games.record import any_move, is_start, record
from tests.games.seen import AnyGame
from tests.page.visitors import OWN_STREAMS, Visitor, await_settled, begin_match
from tests.page.visits import Visit
from tests.support.whole_service import Service

MATCH_SEEDS = "5" * 64, "6" * 64
"""The seeds of the matches in the two worlds: what is drawn may differ, too."""
SEATS = 2
WATCHED = "qin"
"""The game of which a spectator's page is recorded, too; in `make test-long` those of all games."""
PAGES = [
    *(pytest.param(game, game.key == WATCHED, id=game.key) for game in GAMES.values()),
    *(
        pytest.param(game, True, id=f"{game.key}, watched", marks=pytest.mark.long)
        for game in GAMES.values()
        if game.key != WATCHED
    ),
]
SEEDS, MOVES, TRIES = 20, 80, 10
VARIES = (
    (re.compile(r"\b\d{4}-\d\d-\d\d(T[\d:.]+Z| \d\d:\d\d UTC)"), "<time>"),
    (re.compile(r"\b[0-9a-f]{64}\b"), "<hash>"),
)
"""What differs between any two matches."""
Sent = dict[str, set[str]]
"""The texts that a page received, by address."""
TwoWorlds = tuple[Any, Move, Any]
"""A table at which a turn begins; a move; and another table that the seat which follows cannot
distinguish from the first, neither before nor after the move.
"""


class Recorder:
    """Records what a browser receives about matches, also by their streams.

    Lists and numbers of turns arrive later, in either world.
    """

    def __init__(self, names: dict[str, str]) -> None:
        self._names = names
        self._answers: list[Response] = []
        self._asked: dict[str, str] = {}
        self._told: list[tuple[str, str]] = []

    def begin(self, page: Page) -> None:
        page.add_init_script(OWN_STREAMS)
        page.on("response", lambda answer: self._answers.append(answer))
        devtools = page.context.new_cdp_session(page)
        devtools.send("Network.enable")
        devtools.on("Network.requestWillBeSent", self._ask)
        devtools.on("Network.eventSourceMessageReceived", self._tell)

    @property
    def sent(self) -> Sent:
        found: Sent = defaultdict(set)
        for address, text in self._told:
            found[self._plain(address)].add(self._plain(text))
        for answer in self._answers:
            kind = answer.headers.get("content-type", "")
            if "/matches/" in answer.url and answer.ok and "event-stream" not in kind:
                found[self._plain(answer.url)].add(self._plain(answer.text()))
        return found

    def _ask(self, event: dict[str, Any]) -> None:
        self._asked[event["requestId"]] = event["request"]["url"]

    def _tell(self, event: dict[str, Any]) -> None:
        address = self._asked[event["requestId"]]
        if "/matches/" in address:
            self._told.append((address, event["data"]))

    def _plain(self, text: str) -> str:
        for name, role in self._names.items():
            text = text.replace(name, role)
        for pattern, role in VARIES:
            text = pattern.sub(role, text)
        return text


@pytest.mark.parametrize(("game", "is_watched"), PAGES)
def test_a_page_does_not_depend_on_hidden_information(
    site: Service, visit: Visit, game: AnyGame, is_watched: bool
) -> None:
    found = two_worlds(game)
    if found is None:
        assert hides_nothing(game)
        return
    state, move, other = found
    worlds = [
        record_texts(site, visit, game, world, move, seed, is_watched)
        for world, seed in zip((state, other), MATCH_SEEDS, strict=True)
    ]
    for one, another in zip(*worlds, strict=True):
        assert one.keys() == another.keys()
        assert {address: another[address] for address in one} == one
        for what in ("/matches/<match>", "/stream", "/board.svg"):
            assert any(what in address for address in one), what
    assert any("/legal-moves" in address for address in worlds[0][0])


def two_worlds(game: AnyGame) -> TwoWorlds | None:
    """Two worlds that the next seat cannot tell apart; if possible, where the move has different
    results.
    """
    first = None
    for found in islice(worlds_alike(game), TRIES):
        first = first or found
        state, move, other = found
        if results(game, state, move, 0) != results(game, other, move, 1):
            return found
    return first


def worlds_alike(game: AnyGame) -> Iterator[TwoWorlds]:
    for seed in range(SEEDS):
        dice = Luck(seed)
        setup = game.setup(game.options(), SEATS)
        state = new_state(game, setup, SEATS, dice)
        for _ in range(MOVES):
            if not seats_to_move(state):
                break
            move = any_move(game, state, dice)
            other = game.imagine(state, 1 - move.seat, Luck(seed + 1))
            if (
                contents(other) != contents(state)
                and all(is_start(game, setup, one, SEATS) for one in (state, other))
                and alike(game, state, other, move)
            ):
                yield state.copy(), move, other
            advance(game, state, move, dice)


def alike(game: AnyGame, state: Any, other: Any, move: Move) -> bool:
    """Whether only the mover sees the result of the move, and the other seat is next."""
    if move not in legal_moves(game, other, move.seat):
        return False
    viewer = 1 - move.seat
    seen = []
    for number, world in enumerate((state, other)):
        after = world.copy()
        advance(game, after, move, match_dice(number))
        seen.append((seats_to_move(after), game.view(after, viewer)))
    return seen[0] == seen[1] and seen[0][0] == (viewer,)


def results(game: AnyGame, state: Any, move: Move, number: int) -> list[Any]:
    """All events of the move, also what is hidden."""
    return advance(game, state.copy(), move, match_dice(number))


def match_dice(number: int) -> KeyedDice:
    """The first dice of the match in a world."""
    return KeyedDice(dice_key(bytes.fromhex(MATCH_SEEDS[number]), [None] * SEATS), 0)


def hides_nothing(game: AnyGame) -> bool:
    """Whether all players may always see everything."""
    events = record(game, SEATS, 0).events
    return all(redact(event, seat) == event for event in events for seat in range(SEATS))


def record_texts(
    site: Service,
    visit: Visit,
    game: AnyGame,
    state: Any,
    move: Move,
    seed: str,
    is_watched: bool,
) -> list[Sent]:
    """What the page of the waiting seat receives before and after the move, and perhaps that of a
    spectator.
    """
    people = [Visitor(site, f"Leak {game.key}") for _ in range(SEATS)]
    match = begin_match(people, game=game.key, position=game.write_position(state), seed=seed)
    names = {match: "<match>"}
    for seat, person in enumerate(people):
        names |= {person.name: f"<name {seat}>", person.id: f"<player {seat}>"}
    kept = [people[1 - move.seat].state, *[None] * is_watched]
    notes = [Recorder(names) for _ in kept]
    pages = [
        visit(f"{site.url}/matches/{match}", before=note.begin, storage_state=one)
        for note, one in zip(notes, kept, strict=True)
    ]
    mover = people[move.seat]
    for page in pages:
        await_settled(page, mover.call("GET", f"/v1/matches/{match}")["version"])
    moved = mover.call("POST", f"/v1/matches/{match}/moves", {"move": json_codec.to_json(move)})
    for page in pages:
        await_settled(page, moved["version"])
    return [note.sent for note in notes]
