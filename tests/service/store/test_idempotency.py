"""The store recognises a repeated command by its entry, although others appended in between."""

from __future__ import annotations

from domain.match.log import Entry
from service.store.idempotency import ID_BYTES, CommandIndex, command_id, has_same_key

ONCE = command_id("u1", "k", "print")


def entry(version: int, command: bytes) -> Entry:
    return Entry(version, "Moved", "u1", 0, b"", b"\x90", 1, command)


def index_of(*commands: bytes) -> CommandIndex:
    noted = CommandIndex()
    noted.add(entry(version, command) for version, command in enumerate(commands, 1))
    return noted


def test_the_same_key_of_a_caller_is_one_command_and_any_other_is_another() -> None:
    assert command_id("u1", "k", "print") == ONCE
    changed = command_id("u1", "k", "other")
    assert (has_same_key(changed, ONCE), changed == ONCE) == (True, False)
    for other in (("u2", "k"), ("u1", "l"), ("u1:k", ""), ("u1", None)):
        assert not has_same_key(command_id(*other, "print"), ONCE)


def test_without_a_key_every_command_is_another() -> None:
    assert len({command_id("u1", None, "print") for _ in range(50)}) == 50


def test_a_command_is_found_as_the_version_it_was_recorded_as() -> None:
    commands = index_of(command_id("u1", None, ""), ONCE, command_id("u1", "l", "print"))
    assert commands.find_version(ONCE) == 2
    assert commands.find_version(command_id("u1", "k", "other")) == 2
    assert commands.find_version(command_id("u2", "k", "print")) is None


def test_the_end_of_one_command_and_the_beginning_of_the_next_are_none() -> None:
    commands = index_of(b"abcdefgh", b"ijklmnop", b"cdefghij")
    assert commands.find_version(b"cdefghij") == 3
    assert commands.find_version(b"ghijklmn") is None


def test_entries_may_be_indexed_twice() -> None:
    commands = index_of(ONCE)
    commands.add([entry(1, ONCE), entry(2, b"short"), entry(3, ONCE[:ID_BYTES])])
    commands.add([entry(2, b"short")])
    assert commands.find_version(ONCE) == 1
    assert commands.find_version(b"short\0\0\0") == 2
