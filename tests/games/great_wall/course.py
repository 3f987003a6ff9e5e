"""How a table of The Great Wall proceeds: steps, moves, and what they change."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from domain.engine.dice import Dice, Luck
from domain.engine.play import Move, Play, Step
from domain.games.great_wall import board
from domain.games.great_wall.rules.answers import ANSWERS
from domain.games.great_wall.state.hordes import WOUND
from domain.games.great_wall.state.table import State


def begin(state: State, *todo: Step, dice: Dice | None = None) -> State:
    """The table after these steps, up to the first question."""
    new = state.copy()
    new.agenda = [*reversed(todo)]
    settle(Play(new, dice or Luck()))
    return new


def after(state: State, *moves: Move, dice: Dice | None = None) -> State:
    """The table after these moves. Each of them must be legal and offered."""
    new = state.copy()
    for move in moves:
        step = new.agenda[-1]
        assert move.seat in step.seats, (move, step)
        ANSWERS.judge(new, move)
        assert move in list(ANSWERS.legal_moves(new, move.seat))
        new.agenda.pop()
        if others := tuple(seat for seat in step.seats if seat != move.seat):
            new.agenda.append(type(step)(**{**fields(step), "seats": others}))
        play = Play(new, dice or Luck())
        ANSWERS.play(play, step, move)
        settle(play)
    return new


def fields(step: Step) -> dict[str, Any]:
    return {name: getattr(step, name) for name in step.__struct_fields__}


def settle(play: Play[State]) -> None:
    """Do all steps that wait for no seat."""
    agenda = play.state.agenda
    while agenda and not agenda[-1].seats:
        ANSWERS.run_step(play, agenda.pop())


def change(before: State, new: State, seat: int = 0) -> dict[str, int]:
    """The differences of a seat and of the board, without zeros."""
    old, now = dict(ledger(before, seat)), dict(ledger(new, seat))
    names = dict.fromkeys((*old, *now))
    return {name: d for name in names if (d := now.get(name, 0) - old.get(name, 0))}


def ledger(state: State, seat: int) -> Iterator[tuple[str, int]]:
    """All counts of a seat."""
    clan = state.clans[seat]
    yield from zip(board.RESOURCES, clan.resources, strict=True)
    yield from (
        ("honor", clan.honor),
        ("tactics", len(clan.tactics)),
        ("hand", len(clan.hand)),
        ("discard", len(clan.discard)),
        ("active", len(clan.active)),
        ("supporting", len(clan.supporting)),
        ("claimed", len(clan.claimed)),
        ("shame", clan.shame),
        ("tea", -state.tea.index(seat)),
        ("clerks", clan.clerks_pool),
        ("space", clan.clerks_space),
    )
    yield from prefix("at", board.LOCATIONS, clan.clerks)
    yield from prefix("level", board.PRODUCTION, map(level, clan.overseers))
    yield from prefix("pool", board.SOLDIERS, clan.pool)
    yield from prefix("firing", board.SECTIONS, clan.firing)
    for section, there in zip(board.SECTIONS, clan.rest, strict=True):
        yield from prefix(f"rest {section}", board.SOLDIERS, there)
    yield from ledger_of_board(state, seat)


def ledger_of_board(state: State, seat: int) -> Iterator[tuple[str, int]]:
    """All counts of the board."""
    yield from prefix("wall", board.SECTIONS, state.walls)
    yield from prefix("barricades", board.SECTIONS, state.barricades)
    yield from prefix("stored", board.RESOURCES, state.warehouse)
    for place in state.hordes_on_board():
        yield f"wounds {place.horde.card}", place.horde.spots.count(WOUND)
        yield f"covered {place.horde.card}", place.horde.count_covered(seat)


def prefix(word: str, names: Iterable[str], counts: Iterable[int]) -> Iterator[tuple[str, int]]:
    return ((f"{word} {name}", number) for name, number in zip(names, counts, strict=True))


def level(overseer: Any) -> int:
    return overseer.level if overseer else 0
