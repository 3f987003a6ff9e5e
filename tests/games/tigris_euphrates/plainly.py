"""The rules a second time, without the code of the game: names of cells, words and sets; slow.

The tests compare it with the game at every table.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from domain.engine.codecs import json_codec
from domain.engine.game import fold, seats_to_move
from domain.engine.starting.starts import read_start
from domain.games.tigris_euphrates import GAME

COLORS = ("black", "red", "green", "blue")
PAIRS = ("black-red", "black-green", "black-blue", "red-green", "red-blue", "green-blue")


class Leader(NamedTuple):
    """A leader on a cell."""

    seat: int
    color: str


class Table:
    """What lies where: a word for each cell that is not empty, or a leader."""

    def __init__(self, state: Any) -> None:
        written = GAME.write_position(state)
        self.rows = state.setup.rows
        self.names = [f"{chr(65 + x)}{y + 1}" for y in range(len(self.rows)) for x in range(16)]
        self.on: dict[str, Any] = dict(written.get("tiles", {}))
        self.on.update(dict.fromkeys(written.get("catastrophes", ()), "catastrophe"))
        for at in written.get("monuments", {}).values():
            self.on.update(dict.fromkeys(square(at), "face down"))
        for seat, leaders in enumerate(written["leaders"]):
            self.on.update({at: Leader(seat, color) for color, at in leaders.items()})
        self.treasures = set(written["treasures"])
        self.monuments = written.get("monuments", {})
        self.hands = written["hands"]
        self.left = written["catastrophes_left"]

    def river(self, name: str) -> bool:
        """TE-1.1"""
        return bool(self.rows[int(name[1:]) - 1][ord(name[0]) - 65] == "~")

    def beside(self, name: str) -> list[str]:
        """TE-1.2"""
        x, y = ord(name[0]), int(name[1:])
        around = ((x, y - 1), (x - 1, y), (x + 1, y), (x, y + 1))
        return [f"{chr(x)}{y}" for x, y in around if 65 <= x < 81 and 0 < y <= len(self.rows)]

    def is_occupied(self, name: str) -> bool:
        """TE-1.7"""
        return self.on.get(name, "catastrophe") != "catastrophe"

    def region(self, name: str) -> frozenset[str]:
        """TE-1.8"""
        found, edge = {name}, [name]
        while edge:
            near = {other for other in self.beside(edge.pop()) if self.is_occupied(other)} - found
            found |= near
            edge += near
        return frozenset(found)

    def leaders(self, region: frozenset[str]) -> dict[str, Leader]:
        """The leaders in a region, by cell."""
        return {name: self.on[name] for name in region if isinstance(self.on[name], Leader)}

    def adjacent_kingdoms(self, name: str) -> set[frozenset[str]]:
        """TE-4.1, TE-4.2"""
        regions = {self.region(near) for near in self.beside(name) if self.is_occupied(near)}
        return {region for region in regions if self.leaders(region)}

    def home(self, leader: Leader) -> str | None:
        """Where a leader stands."""
        return next((name for name, what in self.on.items() if what == leader), None)

    def temples(self, name: str) -> list[str]:
        """The face-up temples beside a cell."""
        return [near for near in self.beside(name) if self.on.get(near) == "red"]

    def without(self, name: str | None) -> Table:
        """The same table with the leader on this cell lifted: TE-4.3."""
        lifted = object.__new__(Table)
        lifted.__dict__.update(self.__dict__)
        lifted.on = {other: what for other, what in self.on.items() if other != name}
        return lifted


def square(name: str) -> list[str]:
    """The four cells below a monument: TE-1.6."""
    x, y = ord(name[0]), int(name[1:])
    return [f"{chr(x + right)}{y + down}" for down in (0, 1) for right in (0, 1)]


def actions(table: Table, seat: int) -> Iterator[tuple[str, ...]]:
    """All that the active player may do, as words: TE-3.1, TE-3.2."""
    yield ("Pass",)
    yield from (("DiscardTile", color) for color in table.hands[seat])
    for name in table.names:
        yield from (("PlaceTile", c, name) for c in table.hands[seat] if tile_fits(table, c, name))
        yield from (("PlaceLeader", c, name) for c in COLORS if leader_fits(table, seat, c, name))
        if table.left[seat] and catastrophe_fits(table, name):
            yield ("PlaceCatastrophe", name)
    yield from (("WithdrawLeader", c) for c in COLORS if table.home(Leader(seat, c)))


def tile_fits(table: Table, color: str, name: str) -> bool:
    """TE-6.1, TE-6.2, TE-6.3"""
    fits = name not in table.on and table.river(name) == (color == "blue")
    return fits and len(table.adjacent_kingdoms(name)) <= 2


def leader_fits(table: Table, seat: int, color: str, name: str) -> bool:
    """TE-4.3, TE-5.2, TE-5.3, TE-5.4, TE-5.5"""
    if name in table.on or table.river(name) or not table.temples(name):
        return False
    return len(table.without(table.home(Leader(seat, color))).adjacent_kingdoms(name)) <= 1


def catastrophe_fits(table: Table, name: str) -> bool:
    """TE-7.1"""
    return table.on.get(name) in (None, *COLORS) and name not in table.treasures


def words(move: Any) -> tuple[str, ...]:
    """A move as its name and its fields, but for the seat."""
    kind, *fields = type(move).__name__, *move.__struct_fields__[1:]
    return (kind, *(getattr(move, name) for name in fields))


@cache
def read_recorded_moments() -> tuple[tuple[Any, Any], ...]:
    """All states of the recorded games, each with the move made in it."""
    moments: list[tuple[Any, Any]] = []
    for path in sorted((Path(__file__).parent / "replays").glob("*.json")):
        game = json.loads(path.read_text())
        setup = GAME.setup(json_codec.read_options(GAME, game["options"]), game["seats"])
        start = game["position"]
        table = GAME.blank_state(setup, game["seats"])
        state = read_start(GAME, setup, start, game["seats"]) if start else table
        for entry in game["entries"]:
            if entry["move"] is not None:
                assert seats_to_move(state)
                moments.append(
                    (state.copy(), json_codec.read_move(GAME, entry["move"]["seat"], entry["move"]))
                )
            fold(state, json_codec.read_events(GAME, dump(entry["events"])))
    return tuple(moments)


def dump(data: Any) -> bytes:
    return json.dumps(data).encode()
