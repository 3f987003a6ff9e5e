"""Fall: command cards are chosen, shown, placed and resolved: GW-7.1 to GW-7.7."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat, Step
from domain.games.great_wall import moves
from domain.games.great_wall.cards.abilities import Window
from domain.games.great_wall.events import course
from domain.games.great_wall.rules import player_order, reed
from domain.games.great_wall.rules.coop import agreement
from domain.games.great_wall.rules.effects import resolve
from domain.games.great_wall.rules.solo import cards as solo_cards
from domain.games.great_wall.rules.solo import course as solo_course
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import clerks, soldiers
from domain.games.great_wall.state.agenda.coop import OthersInOrder
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.table import State

AFTER_COMMAND: tuple[Window, ...] = ("after_your_command_step",)


def begin(p: Play[State], _step: steps.Fall) -> None:
    """Ask all seats with command cards to choose one: GW-3.1, GW-7.1."""
    p.emit(course.SeasonBegan("fall", p.state.year))
    holders = tuple(seat for seat in range(p.state.seats) if p.state.clans[seat].hand)
    p.then(*((steps.ChooseCommand(holders),) if holders else ()), steps.RevealCommands())


def offer_cards(
    state: State, _step: steps.ChooseCommand, seat: Seat
) -> Iterator[moves.PlayCommand]:
    """Each command card in the hand: GW-7.1."""
    return (moves.PlayCommand(seat, card) for card in state.clans[seat].hand)


def check_card(state: State, _step: steps.ChooseCommand, move: moves.PlayCommand) -> None:
    """Refuse a card that is not in the hand: GW-7.1."""
    if move.card not in state.clans[move.seat].hand:
        raise RuleBroken("GW-7.1", "not_in_hand")


def choose(p: Play[State], _step: steps.ChooseCommand, move: moves.PlayCommand) -> None:
    """Choose a command card in secret: GW-7.1."""
    p.emit(course.CommandChosen(move.seat, move.card))


def reveal(p: Play[State], _step: steps.RevealCommands) -> None:
    """Show the command cards; abilities answer, then all place their cards in Tea order: GW-7.2."""
    shown = tuple(p.state.clans[seat].command for seat in range(p.state.seats))
    p.emit(course.CommandsRevealed(shown))
    if p.state.qin is not None:
        solo_course.draw(p)
    p.then(
        steps.Fire(trigger="reveal", clans=p.state.players, context=Context()),
        steps.PlaceCommands(),
        steps.TakeTurn(slot=0),
    )


def place_all(p: Play[State], _step: steps.PlaceCommands) -> None:
    """Let each place its command card, in Tea order or as all agreed: GW-7.2, GW-15.5, GW-16.3."""
    if p.state.setup.table.mode == "coop":
        agreement.begin(p)
    else:
        p.then(*_placings(p.state))


def _placings(state: State) -> Iterator[Step]:
    for clan in state.tea:
        if clan == state.reed:
            yield steps.PlaceReedCommand()
        elif clan == state.qin:
            yield steps.PlaceQinCommand()
        elif state.clans[clan].shown:
            yield steps.Ask(step=steps.PlaceCommand((clan,)))


def offer_slots(state: State, _step: steps.PlaceCommand, seat: Seat) -> Iterator[moves.LayCommand]:
    """Each free slot: GW-7.2."""
    return (moves.LayCommand(seat, slot) for slot, laid in enumerate(state.track) if not laid)


def check_slot(state: State, _step: steps.PlaceCommand, move: moves.LayCommand) -> None:
    """Refuse a slot that is taken or does not exist: GW-7.2."""
    if not 0 <= move.slot < len(state.track) or state.track[move.slot]:
        raise RuleBroken("GW-7.2", "not_free", "fault_not_free_slot")


def place(p: Play[State], _step: steps.PlaceCommand, move: moves.LayCommand) -> None:
    """Put the seat's command card on a slot: GW-7.2."""
    card = p.state.clans[move.seat].shown
    assert card is not None
    p.emit(course.CommandPlaced(move.seat, card, move.slot))


def take_turn(p: Play[State], step: steps.TakeTurn) -> None:
    """Resolve the command card on a slot, then the next: GW-7.3, GW-7.4, GW-7.7."""
    if step.slot == len(p.state.track):
        p.then(steps.Winter())
        return
    p.then(steps.TakeTurn(slot=step.slot + 1))
    if laid := p.state.track[step.slot]:
        p.emit(course.TurnBegan(laid.clan, step.slot, laid.card))
        if laid.clan == p.state.reed:
            _take_reed_turn(p, step.slot)
        else:
            p.then(*plan_turn(laid.clan, step.slot))


