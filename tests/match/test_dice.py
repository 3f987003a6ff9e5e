"""The dice of a match, checked against a second reading of docs/dice.md."""

from __future__ import annotations

import hashlib
import hmac
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
from domain.match import lobby
from domain.match.dice import KeyedDice, commitment_to, dice_key, seed_hash
from domain.match.due import due
from domain.match.ending import score
from domain.match.errors import Impossible
from domain.match.events import Aborted, DiceFell, Scored, Started
from domain.match.lobby import OPENING_MS
from domain.match.log import read_events, read_move
from tests.engine.toy import GAME as TOY
from tests.engine.toy.events import CardDrawn, PrizeRolled
from tests.games.record import some_move
from tests.match.table import NOON, SEED, Table, kinds

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs" / "dice.md"
CASES = json.loads((ROOT / "conformance" / "dice.json").read_text())["cases"]
NONCE = bytes(range(100, 132))
OTHER = bytes(range(200, 232))


def numbers(key: bytes, draw: int) -> Any:
    """The stream of numbers as docs/dice.md describes it, written down a second time."""
    counter = 0
    while True:
        text = str(draw) + "|" + str(counter)
        digest = hmac.new(key, text.encode("ascii"), hashlib.sha256).hexdigest()
        yield int(digest[:16], 16)
        counter += 1


def below(stream: Any, n: int) -> int:
    """A number below n from the stream."""
    too_large = 2**64 // n * n
    number = next(stream)
    while number >= too_large:
        number = next(stream)
    return int(number % n)


def key_of(seed: bytes, nonces: Any) -> bytes:
    """The key of the dice as docs/dice.md describes it, written down a second time."""
    text = b"annals/seed/1".hex() + seed.hex()
    for nonce in nonces:
        text += nonce or "0" * 64
    return hashlib.sha256(bytes.fromhex(text)).digest()


class SecondReading:
    """Dice made from the description alone."""

    def __init__(self, *stream: Any) -> None:
        self.stream = numbers(*stream)

    def below(self, n: int) -> int:
        return below(self.stream, n)


@pytest.mark.parametrize("n", [1, 2, 3, 6, 72, 10**9 + 7, 2**63 + 1, 2**64])
def test_a_second_reading_of_the_description_draws_the_same(n: int) -> None:
    for number in (1, 2, 300):
        dice, stream = KeyedDice(SEED, number), numbers(SEED, number)
        assert [dice.below(n) for _ in range(20)] == [below(stream, n) for _ in range(20)]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["why"])
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


def seated(*nonces: bytes, **more: Any) -> Table:
    """A table at which each seat gave one of these nonces, or none."""
    names = ("ann", "bob", "cid", "dan")
    table = Table(f"ann{' .' * (len(nonces) - 1)}", nonces=nonces[:1], **more)
    for name, nonce in zip(names[1:], nonces[1:], strict=False):
        table.act(lobby.take_seat(table.match, name, None, table.now, nonce), name)
    return table


def all_events(table: Table) -> list[Any]:
    """What happened in each entry."""
    return [read_events(table.game, record.events) for record in table.entries]


def draws(table: Table) -> list[Any]:
    """What chance decided in a match of the toy game."""
    happened = (event for events in all_events(table) for event in events)
    return [event for event in happened if isinstance(event, CardDrawn | PrizeRolled)]


@pytest.mark.parametrize("key", [*GAMES, "toy"])
def test_every_draw_follows_from_the_revealed_seed_and_the_nonces_alone(key: str) -> None:
    game = GAMES.get(key, TOY)
    seats = game.seats[0]
    table = seated(NONCE, *[b""] * (seats - 2), OTHER, game=game, undo="free")
    luck = Luck(key)
    for number in range(40):
        if table.match.status == "active":
            table.move(some_move(game, table.match.state, luck, 1_000))
        if number == 8:
            table.undo("ann", table.match.line[-4].version)
    for player in ("ann", "bob", "cid"):
        if table.match.status == "active":
            table.resign(player)
    table.act(score(table.match), "system")
    assert recomputed(table) == table.match.draws > 0


def recomputed(table: Table) -> int:
    """Deal and play all anew from what everybody can read after the end; how often dice fell."""
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
            state = table.match.blank()
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


def test_one_nonce_changes_every_draw_wherever_it_comes_from() -> None:
    tables = [
        seated(b"", b""), seated(NONCE, b""), seated(b"", NONCE), seated(NONCE, NONCE),
        seated(NONCE, OTHER), seated(OTHER, NONCE),
    ]  # fmt: skip
    keys = {table.match.dice_key for table in tables}
    assert len(keys) == len(tables)
    dealt = [str(draws(table)) for table in tables]
    assert len(set(dealt)) == len(tables)


def test_the_nonces_are_in_the_dice_as_the_seats_gave_them() -> None:
    table = seated(NONCE, b"", OTHER)
    assert table.match.nonces == (NONCE.hex(), None, OTHER.hex())
    assert table.match.dice_key == key_of(SEED, table.match.nonces)
    assert table.match.dice_key == dice_key(SEED, table.match.nonces)


def test_the_id_that_the_service_gives_a_match_has_no_part_in_its_dice() -> None:
    one, other = (Table("ann bob", match=match, nonces=(NONCE,)) for match in ("m", "n"))
    assert draws(one) == draws(other)


