"""What an evaluation means for who will win: bots play, a curve is fitted to it and kept."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import click
import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table

from domain.analysis.fitting import Sample, Snapshot, fit
from domain.engine.bots import sight_of
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck, choose
from domain.engine.game import Game, Level, advance, awaited, new_state
from domain.engine.resources.win_probability import FILE, Calibration, Curve, against_the_game
from domain.games import GAMES
from service.drawing.charts.calibration import Reading
from service.drawing.charts.calibration import calibration as drawn
from workers.tools.helpers import helpers

PICTURES = Path("docs", "pictures")
SNAPSHOTS = 24
"""Of each match, at equal distances; more of the same match say little that is new."""


class Task(NamedTuple):
    """A match to be played: in a mode, "" for the usual one, with so many seats."""

    mode: str
    seats: int
    number: int


@click.command()
@click.argument("game", type=click.Choice(sorted(GAMES)))
@click.option(
    "--matches", default=200, show_default=True, type=click.IntRange(2), help="By mode and seats."
)
@click.option("--seed", default=1, show_default=True, help="The same seed, the same matches.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1))
@click.option(
    "--samples",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep what was played here, and play only what it does not have.",
)
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the curves go; the folder of the game by default.",
)
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Where the plot goes; docs/pictures by default.",
)
def calibrate(
    game: str,
    matches: int,
    seed: int,
    processes: int,
    samples: Path | None,
    out: Path | None,
    picture: Path | None,
) -> None:
    """Fit the curve from evaluations to chances, on matches of the bots that answer at once."""
    played = _kept(samples, name_of(GAMES[game], seed))
    modes = modes_of(GAMES[game])
    tasks = [
        Task(mode, seats, number)
        for mode, counts in modes.items()
        for seats in counts
        for number in range(matches)
    ]
    missing = [task for task in tasks if task not in played]
    playing = play_all(game, seed, missing, processes)
    for sample in track(playing, "Playing", len(missing), console=Console(stderr=True)):
        played[_task(sample)] = sample
        _keep(samples, sample)
    curves = {
        mode: {
            seats: fit(
                [played[Task(mode, seats, number)] for number in range(matches)],
                GAMES[game].plays_together(mode),
            )
            for seats in counts
        }
        for mode, counts in modes.items()
    }
    calibration = Calibration(
        command=f"annals calibrate {game} --matches {matches} --seed {seed}",
        rules=GAMES[game].rules,
        levels=tuple(level.key for level in quick(GAMES[game])),
        seats=curves.pop(""),
        modes=curves,
    )
    _write(out or _folder(game) / "data" / FILE, encoded(calibration))
    _write(picture or PICTURES / f"chances_{game}.svg", plot(GAMES[game].title, calibration))
    Console().print(table(calibration))


def modes_of(game: Game[Any]) -> dict[str, range]:
    """By mode, "" for the usual one, how many can play."""
    unusual = {mode: game.unusual_mode(game.options(mode=mode)) for mode in game.modes}
    return {"": game.seats, **{mode: game.modes[mode] for mode in unusual if unusual[mode]}}


def play_all(game: str, seed: int, tasks: Sequence[Task], processes: int) -> Iterator[Sample]:
    """Play matches, several at once."""
    each = partial(play, game, seed)
    if processes == 1:
        yield from map(each, tasks)
        return
    with helpers(processes) as pool:
        yield from pool.map(each, tasks)


def play(key: str, seed: int, task: Task) -> Sample:
    """Play a match; the bots of half of them are equals, those of the others are mixed."""
    mode, seats, number = task
    game, name = GAMES[key], " ".join(map(str, (seed, *([mode] if mode else ()), seats, number)))
    options = json_codec.read_options(game, {"mode": mode} if mode else {})
    together = game.plays_together(mode)
    dice, luck = Luck(name), Luck(f"{name} bots")
    levels = [choose(luck, quick(game)) for _ in range(seats)]
    if number % 4 < 2:
        levels = levels[:1] * seats
    state = new_state(game, game.setup(options, seats), seats, dice)
    snapshots: list[Snapshot] = []
    while waiting := awaited(state):
        values = tuple(game.evaluate(state, seat) for seat in range(seats))
        snapshots.append(Snapshot(len(snapshots), against_the_game(values) if together else values))
        move = levels[waiting[0]].bot(sight_of(game, state, waiting[0], luck))
        advance(game, state, move, dice)
    scoring = game.scoring(state)
    shares = tuple(map(scoring.share, range(seats)))
    if together:
        shares = (shares[0], 1 - shares[0])
    return Sample(
        name_of(game, seed), mode, seats, number, len(snapshots), shares, _some(snapshots)
    )


def name_of(game: Game[Any], seed: int) -> str:
    """Of what a match is a sample."""
    return f"{game.key}, rules {game.rules}, seed {seed}"


def quick(game: Game[Any]) -> list[Level]:
    """The levels that answer almost at once, and the same each time."""
    return [level for level in game.levels if not level.deep]


def encoded(calibration: Calibration) -> str:
    """The curves as they are kept, in JSON."""
    return msgspec.json.format(msgspec.json.encode(calibration), indent=1).decode()


def plot(title: str, calibration: Calibration) -> str:
    """The calibration as SVG. The states of a match share its outcome, so intervals by the number
    of states would be too narrow: there are none.
    """
    readings = [
        Reading(one.said, one.was, None, None, one.n, name)
        for name, curve in _by_name(calibration)
        for one in curve.bins
    ]
    return drawn(f"Chances in {title}: said, and come true", readings, "light")


def table(calibration: Calibration) -> Table:
    """The fits for people."""
    shown = Table("seats", "matches", "slope", "growth", "log loss", "uniform")
    for name, curve in _by_name(calibration):
        shown.add_row(
            name,
            f"{curve.matches}",
            f"{curve.slope:.3f}",
            f"{curve.growth:+.3f}",
            f"{curve.log_loss:.3f}",
            f"{curve.uniform:.3f}",
        )
    return shown


def _by_name(calibration: Calibration) -> Iterator[tuple[str, Curve]]:
    """Each curve, such as that of `2 seats, coop`."""
    for mode, curves in calibration.by_mode.items():
        for seats, curve in curves.items():
            yield f"{seats} seat{'s' * (seats > 1)}" + (f", {mode}" if mode else ""), curve


def _some(snapshots: Sequence[Snapshot]) -> tuple[Snapshot, ...]:
    """At equal distances, from the first one on."""
    count = min(SNAPSHOTS, len(snapshots))
    return tuple(snapshots[place * len(snapshots) // count] for place in range(count))


def _task(sample: Sample) -> Task:
    return Task(sample.mode, sample.seats, sample.number)


def _kept(path: Path | None, name: str) -> dict[Task, Sample]:
    """What was played before, of those that have this name."""
    lines = path.read_bytes().splitlines() if path and path.exists() else []
    samples = [msgspec.json.decode(line, type=Sample) for line in lines]
    return {_task(one): one for one in samples if one.name == name}


def _keep(path: Path | None, sample: Sample) -> None:
    if path:
        with path.open("ab") as kept:
            kept.write(msgspec.json.encode(sample) + b"\n")


def _folder(game: str) -> Path:
    return Path(import_module(f"domain.games.{game}").__path__[0])


def _write(path: Path, text: str) -> None:
    path.write_text(text.rstrip() + "\n", encoding="utf-8")
