"""How the weakest and the strongest level choose: CC-13.3."""

from __future__ import annotations

from functools import partial

from domain.engine.bots import Candidate, shortlist
from domain.engine.dice import Dice, choose, shuffle
from domain.engine.game import Bot, BotView, advance, legal_moves, seats_to_move
from domain.engine.play import Move, Seat
from domain.games.chang_cheng.bot.evaluation import Losses, estimate_losses, evaluate
from domain.games.chang_cheng.moves import BuildNeutral, BuildSingle
from domain.games.chang_cheng.state.steps import Turn
from domain.games.chang_cheng.state.table import State

Table = BotView[State]
SOME = 8
"""How many of the rarer moves an answer considers."""


def any_kind(view: Table) -> Move:
    """Any kind of move, each as likely as the others, and then any move of this kind."""
    kinds: dict[type, list[Move]] = {}
    for move in legal_moves(view.game, view.imagine(), view.seat):
        kinds.setdefault(type(move), []).append(move)
    return choose(view.dice, choose(view.dice, list(kinds.values())))


def mindful(view: Table) -> Move:
    """The move that looks best, without regard to the threat it would reveal."""
    move: Move = _shortlist(view)[0].move
    return move


def thinking_ahead(candidates: int, samples: int) -> Bot:
    """Weighs the best moves by how this turn and the next one go on, in states that may be real."""

    def bot(view: Table) -> Move:
        best = _shortlist(view)[:candidates]
        totals = [0.0] * len(best)
        for _ in range(samples):
            values = _sample(view, best)
            if view.is_late():
                break
            totals = [total + value for total, value in zip(totals, values, strict=True)]
        return _best(best, totals)

    return bot


def _sample(view: Table, best: list[Candidate]) -> list[float]:
    """The worth of each of these moves in one imagined table; nothing if time ran out."""
    imagined, values = view.imagine(), []
    for prospect in best:
        if view.is_late():
            break
        values.append(_outlook(view, imagined.copy(), prospect.move))
    return values


def _shortlist(view: Table) -> list[Candidate]:
    """The best first. A tile of an imagined table is no reason to build beside it."""
    weigh = partial(evaluate, losses=estimate_losses(view.imagine(), view.seat))
    return shortlist(view, weigh, weigh, 0)


def _best(best: list[Candidate], totals: list[float]) -> Move:
    move: Move = best[totals.index(max(totals))].move
    return move


def _outlook(view: Table, state: State, move: Move) -> float:
    """What a move is worth once this turn is over and the next one too."""
    losses = [estimate_losses(state, seat) for seat in range(state.seats)]
    advance(view.game, state, move, view.dice)
    last = state.turn + (0 if _turn_is_over(state, view.seat) else 1)
    while seats_to_move(state) and state.turn <= last and not view.is_late():
        _answer(view, state, losses)
    return evaluate(state, view.seat, losses[view.seat])


def _turn_is_over(state: State, seat: Seat) -> bool:
    return seats_to_move(state) != (seat,) or isinstance(state.agenda[-1], Turn)


def _answer(view: Table, state: State, losses: list[Losses]) -> None:
    """Apply the move that looks best to the seat that decides, in place."""
    seat = seats_to_move(state)[0]
    best, value = None, 0.0
    for move in _some(legal_moves(view.game, state, seat), view.dice):
        after = state.copy()
        advance(view.game, after, move, view.dice)
        worth = evaluate(after, seat, losses[seat])
        if best is None or worth > value:
            best, value = move, worth
    assert best is not None
    advance(view.game, state, best, view.dice)


def _some(moves: list[Move], dice: Dice) -> list[Move]:
    """All singles, and a few of the other moves."""
    usual = [move for move in moves if isinstance(move, BuildSingle | BuildNeutral)]
    rare = [move for move in moves if not isinstance(move, BuildSingle | BuildNeutral)]
    shuffle(dice, rare)
    return usual + rare[:SOME]
