"""A test that kills before each change misses none, so a new step cannot be forgotten."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest

from tests.support.killing import count_changes, kill_before_change


def _in_a_thread(folder: Path) -> None:
    thread = Thread(target=(folder / "new").write_text, args=("x",))
    thread.start()
    thread.join()


def _by_socket(folder: Path, send: Callable[[socket.socket], object]) -> None:
    one, other = socket.socketpair()
    with one, other:
        send(one)
        (folder / "new").symlink_to(other.recv(3).decode())


def _write_at(folder: Path, write: Callable[[int], object]) -> None:
    descriptor = os.open(folder / "new", os.O_CREAT | os.O_WRONLY)
    write(descriptor)
    os.close(descriptor)


WAYS: dict[str, Callable[[Path], object]] = {
    "a text": lambda folder: (folder / "new").write_text("x"),
    "a copy": lambda folder: shutil.copyfile(folder / "old", folder / "new"),
    "a tree": lambda folder: shutil.copytree(folder / "tree", folder / "new"),
    "another name": lambda folder: (folder / "old").rename(folder / "new"),
    "a second name": lambda folder: (folder / "new").hardlink_to(folder / "old"),
    "a link": lambda folder: (folder / "new").symlink_to("old"),
    "a folder": lambda folder: (folder / "new").mkdir(),
    "a pipe": lambda folder: os.mkfifo(folder / "new"),
    "a descriptor": lambda folder: _write_at(folder, lambda to: os.write(to, b"x")),
    "a place": lambda folder: _write_at(folder, lambda to: os.pwrite(to, b"x", 0)),
    "parts": lambda folder: _write_at(folder, lambda to: os.writev(to, [b"x"])),
    "a thread": _in_a_thread,
    "a program": lambda folder: subprocess.run(["/bin/touch", folder / "new"], check=True),
    "a message": lambda folder: _by_socket(folder, lambda to: to.sendmsg([b"old"])),
    "a packet": lambda folder: _by_socket(folder, lambda to: to.sendall(b"old")),
}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_to_change_something_is_a_change(way: str, tmp_path: Path) -> None:
    (tmp_path / "old").write_text("x")
    (tmp_path / "tree").mkdir()

    def change() -> None:
        WAYS[way](tmp_path)

    assert kill_before_change(change, 1)
    assert not (tmp_path / "new").exists()
    assert (tmp_path / "old").exists()
    assert count_changes(change) > 0
    assert os.path.lexists(tmp_path / "new")
