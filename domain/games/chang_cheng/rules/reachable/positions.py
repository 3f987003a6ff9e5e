"""Positions from which a match may start: the agenda fits the table, and the waiting seat has a
move.
"""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.errors import BadPosition, require
from domain.engine.game import Json, seats_to_move
from domain.engine.play import Step
from domain.games.chang_cheng.board import CHINA_NUMBER, EMPERORS, GREAT_ARCHITECT
from domain.games.chang_cheng.rules.answers import ANSWERS
from domain.games.chang_cheng.rules.reachable.board import check_opening, check_table
from domain.games.chang_cheng.rules.reachable.points import can_count, check_points
from domain.games.chang_cheng.state import position, steps
from domain.games.chang_cheng.state.setup import Setup
from domain.games.chang_cheng.state.table import State, Tally

SIMPLE = (
    steps.Turn,
    steps.SecondSingle,
    steps.AfterCard,
    steps.OfferNeutral,
    steps.ForcedNeutral,
    steps.FirstTurn,
)
"""Steps that wait with nothing below them but the next turn."""


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """The state that a JSON position describes; BadPosition if no game reaches it: CC-4.7."""
    state = position.read_position(setup, data, seats)
    if not state.wall.row:
        _fits(not state.agenda, "Before the boards are laid, it is empty.")
        return state
    check_table(state)
    check_points(state)
    _check_agenda(state)
    for seat in seats_to_move(state):
        if not any(ANSWERS.legal_moves(state, seat)):  # CC-4.7
            raise BadPosition(f"Seat {seat} has to decide but nothing is legal.")
    return state


def _check_agenda(state: State) -> None:
    """Refuse other than one waiting seat above automatic steps: CC-3.1."""
    if state.ended is not None:
        _fits(not state.agenda, "After the end it is empty.")
        return
    _fits(bool(state.agenda), "Somebody must have to decide.")
    bottom, *above = state.agenda
    _fits(isinstance(bottom, steps.NextTurn), "It begins with NextTurn.")
    _fits(not any(isinstance(step, steps.NextTurn) for step in above), "There is one NextTurn.")
    for step in state.agenda:
        _check_step(state, step)
    decides = bool(above) and len(above[-1].seats) == 1
    _fits(decides, "One seat must have to decide in the last step.")
    _fits(not any(step.seats for step in state.agenda[:-1]), "Only the last step has seats.")
    _check_order(state, above)
    _check_active(bottom.seat, above)
    _check_opening(state, bottom, above)
    _check_scorings(state)


def _check_order(state: State, above: list[Step]) -> None:
    """Refuse steps that never wait together: CC-4.1, CC-6.1, CC-6.2, CC-8.2, CC-11.2."""
    *below, waiting = above
    match waiting:
        case steps.UseCard():
            ends = (steps.Majority, steps.NextCard)
            _fits(_kinds(below[-2:]) == ends, "Majority and NextCard come after UseCard.")
            below = below[:-2]
        case steps.Extend():
            pass
        case steps.ChooseOrder():
            planned = (steps.Neutral,) * bool(state.setup.neutral)
            _fits(_kinds(below) == planned, "After ChooseOrder comes what follows a double.")
            return
        case _:
            _fits(isinstance(waiting, SIMPLE), "It waits for nobody in a step like the last one.")
            _fits(not below, f"Nothing but NextTurn comes after {type(waiting).__name__}.")
            return
    if below and isinstance(below[-1], steps.Score):
        below = below[:-1]
    after = ((), (steps.Second,), (steps.Neutral,))
    _fits(_kinds(below) in after, "After a scoring come Second or Neutral, if anything.")


def _kinds(agenda: Sequence[Step]) -> tuple[type[Step], ...]:
    return tuple(map(type, agenda))


def _check_active(active: int, above: list[Step]) -> None:
    """Refuse steps of several turns; other seats may only use cards: CC-3.1, CC-7.1."""
    about = [step for step in above if not isinstance(step, steps.UseCard)]
    named = {seat for step in about for seat in (*step.seats, getattr(step, "seat", active))}
    _fits(named <= {active}, "All but UseCard is about the seat of NextTurn.")


