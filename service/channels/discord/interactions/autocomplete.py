"""What somebody who types could mean, at most 25 of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from itertools import islice

from domain.engine.errors import Refused
from domain.match.state import Match
from projections.lists.turns import waiting_for
from service.channels.discord.components import MOST_OPTIONS, choices
from service.channels.discord.context import Answer, Visit
from service.channels.discord.interactions.slash_commands import mine, named
from service.channels.discord.moves.move_menus import Steps
from service.channels.discord.moves.option_parser import clocks, options_offered
from service.channels.discord.moves.table_setup import game_named
from service.matches import queries

Found = Iterator[tuple[str, str]]


def completed(visit: Visit) -> Answer:
    """What they could mean by what they are typing."""
    typing = visit.asked.focused
    known = COMPLETIONS.get(typing.name) if typing else None
    if typing is None or known is None:
        return Answer(choices(()))
    with suppress(Refused):  # as nothing fits yet
        return Answer(choices(islice(known(visit, str(typing.value or "")), MOST_OPTIONS)))
    return Answer(choices(()))


def of_games(visit: Visit, typed: str) -> Found:
    """Games by their titles."""
    for game in visit.annals.games.values():
        if typed.casefold() in game.title.casefold():
            yield game.title, game.key


def of_options(visit: Visit, typed: str) -> Found:
    """Options of the game that they named."""
    return options_offered(game_named(visit), typed)


def of_clocks(_visit: Visit, typed: str) -> Found:
    """Clocks, in words too."""
    return clocks(typed)


def of_matches(visit: Visit, typed: str) -> Found:
    """Matches that this channel sees, and their own that wait for them."""
    for match_id in dict.fromkeys([*visit.desk.channels.matches(visit.channel), *_waiting(visit)]):
        with suppress(Refused):
            label = _labelled(visit, visit.seen(match_id))
            if typed.casefold() in label.casefold():
                yield label, match_id


def of_moves(visit: Visit, typed: str) -> Found:
    """Their moves now."""
    match = named(visit, lambda match: bool(set(match.awaited) & set(mine(visit, match))))
    seat = next(seat for seat in match.awaited if seat in mine(visit, match))
    yield from Steps(visit.annals, match, seat).offered(typed)


def of_rules(visit: Visit, typed: str) -> Found:
    """Rules of the game that they named, by their numbers."""
    for number, words in game_named(visit).rulebook.rules.items():
        if typed.casefold() in f"{number} {words}".casefold():
            yield f"{number} {words}", number


def _waiting(visit: Visit) -> list[str]:
    store = visit.annals.store
    found = waiting_for(store.redis, store.partitions, visit.player.id, None, MOST_OPTIONS)
    return [turn.match for turn in found.items]


def _labelled(visit: Visit, match: Match) -> str:
    names = [name for name in queries.seat_names(visit.annals, match) if name]
    return f"{match.game.title} \u00b7 {', '.join(names)} \u00b7 {match.id}"


COMPLETIONS: Mapping[str, Callable[[Visit, str], Found]] = {
    "game": of_games,
    "match": of_matches,
    "move": of_moves,
    "options": of_options,
    "clock": of_clocks,
    "rule": of_rules,
}
