"""boardgame.io, where this machine has node: a load of the same shape, in memory and on its files.

Its server runs in one process, as it is made; a client is answered before anything is on a disk.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from bench.load.http import Timed
from bench.load.servers import TREE, running
from tests.support.ports import free_port

SOURCE = Path(__file__).parent / "peers/boardgame_io"
INSTALLED = TREE / "build/peers/boardgame_io"
MOVES = 30  # of each match


class Peer(NamedTuple):
    """Another project, and what one client waits for there and many do."""

    name: str
    one: Timed
    many: Timed


def measured(folder: Path, matches: int, alone: int) -> Iterator[Peer]:
    """Play so many matches side by side, and some one after another; nothing, and a line that says
    why, if it cannot be had.
    """
    if missing := _missing():
        print(f"boardgame.io is left out: {missing}", file=sys.stderr)
        return
    for name, data in (("in memory", ""), ("on its files", str(folder))):
        port = free_port()
        program = ["node", "server.js", str(port), *filter(None, [data])]
        environ = {**os.environ, "NODE_ENV": "production"}
        with running(program, environ, port, "/games", INSTALLED):
            one = _load(port, alone, "in-turn")
            yield Peer(f"boardgame.io {name}", one, _load(port, matches, "together"))


def _load(port: int, matches: int, how: str) -> Timed:
    said = subprocess.run(
        ["node", "load.js", str(port), str(matches), str(MOVES), how],
        cwd=INSTALLED, capture_output=True, check=True,
    ).stdout  # fmt: skip
    found = msgspec.json.decode(said)
    return Timed([ms / 1000 for ms in found["latencies"]], [], found["whole"] / 1000)


def _missing() -> str:
    """What is missing for it; nothing once it is installed, which is tried if need be."""
    if not shutil.which("node") or not shutil.which("npm"):
        return "there is no node, or no npm, on the PATH"
    wanted, stamp = (SOURCE / "package.json").read_text(), INSTALLED / "installed"
    shutil.copytree(SOURCE, INSTALLED, dirs_exist_ok=True)
    if stamp.exists() and stamp.read_text() == wanted:
        return ""
    command = ["npm", "install", "--no-audit", "--no-fund", "--loglevel", "error"]
    if subprocess.run(command, cwd=INSTALLED, capture_output=True).returncode:
        return "npm could not install it"
    stamp.write_text(wanted)
    return ""
