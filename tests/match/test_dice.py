"""The dice of a match, checked against a second reading of docs/dice.md."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.engine.dice import Luck, draw, shuffle
from domain.engine.game import begin, decide, fold
from domain.engine.play import Awaiting, Event
from domain.games import GAMES
from domain.match.decisions import lobby
from domain.match.decisions.ending import score
from domain.match.dice import KeyedDice, commitment_to, dice_key, seed_hash
from domain.match.events import Aborted, DiceFell, Scored, Started
from domain.match.log import read_move
from tests.engine.toy import GAME as TOY
from tests.engine.toy.events import CardDrawn, PrizeRolled
from tests.games.record import some_move
from tests.match.second_reading import (
    NONCE,
    OTHER,
    SecondReading,
    all_events,
    below,
    draws,
    key_of,
    numbers,
    seat_with_nonces,
)
from tests.match.table import SEED, Table
from tests.support.for_each import for_each

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "dice.md"
CASES = json.loads((ROOT / "conformance" / "dice.json").read_text())["cases"]


@for_each("n", [1, 2, 3, 6, 72, 10**9 + 7, 2**63 + 1, 2**64])
def test_a_second_reading_of_the_description_draws_the_same(n: int) -> None:
    for number in (1, 2, 300):
        dice, stream = KeyedDice(SEED, number), numbers(SEED, number)
        assert [dice.below(n) for _ in range(20)] == [below(stream, n) for _ in range(20)]


@for_each("case", CASES)
def test_the_cases_for_other_programs_are_true(case: Any) -> None:
    seed, nonces = bytes.fromhex(case["seed"]), case["nonces"]
    assert seed_hash(seed) == case["seed_hash"]
    assert [n and commitment_to(bytes.fromhex(n)) for n in nonces] == case["commitments"]
    assert dice_key(seed, nonces) == key_of(seed, nonces) == bytes.fromhex(case["key"])
    for dice in (KeyedDice, SecondReading):
        fallen: Any = dice(bytes.fromhex(case["key"]), case["draw"])
        assert [str(fallen.below(int(one["n"]))) for one in case["below"]] == [
            one["is"] for one in case["below"]
        ]


@pytest.mark.parametrize("key", [*GAMES, "toy"])
def test_every_draw_follows_only_from_the_revealed_seed_and_the_nonces(key: str) -> None:
    game = GAMES.get(key, TOY)
    seats = game.seats[0]
    table = seat_with_nonces(NONCE, *[b""] * (seats - 2), OTHER, game=game, undo="free")
    luck = Luck(key)
    for number in range(16):
        if table.match.status == "active":
            table.move(some_move(game, table.match.state, luck, 1_000))
        if number == 3:
            table.undo("ann", table.match.line[-3].version)
    for player in ("ann", "bob", "cid"):
        if table.match.status == "active":
            table.resign(player)
    table.act(score(table.match), "system")
    assert recompute(table) == table.match.draws > 0


def recompute(table: Table) -> int:
    """Deal and play the match from its public data after the end; return the number of throws."""
    entries = all_events(table)
    [started] = [event for events in entries for event in events if isinstance(event, Started)]
    [scored] = [event for events in entries for event in events if isinstance(event, Scored)]
    seed = bytes.fromhex(scored.seed)
    assert hashlib.sha256(seed).hexdigest() == table.match.seed_hash
    key, fallen, states = key_of(seed, started.nonces), 0, dict[int, Any]()
    state = None
    for record, events in zip(table.entries, entries, strict=True):
        told = [event for event in events if isinstance(event, Event)]
        dice = SecondReading(key, fallen)
        if started in events:
            state = table.match.blank_state()
            assert begin(table.game, table.match.setup, len(table.match.chairs), dice) == told
        elif told:
            move = read_move(table.game, record.move)
            assert decide(table.game, state, move, dice) == told
        for event in events:
            if type(event).__name__ == "Undone":
                state = states[event.to].copy()  # type: ignore[union-attr]  # it is an Undone
        fold(state, told)
        states[record.version] = state and state.copy()
        fell = [event for event in events if isinstance(event, DiceFell)]
        assert fell in ([], [DiceFell(fallen)])
        fallen += len(fell)
    return fallen


class ScriptedDice(KeyedDice):
    """Keyed dice with given raw numbers."""

    __slots__ = ("raw",)

    def _next(self) -> int:
        return int(self.raw.pop(0))


def test_numbers_beyond_the_last_whole_multiple_are_drawn_again() -> None:
    dice = ScriptedDice(SEED, 1)
    dice.raw = [2**64 - 1, 2**64 - 4, 2**64 - 5, 7]
    assert 2**64 % 6 == 4
    assert dice.below(6) == (2**64 - 5) % 6
    assert dice.raw == [7]


def test_a_number_below_one_uses_up_a_number_too() -> None:
    dice = ScriptedDice(SEED, 1)
    dice.raw = [11, 12]
    assert (dice.below(1), dice.below(10)) == (0, 2)


def test_dice_differ_by_key_draw_and_purpose() -> None:
    streams = [
        KeyedDice(SEED, 1),
        KeyedDice(SEED, 2),
        KeyedDice(SEED, 1, "bot"),
        KeyedDice(bytes(32), 1),
    ]
    assert len({dice.below(2**64) for dice in streams}) == len(streams)


def test_the_worked_example_of_the_description_is_true() -> None:
    text, seed = DOCS.read_text(), bytes(range(32))
    key = key_of(seed, [NONCE.hex(), None])
    assert f"`{seed.hex()}`" in text
    assert f"`{seed_hash(seed)}`" in text
    assert f"`{NONCE.hex()}`" in text
    assert f"`{commitment_to(NONCE)}`" in text
    assert f"`{key.hex()}`" in text
    raw = numbers(key, 7)
    rows = re.findall(r"^\| (\d) \| `7\\\|\d` \| `([0-9a-f]{16})` \| (\d+) \|", text, re.MULTILINE)
    assert len(rows) == 4
    assert [int(row[1], 16) for row in rows] == [next(raw) for _ in rows]
    dice = KeyedDice(key, 7)
    assert [int(row[2]) for row in rows] == [dice.below(6) for _ in rows]
    dice, items = KeyedDice(key, 8), list("abcde")
    shuffle(dice, items)
    assert f"`{''.join(items)}`" in text
    counts = [2, 0, 3]
    drawn = [draw(dice, counts) for _ in range(3)]
    assert f"`{drawn}`" in text


def test_the_same_move_after_an_undo_of_a_draw_meets_other_dice() -> None:
    table = Table("ann bob", undo="free").play(2)
    choice = table.legal()[0]
    table.move(choice)
    first = all_events(table)[-1]
    table.undo(table.match.line[-1].player)
    table.move(choice)
    second = all_events(table)[-1]
    assert [event for event in first if isinstance(event, DiceFell)] == [DiceFell(1)]
    assert [event for event in second if isinstance(event, DiceFell)] == [DiceFell(2)]
    assert chance(first)
    assert chance(first) != chance(second)


def test_an_undo_of_moves_without_a_draw_keeps_the_dice() -> None:
    straight, back = Table("ann bob", undo="free").play(), Table("ann bob", undo="free").play()
    back.undo("ann")
    back.move(back.legal(0)[1])
    back.undo("ann")
    back.redo("ann")
    back.undo("ann")
    back.move(back.legal(0)[0])
    assert straight.match.draws == back.match.draws
    for table in (straight, back):
        table.play(2)
    assert chance(all_events(straight)[-1]) == chance(all_events(back)[-1]) != []


def test_an_undo_that_is_redone_keeps_the_dice_to_come() -> None:
    straight, back = Table("ann bob", undo="free").play(3), Table("ann bob", undo="free").play(3)
    back.undo("ann", 2)
    back.redo("ann")
    for table in (straight, back):
        table.play(3)
    assert draws(straight) == draws(back)


def ask_and_refuse(table: Table) -> Iterator[None]:
    yield table.undo("ann", 1) and None
    yield table.answer("bob", agree=False) and None


def withdraw(table: Table) -> Iterator[None]:
    yield table.undo("ann", 1) and None
    yield table.answer("ann", agree=False) and None


def resign(table: Table) -> Iterator[None]:
    yield table.resign("cid") and None


@for_each("entries", [ask_and_refuse, withdraw, resign])
def test_entries_that_cost_nothing_do_not_shift_the_dice(entries: Any) -> None:
    straight, shifted = Table("ann bob cid").play(4), Table("ann bob cid").play(4)
    before = shifted.match.version
    for _ in entries(shifted):
        pass
    assert shifted.match.version > before
    for table in (straight, shifted):
        table.play(4)
    assert draws(straight) == draws(shifted)


def test_who_joins_when_does_not_shift_the_dice() -> None:
    straight, shifted = Table("ann . .", nonces=(NONCE,)), Table("ann . .", nonces=(NONCE,))
    for name in ("bob", "bob", "bob"):
        shifted.act(lobby.take_seat(shifted.match, name, 1, shifted.now), name)
        shifted.act(lobby.leave_seat(shifted.match, name, 1), name)
    for table in (straight, shifted):
        table.act(lobby.start(table.match, "ann", None, table.now), "ann")
    assert straight.match.version != shifted.match.version
    assert draws(straight) == draws(shifted)


def chance(events: list[Any]) -> list[Any]:
    """The random events of an entry."""
    return [event for event in events if isinstance(event, CardDrawn | PrizeRolled)]


def test_dice_fell_in_an_entry_just_if_it_says_so() -> None:
    for events in all_events(Table("ann bob").play_out()):
        assert bool(chance(events)) == any(isinstance(event, DiceFell) for event in events)


def test_no_entry_shows_the_seed_before_the_score_and_its_hash_is_there_from_the_start() -> None:
    table = Table("ann bob", options={"rounds": 1}, undo="free").play(2)
    table.undo("ann")
    table.redo("ann")
    table.play_out()
    for record in table.entries:
        for shown in (record.events, record.move, record.actor.encode(), record.cmd):
            assert SEED.hex().encode() not in shown.lower()
            assert SEED not in shown
    assert seed_hash(SEED).encode() in table.entries[0].events
    table.act(score(table.match), "system")
    assert SEED.hex().encode() in table.entries[-1].events


def test_a_match_that_comes_to_nothing_reveals_its_seed() -> None:
    table = Table("ann .")
    events = table.act(lobby.leave_seat(table.match, "ann", 0), "ann")
    assert table.match.status == "aborted"
    assert events[-1] == Aborted("abandoned", SEED.hex())


def test_a_position_is_not_dealt() -> None:
    from tests.match.table import challenge

    table = Table("ann bob", position=challenge())
    assert table.match.draws == 0
    assert isinstance(all_events(table)[0][-1], Awaiting)
