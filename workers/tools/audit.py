"""Audit: who did what when; whether entries agree with the rules and with what is served."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Sequence
from os import environ
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import click
import msgspec
from rich.console import Console
from rich.progress import Progress, TextColumn, TimeElapsedColumn

from domain.engine.codec import ENCODER
from domain.engine.compact import pack
from domain.engine.errors import Refused
from domain.engine.play import Event, Seat
from domain.match import ending, lobby, playing
from domain.match.dice import seed_hash
from domain.match.events import DiceFell, Started
from domain.match.log import (
    AnyEvent,
    Damaged,
    Entry,
    begun,
    fold_match,
    follow,
    handed_in_with,
    read_events,
    read_move,
    understanding,
    write_down,
)
from domain.match.state import Match
from service.annals import Annals, open_annals
from service.queries import Names, names_at, seat_names, served_entry, table_view, teller
from service.settings import read_settings
from workers.host.noted import missing_in
from workers.host.redis_up import redis_up
from workers.tools.accounts import wrong_accounts
from workers.tools.bookkeeping import around, wrong_work
from workers.tools.match_ids import checked_id
from workers.tools.read_models import wrong_projections, wrong_ratings

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


@click.command()
@click.argument("matches", nargs=-1)
@click.option("--url", help="Compare with what the service at this address serves, too.")
def verify(matches: Sequence[str], url: str | None) -> None:
    """Check MATCHES, or all: the entries are complete and follow from the rules and the dice."""
    named = [checked_id(words) for words in matches]
    settings, checked, wrong = read_settings(environ), 0, 0
    with redis_up(settings), _progress() as progress:
        annals = open_annals(settings)
        for match_id in progress.track(named or annals.store.matches(), len(named) or None):
            checked += 1
            for fault in faults(annals, match_id, url):
                wrong += 1
                click.echo(f"{match_id}: {fault}")
        if not named:
            for fault in around_matches(annals):
                wrong += 1
                click.echo(fault)
    click.echo(f"{checked} matches checked, {wrong} faults found.")
    if wrong:
        raise SystemExit(1)


def around_matches(annals: Annals) -> Iterator[str]:
    """What is wrong in a whole store apart from its matches."""
    store = annals.store
    yield from missing_in(annals.settings, store.redis)
    yield from around(store)
    yield from wrong_accounts(store.redis)
    yield from wrong_projections(store)
    yield from wrong_ratings(store, annals.games)


def _progress() -> Progress:
    """How many matches have been checked, for people; not among the faults on standard output."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.completed:.0f} matches checked"),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        redirect_stdout=False,
        disable=not console.is_terminal,
    )


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


def faults(annals: Annals, match_id: str, url: str | None = None) -> Iterator[str]:
    """What is wrong with the entries of a match, in sentences; nothing if all is well."""
    served = _served(url, match_id) if url is not None else None
    try:
        entries = annals.store.read(match_id)
        if not entries:
            yield "there are no entries of it."
            return
        yield from _faults_of(annals, entries)
        yield from wrong_work(annals.store, fold_match(annals.games, entries))
        with understanding(entries[-1]):
            if served is not None and served != _to_be_served(annals, entries[: served["version"]]):
                yield "the service serves another state."
    except Damaged as damage:
        yield str(damage)


def _faults_of(annals: Annals, entries: Sequence[Entry]) -> Iterator[str]:
    """What is wrong with entries that can be read."""
    folded = fold_match(annals.games, entries)
    if seed_hash(folded.seed) != folded.seed_hash:
        yield "the seed is not the one whose hash was published."
    yield from _not_by_the_rules(annals, entries)
    with understanding(entries[-1]):
        if _shown(folded) != _shown(_followed(annals, entries)):
            yield "folding all entries gives another state than following them."


def _not_by_the_rules(annals: Annals, entries: Sequence[Entry]) -> Iterator[str]:
    """Entries whose events differ from what the rules and the dice say happened."""
    match = begun(annals.games, entries[0])
    for record in entries:
        events = read_events(match.game, record.events)
        if record.rules == match.game.rules:
            yield from _broken_rule(match, record, events)
        write_down(match, record, events)


def _broken_rule(match: Match, record: Entry, events: Sequence[AnyEvent]) -> Iterator[str]:
    """What is wrong with an entry after the match before it, if anything is."""
    try:
        sound = _follows(match, record, events)
    except Refused as refusal:
        yield f"version {record.version} was not allowed: {refusal.reason}"
    except Exception as error:  # no rule meets what cannot be, so there is no telling what it does
        yield f"version {record.version} cannot be played: {_in_words(error)}"
    else:
        if not sound:
            yield f"version {record.version} does not follow from the rules and the dice."


def _in_words(error: Exception) -> str:
    """An error as one sentence."""
    said = " ".join(str(error).split())
    return f"{type(error).__name__}: {said.rstrip('.')}."


def _follows(match: Match, record: Entry, events: Sequence[AnyEvent]) -> bool:
    """Whether a move, a score or a start of the game is what comes of the match before it."""
    if record.kind == "Moved":
        choice = read_move(match.game, record.move)
        return pack(playing.move(match, choice, record.at).events) == record.events
    if record.kind == "Scored":
        return pack(ending.score(match).events) == record.events
    for place, event in enumerate(events):
        if isinstance(event, Started):
            return _begins(match, record, events[:place], event, events[place:])
    return True


def _begins(
    match: Match,
    record: Entry,
    before: Iterable[AnyEvent],
    started: Started,
    after: Iterable[AnyEvent],
) -> bool:
    """Whether a game begins as its rules, its seed and the nonces of its seats say, which are
    those that the seats had committed to and handed in.
    """
    match = match.fork()
    for event in before:
        event.apply(match)
    told = [event for event in after if isinstance(event, Event | DiceFell)]
    nonces = lobby.nonces_of(match.chairs, match.handed_in | handed_in_with(record))
    return started.nonces == nonces and lobby.first_events(match, nonces) == told


def _followed(annals: Annals, entries: Sequence[Entry]) -> Match:
    """The match as a process has it that followed it entry by entry."""
    match = fold_match(annals.games, entries[:1])
    for record in entries[1:]:
        match = match.fork()
        follow(match, record)
    return match


def _to_be_served(annals: Annals, entries: Sequence[Entry]) -> Json:
    """The match after these entries as a spectator is to get it."""
    view = table_view(fold_match(annals.games, entries), None, {})
    served: Json = json.loads(msgspec.json.encode(view))
    return served


def _shown(match: Match) -> bytes:
    """All views of a match: the spectator's and those of all seats."""
    viewers = (None, *range(len(match.chairs)))
    return b"".join(ENCODER.encode(table_view(match, seat, {})) for seat in viewers)


def _served(url: str, match_id: str) -> Json | None:
    """The match as a spectator gets it from the service, without names, which are not of the match;
    None if it is private.
    """
    try:
        with urlopen(f"{url}/v1/matches/{match_id}") as answer:  # noqa: S310  the operator's own URL
            served: Json = json.load(answer)
    except HTTPError as error:
        if error.code == 404:
            return None
        raise
    except (URLError, ValueError) as error:
        raise click.ClickException(f"No service answers at {url}.") from error
    for place in served["seats"]:
        place["name"] = None
    return served


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
    tell = teller(match, seat, names)
    return [
        {**json.loads(msgspec.json.encode(served_entry(match, one, seat))), "told": tell(one)}
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
