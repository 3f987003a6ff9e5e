"""The worth of a table in the middle of a conflict or choice, by its likely outcome."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from math import comb

from domain.engine.dice import Luck
from domain.engine.play import Move, Play, Seat
from domain.games.tigris_euphrates.board import COLOR_NUMBER
from domain.games.tigris_euphrates.bot.worth import Worth, acts_again, lead, points, position, tiles
from domain.games.tigris_euphrates.moves import CommitTiles
from domain.games.tigris_euphrates.rules.answers import ANSWERS
from domain.games.tigris_euphrates.rules.conflicts.strength import to_hold, to_win
from domain.games.tigris_euphrates.state import steps
from domain.games.tigris_euphrates.state.table import State

CONFLICTS = 2
"""How many wars of a chain are searched; each further one takes ten times as long."""
AtRest = Callable[[State, Seat], float]
"""The worth of a table at the start of an action."""


def gains(state: State, seat: Seat) -> float:
    """The current lead in points."""
    return lead(state, seat, points(state))


def foresight(state: State, seat: Seat) -> float:
    """The lead in points after the conflicts of this moment."""
    return outlook(state, seat, gains)


def prospects(state: State, seat: Seat) -> float:
    """The lead, plus what the position promises."""
    return outlook(state, seat, _position)


def with_hands(state: State, seat: Seat) -> float:
    """The prospects plus the hand, also while others act, so that the worth of a draw shows at
    once.
    """
    return outlook(state, seat, _with_hand)


def _with_hand(state: State, seat: Seat) -> float:
    worth: Worth = position(state, seat)
    if not acts_again(state, seat):
        worth[seat] += tiles(state, seat)
    return lead(state, seat, worth)


def _position(state: State, seat: Seat) -> float:
    worth: Worth = position(state, seat)
    return lead(state, seat, worth)


def outlook(state: State, seat: Seat, at_rest: AtRest, ahead: int = CONFLICTS) -> float:
    """The worth of a table after the conflicts of this moment, searched for the next few wars."""
    step = state.agenda[-1] if state.agenda else None
    match step:
        case steps.Reinforce() | steps.ChooseWar() if not ahead:
            return at_rest(state, seat)
        case steps.Reinforce(seats=(mover,), conflict=conflict) if mover == conflict.attacker:
            return _attack(state, seat, step, at_rest, ahead)
        case steps.Reinforce():
            return _defence(state, seat, step, at_rest, ahead - 1)
        case steps.ChooseWar() | steps.OfferMonument() | steps.ChooseTreasure():
            return _choice(state, seat, step.seats[0], at_rest, ahead)
        case _:
            return at_rest(state, seat)


def _choice(state: State, seat: Seat, mover: Seat, at_rest: AtRest, ahead: int) -> float:
    """The worth after the move that is best for the seat that chooses."""
    ends = [_after(state, move) for _, move in ANSWERS.offers(state, mover)]
    if mover == seat:
        return max(outlook(end, seat, at_rest, ahead) for end in ends)
    best = max(ends, key=lambda end: outlook(end, mover, at_rest, ahead))
    return outlook(best, seat, at_rest, ahead)


def _attack(state: State, seat: Seat, step: steps.Reinforce, at_rest: AtRest, ahead: int) -> float:
    """The worth for the attacker of committing no tiles, all tiles, or just enough."""
    conflict = step.conflict
    held = state.hands[conflict.attacker][COLOR_NUMBER[conflict.support]]
    enough = to_win(conflict)
    counts = _possible((0, enough, enough + 1, enough + 2), held)
    ends = [_after(state, CommitTiles(conflict.attacker, count)) for count in counts]
    if conflict.attacker == seat:
        return max(outlook(end, seat, at_rest, ahead) for end in ends)
    best = max(ends, key=lambda end: outlook(end, conflict.attacker, at_rest, ahead))
    return outlook(best, seat, at_rest, ahead)


def _defence(state: State, seat: Seat, step: steps.Reinforce, at_rest: AtRest, ahead: int) -> float:
    """The worth for the defender of committing just enough tiles, or none."""
    conflict = step.conflict
    defender, color = conflict.defender, COLOR_NUMBER[conflict.support]
    enough = max(0, to_hold(state, conflict))
    beaten = outlook(_after(state, CommitTiles(defender, 0)), seat, at_rest, ahead)
    if not enough:
        return beaten
    if defender == seat:
        if state.hands[seat][color] < enough:
            return beaten
        held = outlook(_after(state, CommitTiles(defender, enough)), seat, at_rest, ahead)
        return max(beaten, held)
    likely = _likelihood(state, seat, defender, color, enough)
    if not likely:
        return beaten
    able = state.copy()
    able.hands[defender][color] = max(enough, able.hands[defender][color])
    held = outlook(_after(able, CommitTiles(defender, enough)), seat, at_rest, ahead)
    return likely * held + (1 - likely) * beaten


def _possible(counts: Iterable[int], held: int) -> list[int]:
    return sorted({count for count in counts if 0 <= count <= held})


def _likelihood(state: State, seat: Seat, rival: Seat, color: int, enough: int) -> float:
    """The probability that a rival holds this many tiles of a colour, given what this seat has
    seen.
    """
    unseen = [hand for other, hand in enumerate(state.hands) if other != seat]
    tiles = sum(state.bag) + sum(map(sum, unseen))
    fitting = state.bag[color] + sum(hand[color] for hand in unseen)
    size = sum(state.hands[rival])
    most = min(size, fitting)
    if enough > most:
        return 0.0
    ways = sum(
        comb(fitting, count) * comb(tiles - fitting, size - count)
        for count in range(enough, most + 1)
        if size - count <= tiles - fitting
    )
    return ways / comb(tiles, size)


def _after(state: State, move: Move) -> State:
    """The table after this move, before any player draws."""
    p = Play(state.copy(), _LUCK)
    agenda = p.state.agenda
    ANSWERS.play(p, agenda.pop(), move)
    while agenda and not agenda[-1].seats and not isinstance(agenda[-1], steps.EndTurn):
        ANSWERS.run_step(p, agenda.pop())
    return p.state


_LUCK = Luck()
"""Never used: nothing is drawn before the end of a turn."""
