"""`make bench`: a table of what is fast and what is not, and the same as JSON in bench/out/."""

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

from bench.compare import pairs
from bench.load import limits
from bench.rules import memory, random_play
from bench.service import bots, cached, discord, listeners, page, pictures, rest, webhooks
from bench.store import audit, failover, growth, open_matches, storage

Figures = dict[str, float]
PARTS: dict[str, Callable[[Path], Figures]] = {
    "the machine": limits.machine,
    "the rules and the fold, in memory": memory.figures,
    "random play": random_play.figures,
    "the event store": storage.figures,
    "matches in a process": cached.figures,
    "the audit": audit.figures,
    "lists and a rebuild as they grow": growth.figures,
    "a crowd of open matches": open_matches.figures,
    "masters that are killed": failover.figures,
    "the service over REST": rest.figures,
    "listeners": listeners.figures,
    "pictures beside plain requests": pictures.figures,
    "the page in a browser": page.figures,
    "bots beside another player's": bots.figures,
    "webhooks": webhooks.figures,
    "discord": discord.figures,
}
OUT = Path(__file__).parent / "out"


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(prog="python -m bench", description=__doc__)
    parser.add_argument("--only", choices=PARTS, help="one part alone")
    parser.add_argument("--against", type=Path, help="a folder with another checkout, in turns")
    parser.add_argument("--rounds", type=int, default=2, help="how often it is A B B A")
    asked = parser.parse_args()
    if asked.against and not (asked.against / ".venv/bin/python").exists():
        parser.error(f"nothing can run there yet: make -C {asked.against} .venv/dev")
    console = Console()
    with tempfile.TemporaryDirectory(prefix="annals-bench-") as name:
        folder = Path(name)
        measured: Mapping[str, object]
        if asked.against:
            measured = _compared(console, folder, asked.against.resolve(), asked.rounds)
        else:
            measured = _measured(console, folder, asked.only)
    OUT.mkdir(exist_ok=True)
    path = OUT / f"{strftime('%Y%m%d-%H%M%S')}.json"
    content = msgspec.json.encode({"python": platform.python_version(), **measured})
    path.write_bytes(msgspec.json.format(content, indent=1))
    console.print(f"Written to {path}")


def _measured(console: Console, folder: Path, only: str | None) -> dict[str, Figures]:
    """All parts, or one, each printed as soon as it is there."""
    measured: dict[str, Figures] = {}
    for name, measure in PARTS.items():
        if only in (None, name):
            with console.status(f"measuring {name} ..."):
                measured[name] = measure(folder)
            console.print(_table(name, measured[name]))
    return measured


def _compared(
    console: Console, folder: Path, other: Path, rounds: int
) -> dict[str, dict[str, Figures]]:
    """This checkout beside another one."""
    with console.status(f"measuring in turns with {other} ..."):
        ratios = pairs.compare(folder, other, rounds)
    title = f"the service beside that of {other}"
    table = Table(
        "what", "other", "this", "ratio", "least", "greatest", title=title, title_justify="left"
    )
    for what, ratio in ratios.items():
        table.add_row(what, *map(_shown, ratio))
    console.print(table)
    return {title: {what: ratio._asdict() for what, ratio in ratios.items()}}


def _table(name: str, figures: Figures) -> Table:
    table = Table("what", "figure", title=name, title_justify="left")
    for what, figure in figures.items():
        table.add_row(what, _shown(figure))
    return table


def _shown(figure: float) -> str:
    return f"{figure:,.0f}" if abs(figure) >= 100 else f"{figure:.3g}"


if __name__ == "__main__":
    main()
