"""The matches that a command has played, one a line, so that it can go on where it was stopped."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol, TypeVar

import click
import msgspec

from domain.engine.game import Game


class HasName(Protocol):
    """A match with the name of what it samples."""

    @property
    def name(self) -> str: ...


T = TypeVar("T", bound=HasName)
samples_option = click.option(
    "--samples",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Store matches here, and play only those that are missing.",
)


def name_of(game: Game[Any], seed: int) -> str:
    """Return the name of a set of samples."""
    return f"{game.key}, rules {game.rules}, seed {seed}"


def load_samples(path: Path | None, decoder: msgspec.json.Decoder[T], name: str) -> list[T]:
    """Return the samples in a file that have this name. Cuts off a last line that a killed
    command has not finished.
    """
    text = path.read_bytes() if path and path.exists() else b""
    whole = text[: text.rfind(b"\n") + 1]
    if path and whole != text:
        os.truncate(path, len(whole))
    samples = [decoder.decode(line) for line in whole.splitlines()]
    return [one for one in samples if one.name == name]


def store_samples(path: Path | None, samples: Iterable[T]) -> Iterator[T]:
    """Yield the same samples, each once it is stored."""
    for sample in samples:
        if path:
            with path.open("ab") as file:
                file.write(msgspec.json.encode(sample) + b"\n")
        yield sample