def _check_opening(state: State, bottom: steps.NextTurn, above: list[Step]) -> None:
    """Refuse first turns that come too late or too early: CC-3.2."""
    if isinstance(above[-1], steps.FirstTurn):
        still = (state.first - bottom.seat - 1) % state.seats
        _fits(bottom.opening == still, f"`opening` is {still}, as many first turns are to come.")
        check_opening(state, bottom.seat)
    else:
        _fits(bottom.opening == 0, "`opening` is 0 once the first turns are over.")


def _check_step(state: State, step: Step) -> None:
    """Refuse seats and regions that are not there, and what is not due: CC-8.2, CC-11.1."""
    named = (*step.seats, getattr(step, "seat", 0))
    _fits(all(0 <= seat < state.seats for seat in named), "It names a seat that does not exist.")
    regions = [CHINA_NUMBER.get(name, -1) for name in _regions(step)]
    _fits(set(regions) <= set(state.wall.china), "It names a region that is not in play.")
    match step:
        case steps.Extend():
            ready = len(state.emperors) == EMPERORS and state.extensions > 0
            _fits(ready, "The wall is not extended now.")
        case steps.Neutral() | steps.OfferNeutral() | steps.ForcedNeutral():
            _fits(bool(state.setup.neutral), "There are no neutral walls at this table.")
            named = _regions(step)
            once = len(set(named)) == len(named)
            _fits(once, "A neutral wall follows from one region or two different ones.")
        case steps.AfterCard(seats=seats, region=region):
            laid = any((card.seat,) == seats for card in state.cards_in(region))
            _fits(laid, "AfterCard names the region where a card was laid.")
        case _:
            pass


def _regions(step: Step) -> tuple[str, ...]:
    """The regions of a step."""
    if hasattr(step, "regions"):
        return tuple(step.regions)
    return (step.region,) if hasattr(step, "region") else ()


def _check_scorings(state: State) -> None:
    """Refuse regions scored twice, late or never, and cards left behind: CC-6.1, CC-6.2, CC-6.3."""
    late = any(state.scored[CHINA_NUMBER[card.region]] for card in state.laid)
    _fits(not late, "No card lies face down in a region that was scored.")
    due = [step for step in state.agenda if isinstance(step, steps.Score | steps.ChooseOrder)]
    unscored = sorted(CHINA_NUMBER[name] for step in due for name in _regions(step))
    waiting = [r for r in state.wall.china if state.full(r) and not state.scored[r]]
    _fits(unscored == sorted(waiting), "A region is scored once, as soon as it is full.")
    parts = steps.Majority | steps.NextCard | steps.UseCard
    now = [step for step in state.agenda if isinstance(step, parts)]
    if state.tally is None:
        _fits(not now, "No region is being scored.")
    else:
        _check_tally(state, state.tally, now)


def _check_tally(state: State, tally: Tally, now: Sequence[Step]) -> None:
    """Refuse a scoring that is not that of one region, by the owner of a card: CC-6.3, CC-7.1."""
    _fits(
        _kinds(now) == (steps.Majority, steps.NextCard, steps.UseCard), "A scoring has three steps."
    )
    about = {name for step in now for name in _regions(step)}
    _fits(about == {tally.region}, "A scoring is about one region.")
    _fits(bool(state.scored[CHINA_NUMBER[tally.region]]), "`tally` names a region not scored.")
    _fits(len(tally.extra) == state.seats, "`tally` must count for each seat.")
    if isinstance(step := now[-1], steps.UseCard):
        _check_card(tally, step)
        right = can_count(state, tally, step.number)
        _fits(right, "`tally` has more than cards can change.")


def _check_card(tally: Tally, step: steps.UseCard) -> None:
    """Refuse another card than the lowest one that waits: CC-7.1, CC-7.2, CC-7.6."""
    numbers = [card.number for card in tally.waiting]
    _fits(sorted(set(numbers)) == numbers, "The cards that wait are in ascending order.")
    _fits(all(c.region == step.region for c in tally.waiting), "They lie in the region.")
    _fits(bool(numbers), "No card waits.")
    card = tally.waiting[0]
    _fits((card.number, (card.seat,)) == (step.number, step.seats), "The lowest card is used.")
    _fits(step.number != GREAT_ARCHITECT, "The Great Architect needs no choice.")


def _fits(condition: bool, reason: str) -> None:
    """Refuse an agenda that does not fit the table, for this reason, unless the condition holds."""
    require(condition, f"The `agenda` does not fit the table: {reason}")
