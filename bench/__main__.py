"""`make bench`: measures all parts, and writes the figures as a table and as JSON in bench/out/."""

from __future__ import annotations

import argparse
import platform
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from time import strftime

import msgspec
from rich.console import Console
from rich.table import Table

from bench.attacks import table as attacks
from bench.compare import pairs
from bench.load import limits
from bench.rules import memory, random_play, sizes
from bench.service import (
    bots,
    cached,
    discord,
    page,
    pictures,
    rest,
    subscribers,
    webhooks,
)
from bench.store import audit, failover, growth, open_matches, storage, trial

Figures = Mapping[str, float]
Grid = Mapping[str, Figures]
"""Figures of several things: each has a row."""
PARTS: dict[str, Callable[[Path], Figures | Grid]] = {
    "the machine": limits.machine,
    "sizes": sizes.figures,
    "rules and folding, in memory": memory.figures,
    "random play": random_play.figures,
    "the event store": storage.figures,
    "matches in a process": cached.figures,
    "verification": audit.figures,
    "growth of lists and a rebuild": growth.figures,
    "idle open matches": open_matches.figures,
    "a check of a backup": trial.figures,
    "killed masters": failover.figures,
    "the service over REST": rest.figures,
    "subscribers": subscribers.figures,
    "plain requests beside pictures": pictures.figures,
    "an innocent caller beside attacks": attacks.figures,
    "the page in a browser": page.figures,
    "bots": bots.figures,
    "webhooks": webhooks.figures,
    "discord": discord.figures,
}
OUT = Path(__file__).parent / "out"
MIN_WIDTH = 180
"""Columns of output: a table with many figures in a row must not cut them off."""


def main() -> None:
    """Measure, print and write the figures."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", choices=PARTS, help="measure only this part")
    parser.add_argument("--against", type=Path, help="compare with the checkout in this folder")
    parser.add_argument("--rounds", type=int, default=2, help="number of rounds A B B A")
    options = parser.parse_args()
    if options.against and not (options.against / ".venv/bin/python").exists():
        parser.error(f"build that checkout first: make -C {options.against} .venv/dev")
    console = Console()
    console.width = max(console.width, MIN_WIDTH)
    with tempfile.TemporaryDirectory(prefix="annals-bench-") as name:
        folder = Path(name)
        measured: Mapping[str, object]
        if options.against:
            measured = _compare(console, folder, options.against.resolve(), options.rounds)
        else:
            measured = _measure(console, folder, options.only)
    OUT.mkdir(exist_ok=True)
    path = OUT / f"{strftime('%Y%m%d-%H%M%S')}.json"
    content = msgspec.json.encode({"python": platform.python_version(), **measured})
    path.write_bytes(msgspec.json.format(content, indent=1))
    console.print(f"Written to {path}")


def _measure(console: Console, folder: Path, only: str | None) -> dict[str, Figures | Grid]:
    """Measure all parts, or one, and print each as soon as it is done."""
    measured: dict[str, Figures | Grid] = {}
    for name, measure in PARTS.items():
        if only in (None, name):
            with console.status(f"measuring {name} ..."):
                measured[name] = measure(folder)
            console.print(_table(name, measured[name]))
    return measured


def _compare(
    console: Console, folder: Path, other: Path, rounds: int
) -> dict[str, dict[str, Figures]]:
    """Compare this checkout with another one."""
    with console.status(f"comparing with {other} ..."):
        ratios = pairs.compare(folder, other, rounds)
    title = f"the service, compared with {other}"
    table = Table(
        "what", "other", "this", "ratio", "smallest", "largest", title=title, title_justify="left"
    )
    for what, ratio in ratios.items():
        table.add_row(what, *map(_format, ratio))
    console.print(table)
    return {title: {what: ratio._asdict() for what, ratio in ratios.items()}}


def _table(name: str, figures: Figures | Grid) -> Table:
    """A row for each figure, or for each thing with several."""
    rows = {
        what: one if isinstance(one, Mapping) else {"figure": one} for what, one in figures.items()
    }
    columns = next(iter(rows.values()), {})
    table = Table("what", *columns, title=name, title_justify="left")
    for what, row in rows.items():
        table.add_row(what, *map(_format, row.values()))
    return table


def _format(figure: float) -> str:
    return f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:.3g}"


if __name__ == "__main__":
    main()
