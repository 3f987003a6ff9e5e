"""Parts of command cards: GW-7.3."""

from __future__ import annotations

from domain.engine.play import Play, Seat, Step
from domain.games.great_wall.cards import decks, ops
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda.effects import Perform
from domain.games.great_wall.state.context import NOTHING
from domain.games.great_wall.state.table import State

MOVING = frozenset(
    card.id
    for card in decks.COMMANDS.values()
    if any(isinstance(op, ops.MoveClerks) for op in card.others)
)
"""The command cards whose part `others` moves clerks: GW-15.6."""


def plan_part(p: Play[State], seat: Seat, part: steps.Part, card: str) -> None:
    """Plan a part of a command card for a seat, and answers of clans to moved clerks: GW-7.3."""
    answer: tuple[Step, ...] = ()
    if part == "others" and moves_clerks(card):
        answer = (steps.Fire(trigger="other_clerk_move", clans=(seat,), context=NOTHING),)
    p.then(Perform(clan=seat, script=f"commands/{card}/{part}"), *answer)


def has_part(card: str, part: steps.Part) -> bool:
    """Whether a command card has this part; that of the Reed Clan has every part."""
    return bool(SCRIPTS.get(f"commands/{card}/{part}", (card,)))


def moves_clerks(card: str) -> bool:
    """Whether the part `others` of a command card moves clerks: GW-15.6."""
    return card in MOVING


def attacks(card: str) -> bool:
    """Whether the part `others` of a command card lets soldiers attack: GW-14.11."""
    return any(isinstance(op, ops.Attack) for op in SCRIPTS[f"commands/{card}/others"])
