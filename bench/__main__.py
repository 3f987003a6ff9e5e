"""`make bench`: a table of what is fast and what is not, and the same as JSON in bench/out/."""

from __future__ import annotations

import argparse
import json
import platform
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import strftime

from rich.console import Console
from rich.table import Table

from bench import bots, cached, growth, limits, memory, pictures, rest, storage

Figures = dict[str, float]
PARTS: dict[str, Callable[[Path], Figures]] = {
    "the machine": limits.machine,
    "the rules and the fold, in memory": memory.figures,
    "the event store": storage.figures,
    "matches in a process": cached.figures,
    "lists and a rebuild as they grow": growth.figures,
    "the service over REST": rest.figures,
    "pictures beside plain requests": pictures.figures,
    "bots beside another player's": bots.figures,
}
OUT = Path(__file__).parent / "out"


def main() -> None:
    """Measure, print, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", choices=PARTS, help="one part alone")
    only = parser.parse_args().only
    console = Console()
    measured: dict[str, Figures] = {}
    with tempfile.TemporaryDirectory(prefix="annals-bench-") as folder:
        for name, measure in PARTS.items():
            if only in (None, name):
                with console.status(f"measuring {name} ..."):
                    measured[name] = measure(Path(folder))
                console.print(_table(name, measured[name]))
    OUT.mkdir(exist_ok=True)
    path = OUT / f"{strftime('%Y%m%d-%H%M%S')}.json"
    path.write_text(json.dumps({"python": platform.python_version(), **measured}, indent=1))
    console.print(f"Written to {path}")


def _table(name: str, figures: Figures) -> Table:
    table = Table("what", "figure", title=name, title_justify="left")
    for what, figure in figures.items():
        table.add_row(what, f"{figure:,.0f}" if figure >= 100 else f"{figure:.3g}")
    return table


if __name__ == "__main__":
    main()
