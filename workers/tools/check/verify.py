"""`annals verify`: checks bundles, matches and a whole store against what was recorded."""

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
from domain.audit.checks import check_bundle
from domain.audit.errors import Unproven
from domain.audit.log_checks import Trust
from domain.audit.notes import Key, read_key
from domain.audit.steps import CheckStep, Outcome
from domain.audit.stored import check_entries
from domain.engine.codecs.json_codec import ENCODER
from domain.games import GAMES
from domain.match.log import CorruptEntry, Entry, apply_entry, fold_match, reading
from domain.match.state import Match
from service.matches.container import Annals, open_annals
from service.matches.queries import table_view
from workers.host.errors import CannotRun
from workers.host.redis.high_water_mark import find_missing
from workers.host.redis.on_demand import running_redis
from workers.tools.check.check_accounts import find_account_faults
from workers.tools.check.check_indexes import find_feed_faults, find_work_faults
from workers.tools.check.check_log import find_log_faults
from workers.tools.check.check_queues import find_queue_faults
from workers.tools.check.read_models import find_projection_faults, find_rating_faults
from workers.tools.match_ids import check_match_id
from workers.tools.running_store import read_service_settings
from workers.tools.stopping import stoppable

Json = dict[str, Any]
_EX_USAGE = 64
_OUTCOMES: dict[Outcome, str] = {"ok": "ok    ", "wrong": "WRONG ", "open": "open  "}


class _KeyType(click.ParamType[Key]):
    """The public key of a log or a witness."""

    name = "vkey"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> Key:
        try:
            return read_key(value)
        except Unproven as why:
            self.fail(str(why), param, ctx)


class _Command(click.Command):
    """A command that ends with 64 if it is called wrongly: 2 says that a step is open."""

    def make_context(self, *args: Any, **more: Any) -> click.Context:  # noqa: ANN401 - of click
        try:
            return super().make_context(*args, **more)
        except click.UsageError as error:
            raise _BadUsage(error.format_message(), error.ctx) from error


class _BadUsage(click.UsageError):
    """The command is called wrongly."""

    exit_code = _EX_USAGE


class _CannotCheck(click.ClickException):
    """There is nothing to check."""

    exit_code = _EX_USAGE


@click.command(cls=_Command)
@click.argument("sources", nargs=-1)
@click.option("--all", "every", is_flag=True, help="Check the whole store.")
@click.option("--url", help="Also compare with the answers of the service at this address.")
@click.option(
    "--key", "logs", type=_KeyType(), multiple=True, help="A key of the log; can be repeated."
)
@click.option(
    "--witness",
    "witnesses",
    type=_KeyType(),
    multiple=True,
    help="The key of a witness; can be repeated.",
)
@click.option("--quorum", type=int, help="Number of witnesses that must have signed; default: all.")
def verify(
    sources: Sequence[str],
    every: bool,
    url: str | None,
    logs: tuple[Key, ...],
    witnesses: tuple[Key, ...],
    quorum: int | None,
) -> None:
    """Check SOURCES step by step: bundles of matches, which need no service, or ids of matches of
    this service.

    A bundle is the answer of `GET /v1/matches/{id}/export`. The exit code is 0 if all steps are ok,
    1 if anything is wrong, 2 if nothing is wrong but a step of a bundle is open, and 64 if there is
    nothing to check.
    """
    if bool(sources) == every:
        raise _CannotCheck("Name bundles or matches, or use --all.")
    if quorum is not None and not 1 <= quorum <= len(witnesses):
        raise _CannotCheck("--quorum is a number from 1 to that of the witnesses you name.")
    trust = Trust(logs, witnesses, len(witnesses) if quorum is None else quorum)
    files = [Path(source) for source in sources if _is_file(Path(source))]
    matches = [_match_id(source) for source in sources if not _is_file(Path(source))]
    outcomes = [
        outcome for path in files for outcome in _check_file(path, trust, named=len(files) > 1)
    ]
    if (every or matches) and _check_store(matches, url):
        outcomes.append("wrong")
    if "wrong" in outcomes:
        raise SystemExit(1)
    if "open" in outcomes:
        raise SystemExit(2)


def _match_id(source: str) -> str:
    """Return a source that is not a file, as the id of a match."""
    if source.endswith(".json"):
        raise _CannotCheck(f"There is no file {source}.")
    try:
        return check_match_id(source)
    except click.ClickException as why:
        raise _CannotCheck(f"{why.message} Nor is it a file.") from why


