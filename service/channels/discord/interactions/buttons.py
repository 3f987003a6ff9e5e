"""What buttons and menus do. Each knows the version it was made for: an old one says so."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from domain.match.decisions import lobby, playing, undo
from domain.match.errors import Forbidden
from domain.match.state import Match
from service.channels.discord import custom_ids
from service.channels.discord.components import later, told
from service.channels.discord.context import Answer, Visit
from service.channels.discord.custom_ids import Mark
from service.channels.discord.interactions.slash_commands import own_view
from service.channels.discord.moves.move_flow import (
    below,
    start_of_move,
    step_of_move,
    to_the_channel,
)
from service.channels.discord.moves.move_menus import Steps
from service.matches import commands
from service.runtime.errors import NotFound, StaleVersion

Press = Callable[[Visit, Match, Mark], Answer]


def pressed(visit: Visit) -> Answer:
    """Do what a button or a menu is for; Refused."""
    mark = custom_ids.read(visit.asked.data.custom_id)
    match = visit.seen(mark.match)
    press = PRESSES.get(mark.kind)
    if press is None:
        raise NotFound("This button is not one of ours.")
    if mark.kind in ANY_TIME:
        return press(visit, match, mark)
    if mark.version != match.version:
        return stale(visit, match)
    try:
        return press(visit, match, mark)
    except StaleVersion:  # between looking and doing
        return stale(visit, visit.seen(mark.match))


def stale(visit: Visit, match: Match) -> Answer:
    """Say that a button is old, and show how the match stands."""
    note = f"The match is at version {match.version} now."
    return Answer(later(private=True), [visit.errand(match, "own", note)])


def show_hand(visit: Visit, match: Match, _mark: Mark) -> Answer:
    """Show them what they alone may see."""
    return own_view(visit, match)


def show_board(visit: Visit, match: Match, _mark: Mark) -> Answer:
    """Show them how it stands now."""
    return Answer(later(private=True), [visit.errand(match, "own")])


def begin_move(visit: Visit, match: Match, _mark: Mark) -> Answer:
    """Ask for a move of theirs."""
    return start_of_move(visit, match)


def choose(visit: Visit, match: Match, mark: Mark) -> Answer:
    """Go one step on."""
    picked = "".join(visit.asked.data.values)
    if not (picked.isascii() and picked.isdigit() and len(picked) <= 2):
        raise NotFound("There is no such choice now.")
    return _at(visit, match, mark, (*mark.path, int(picked)))


def back(visit: Visit, match: Match, mark: Mark) -> Answer:
    """Go one step back."""
    return _at(visit, match, mark, mark.path)


def join(visit: Visit, match: Match, mark: Mark) -> Answer:
    """Sit down."""
    receipt = visit.record(
        match.id,
        lambda match, now: lobby.take_seat(match, visit.player.id, None, now),
        (mark.version,),
    )
    return to_the_channel(visit, receipt.match)


def start(visit: Visit, match: Match, mark: Mark) -> Answer:
    """Fill the free seats with bots, and begin."""
    decision = commands.start(visit.annals, visit.player.id, None)
    return to_the_channel(visit, visit.record(match.id, decision, (mark.version,)).match)


def agree(visit: Visit, match: Match, mark: Mark) -> Answer:
    """Agree to an undo."""
    return _answered(visit, match, mark, True)


def refuse(visit: Visit, match: Match, mark: Mark) -> Answer:
    """Refuse an undo, or withdraw it."""
    return _answered(visit, match, mark, False)


def resign(visit: Visit, match: Match, mark: Mark) -> Answer:
    """Give up."""
    receipt = visit.record(
        match.id, lambda match, now: playing.resign(match, visit.player.id, now), (mark.version,)
    )
    return Answer(told("You have given up.", update=True), below(visit, receipt.match))


def _answered(visit: Visit, match: Match, mark: Mark, agreed: bool) -> Answer:
    receipt = visit.record(
        match.id,
        lambda match, now: undo.answer(match, visit.player.id, agreed, now),
        (mark.version,),
    )
    return to_the_channel(visit, receipt.match)


def _at(visit: Visit, match: Match, mark: Mark, path: tuple[int, ...]) -> Answer:
    """The step of a move at the end of a path, for a seat that must be theirs."""
    if mark.seat not in match.seats_of(visit.player.id):
        raise Forbidden("not_your_seat", "This is not your seat.")
    assert mark.seat is not None
    return step_of_move(visit, match, Steps(visit.annals, match, mark.seat), path)


ANY_TIME = ("hd", "bd")
"""Buttons that are never old."""
PRESSES: Mapping[str, Press] = {
    "mv": begin_move,
    "st": choose,
    "bk": back,
    "hd": show_hand,
    "bd": show_board,
    "jn": join,
    "sb": start,
    "uy": agree,
    "un": refuse,
    "rs": resign,
}
