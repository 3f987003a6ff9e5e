"""`annals calibrate`: lets bots play, and fits curves from evaluations to win probabilities."""

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
from domain.engine.bots import bot_view
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck, choose
from domain.engine.game import Game, Level, advance, evaluate, new_state, seats_to_move
from domain.engine.resources.win_probability import FILE_NAME, Calibration, Curve, against_the_game
from domain.games import GAMES
from service.drawing.charts.calibration import Reading
from service.drawing.charts.calibration import draw_calibration as drawn
from workers.host.errors import CannotRun
from workers.tools.bots.sample_file import (
    load_samples,
    name_of,
    samples_option,
    store_samples,
)
from workers.tools.helpers import helper_pool
from workers.tools.stopping import stoppable

PICTURES = Path("docs", "pictures")
MAX_SNAPSHOTS = 24
"""Maximum number of positions per match, at equal distances; more from the same match add little.
"""


_SAMPLE = msgspec.json.Decoder(Sample)


class Task(NamedTuple):
    """A match to play: a mode ("" for the usual one), a number of seats and a number."""

    mode: str
    seats: int
    number: int


@click.command()
@click.argument("game", type=click.Choice(sorted(GAMES)))
@click.option(
    "--matches",
    default=200,
    show_default=True,
    type=click.IntRange(2),
    help="For each mode and number of seats.",
)
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same matches.")
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1))
@samples_option
@click.option(
    "--out",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the curves; default: in the folder of the game.",
)
@click.option(
    "--picture",
    type=click.Path(dir_okay=False, path_type=Path),
    help="File for the plot; default: in docs/pictures.",
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
    """Fit curves from evaluations to win probabilities, on matches of bots that do not search."""
    loaded = load_samples(samples, _SAMPLE, name_of(GAMES[game], seed))
    played = {_task_of(sample): sample for sample in loaded}
    modes = modes_of(GAMES[game])
    tasks = [
        Task(mode, seats, number)
        for mode, counts in modes.items()
        for seats in counts
        for number in range(matches)
    ]
    missing = [task for task in tasks if task not in played]
    with stoppable() as stop:
        playing = store_samples(samples, play_all(game, seed, missing, processes))
        for sample in track(playing, "Playing", len(missing), console=Console(stderr=True)):
            played[_task_of(sample)] = sample
    if stop.requested:
        again = f"{samples} has them" if samples else "store them with --samples"
        raise CannotRun(f"Stopped after {len(played)} of {len(tasks)} matches: {again}.")
    curves = {
        mode: {
            seats: fit(
                [played[Task(mode, seats, number)] for number in range(matches)],
                GAMES[game].is_cooperative_mode(mode),
            )
            for seats in counts
        }
        for mode, counts in modes.items()
    }
    calibration = Calibration(
        command=f"annals calibrate {game} --matches {matches} --seed {seed}",
        rules=GAMES[game].rules,
        levels=tuple(level.key for level in quick_levels(GAMES[game])),
        seats=curves.pop(""),
        modes=curves,
    )
    _write(out or _folder(game) / "data" / FILE_NAME, encode_calibration(calibration))
    _write(picture or PICTURES / f"chances_{game}.svg", plot(GAMES[game].title, calibration))
    Console().print(table(calibration))


def modes_of(game: Game[Any]) -> dict[str, range]:
    """By mode ("" for the usual one): the possible numbers of seats."""
    unusual = {mode: game.non_default_mode(game.options(mode=mode)) for mode in game.seats_by_mode}
    return {"": game.seats, **{mode: game.seats_by_mode[mode] for mode in unusual if unusual[mode]}}


def play_all(game: str, seed: int, tasks: Sequence[Task], processes: int) -> Iterator[Sample]:
    """Play matches, several at once."""
    each = partial(play, game, seed)
    if processes == 1:
        yield from map(each, tasks)
        return
    with helper_pool(processes) as pool:
        yield from pool.map(each, tasks)


def play(key: str, seed: int, task: Task) -> Sample:
    """Play a match. In half of the matches all bots have the same level, in the others the levels
    are mixed.
    """
    mode, seats, number = task
    game, name = GAMES[key], " ".join(map(str, (seed, *([mode] if mode else ()), seats, number)))
    options = json_codec.read_options(game, {"mode": mode} if mode else {})
    together = game.is_cooperative_mode(mode)
    dice, luck = Luck(name), Luck(f"{name} bots")
    levels = [choose(luck, quick_levels(game)) for _ in range(seats)]
    if number % 4 < 2:
        levels = levels[:1] * seats
    state = new_state(game, game.setup(options, seats), seats, dice)
    snapshots: list[Snapshot] = []
    while waiting := seats_to_move(state):
        values = tuple(evaluate(game, state, seat) for seat in range(seats))
        snapshots.append(Snapshot(len(snapshots), against_the_game(values) if together else values))
        move = levels[waiting[0]].bot(bot_view(game, state, waiting[0], luck))
        advance(game, state, move, dice)
    scoring = game.scoring(state)
    shares = tuple(map(scoring.share, range(seats)))
    if together:
        shares = (shares[0], 1 - shares[0])
    return Sample(
        name_of(game, seed), mode, seats, number, len(snapshots), shares, _pick_snapshots(snapshots)
    )


def quick_levels(game: Game[Any]) -> list[Level]:
    """Return the levels that do not search: they move almost at once, and always in the
    same way.
    """
    return [level for level in game.levels if not level.deep]


def encode_calibration(calibration: Calibration) -> str:
    """Return the curves as JSON for the file."""
    return msgspec.json.format(msgspec.json.encode(calibration), indent=1).decode()


def plot(title: str, calibration: Calibration) -> str:
    """Return the calibration as SVG, without intervals: the positions of a match share its outcome,
    so intervals by the number of positions would be too narrow.
    """
    readings = [
        Reading(one.predicted, one.observed, None, None, one.count, name)
        for name, curve in _by_name(calibration)
        for one in curve.bins
    ]
    return drawn(f"Win probability in {title}: predicted and observed", readings, "light")


def table(calibration: Calibration) -> Table:
    """Return the fits as a table for the terminal."""
    shown = Table("seats", "matches", "slope", "growth", "log loss", "uniform")
    for name, curve in _by_name(calibration):
        shown.add_row(
            name,
            f"{curve.matches}",
            f"{curve.slope:.3f}",
            f"{curve.growth:+.3f}",
            f"{curve.log_loss:.3f}",
            f"{curve.uniform_log_loss:.3f}",
        )
    return shown


def _by_name(calibration: Calibration) -> Iterator[tuple[str, Curve]]:
    """Yield each curve with a name such as `2 seats, coop`."""
    for mode, curves in calibration.by_mode.items():
        for seats, curve in curves.items():
            yield f"{seats} seat{'s' * (seats > 1)}" + (f", {mode}" if mode else ""), curve


def _pick_snapshots(snapshots: Sequence[Snapshot]) -> tuple[Snapshot, ...]:
    """Snapshots at equal distances, starting with the first."""
    count = min(MAX_SNAPSHOTS, len(snapshots))
    return tuple(snapshots[place * len(snapshots) // count] for place in range(count))


def _task_of(sample: Sample) -> Task:
    return Task(sample.mode, sample.seats, sample.number)


def _folder(game: str) -> Path:
    return Path(import_module(f"domain.games.{game}").__path__[0])


def _write(path: Path, text: str) -> None:
    path.write_text(text.rstrip() + "\n", encoding="utf-8")
