"""`annals arena`: lets levels of bots play each other in memory, and counts how often each wins."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from operator import attrgetter
from pathlib import Path
from statistics import mean
from time import process_time
from typing import Any

import click
import msgspec
from rich.console import Console
from rich.progress import track
from rich.table import Table

from domain.analysis.intervals import wilson_interval
from domain.engine.bots import bot_view
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadOptions
from domain.engine.game import Game, Json, Level, advance, judge, new_state, seats_to_move
from domain.engine.scoring import Scoring
from domain.games import GAMES
from workers.host.errors import CannotRun
from workers.tools.bots.sample_file import (
    load_samples,
    name_of,
    samples_option,
    store_samples,
)
from workers.tools.helpers import helper_pool
from workers.tools.stopping import stoppable


@dataclass(frozen=True, slots=True)
class Contest:
    """What is played: plain values, which can be sent to other processes."""

    game: str
    levels: tuple[str, ...]
    options: Json
    seed: int

    @property
    def name(self) -> str:
        """The name of its matches, which others do not have."""
        levels, options = ",".join(self.levels), json.dumps(self.options, sort_keys=True)
        return f"{name_of(GAMES[self.game], self.seed)}, {levels}, {options}"


class Outcome(msgspec.Struct, frozen=True):
    """The result of a match: for each competitor its share of the victory and the processor time of
    each move.

    In a cooperative match, each competitor has the whole victory or nothing.
    """

    name: str  # of the contest
    number: int  # of the match in the contest
    shares: tuple[float, ...]
    milliseconds: tuple[tuple[float, ...], ...]
    reason: str  # the reason of the end


_OUTCOME = msgspec.json.Decoder(Outcome)


@click.command()
@click.argument("game", type=click.Choice(sorted(GAMES)))
@click.option("--seats", required=True, help="Levels by key or label, such as guru,wise.")
@click.option("--matches", default=200, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True, help="The same seed gives the same matches.")
@click.option("--options", multiple=True, metavar="NAME=VALUE", help="Options such as board=lion.")
@click.option("--json", "out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1))
@samples_option
def arena(
    game: str,
    seats: str,
    matches: int,
    seed: int,
    options: tuple[str, ...],
    out: Path | None,
    processes: int,
    samples: Path | None,
) -> None:
    """Let levels of bots play each other, in turn at every seat, and count who wins.

    In a cooperative mode, a win is one of the whole table. If you stop it, it counts what it has
    played; with --samples it goes on there.
    """
    levels = tuple(find_level(GAMES[game], name).key for name in seats.split(","))
    contest = Contest(game, levels, read_options(GAMES[game], options, len(levels)), seed)
    console = Console()
    loaded = load_samples(samples, _OUTCOME, contest.name)
    outcomes = [outcome for outcome in loaded if outcome.number < matches]
    missing = sorted({*range(matches)} - {outcome.number for outcome in outcomes})
    with stoppable() as stop:
        playing = store_samples(samples, play_matches(contest, missing, processes))
        for outcome in track(playing, "Playing", len(missing), console=console):
            outcomes.append(outcome)  # noqa: PERF402 - those before a stop count
    if not outcomes:
        raise CannotRun("Stopped before the end of the first match.")
    result = summarize(contest, sorted(outcomes, key=attrgetter("number")))
    console.print(table(result))
    ends = ", ".join(f"{reason} {count}" for reason, count in result["ends"].items())
    console.print(f"{result['moves_per_match']:.1f} moves per match; ended by {ends}")
    if out:
        out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    if stop.requested:
        raise CannotRun(f"Stopped after {len(outcomes)} of {matches} matches.")


def find_level(game: Game[Any], name: str) -> Level:
    """Return the level with this key, name or label."""
    names = game.bot_names()
    for level in game.levels:
        if name.strip().casefold() in map(str.casefold, (level.key, names[level.key], level.label)):
            return level
    known = ", ".join(f"{level.key} ({level.label})" for level in game.levels)
    raise click.BadParameter(f"There is no level {name!r}; there are {known}.")


def read_options(game: Game[Any], given: Sequence[str], seats: int) -> Json:
    """Options from NAME=VALUE pairs; a value that is JSON is parsed."""
    options = {name: _value(text) for name, _, text in (pair.partition("=") for pair in given)}
    try:
        chosen = json_codec.read_options(game, options)
        if seats not in game.seats_for(chosen):
            raise click.BadParameter(f"{game.title} is not for {seats} players.")
        game.setup(chosen, seats)
    except BadOptions as error:
        raise click.BadParameter(error.reason) from error
    return options


def play_matches(contest: Contest, numbers: Sequence[int], processes: int) -> Iterator[Outcome]:
    """Play the matches with these numbers, several at once."""
    with helper_pool(processes) as pool:
        yield from pool.map(partial(play_match, contest), numbers)


def play_match(contest: Contest, number: int) -> Outcome:
    """Play one match. Each deal comes once for every seating; in a cooperative mode, each match has
    another deal.
    """
    game, count = GAMES[contest.game], len(contest.levels)
    setup = game.setup(json_codec.read_options(game, contest.options), count)
    deal, turned = (number, 0) if game.is_cooperative(setup) else divmod(number, count)
    seating = [(seat + turned) % count for seat in range(count)]
    luck = [Luck(f"{contest.seed} {number} {who}") for who in range(count)]
    bots = [find_level(game, key).bot for key in contest.levels]
    dice = Luck(f"{contest.seed} {deal}")
    times: list[list[float]] = [[] for _ in seating]
    state = new_state(game, setup, count, dice)
    while waiting := seats_to_move(state):
        who = seating[waiting[0]]
        began = process_time()
        move = bots[who](bot_view(game, state, waiting[0], luck[who]))
        times[who].append((process_time() - began) * 1000)
        judge(game, state, move)
        advance(game, state, move, dice)
    scoring = game.scoring(state)
    shares = competitor_shares(scoring, seating)
    return Outcome(contest.name, number, shares, tuple(map(tuple, times)), scoring.reason)


def competitor_shares(scoring: Scoring, seated: Sequence[int]) -> tuple[float, ...]:
    """By competitor, the share of the victory; in a cooperative mode each has the whole."""
    shares = {seated[line.seat]: scoring.share(line.seat) for line in scoring.lines}
    return tuple(shares[who] for who in range(len(seated)))


def summarize(contest: Contest, outcomes: Sequence[Outcome]) -> Json:
    """Return the results of the matches as JSON."""
    game = GAMES[contest.game]
    moves = [sum(map(len, outcome.milliseconds)) for outcome in outcomes]
    return {
        "game": contest.game,
        "options": contest.options,
        "seed": contest.seed,
        "matches": len(outcomes),
        "moves_per_match": mean(moves),
        "ends": dict(Counter(outcome.reason for outcome in outcomes).most_common()),
        "competitors": [
            _competitor(game, find_level(game, key), who, outcomes)
            for who, key in enumerate(contest.levels)
        ],
    }


def table(result: Json) -> Table:
    """Return the results as a table for the terminal."""
    shown = Table("level", "wins", "rate", "95 %", "ms per move", "p95")
    for line in result["competitors"]:
        shown.add_row(
            f"{line['name']} ({line['label']})",
            f"{line['wins']:g} of {result['matches']}",
            f"{line['rate']:.1%}",
            f"{line['low']:.1%} to {line['high']:.1%}",
            f"{line['ms_mean']:.1f}",
            f"{line['ms_p95']:.1f}",
        )
    return shown


def _competitor(game: Game[Any], level: Level, who: int, outcomes: Sequence[Outcome]) -> Json:
    wins = sum(outcome.shares[who] for outcome in outcomes)
    low, high = wilson_interval(wins, len(outcomes))
    times = sorted(ms for outcome in outcomes for ms in outcome.milliseconds[who])
    return {
        "level": level.key,
        "name": game.bot_names()[level.key],
        "label": level.label,
        "wins": wins,
        "rate": wins / len(outcomes),
        "low": low,
        "high": high,
        "moves": len(times),
        "ms_mean": mean(times),
        "ms_p95": times[len(times) * 95 // 100],
    }


def _value(text: str) -> Any:  # noqa: ANN401  JSON
    try:
        return json.loads(text)
    except ValueError:
        return text
