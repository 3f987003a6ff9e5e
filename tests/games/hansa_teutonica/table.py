"""Small tables of Hansa Teutonica, and the effects of moves on them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import islice
from typing import Any

import pytest

from domain.engine.dice import Luck
from domain.engine.errors import RuleBroken
from domain.engine.game import decide, fold, judge
from domain.engine.play import Awaiting, Event, Move
from domain.engine.starting.starts import read_start
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import ABILITIES, COMPLETE, COVERED_BY, MARKER_NUMBER
from domain.games.hansa_teutonica.state.setup import Options
from domain.games.hansa_teutonica.state.table import State
from tests.games.seen import why

KAMPEN = "kampen--osnabruck"
DUISBURG = "dortmund--duisburg"
HAMBURG = "bremen--hamburg"
EMDEN = "emden--groningen"
GOSLAR = "goslar--hildesheim"
COELLEN = "coellen--warburg"  # to special prestige
WARBURG = "paderborn--warburg"
THREE = dict.fromkeys(("bremen--minden", "bremen--hannover", HAMBURG), "extra_office")
"""As many markers as usually lie on the board."""

NINE = {
    "bremen": {"offices": ["0t"]},
    "brunswiek": {"offices": ["0t"]},
    "goslar": {"offices": ["1t"]},
    "luneburg": {"offices": ["0m"]},
    "stade": {"offices": ["1m"]},
    "dortmund": {"offices": ["2m", "0t"]},
    "emden": {"offices": ["2m", "0t"]},
    "halle": {"offices": ["0t", "1t"]},
    "hannover": {"offices": ["0t", "2t"]},
}
"""Cities that are complete, unlike Duisburg between them."""

ALL_COVERED = dict.fromkeys(ABILITIES, 0)


def player(supply: str = "", prestige: int = 0, **more: Any) -> dict[str, Any]:
    """A seat with this supply, such as `ttm`; pieces on no other place are in the stock."""
    levels = ALL_COVERED | more.pop("levels", {})
    counts = {"t": supply.count("t"), "m": supply.count("m")}
    return {"supply": counts, "levels": levels, "prestige": prestige, **more}


def table(
    *players: dict[str, Any], options: dict[str, Any] | None = None, **position: Any
) -> State:
    """A table with these seats, perhaps in the middle of a turn; the stocks have the pieces that
    are nowhere else.
    """
    setup, data = _position(players, options, position)
    return GAME.read_position(setup, data, len(data["seats"]))


def _position(
    players: Sequence[dict[str, Any]], options: dict[str, Any] | None, position: dict[str, Any]
) -> tuple[Any, dict[str, Any]]:
    seats = [dict(one) for one in players or (player(), player(), player())]
    signs = Counter(_signs(position))
    for seat, one in enumerate(seats):
        if "stock" not in one:
            one["stock"] = _rest(one, signs, seat)
    if len(seats) == 2 and "pending" not in position:
        position.setdefault("pawn", "P05")
    setup = GAME.setup(Options(**(options or {})), len(seats))
    return setup, {"actions": 2, "turn": 10, **position, "seats": seats}


def start(
    *players: dict[str, Any], options: dict[str, Any] | None = None, **position: Any
) -> State:
    """A table from which a match may start. Raises BadPosition."""
    setup, data = _position(players, options, position)
    return read_start(GAME, setup, data, len(data["seats"]))


def calm(*players: dict[str, Any], **position: Any) -> State:
    """A table without markers to refill."""
    return table(*players, **{"markers": THREE, **position})


def _signs(position: dict[str, Any]) -> list[str]:
    rows = [*position.get("routes", {}).values(), position.get("special", ())]
    for town in position.get("cities", {}).values():
        rows += [town["offices"], town.get("extra", ())]
    pending = position.get("pending") or {}
    held = [f"{(code - 1) // 2}{'tm'[(code - 1) % 2]}" for code in pending.get("held", ())]
    if pending.get("type") == "Relocate" and not pending["placed"]:
        held.append(f"{pending['seats'][0]}{pending['piece'][0]}")
    return [sign for row in (*rows, held) for sign in row if sign]


def _rest(one: dict[str, Any], signs: Counter[str], seat: int) -> dict[str, int]:
    loose = {"t": 26, "m": 4}
    for name, covering, complete in zip(ABILITIES, COVERED_BY, COMPLETE, strict=True):
        loose["tm"[covering]] -= complete - one["levels"][name]
    return {kind: loose[kind] - one["supply"][kind] - signs[f"{seat}{kind}"] for kind in "tm"}


SQUARE = {
    "arnheim": (1, 3),
    "coellen": (2, 0),
    "goslar": (1, 0),
    "gottingen": (2, 0),
    "groningen": (1, 1),
    "halle": (2, 0),
    "hamburg": (3, 0),
    "hannover": (2, 0),
    "hildesheim": (2, 0),
    "kampen": (2, 0),
    "lubeck": (1, 1),
    "minden": (3, 1),
    "osnabruck": (2, 1),
    "paderborn": (1, 1),
    "perleberg": (2, 1),
    "stendal": (1, 3),
    "warburg": (1, 1),
}
"""Square offices on the left of cities, and the free ones beside them; eight are complete."""


def spent(*ready):
    (
        """Most pieces are on offices; seat 0 has two on a route, the others a merchant each."""
        ""
    )
    traders = iter(["0t"] * 9 + ["1t"] * 11 + ["2t"] * 11)
    cities = {
        name: {"offices": [*islice(traders, filled), *[None] * free]}
        for name, (filled, free) in SQUARE.items()
    }
    cities["goslar"]["extra"] = [*traders]
    cities["emden"] = {"offices": ["0m", None]}
    seats = [{"supply": {"m": 1}, "stock": {}, "levels": {}} for _ in range(3)]
    seats[0]["supply"] = {}
    seats[2]["ready"] = dict.fromkeys(ready, 1)
    return table(
        *seats,
        routes={DUISBURG: ["0t", "0t"]},
        cities=cities,
        markers=dict.fromkeys((KAMPEN, "bremen--hamburg", "bremen--minden"), "extra_office"),
    )


class Top:
    """Dice that draw these markers from the pile, in this order."""

    def __init__(self, state: State, *kinds: str) -> None:
        self.pile = list(state.pile)
        self.order = [MARKER_NUMBER[kind] for kind in kinds]

    def below(self, n: int) -> int:
        """The place in the pile of the next marker."""
        assert n == sum(self.pile)
        kind = self.order.pop(0)
        at = sum(self.pile[:kind])
        self.pile[kind] -= 1
        return at


def happens(state: State, move: Move, dice: Any = None) -> list[Event[Any]]:
    """The events of a move, except those of the steps that follow."""
    return [e for e in decide(GAME, state, move, dice or Luck(0)) if not isinstance(e, Awaiting)]


def after(state: State, *moves: Move) -> State:
    """The table after these moves."""
    for move in moves:
        state = fold(state.copy(), decide(GAME, state, move, Luck(0)))
    return state


def refusal(state: State, move: Move) -> tuple[str, str]:
    """The rule and the fault of the refusal of a move."""
    rule, fault, reason = full_refusal(state, move)
    assert rule in GAME.rulebook.rules
    assert reason.endswith(".")
    return rule, fault


def full_refusal(state: State, move: Move) -> tuple[str, str, str]:
    """The rule, the fault and the reason of the refusal of a move."""
    with pytest.raises(RuleBroken) as refused:
        judge(GAME, state, move)
    return refused.value.rule, refused.value.fault, why(GAME, refused.value)
