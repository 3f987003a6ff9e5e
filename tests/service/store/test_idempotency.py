"""A command that is sent again is known by its entry, whatever else was recorded meanwhile."""

from __future__ import annotations

from domain.match.log import Entry
from service.store.idempotency import SIZE, Commands, command_of, same_key

ONCE = command_of("u1", "k", "print")


def entry(version: int, command: bytes) -> Entry:
    return Entry(version, "Moved", "u1", 0, b"", b"\x90", 1, command)


def known(*commands: bytes) -> Commands:
    noted = Commands()
    noted.note(entry(version, command) for version, command in enumerate(commands, 1))
    return noted


def test_the_same_key_of_a_caller_is_one_command_and_any_other_is_another() -> None:
    assert command_of("u1", "k", "print") == ONCE
    changed = command_of("u1", "k", "other")
    assert (same_key(changed, ONCE), changed == ONCE) == (True, False)
    for other in (("u2", "k"), ("u1", "l"), ("u1:k", ""), ("u1", None)):
        assert not same_key(command_of(*other, "print"), ONCE)


def test_without_a_key_every_command_is_another() -> None:
    assert len({command_of("u1", None, "print") for _ in range(50)}) == 50


def test_a_command_is_found_as_the_version_it_was_recorded_as() -> None:
    commands = known(command_of("u1", None, ""), ONCE, command_of("u1", "l", "print"))
    assert commands.version_of(ONCE) == 2
    assert commands.version_of(command_of("u1", "k", "other")) == 2
    assert commands.version_of(command_of("u2", "k", "print")) is None


def test_the_end_of_one_command_and_the_beginning_of_the_next_are_none() -> None:
    commands = known(b"abcdefgh", b"ijklmnop", b"cdefghij")
    assert commands.version_of(b"cdefghij") == 3
    assert commands.version_of(b"ghijklmn") is None


def test_entries_may_be_noted_twice() -> None:
    commands = known(ONCE)
    commands.note([entry(1, ONCE), entry(2, b"short"), entry(3, ONCE[:SIZE])])
    commands.note([entry(2, b"short")])
    assert commands.version_of(ONCE) == 1
    assert commands.version_of(b"short\0\0\0") == 2
