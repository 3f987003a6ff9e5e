"""Show: how a match stands, or stood, at the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from os import environ

import click

from domain.engine.errors import Refused
from domain.engine.play import Seat
from domain.engine.resources.rulebook import ENGLISH
from domain.match import visibility
from domain.match.log import Damaged
from domain.match.state import Match
from service.matches.container import Annals, open_annals
from service.matches.queries import Names, at_version, awaiting, iso, names_at, seat_names
from service.matches.sentences import Teller
from service.runtime.settings import read_settings
from workers.host.redis_up import redis_up
from workers.tools.check.replay import Json, in_words, told
from workers.tools.match_ids import checked_id

LAST = 5  # entries that are told


@click.command()
@click.argument("match_id", metavar="MATCH")
@click.option("--version", type=int, metavar="N", help="Show the match as it was at version N.")
@click.option("--as", "viewer", metavar="WHO", help="Show what a seat (0, 1, ...) or player sees.")
@click.option("--board", is_flag=True, help="Draw the board, too.")
def show(match_id: str, version: int | None, viewer: str | None, board: bool) -> None:
    """Show how MATCH stands: seats, clocks, who has to decide, what happened last.

    Without --as it is shown as a spectator sees it.
    """
    checked, settings = checked_id(match_id), read_settings(environ)
    with redis_up(settings):
        _show(open_annals(settings), checked, version, viewer, board)


def _show(
    service: Annals, match_id: str, version: int | None, viewer: str | None, board: bool
) -> None:
    try:
        now = service.matches.latest(match_id)
        match = at_version(service, now, version)
    except Refused as refusal:
        raise click.ClickException(refusal.reason) from refusal
    except Damaged as damage:
        raise click.ClickException(f"Match {match_id}: {damage}") from damage
    names = names_at(service, match)
    seat = None if viewer is None else _seat_of(now, viewer, names)
    picture = f"\n{_board(match, seat)}\n" if board else ""
    for line in _shown(service, now, match, seat, names):
        click.echo(line)
    click.echo(picture, nl=False)


def _seat_of(match: Match, viewer: str, names: Names) -> Seat | None:
    """The seat of that number, or that a player of that name or id sees as."""
    if viewer.isdecimal():
        if viewer not in map(str, range(len(match.chairs))):
            raise click.ClickException(f"The table has the seats 0 to {len(match.chairs) - 1}.")
        return int(viewer)
    for player, name in names.items():
        if viewer.lower() in (player, name.lower()):
            return visibility.viewing_seat(match, player)
    known = ", ".join(sorted(names.values()))
    raise click.ClickException(f"Nobody at this table is called {viewer}. Players: {known}.")


def _shown(
    service: Annals, now: Match, match: Match, seat: Seat | None, names: Names
) -> Iterator[str]:
    yield from _head(now, match, seat, names)
    yield ""
    for place in range(len(match.chairs)):
        yield f"seat {place}  {_who(match, place, names)}{_stand(match, place)}"
    yield ""
    yield "Last:"
    entries = service.store.read(match.id, max(0, match.version - LAST), match.version)
    records = in_words(now, entries, seat, seat_names(service, now))
    yield from told(records, names, _undone(match, records))


def _undone(match: Match, records: list[Json]) -> set[int]:
    """Which of these entries did something to the game that is no longer on the line of play."""
    did = {
        record["version"]
        for record in records
        if any(event["type"] == "Awaiting" for event in record["events"])
    }
    return did - {point.version for point in match.line}


def _head(now: Match, match: Match, seat: Seat | None, names: Names) -> Iterator[str]:
    """What the match is, and which moment of it is shown to whom."""
    moment = f"version {match.version}"
    if match.version != now.version:
        moment += f" of {now.version}"
    seen = "a spectator" if seat is None else f"seat {seat} ({_who(match, seat, names)})"
    yield f"{match.game.title}, match {match.id}: {match.status}, {moment}, {iso(match.updated_at)}"
    yield f"{match.visibility}, undo {match.undo_policy}, {_clock(match)}, seen by {seen}"
    if outcome := Teller(match, seat, ENGLISH).outcome():
        yield outcome


def _clock(match: Match) -> str:
    rule = match.clock_rule
    if rule is None:
        return "no clock"
    if rule.per_move_s is not None:
        return f"{rule.per_move_s} s for each decision"
    return f"{rule.bank_s} s and {rule.increment_s} s more for each move"


def _who(match: Match, seat: Seat, names: Names) -> str:
    """Who sits there, and who plays for them."""
    chair = match.chairs[seat]
    if chair.player is None:
        bot = f"bot {chair.bot}" if chair.bot else "free"
        return f"invited: {chair.invited}" if chair.invited and chair.free else bot
    name = names.get(chair.player, chair.player)
    return f"{name}, played by bot {chair.bot}" if chair.bot else name


def _stand(match: Match, seat: Seat) -> str:
    """What there is to say of a seat: resigned, place, clock, and whether it has to decide."""
    said = ["resigned"] if match.chairs[seat].resigned else []
    if match.scoring:
        line = match.scoring.lines[seat]
        place = "" if match.scoring.won is False else f"place {line.rank} with "
        said.append(f"{place}{line.points} points")
    if match.clocks:
        said.append(f"{match.clocks.banks[seat] / 1000:.1f} s left")
    for one in awaiting(match):
        if one["seat"] == seat:
            until = f" until {one['deadline']}" if one["deadline"] else ""
            said.append(f"has to decide: {type(one['step']).__name__}{until}")
    return "".join(f" - {part}" for part in said)


def _board(match: Match, seat: Seat | None) -> str:
    if match.state is None:
        raise click.ClickException("There is no board before the match begins.")
    text: str = match.game.text(visibility.view(match, seat))
    return text
