"""The static files of the page: modules, styles, icons.

Their paths contain a version that changes with any of them, so that browsers can cache them for
long. Modules import one another by relative paths, and so get files of the same version.
"""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from posixpath import dirname, join, normpath
from typing import NamedTuple

from rcssmin import cssmin
from rjsmin import jsmin

JAVASCRIPT = "text/javascript"
MEDIA_TYPES = {
    "css": "text/css",
    "js": JAVASCRIPT,
    "png": "image/png",
    "svg": "image/svg+xml",
    "ttf": "font/ttf",
    "LICENSE": "text/plain",
}
COMPRESSED_ENDINGS = {"css", "js", "svg", "ttf"}
IMPORT = re.compile(r'(?:^|;)(?:import|export)\b[^;"]*"(\./[\w./-]+|\.\./[\w./-]+)"', re.MULTILINE)

MINIFIERS: Mapping[str, Callable[[bytes], bytes]] = {"css": cssmin, "js": jsmin}
"""What browsers need not load of our own files, such as comments, stays here."""


class Asset(NamedTuple):
    """A file: its media type, its content, and the content compressed with gzip if that saves
    bytes.
    """

    media_type: str
    content: bytes
    gzipped: bytes | None


def _read_folder(folder: Traversable, prefix: str = "") -> Iterator[tuple[str, Asset]]:
    for file in sorted(folder.iterdir(), key=lambda one: one.name):
        if file.is_dir():
            yield from _read_folder(file, f"{prefix}{file.name}/")
        elif (ending := file.name.rpartition(".")[2]) in MEDIA_TYPES:
            content = file.read_bytes()
            if ending in MINIFIERS and prefix != "vendor/":
                content = MINIFIERS[ending](content)
            gzipped = gzip.compress(content, 9, mtime=0) if ending in COMPRESSED_ENDINGS else None
            yield f"{prefix}{file.name}", Asset(MEDIA_TYPES[ending], content, gzipped)


ASSETS = {
    **dict(_read_folder(files(__package__).joinpath("static"))),
    **dict(_read_folder(files("service.drawing").joinpath("fonts"))),
}
VERSION = sha256(b"".join(name.encode() + one.content for name, one in ASSETS.items())).hexdigest()[
    :12
]


def asset_path(name: str) -> str:
    """The path of a file below the root; raises KeyError for an unknown name."""
    assert ASSETS[name]
    return f"page/{VERSION}/{name}"


@cache
def list_imports(name: str) -> tuple[str, ...]:
    """All modules that a module imports, directly or not: a browser can load them in parallel."""
    found, new = dict[str, None](), [name]
    while new:
        module = new.pop(0)
        for path in IMPORT.findall(ASSETS[module].content.decode()):
            needed = normpath(join(dirname(module), path))
            if needed not in found and needed != name:
                found[needed] = None
                new.append(needed)
    return tuple(found)
