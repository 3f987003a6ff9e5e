"""The files of the page that are the same for everybody: modules, styles, icons.

Their addresses bear a version that changes with any of them, so that browsers keep them for long;
modules import one another by relative names, and find those of the same version.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath
from typing import NamedTuple

MODULE = "text/javascript"
KINDS = {
    "css": "text/css",
    "js": MODULE,
    "png": "image/png",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
    "LICENSE": "text/plain",
}
PACKED = {"css", "js", "svg", "ttf"}
IMPORTED = re.compile(r'^(?:import|export)\b[^;"]*"(\./[\w./-]+|\.\./[\w./-]+)"', re.MULTILINE)


class Asset(NamedTuple):
    """A file: its media type, its content, and the same packed with gzip if that is worth it."""

    kind: str
    content: bytes
    packed: bytes | None


def _read(folder: Traversable, before: str = "") -> Iterator[tuple[str, Asset]]:
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.is_dir():
            yield from _read(file, f"{before}{file.name}/")
        elif (ending := file.name.rpartition(".")[2]) in KINDS:
            content = file.read_bytes()
            packed = gzip.compress(content, 9, mtime=0) if ending in PACKED else None
            yield f"{before}{file.name}", Asset(KINDS[ending], content, packed)


ASSETS = {
    **dict(_read(files(__package__).joinpath("static"))),
    **dict(_read(files("service.drawing").joinpath("fonts"))),
}
VERSION = sha256(b"".join(name.encode() + one.content for name, one in ASSETS.items())).hexdigest()[
    :12
]


def address(name: str) -> str:
    """Where a file is, below the root; KeyError if there is none."""
    assert ASSETS[name]
    return f"page/{VERSION}/{name}"


@cache
def imports(name: str) -> tuple[str, ...]:
    """All modules that a module needs, directly or not: a browser can ask for them at once."""
    found, new = dict[str, None](), [name]
    while new:
        module = new.pop(0)
        for path in IMPORTED.findall(ASSETS[module].content.decode()):
            needed = normpath(join(dirname(module), path))
            if needed not in found and needed != name:
                found[needed] = None
                new.append(needed)
    return tuple(found)
