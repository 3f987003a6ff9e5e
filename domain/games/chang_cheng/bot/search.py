"""How the weakest and the strongest level choose: CC-13.3."""

from __future__ import annotations

from functools import partial

from domain.engine.bots import Prospect, shortlist
from domain.engine.dice import Dice, choose, shuffle
from domain.engine.game import Bot, Sight, advance, awaited, legal_moves
from domain.engine.play import Move, Seat
from domain.games.chang_cheng.bot.evaluation import Losses, evaluate, expected_losses
from domain.games.chang_cheng.moves import BuildNeutral, BuildSingle
from domain.games.chang_cheng.state.steps import Turn
from domain.games.chang_cheng.state.table import State

Table = Sight[State]
SOME = 8
"""How many of the rarer moves are looked at in an answer."""


def any_kind(sight: Table) -> Move:
    """Any kind of move, each as likely as the others, and then any move of this kind."""
    kinds: dict[type, list[Move]] = {}
    for move in legal_moves(sight.game, sight.imagine(), sight.seat):
        kinds.setdefault(type(move), []).append(move)
    return choose(sight.dice, choose(sight.dice, list(kinds.values())))


def mindful(sight: Table) -> Move:
    """The move that looks best, whatever threat it would make known."""
    move: Move = _shortlist(sight)[0].move
    return move


def thinking_ahead(candidates: int, samples: int) -> Bot:
    """Weighs the best moves by how this turn and the next one go on, in states that may be real."""

    def bot(sight: Table) -> Move:
        best = _shortlist(sight)[:candidates]
        totals = [0.0] * len(best)
        for _ in range(samples):
            values = _sample(sight, best)
            if sight.late():
                break
            totals = [total + value for total, value in zip(totals, values, strict=True)]
        return _best(best, totals)

    return bot


def _sample(sight: Table, best: list[Prospect]) -> list[float]:
    """What each of these moves comes to in one imagined table; worth nothing if time ran out."""
    imagined, values = sight.imagine(), []
    for prospect in best:
        if sight.late():
            break
        values.append(_outlook(sight, imagined.copy(), prospect.move))
    return values


def _shortlist(sight: Table) -> list[Prospect]:
    """The best first. A tile of an imagined table is no reason to build beside it."""
    weigh = partial(evaluate, losses=expected_losses(sight.imagine(), sight.seat))
    return shortlist(sight, weigh, weigh, 0)


def _best(best: list[Prospect], totals: list[float]) -> Move:
    move: Move = best[totals.index(max(totals))].move
    return move


def _outlook(sight: Table, state: State, move: Move) -> float:
    """What a move is worth once this turn is over and the next one too."""
    losses = [expected_losses(state, seat) for seat in range(state.seats)]
    advance(sight.game, state, move, sight.dice)
    last = state.turn + (0 if _turn_is_over(state, sight.seat) else 1)
    while awaited(state) and state.turn <= last and not sight.late():
        _answer(sight, state, losses)
    return evaluate(state, sight.seat, losses[sight.seat])


def _turn_is_over(state: State, seat: Seat) -> bool:
    return awaited(state) != (seat,) or isinstance(state.agenda[-1], Turn)


def _answer(sight: Table, state: State, losses: list[Losses]) -> None:
    """Let whoever decides do what looks best to them, in place."""
    seat = awaited(state)[0]
    best, value = None, 0.0
    for move in _some(legal_moves(sight.game, state, seat), sight.dice):
        after = state.copy()
        advance(sight.game, after, move, sight.dice)
        worth = evaluate(after, seat, losses[seat])
        if best is None or worth > value:
            best, value = move, worth
    assert best is not None
    advance(sight.game, state, best, sight.dice)


def _some(moves: list[Move], dice: Dice) -> list[Move]:
    """All singles, and a few of the other moves."""
    usual = [move for move in moves if isinstance(move, BuildSingle | BuildNeutral)]
    rare = [move for move in moves if not isinstance(move, BuildSingle | BuildNeutral)]
    shuffle(dice, rare)
    return usual + rare[:SOME]
