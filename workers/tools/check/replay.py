"""`annals replay`: lists who did what and when in a match."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping
from os import environ
from pathlib import Path
from typing import Any

import click
import msgspec

from domain.engine.errors import Refusal
from domain.engine.play import Seat
from domain.engine.resources.rulebook import ENGLISH
from domain.match.log import (
    CorruptEntry,
    Entry,
)
from domain.match.state import Match
from service.matches.container import Annals, open_annals
from service.matches.queries import Names, entry_view, player_names
from service.matches.sentences import narrator_for
from workers.host.redis.on_demand import running_redis
from workers.tools.match_ids import check_match_id
from workers.tools.running_store import read_service_settings

Json = dict[str, Any]
HIDDEN_FIELDS = ("type", "seats")


class _Event(msgspec.Struct):
    type: str


class _FileEntry(msgspec.Struct):
    """The fields that an entry in a file must have."""

    version: int
    at: str
    actor: str
    kind: str
    move: Json | None
    events: list[_Event]


@click.command()
@click.argument("source")
@click.option("--as", "seat", type=int, help="Show what this seat can see.")
@click.option("--reveal", is_flag=True, help="Also show what is still secret.")
def replay(source: str, seat: int | None, reveal: bool) -> None:
    """List who did what and when in a match, including undone lines.

    SOURCE is the id of a match of this service, or a file with its events as NDJSON or JSON.
    """
    path = Path(source)
    entries, names = (
        (_from_file(path), {})
        if _is_file(path)
        else _from_store(check_match_id(source), seat, reveal)
    )
    for line in format_entries(entries, names, _find_undone(entries)):
        click.echo(line)


def format_entries(entries: Iterable[Json], names: Names, undone: Collection[int]) -> Iterator[str]:
    """Yield lines of text, entry by entry; undone versions are marked.

    Players without a name appear with their ids. Entries without sentences, such as those in files,
    are listed event by event with all fields.
    """
    for one in entries:
        mark = "undone " if one["version"] in undone else ""
        actor = names.get(one["actor"], one["actor"])
        move = f" {_format_record(one['move'])}" if one["move"] else ""
        yield f"{one['version']:>4}  {one['at']}  {actor}: {mark}{one['kind']}{move}"
        events = (_format_record(event) for event in one["events"] if event["type"] != "Awaiting")
        for line in one.get("sentences", events):
            yield f"{'':>34}{line}"


def _from_store(match_id: str, seat: int | None, reveal: bool) -> tuple[list[Json], Names]:
    settings = read_service_settings(environ)
    with running_redis(settings):
        return _read(open_annals(settings), match_id, seat, reveal)


def _read(
    annals: Annals, match_id: str, seat: int | None, reveal: bool
) -> tuple[list[Json], Names]:
    try:
        match = annals.matches.latest(match_id)
    except Refusal as refusal:
        raise click.ClickException(refusal.reason) from refusal
    except CorruptEntry as error:
        raise click.ClickException(f"Match {match_id}: {error}") from error
    if seat is not None and seat not in range(len(match.chairs)):
        raise click.ClickException(f"The seats of this table are 0 to {len(match.chairs) - 1}.")
    if reveal:
        match = match.copy()
        match.status = "scored"
    names = player_names(annals, match)
    return describe_entries(annals, match, annals.store.read(match_id), seat), names


def describe_entries(
    annals: Annals, match: Match, entries: Iterable[Entry], seat: Seat | None
) -> list[Json]:
    """Entries as a seat or a spectator gets them, each with sentences about its events."""
    teller = narrator_for(annals, match, seat, ENGLISH)
    return [
        {
            **json.loads(msgspec.json.encode(entry_view(match, one, seat))),
            "sentences": [said.text for said in teller.of_entry(one)],
        }
        for one in entries
    ]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the name is too long for a file system
        return False


def _from_file(path: Path) -> list[Json]:
    """Return the entries in a file. Raises ClickException if there are none."""
    try:
        found = [one for one in _parse(path.read_text()) if _is_entry(one)]
    except (ValueError, TypeError) as error:
        raise click.ClickException(f"{path} cannot be read as JSON or NDJSON.") from error
    if not found:
        raise click.ClickException(f"{path} contains no entry of a match.")
    return found


def _is_entry(one: object) -> bool:
    try:
        msgspec.convert(one, _FileEntry)
    except msgspec.ValidationError:
        return False
    return True


def _parse(text: str) -> list[Json]:
    """Return the entries of a response of `events`, or one entry for each line."""
    try:
        answer = json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.strip()]
    return list(answer["events"]) if "next" in answer else [answer]


def _find_undone(entries: Iterable[Json]) -> set[int]:
    """Return the versions that are no longer on a line of play."""
    line: list[int] = []
    before: dict[int, int] = {}
    for one in entries:
        for event in one["events"]:
            if event["type"] in ("Undone", "Redone"):
                line = _line_to(event["to"], before)
            elif event["type"] == "Awaiting":
                before[one["version"]] = line[-1] if line else 0
                line.append(one["version"])
    return before.keys() - set(line)


def _line_to(version: int, before: Mapping[int, int]) -> list[int]:
    """Return the versions of the line that ends with a version."""
    line: list[int] = []
    while version in before:
        line.append(version)
        version = before[version]
    return line[::-1]


def _format_record(record: Json) -> str:
    """Return the type of a move or event, and its fields."""
    fields = [
        f"{key}={_truncate(value)}" for key, value in record.items() if key not in HIDDEN_FIELDS
    ]
    return " ".join([str(record["type"]), *fields])


def _truncate(value: object) -> str:
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False)
    return text if len(text) <= 60 else f"{text[:57]}..."
