"""The arena: levels of a game's bots play one another, in memory, and how often each wins."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from statistics import mean
from time import perf_counter
from typing import Any

import click
from rich.console import Console
from rich.progress import track
from rich.table import Table

from domain.analysis.intervals import wilson
from domain.engine.bots import sight_of
from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.errors import BadOptions
from domain.engine.game import Game, Json, Level, advance, awaited, judge, new_state
from domain.engine.scoring import Scoring
from domain.games import GAMES
from workers.tools.helpers import helpers


@dataclass(frozen=True, slots=True)
class Contest:
    """What is played: plain values, which every process can be told."""

    game: str
    levels: tuple[str, ...]
    options: Json
    seed: int


@dataclass(frozen=True, slots=True)
class Outcome:
    """How one match went: by competitor, the share of the victory and the time of each move.

    Those who play together have all of the victory, or all of them nothing.
    """

    shares: tuple[float, ...]
    milliseconds: tuple[tuple[float, ...], ...]
    reason: str  # why the game was over


@click.command()
@click.argument("game", type=click.Choice(sorted(GAMES)))
@click.option("--seats", required=True, help="Levels by key or label, such as guru,wise.")
@click.option("--matches", default=200, show_default=True, type=click.IntRange(1))
@click.option("--seed", default=1, show_default=True, help="The same seed, the same matches.")
@click.option("--options", multiple=True, metavar="NAME=VALUE", help="Such as board=lion.")
@click.option("--json", "out", type=click.Path(dir_okay=False, path_type=Path))
@click.option("--processes", default=2, show_default=True, type=click.IntRange(1))
def arena(
    game: str,
    seats: str,
    matches: int,
    seed: int,
    options: tuple[str, ...],
    out: Path | None,
    processes: int,
) -> None:
    """Let levels of bots play one another, in turn on every seat, and count who wins.

    Where the options say that all play together, a win is one of the whole table.
    """
    levels = tuple(level_of(GAMES[game], name).key for name in seats.split(","))
    contest = Contest(game, levels, options_of(GAMES[game], options, len(levels)), seed)
    console = Console()
    outcomes = list(track(fight(contest, matches, processes), "Playing", matches, console=console))
    result = summary(contest, outcomes)
    console.print(table(result))
    ends = ", ".join(f"{reason} {count}" for reason, count in result["ends"].items())
    console.print(f"{result['moves_per_match']:.1f} moves a match; ended by {ends}")
    if out:
        out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")


def level_of(game: Game[Any], name: str) -> Level:
    """The level with this key, name or label."""
    names = game.bots()
    for level in game.levels:
        if name.strip().casefold() in map(str.casefold, (level.key, names[level.key], level.label)):
            return level
    known = ", ".join(f"{level.key} ({level.label})" for level in game.levels)
    raise click.BadParameter(f"There is no level {name!r}; there are {known}.")


def options_of(game: Game[Any], given: Sequence[str], seats: int) -> Json:
    """Options from NAME=VALUE; a value that is JSON is read as such."""
    options = {name: _value(text) for name, _, text in (pair.partition("=") for pair in given)}
    try:
        chosen = json_codec.read_options(game, options)
        if seats not in game.seats_with(chosen):
            raise click.BadParameter(f"{game.title} is not for {seats} players.")
        game.setup(chosen, seats)
    except BadOptions as error:
        raise click.BadParameter(error.reason) from error
    return options


def fight(contest: Contest, matches: int, processes: int) -> Iterator[Outcome]:
    """Play the matches, several at once."""
    with helpers(processes) as pool:
        yield from pool.map(match, repeat(contest, matches), range(matches))


def match(contest: Contest, number: int) -> Outcome:
    """Play one match: each deal comes as often as there are seatings, each time with another.

    Those who play together have a deal of their own in each match.
    """
    game, count = GAMES[contest.game], len(contest.levels)
    setup = game.setup(json_codec.read_options(game, contest.options), count)
    deal, turned = (number, 0) if game.together(setup) else divmod(number, count)
    seated = [(seat + turned) % count for seat in range(count)]
    luck = [Luck(f"{contest.seed} {number} {who}") for who in range(count)]
    bots = [level_of(game, key).bot for key in contest.levels]
    dice = Luck(f"{contest.seed} {deal}")
    times: list[list[float]] = [[] for _ in seated]
    state = new_state(game, setup, count, dice)
    while waiting := awaited(state):
        who = seated[waiting[0]]
        began = perf_counter()
        move = bots[who](sight_of(game, state, waiting[0], luck[who]))
        times[who].append((perf_counter() - began) * 1000)
        judge(game, state, move)
        advance(game, state, move, dice)
    scoring = game.scoring(state)
    return Outcome(shares_of(scoring, seated), tuple(map(tuple, times)), scoring.reason)


def shares_of(scoring: Scoring, seated: Sequence[int]) -> tuple[float, ...]:
    """By competitor, the share of the victory; of one that all have together each has all."""
    shares = {seated[line.seat]: scoring.share(line.seat) for line in scoring.lines}
    return tuple(shares[who] for who in range(len(seated)))


def summary(contest: Contest, outcomes: Sequence[Outcome]) -> Json:
    """What the matches say, as JSON."""
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
            _competitor(game, level_of(game, key), who, outcomes)
            for who, key in enumerate(contest.levels)
        ],
    }


def table(result: Json) -> Table:
    """The result for people."""
    shown = Table("level", "wins", "rate", "95 %", "ms a move", "p95")
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
    low, high = wilson(wins, len(outcomes))
    times = sorted(ms for outcome in outcomes for ms in outcome.milliseconds[who])
    return {
        "level": level.key,
        "name": game.bots()[level.key],
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