def test_before_the_start_nothing_but_the_hash_of_a_nonce_is_told() -> None:
    table = Table("ann . .", nonces=(NONCE,))
    table.act(lobby.take_seat(table.match, "bob", 2, table.now, OTHER), "bob")
    promised = [chair.commitment for chair in table.match.chairs]
    assert promised == [commitment_to(NONCE), None, commitment_to(OTHER)]
    assert table.match.nonces == ()
    for record in table.entries:
        for nonce in (NONCE, OTHER):
            assert nonce not in record.events
            assert nonce.hex().encode() not in record.events
    table.act(lobby.take_seat(table.match, "cid", None, table.now), "cid")
    assert NONCE.hex().encode() in table.entries[-1].events
    assert table.match.handed_in == {}


def committed(nonce: bytes = NONCE) -> Table:
    """All seats are taken, and the host has only committed to a nonce."""
    table = Table("ann .", promised=commitment_to(nonce))
    table.act(lobby.take_seat(table.match, "bob", None, table.now, OTHER), "bob")
    return table


def opened(table: Table, player: str, nonce: bytes) -> list[Any]:
    """Open a nonce."""
    return table.act(lobby.open_nonce(table.match, player, nonce, table.now), player)


def test_the_start_waits_for_a_nonce_that_nobody_can_know_before() -> None:
    table = committed()
    assert (table.match.status, table.match.opening) == ("open", table.now + OPENING_MS)
    assert due(table.match) == {"begin": table.now + OPENING_MS}
    events = opened(table, "ann", NONCE)
    assert kinds(events) == ["NonceOpened", "Started"]
    assert table.match.nonces == (NONCE.hex(), OTHER.hex())
    assert table.match.opening is None
    assert NONCE not in b"".join(record.events for record in table.entries)


def test_a_nonce_that_is_not_opened_in_time_does_not_count_and_that_shows() -> None:
    table = committed()
    with pytest.raises(Impossible):
        lobby.begin(table.match, table.now + OPENING_MS - 1)
    table.wait(OPENING_MS / 1000)
    table.act(lobby.begin(table.match, table.now), "system")
    assert table.match.nonces == (None, OTHER.hex())
    assert table.match.chairs[0].commitment == commitment_to(NONCE)


def test_only_what_was_committed_to_is_opened_once_by_who_did_and_not_too_early() -> None:
    early = Table("ann . .", promised=commitment_to(NONCE))
    with pytest.raises(Impossible, match="once all seats"):
        lobby.open_nonce(early.match, "ann", NONCE, NOON)
    table = Table("ann . .", promised=commitment_to(NONCE))
    for player in ("bob", "cid"):
        promised = commitment_to(player.encode().ljust(32))
        table.act(lobby.take_seat(table.match, player, None, NOON, commitment=promised), player)
    opened(table, "bob", b"bob".ljust(32))
    for player, nonce in (
        ("ann", OTHER),
        ("bob", NONCE),
        ("bob", b"bob".ljust(32)),
        ("dan", NONCE),
    ):
        with pytest.raises(Impossible, match="not committed"):
            lobby.open_nonce(table.match, player, nonce, NOON)
    with pytest.raises(Impossible, match="by itself"):
        lobby.start(table.match, "ann", None, NOON)


def test_who_leaves_meanwhile_leaves_a_free_seat() -> None:
    table = committed()
    table.act(lobby.leave_seat(table.match, "bob", 1), "bob")
    assert table.match.opening is None
    assert set(due(table.match)) == {"abort"}
    table.act(lobby.start(table.match, "ann", None, table.now), "ann")
    assert table.match.opening is not None
    assert opened(table, "ann", NONCE)[-1]
    assert table.match.nonces == (NONCE.hex(), None)


def test_who_stands_up_takes_their_nonce_along() -> None:
    table = Table("ann .", nonces=(NONCE,))
    table.act(lobby.take_seat(table.match, "bob", None, table.now, OTHER), "bob")
    table = Table("ann . .")
    table.act(lobby.take_seat(table.match, "bob", 1, table.now, OTHER), "bob")
    table.act(lobby.leave_seat(table.match, "bob", 1), "bob")
    assert table.match.chairs[1].commitment is None
    table.act(lobby.start(table.match, "ann", None, table.now), "ann")
    assert table.match.nonces == (None, None, None)


class Scripted(KeyedDice):
    """Keyed dice whose raw numbers are given."""

    __slots__ = ("raw",)

    def _next(self) -> int:
        return int(self.raw.pop(0))


def test_numbers_beyond_the_last_whole_multiple_are_drawn_again() -> None:
    dice = Scripted(SEED, 1)
    dice.raw = [2**64 - 1, 2**64 - 4, 2**64 - 5, 7]
    assert 2**64 % 6 == 4
    assert dice.below(6) == (2**64 - 5) % 6
    assert dice.raw == [7]


def test_a_number_below_one_uses_up_a_number_too() -> None:
    dice = Scripted(SEED, 1)
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


def asked_and_refused(table: Table) -> Iterator[None]:
    yield table.undo("ann", 1) and None
    yield table.answer("bob", agree=False) and None


def withdrawn(table: Table) -> Iterator[None]:
    yield table.undo("ann", 1) and None
    yield table.answer("ann", agree=False) and None


def resigned(table: Table) -> Iterator[None]:
    yield table.resign("cid") and None


@pytest.mark.parametrize("entries", [asked_and_refused, withdrawn, resigned])
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
    """What chance decided in an entry."""
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


def test_a_position_is_dealt_by_nobody() -> None:
    from tests.match.table import challenge

    table = Table("ann bob", position=challenge())
    assert table.match.draws == 0
    assert isinstance(all_events(table)[0][-1], Awaiting)
