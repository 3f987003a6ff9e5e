"""`annals show`: shows a match on the terminal, as it is or was."""

from __future__ import annotations

from collections.abc import Iterator
from os import environ

import click

from domain.engine.errors import Refusal
from domain.engine.play import Seat
from domain.engine.resources.rulebook import ENGLISH
from domain.match import visibility
from domain.match.log import CorruptEntry
from domain.match.state import Match
from service.matches.container import Annals, open_annals
from service.matches.queries import Names, at_version, awaiting, iso, player_names
from service.matches.sentences import Narrator
from workers.host.redis.on_demand import running_redis
from workers.tools.check.replay import Json, describe_entries, format_entries
from workers.tools.match_ids import check_match_id
from workers.tools.running_store import read_service_settings

LAST_ENTRIES = 5  # entries that are shown


@click.command()
@click.argument("match_id", metavar="MATCH")
@click.option("--version", type=int, metavar="N", help="Show the match as it was at version N.")
@click.option(
    "--as", "viewer", metavar="WHO", help="Show what a seat (0, 1, ...) or a player sees."
)
@click.option("--board", is_flag=True, help="Also draw the board.")
def show(match_id: str, version: int | None, viewer: str | None, board: bool) -> None:
    """Show MATCH: seats, clocks, whose turn it is, and the latest entries.

    Without --as you see what a spectator sees.
    """
    checked, settings = check_match_id(match_id), read_service_settings(environ)
    with running_redis(settings):
        _show(open_annals(settings), checked, version, viewer, board)


def _show(
    service: Annals, match_id: str, version: int | None, viewer: str | None, board: bool
) -> None:
    try:
        now = service.matches.latest(match_id)
        match = at_version(service, now, version)
    except Refusal as refusal:
        raise click.ClickException(refusal.reason) from refusal
    except CorruptEntry as error:
        raise click.ClickException(f"Match {match_id}: {error}") from error
    names = player_names(service, match)
    seat = None if viewer is None else _seat_of(now, viewer, names)
    picture = f"\n{_board(match, seat)}\n" if board else ""
    for line in _build_lines(service, now, match, seat, names):
        click.echo(line)
    click.echo(picture, nl=False)


def _seat_of(match: Match, viewer: str, names: Names) -> Seat | None:
    """Return the seat with this number, or the seat whose view the player with this name or
    id has.
    """
    if viewer.isdecimal():
        if viewer not in map(str, range(len(match.chairs))):
            raise click.ClickException(f"The seats of this table are 0 to {len(match.chairs) - 1}.")
        return int(viewer)
    for player, name in names.items():
        if viewer.lower() in (player, name.lower()):
            return visibility.default_viewer_seat(match, player)
    known = ", ".join(sorted(names.values()))
    raise click.ClickException(f"No player at this table has the name {viewer}. Players: {known}.")


def _build_lines(
    service: Annals, now: Match, match: Match, seat: Seat | None, names: Names
) -> Iterator[str]:
    yield from _build_header(now, match, seat, names)
    yield ""
    for place in range(len(match.chairs)):
        yield f"seat {place}  {_occupant(match, place, names)}{_seat_status(match, place)}"
    yield ""
    yield "Latest entries:"
    entries = service.store.read(match.id, max(0, match.version - LAST_ENTRIES), match.version)
    records = describe_entries(service, now, entries, seat)
    yield from format_entries(records, names, _find_undone(match, records))


def _find_undone(match: Match, records: list[Json]) -> set[int]:
    """Return the versions among these entries that changed the game and have been undone."""
    did = {
        record["version"]
        for record in records
        if any(event["type"] == "Awaiting" for event in record["events"])
    }
    return did - {point.version for point in match.line}


def _build_header(now: Match, match: Match, seat: Seat | None, names: Names) -> Iterator[str]:
    """Yield the lines about the match, the version and the viewer."""
    moment = f"version {match.version}"
    if match.version != now.version:
        moment += f" of {now.version}"
    seen = "a spectator" if seat is None else f"seat {seat} ({_occupant(match, seat, names)})"
    yield f"{match.game.title}, match {match.id}: {match.status}, {moment}, {iso(match.updated_at)}"
    yield f"{match.visibility}, undo {match.undo_policy}, {_clock(match)}, seen by {seen}"
    if outcome := Narrator(match, seat, ENGLISH).outcome():
        yield outcome


def _clock(match: Match) -> str:
    rule = match.clock_rule
    if rule is None:
        return "no clock"
    if rule.per_move_s is not None:
        return f"{rule.per_move_s} s per decision"
    return f"{rule.bank_s} s plus {rule.increment_s} s per move"


def _occupant(match: Match, seat: Seat, names: Names) -> str:
    """Return the player or bot at a seat."""
    chair = match.chairs[seat]
    if chair.player is None:
        bot = f"bot {chair.bot}" if chair.bot else "free"
        return f"invited: {chair.invited}" if chair.invited and chair.free else bot
    name = names.get(chair.player, chair.player)
    return f"{name}, played by bot {chair.bot}" if chair.bot else name


def _seat_status(match: Match, seat: Seat) -> str:
    """Return the state of a seat: resigned, rank, clock, and the step that waits for it."""
    parts = ["resigned"] if match.chairs[seat].resigned else []
    if match.scoring:
        line = match.scoring.lines[seat]
        place = "" if match.scoring.won is False else f"place {line.rank} with "
        parts.append(f"{place}{line.points} points")
    if match.clocks:
        parts.append(f"{match.clocks.banks[seat] / 1000:.1f} s left")
    for one in awaiting(match):
        if one["seat"] == seat:
            until = f" until {one['deadline']}" if one["deadline"] else ""
            parts.append(f"to decide: {type(one['step']).__name__}{until}")
    return "".join(f" - {part}" for part in parts)


def _board(match: Match, seat: Seat | None) -> str:
    if match.state is None:
        raise click.ClickException("There is no board before the match starts.")
    text: str = match.game.render_text(visibility.view(match, seat), match.game.words())
    return text