def _take_reed_turn(p: Play[State], slot: int) -> None:
    """Let all clans move clerks on the turn of the Reed Clan: GW-15.5."""
    p.then(*reed.plan_turn(p.state, slot))


def plan_turn(seat: Seat, slot: int) -> Iterator[Step]:
    """The steps of a player's turn: GW-7.3."""
    yield steps.CommandPart(clan=seat, slot=slot, part="first")
    yield steps.OthersParts(slot=slot)
    yield steps.CommandPart(clan=seat, slot=slot, part="last")
    yield steps.RestOfTurn()


def go_on_with_turn(p: Play[State], _step: steps.RestOfTurn) -> None:
    """Plan everything after the Command step."""
    p.then(*_plan_rest(p.state))


def _plan_rest(state: State) -> Iterator[Step]:
    """The Activation step and the end of a turn; a player's abilities answer: GW-7.5, GW-7.6."""
    seated = state.active is not None and state.active < state.seats
    if seated:
        yield steps.AfterCommandStep()
    yield clerks.ActivationStep()
    if seated:
        yield steps.AfterActivationStep()
    yield soldiers.DefeatCheck()
    yield steps.EndTurn()


def after_command(p: Play[State], _step: steps.AfterCommandStep) -> None:
    """Abilities of the Active player answer, then a tactic card may be played: GW-7.3, GW-9.4."""
    seat = _active(p.state)
    moment = ((seat, AFTER_COMMAND),)
    p.then(
        steps.Fire(trigger="after_command_step", clans=(seat,), context=Context()),
        steps.Moment(windows=moment, context=Context()),
    )


def after_activation(p: Play[State], _step: steps.AfterActivationStep) -> None:
    """Abilities of the Active player answer: GW-7.5."""
    seat = _active(p.state)
    p.then(steps.Fire(trigger="after_activation_step", clans=(seat,), context=Context()))


def _active(state: State) -> Seat:
    assert state.active is not None
    return state.active


def resolve_others(p: Play[State], step: steps.OthersParts) -> None:
    """Let all others resolve the part for others, in Tea order: GW-7.3.

    Or in the order that the Active player chooses: GW-16.3. A card of Qin Jiushao says which clan
    does what: GW-14.5.
    """
    laid = p.state.track[step.slot]
    assert laid is not None
    if laid.clan == p.state.qin:
        solo_cards.resolve_part(p, laid, "others")
        return
    clans = tuple(clan for clan in p.state.tea if clan != laid.clan)
    part = OthersInOrder(slot=step.slot, clans=clans)
    if player_order.is_chosen(p.state, clans) and resolve.has_part(laid.card, "others"):
        player_order.ask(p, part)
    else:
        others_in_order(p, part)


def _move_on_reed_turn(p: Play[State], clans: tuple[Seat, ...]) -> None:
    """Let players move clerks on the turn of the Reed Clan: GW-15.5."""
    p.then(*(reed.ask_player_moves(p.state, seat) for seat in clans))


def others_in_order(p: Play[State], step: OthersInOrder) -> None:
    """These clans resolve the part for others, one after the other: GW-7.3."""
    laid = p.state.track[step.slot]
    assert laid is not None
    if laid.clan == p.state.reed:
        _move_on_reed_turn(p, step.clans)
    else:
        p.then(
            *(steps.CommandPart(clan=clan, slot=step.slot, part="others") for clan in step.clans)
        )


def resolve_part(p: Play[State], step: steps.CommandPart) -> None:
    """Resolve a part of a command card for a clan: GW-7.3, GW-14.5, GW-15.6."""
    laid = p.state.track[step.slot]
    assert laid is not None
    if step.clan == p.state.qin:
        solo_cards.resolve_part(p, laid, step.part)
    elif step.clan != p.state.reed:
        resolve.plan_part(p, step.clan, step.part, laid.card)
    elif resolve.moves_clerks(laid.card):
        reed.move_clerks(p)


def end_turn(p: Play[State], _step: steps.EndTurn) -> None:
    """End all effects that last for the turn: GW-7.6."""
    assert p.state.active is not None
    p.emit(course.TurnEnded(p.state.active))
