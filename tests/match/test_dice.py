"""The dice of a match, checked against a second reading of docs/dice.md."""

from __future__ import annotations

import hashlib
import hmac
import re
from pathlib import Path
from typing import Any

import pytest

from domain.engine.dice import draw, shuffle
from domain.match import lobby
from domain.match.dice import KeyedDice, seed_hash
from domain.match.ending import score
from tests.engine.toy.events import CardDrawn, PrizeRolled
from tests.match.table import SEED, Table

DOCS = Path(__file__).parents[2] / "docs" / "dice.md"


def numbers(seed: bytes, match: str, version: int) -> Any:
    """The stream of numbers as docs/dice.md describes it, written down a second time."""
    counter = 0
    while True:
        text = match + "|" + str(version) + "|" + str(counter)
        digest = hmac.new(seed, text.encode("ascii"), hashlib.sha256).hexdigest()
        yield int(digest[:16], 16)
        counter += 1


def below(stream: Any, n: int) -> int:
    """A number below n from the stream."""
    too_large = 2**64 // n * n
    number = next(stream)
    while number >= too_large:
        number = next(stream)
    return int(number % n)


@pytest.mark.parametrize("n", [1, 2, 3, 6, 72, 10**9 + 7, 2**63 + 1, 2**64])
def test_a_second_reading_of_the_description_draws_the_same(n: int) -> None:
    for version in (1, 2, 300):
        dice, stream = KeyedDice(SEED, "m", version), numbers(SEED, "m", version)
        assert [dice.below(n) for _ in range(20)] == [below(stream, n) for _ in range(20)]


def test_every_draw_of_a_match_can_be_checked_with_the_seed_revealed_at_its_end() -> None:
    table = Table("ann bob", options={"rounds": 2}).play_out()
    [scored, *_] = table.act(score(table.match), "system")
    seed = bytes.fromhex(scored.seed)  # type: ignore[union-attr]  # it is a Scored
    assert hashlib.sha256(seed).hexdigest() == table.match.seed_hash
    bag = [5] * 6
    for point in table.match.line:
        stream = numbers(seed, "m", point.version)
        for event in point.events:
            if isinstance(event, PrizeRolled):
                assert event.points == 1 + below(stream, 6)
            if isinstance(event, CardDrawn):
                left = below(stream, sum(bag))
                card = next(k for k in range(6) if sum(bag[: k + 1]) > left)
                bag[card] -= 1
                assert event.card == card + 1


class Scripted(KeyedDice):
    """Keyed dice whose raw numbers are given."""

    __slots__ = ("raw",)

    def _next(self) -> int:
        return int(self.raw.pop(0))


def test_numbers_beyond_the_last_whole_multiple_are_drawn_again() -> None:
    dice = Scripted(SEED, "m", 1)
    dice.raw = [2**64 - 1, 2**64 - 4, 2**64 - 5, 7]
    assert 2**64 % 6 == 4
    assert dice.below(6) == (2**64 - 5) % 6
    assert dice.raw == [7]


def test_a_number_below_one_uses_up_a_number_too() -> None:
    dice = Scripted(SEED, "m", 1)
    dice.raw = [11, 12]
    assert (dice.below(1), dice.below(10)) == (0, 2)


def test_dice_differ_by_match_version_and_purpose() -> None:
    streams = [
        KeyedDice(SEED, "m", 1),
        KeyedDice(SEED, "m", 2),
        KeyedDice(SEED, "n", 1),
        KeyedDice(SEED, "m", 1, "bot"),
        KeyedDice(bytes(32), "m", 1),
    ]
    assert len({dice.below(2**64) for dice in streams}) == len(streams)


def test_the_worked_example_of_the_description_is_true() -> None:
    text = DOCS.read_text()
    assert f"`{SEED.hex()}`" in text
    assert f"`{seed_hash(SEED)}`" in text
    raw = numbers(SEED, "m", 7)
    rows = re.findall(
        r"^\| (\d) \| `m\\\|7\\\|\d` \| `([0-9a-f]{16})` \| (\d+) \|", text, re.MULTILINE
    )
    assert len(rows) == 4
    assert [int(row[1], 16) for row in rows] == [next(raw) for _ in rows]
    dice = KeyedDice(SEED, "m", 7)
    assert [int(row[2]) for row in rows] == [dice.below(6) for _ in rows]
    dice, items = KeyedDice(SEED, "m", 8), list("abcde")
    shuffle(dice, items)
    assert f"`{''.join(items)}`" in text
    counts = [2, 0, 3]
    drawn = [draw(dice, counts) for _ in range(3)]
    assert f"`{drawn}`" in text


def test_the_same_move_after_an_undo_meets_other_dice() -> None:
    table = Table("ann bob", undo="free").play(2)
    choice = table.legal()[0]
    table.move(choice)
    first = table.match.line[-1]
    table.undo(first.player)
    table.move(choice)
    second = table.match.line[-1]
    assert (first.version, second.version) == (4, 6)
    assert draws(first)
    assert draws(first) != draws(second)


def draws(point: Any) -> list[Any]:
    """What chance decided at a point."""
    return [event for event in point.events if isinstance(event, CardDrawn | PrizeRolled)]


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


def test_a_match_that_comes_to_nothing_keeps_its_seed() -> None:
    table = Table("ann .")
    table.act(lobby.leave_seat(table.match, "ann", 0), "ann")
    assert table.match.status == "aborted"
    assert SEED.hex().encode() not in b"".join(record.events for record in table.entries)
