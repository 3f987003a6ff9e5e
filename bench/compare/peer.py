"""boardgame.io, if this machine has node: the same load, in memory and with its files.

Its server runs in one process by default; it responds before anything is on disk.
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

from bench.load.http import LoadResult
from bench.load.servers import TREE, run_program
from tests.support.ports import free_port

SOURCE = Path(__file__).parent / "peers/boardgame_io"
INSTALL_FOLDER = TREE / "build/peers/boardgame_io"
MOVES_PER_MATCH = 30  # moves of each match


class Peer(NamedTuple):
    """Another project, with the measurements of one client and of many."""

    name: str
    one: LoadResult
    many: LoadResult


def measure_peers(folder: Path, matches: int, in_turn: int) -> Iterator[Peer]:
    """Play matches concurrently, and some one after another; if boardgame.io is not available,
    print the reason and yield nothing.
    """
    if missing := _missing():
        print(f"boardgame.io is left out: {missing}", file=sys.stderr)
        return
    for name, data in (("in memory", ""), ("with its files", str(folder))):
        port = free_port()
        program = ["node", "server.js", str(port), *filter(None, [data])]
        environ = {**os.environ, "NODE_ENV": "production"}
        with run_program(program, environ, port, "/games", INSTALL_FOLDER):
            one = _load(port, in_turn, "in-turn")
            yield Peer(f"boardgame.io {name}", one, _load(port, matches, "together"))


def _load(port: int, matches: int, how: str) -> LoadResult:
    output = subprocess.run(
        ["node", "load.js", str(port), str(matches), str(MOVES_PER_MATCH), how],
        cwd=INSTALL_FOLDER, capture_output=True, check=True,
    ).stdout  # fmt: skip
    found = msgspec.json.decode(output)
    return LoadResult([ms / 1000 for ms in found["latencies"]], [], found["whole"] / 1000)


def _missing() -> str:
    """What is missing; empty once it is installed. Installs it if needed."""
    if not shutil.which("node") or not shutil.which("npm"):
        return "node or npm is not on the PATH"
    wanted, stamp = (SOURCE / "package.json").read_text(), INSTALL_FOLDER / "installed"
    shutil.copytree(SOURCE, INSTALL_FOLDER, dirs_exist_ok=True)
    if stamp.exists() and stamp.read_text() == wanted:
        return ""
    command = ["npm", "install", "--no-audit", "--no-fund", "--loglevel", "error"]
    if subprocess.run(command, cwd=INSTALL_FOLDER, capture_output=True).returncode:
        return "npm install failed"
    stamp.write_text(wanted)
    return ""