def _check_file(path: Path, trust: Trust, *, named: bool) -> list[Outcome]:
    """Print the steps of the check of a bundle; returns their outcomes."""
    if named:
        click.echo(f"{path}:")
    try:
        bundle = read_bundle(path.read_bytes())
    except OSError as error:
        raise _CannotCheck(f"{path} cannot be read: {error.strerror}.") from error
    except Unproven as why:
        click.echo(f"WRONG  bundle: {why}")
        return ["wrong"]
    return [_print_step(step) for step in check_bundle(GAMES, bundle, trust)]


def _print_step(step: CheckStep) -> Outcome:
    click.echo(f"{_OUTCOMES[step.outcome]} {step.name}: {step.message}")
    return step.outcome


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # the name is too long for a file system
        return False


def _check_store(named: Sequence[str], url: str | None) -> int:
    """Check these matches, or the whole store; returns the number of faults."""
    settings, checked, wrong = read_service_settings(environ), 0, 0
    with running_redis(settings), stoppable() as stop, _progress() as progress:
        annals = open_annals(settings)
        matches = named or list(annals.store.match_ids())
        for match_id in progress.track(matches):
            for fault in find_match_faults(annals, match_id, url):
                wrong += 1
                click.echo(f"{match_id}: {fault}")
            checked += 1
        if not named:
            for fault in find_store_faults(annals):
                wrong += 1
                click.echo(fault)
    click.echo(f"{checked} matches checked, {wrong} faults found.")
    if stop.requested:
        raise CannotRun("Stopped before everything was checked.")
    return wrong


def find_store_faults(annals: Annals) -> Iterator[str]:
    """Sentences about faults of a whole store outside its matches."""
    store = annals.store
    yield from find_missing(annals.settings, store.redis)
    yield from find_feed_faults(store)
    yield from find_account_faults(store.redis)
    yield from find_queue_faults(annals)
    yield from find_projection_faults(store)
    yield from find_rating_faults(store, annals.games)
    yield from find_log_faults(annals)


def find_match_faults(annals: Annals, match_id: str, url: str | None = None) -> Iterator[str]:
    """Sentences about faults of a match; none if it is as recorded."""
    served = _fetch_match(url, match_id) if url is not None else None
    try:
        entries = annals.store.read(match_id)
        if not entries:
            yield "it has no entries."
            return
        yield from _find_entry_faults(annals, match_id, entries)
        yield from find_work_faults(annals.store, fold_match(annals.games, entries))
        with reading(entries[-1]):
            if served is not None and served != _build_expected_answer(
                annals, entries[: served["version"]]
            ):
                yield "the service returns a different state."
    except CorruptEntry as error:
        yield str(error)


def _find_entry_faults(annals: Annals, match_id: str, entries: Sequence[Entry]) -> Iterator[str]:
    """Sentences about faults of readable entries."""
    for wrong in check_entries(annals.games, match_id, entries):
        if wrong is not None:
            yield f"version {wrong.version} {wrong.reason}"
    folded = fold_match(annals.games, entries)
    with reading(entries[-1]):
        if _all_views(folded) != _all_views(_apply_all(annals, entries)):
            yield "folding all entries gives a different state than applying them one by one."


def _apply_all(annals: Annals, entries: Sequence[Entry]) -> Match:
    """Return the match as a process has it that applied its entries one by one."""
    match = fold_match(annals.games, entries[:1])
    for record in entries[1:]:
        match = match.copy()
        apply_entry(match, record)
    return match


def _build_expected_answer(annals: Annals, entries: Sequence[Entry]) -> Json:
    """Return the match after these entries, as a spectator should get it."""
    view = table_view(fold_match(annals.games, entries), None, {})
    served: Json = json.loads(msgspec.json.encode(view))
    return served


def _all_views(match: Match) -> bytes:
    """Return all views of a match: those of a spectator and of each seat."""
    viewers = (None, *range(len(match.chairs)))
    return b"".join(ENCODER.encode(table_view(match, seat, {})) for seat in viewers)


def _fetch_match(url: str, match_id: str) -> Json | None:
    """Return the match as a spectator gets it from the service, without names, which are not part
    of the match, or None if it is private.
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
    """Return a progress bar on standard error, apart from the faults on standard output."""
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
