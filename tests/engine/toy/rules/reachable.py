"""The positions that a game can reach, and a match can begin with."""

from __future__ import annotations

from collections.abc import Sequence

from domain.engine.errors import BadPosition, require
from domain.engine.game import Json
from domain.engine.play import Seat, Step
from tests.engine.toy.board import CHALLENGES, SIDES, VALUES
from tests.engine.toy.state import position, steps
from tests.engine.toy.state.setup import Setup
from tests.engine.toy.state.table import State


def read_position(setup: Setup, data: Json, seats: int) -> State:
    """Read a position from its JSON. Raises BadPosition if no game reaches it: TOY-2.1, TOY-4.1."""
    state = position.read_position(setup, data, seats)
    if state.agenda:
        _check_round(state)
        _check_waiting(state, state.agenda[-1])
    else:
        _check_end(state)
    return state


def _check_end(state: State) -> None:
    """Refuse an end before the last round: TOY-4.1."""
    ends = {"rounds": state.round == state.rounds, "cards": not any(state.hands)}
    right = ends.get(state.reason, False) and not state.prize and not any(state.sealed)
    require(right, "With nothing on its `agenda` the game has ended, but not like this.")


def _check_round(state: State) -> None:
    """Refuse steps that never wait together, and a wrong prize: TOY-2.1, TOY-3.2."""
    require(not state.reason, "A game that has ended has nothing on its `agenda`.")
    require(1 <= state.round <= state.rounds, f"Rounds are 1 to {state.rounds}.")
    right = [steps.Round(number=state.round + 1), steps.Refill(), *_plan_steps(state.agenda)]
    told = ", ".join(type(step).__name__ for step in right)
    require(state.agenda[:-1] == right, f"Before the last step the `agenda` is {told}.")
    sealing = isinstance(state.agenda[-1], steps.Choose)
    fits = state.prize in (range(1, SIDES + 1) if sealing else (0,))
    require(fits, f"The `prize` is 1 to {SIDES} until the sealed cards are shown, and then 0.")


def _plan_steps(agenda: Sequence[Step]) -> list[Step]:
    """The other steps of the round while the last step waits: TOY-2.3, TOY-3.1, TOY-3.4."""
    match agenda[-1]:
        case steps.Choose():
            return [steps.Reveal()]
        case steps.Respond(to=to, seats=(seat,)):
            shown = sum(isinstance(step, steps.Replace) for step in agenda)
            by = [(to, seat)[number % 2] for number in reversed(range(shown))]
            again = [step for step in agenda if isinstance(step, steps.Challenge)][:1]
            mine = [steps.Challenge(tuple(by[:1]), left=CHALLENGES - 1) for _ in again]
            return [*mine, *(steps.Replace(by=one) for one in by)]
        case _:
            return []


def _check_waiting(state: State, step: Step) -> None:
    """Refuse a step that waits for others, or for nothing: TOY-2.2, TOY-3.1, TOY-3.2."""
    everybody = range(len(state.hands))
    there = [seat for seat in everybody if seat in step.seats]
    require(bool(there) and there == [*step.seats], "The last step waits for seats, in order.")
    match step:
        case steps.Choose(seats=seats):
            _check_sealed(state, seats)
            return
        case steps.Challenge(left=left):
            require(left in range(1, CHALLENGES + 1), f"There are {CHALLENGES} challenges.")
        case steps.Respond(to=to, card=card):
            require(to in everybody and to not in there, "A card is shown to another seat.")
            shown = sum(isinstance(step, steps.Replace) for step in state.agenda)
            require(1 <= shown <= card <= max(VALUES), "Each card is higher than the one before.")
        case _:
            raise BadPosition("The last step is no choice.")
    require(len(there) == 1, "Only sealed cards are chosen by several at once.")
    require(not any(state.sealed), "No card is `sealed` once they were shown.")


def _check_sealed(state: State, waiting: Sequence[Seat]) -> None:
    """Refuse a card of a seat that still chooses, and no card of a seat that had some: TOY-2.2."""
    for seat, (hand, sealed) in enumerate(zip(state.hands, state.sealed, strict=True)):
        if seat in waiting:
            require(
                bool(hand) and sealed is None, f"Seat {seat} holds cards, none of them `sealed`."
            )
        else:
            require(sealed is not None or not hand, f"Seat {seat} has `sealed` a card.")
