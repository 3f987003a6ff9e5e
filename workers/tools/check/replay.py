"""Replay: who did what when in a match."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from os import environ
from pathlib import Path
from typing import Any

import click
import msgspec

from domain.engine.errors import Refused
from domain.engine.play import Seat
from domain.engine.resources.rulebook import ENGLISH
from domain.match.log import (
    Damaged,
    Entry,
)
from domain.match.state import Match
from service.matches.container import Annals, open_annals
from service.matches.queries import Names, names_at, seat_names, served_entry
from service.matches.sentences import Teller
from service.runtime.settings import read_settings
from workers.host.redis_up import redis_up
from workers.tools.match_ids import checked_id

Json = dict[str, Any]
HIDDEN = ("type", "seats")


class _Event(msgspec.Struct):
    type: str


class _Told(msgspec.Struct):
    """What an entry in a file must have."""

    version: int
    at: str
    actor: str
    kind: str
    move: Json | None
    events: list[_Event]


@click.command()
@click.argument("source")
@click.option("--as", "seat", type=int, help="Show what this seat may know.")
@click.option("--reveal", is_flag=True, help="Show what is still secret, too.")
def replay(source: str, seat: int | None, reveal: bool) -> None:
    """Show who did what when in a match, undone lines included.

    SOURCE is the id of a match of this service, or a file of its events as NDJSON or JSON.
    """
    path = Path(source)
    entries, names = (
        (_from_file(path), {}) if _is_file(path) else _from_store(checked_id(source), seat, reveal)
    )
    for line in told(entries, names, _undone(entries)):
        click.echo(line)


def told(entries: Iterable[Json], names: Names, undone: Collection[int]) -> Iterator[str]:
    """What happened, entry by entry, in lines of text; versions that were undone are marked.

    Players without a name are told by their ids. Entries that came without sentences, as those in
    files do, are told event by event with all that they say.
    """
    for one in entries:
        mark = "undone " if one["version"] in undone else ""
        actor = names.get(one["actor"], one["actor"])
        move = f" {_words(one['move'])}" if one["move"] else ""
        yield f"{one['version']:>4}  {one['at']}  {actor}: {mark}{one['kind']}{move}"
        events = (_words(event) for event in one["events"] if event["type"] != "Awaiting")
        for line in one.get("told", events):
            yield f"{'':>34}{line}"


def _from_store(match_id: str, seat: int | None, reveal: bool) -> tuple[list[Json], Names]:
    settings = read_settings(environ)
    with redis_up(settings):
        return _read(open_annals(settings), match_id, seat, reveal)


def _read(
    annals: Annals, match_id: str, seat: int | None, reveal: bool
) -> tuple[list[Json], Names]:
    try:
        match = annals.matches.latest(match_id)
    except Refused as refusal:
        raise click.ClickException(refusal.reason) from refusal
    except Damaged as damage:
        raise click.ClickException(f"Match {match_id}: {damage}") from damage
    if seat is not None and seat not in range(len(match.chairs)):
        raise click.ClickException(f"The table has the seats 0 to {len(match.chairs) - 1}.")
    if reveal:
        match = match.fork()
        match.status = "scored"
    names = names_at(annals, match)
    return in_words(match, annals.store.read(match_id), seat, seat_names(annals, match)), names


def in_words(
    match: Match, entries: Iterable[Entry], seat: Seat | None, names: Sequence[str | None]
) -> list[Json]:
    """Entries as they are served to a seat, or a spectator, and what each tells in sentences."""
    teller = Teller(match, seat, ENGLISH, names)
    return [
        {
            **json.loads(msgspec.json.encode(served_entry(match, one, seat))),
            "told": [said.text for said in teller.entry(one)],
        }
        for one in entries
    ]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # no file system has a name as long as this
        return False


def _from_file(path: Path) -> list[Json]:
    """The entries in a file."""
    try:
        found = [one for one in _parsed(path.read_text()) if _is_entry(one)]
    except (ValueError, TypeError) as error:
        raise click.ClickException(f"{path} cannot be read as JSON or NDJSON.") from error
    if not found:
        raise click.ClickException(f"{path} holds no entry of a match.")
    return found


def _is_entry(one: object) -> bool:
    try:
        msgspec.convert(one, _Told)
    except msgspec.ValidationError:
        return False
    return True


def _parsed(text: str) -> list[Json]:
    """One answer of `events`, or one entry on each line."""
    try:
        answer = json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return list(answer["events"]) if "next" in answer else [answer]


def _undone(entries: Iterable[Json]) -> set[int]:
    """The versions that are no longer on a line of play."""
    line: list[int] = []
    left: list[list[int]] = []
    every: set[int] = set()
    for one in entries:
        for event in one["events"]:
            if event["type"] == "Undone":
                left.append([version for version in line if version > event["to"]])
                line = [version for version in line if version <= event["to"]]
            elif event["type"] == "Redone":
                line += left.pop()
            elif event["type"] == "Awaiting":
                line.append(one["version"])
                every.add(one["version"])
                left.clear()
    return every - set(line)


def _words(record: Json) -> str:
    """A move or event as its type and what it says."""
    told = [f"{key}={_short(value)}" for key, value in record.items() if key not in HIDDEN]
    return " ".join([str(record["type"]), *told])


def _short(value: object) -> str:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
