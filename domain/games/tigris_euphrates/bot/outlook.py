"""What a table is worth in the middle of a conflict or another choice: how that may end."""

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
"""How many of a chain of wars are thought to their end; each more would take ten times as long."""
AtRest = Callable[[State, Seat], float]
"""What a table is worth that is not in the middle of anything."""


def gains(state: State, seat: Seat) -> float:
    """The lead in points, as they are now."""
    return lead(state, seat, points(state))


def foreseen(state: State, seat: Seat) -> float:
    """The lead in points, conflicts foreseen."""
    return outlook(state, seat, gains)


def prospects(state: State, seat: Seat) -> float:
    """The lead with all that is likely to become of it."""
    return outlook(state, seat, _position)


def with_hands(state: State, seat: Seat) -> float:
    """The prospects, and the hand while others act as well: what a draw was worth shows at once."""
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
    """Think what is being settled to its end, but only the next few wars."""
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
    """Whoever chooses will choose what is best for them."""
    ends = [_after(state, move) for _, move in ANSWERS.offered(state, mover)]
    if mover == seat:
        return max(outlook(end, seat, at_rest, ahead) for end in ends)
    best = max(ends, key=lambda end: outlook(end, mover, at_rest, ahead))
    return outlook(best, seat, at_rest, ahead)


def _attack(state: State, seat: Seat, step: steps.Reinforce, at_rest: AtRest, ahead: int) -> float:
    """The attacker commits nothing, all, or what may be enough."""
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
    """The defender commits just enough, if they can and it is worth it, or nothing."""
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
    """How likely a rival holds that many tiles of a colour, by what this seat has not seen."""
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
    """The table once this is settled, before anybody draws."""
    p = Play(state.copy(), _LUCK)
    agenda = p.state.agenda
    ANSWERS.play(p, agenda.pop(), move)
    while agenda and not agenda[-1].seats and not isinstance(agenda[-1], steps.EndTurn):
        ANSWERS.proceed(p, agenda.pop())
    return p.state


_LUCK = Luck()
"""Nothing is drawn before the end of a turn."""
