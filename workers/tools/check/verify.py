"""Verify: whether bundles, matches and a whole store are what was recorded."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from os import environ
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import click
import msgspec
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from domain.audit.bundle import read_bundle
from domain.audit.checks import Step, Trust, check_bundle
from domain.audit.errors import Unproven
from domain.audit.notes import Key, read_key
from domain.audit.stored import check_entries
from domain.engine.codecs.json_codec import ENCODER
from domain.games import GAMES
from domain.match.log import Damaged, Entry, fold_match, follow, understanding
from domain.match.state import Match
from service.matches.container import Annals, open_annals
from service.matches.queries import table_view
from service.runtime.settings import read_settings
from workers.host.high_water_mark import missing_in
from workers.host.redis_up import redis_up
from workers.tools.check.check_accounts import wrong_accounts
from workers.tools.check.check_indexes import around, wrong_work
from workers.tools.check.check_log import wrong_log
from workers.tools.check.read_models import wrong_projections, wrong_ratings
from workers.tools.match_ids import checked_id

Json = dict[str, Any]
_OUTCOMES = {"ok": "ok    ", "wrong": "WRONG ", "open": "open  "}


class _Vkey(click.ParamType[Key]):
    """A public key of a log or a witness."""

    name = "vkey"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Key:
        try:
            return read_key(value)
        except Unproven as why:
            self.fail(str(why), param, ctx)


@click.command()
@click.argument("sources", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Check the whole store.")
@click.option("--url", help="Compare with what the service at this address serves, too.")
@click.option("--key", "logs", type=_Vkey(), multiple=True, help="The key of the log; or several.")
@click.option("--witness", "witnesses", type=_Vkey(), multiple=True, help="The key of a witness.")
@click.option("--quorum", type=int, help="So many witnesses must have signed; by default all.")
def verify(
    sources: Sequence[str],
    every: bool,
    url: str | None,
    logs: tuple[Key, ...],
    witnesses: tuple[Key, ...],
    quorum: int | None,
) -> None:
    """Check SOURCES step by step: bundles of matches, which needs no service, or ids of matches of
    this one.

    A bundle is what `GET /v1/matches/{id}/export` answers. Ends with 1 if anything is wrong.
    """
    if bool(sources) == every:
        raise click.UsageError("Name bundles or matches, or else say --all.")
    trust = Trust(logs, witnesses, len(witnesses) if quorum is None else quorum)
    files = [Path(source) for source in sources if _is_file(Path(source))]
    matches = [_match_id(source) for source in sources if not _is_file(Path(source))]
    wrong = sum(_tell(path, trust, named=len(files) > 1) for path in files)
    if every or matches:
        wrong += _check_store(matches, url)
    if wrong:
        raise SystemExit(1)


def _match_id(source: str) -> str:
    """What is no file as the id of a match."""
    if source.endswith(".json"):
        raise click.ClickException(f"There is no file {source}.")
    return checked_id(source)


def _tell(path: Path, trust: Trust, *, named: bool) -> int:
    """Print the steps of the check of a bundle; how many of them are wrong."""
    if named:
        click.echo(f"{path}:")
    try:
        bundle = read_bundle(path.read_bytes())
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {error.strerror}.") from error
    except Unproven as why:
        click.echo(f"WRONG  bundle: {why}")
        return 1
    return sum(_told(step) for step in check_bundle(GAMES, bundle, trust))


def _told(step: Step) -> bool:
    click.echo(f"{_OUTCOMES[step.outcome]} {step.name}: {step.says}")
    return step.outcome == "wrong"


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # no file system has a name as long as this
        return False


def _check_store(named: Sequence[str], url: str | None) -> int:
    """Check matches, or all that there is; how many faults were found."""
    settings, checked, wrong = read_settings(environ), 0, 0
    with redis_up(settings), _progress() as progress:
        annals = open_annals(settings)
        matches = named or list(annals.store.matches())
        for match_id in progress.track(matches):
            checked += 1
            for fault in faults(annals, match_id, url):
                wrong += 1
                click.echo(f"{match_id}: {fault}")
        if not named:
            for fault in around_matches(annals):
                wrong += 1
                click.echo(fault)
    click.echo(f"{checked} matches checked, {wrong} faults found.")
    return wrong


def around_matches(annals: Annals) -> Iterator[str]:
    """What is wrong in a whole store apart from its matches."""
    store = annals.store
    yield from missing_in(annals.settings, store.redis)
    yield from around(store)
    yield from wrong_accounts(store.redis)
    yield from wrong_projections(store)
    yield from wrong_ratings(store, annals.games)
    yield from wrong_log(annals)


def faults(annals: Annals, match_id: str, url: str | None = None) -> Iterator[str]:
    """What is wrong with the entries of a match, in sentences; nothing if all is well."""
    served = _served(url, match_id) if url is not None else None
    try:
        entries = annals.store.read(match_id)
        if not entries:
            yield "there are no entries of it."
            return
        yield from _faults_of(annals, match_id, entries)
        yield from wrong_work(annals.store, fold_match(annals.games, entries))
        with understanding(entries[-1]):
            if served is not None and served != _to_be_served(annals, entries[: served["version"]]):
                yield "the service serves another state."
    except Damaged as damage:
        yield str(damage)


def _faults_of(annals: Annals, match_id: str, entries: Sequence[Entry]) -> Iterator[str]:
    """What is wrong with entries that can be read."""
    for wrong in check_entries(annals.games, match_id, entries):
        if wrong is not None:
            yield f"version {wrong.version} {wrong.why}"
    folded = fold_match(annals.games, entries)
    with understanding(entries[-1]):
        if _shown(folded) != _shown(_followed(annals, entries)):
            yield "folding all entries gives another state than following them."


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


def _progress() -> Progress:
    """How many matches have been checked, for people; not among the faults on standard output."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("checking"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        redirect_stdout=False,
        disable=not console.is_terminal,
    )
