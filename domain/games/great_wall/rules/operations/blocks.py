"""Operations that contain others: whether, by whom and how often they are done: GW-9.6, GW-18.6."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.great_wall import moves
from domain.games.great_wall.cards import ops
from domain.games.great_wall.cards.automata import namesake_of
from domain.games.great_wall.cards.scripts import SCRIPTS
from domain.games.great_wall.cards.sense import COPYING
from domain.games.great_wall.rules import player_order
from domain.games.great_wall.rules.effects.conditions import holds
from domain.games.great_wall.rules.goods import payments
from domain.games.great_wall.rules.operations.numbers import value_of
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import effects
from domain.games.great_wall.state.agenda.coop import EachInOrder
from domain.games.great_wall.state.table import LaidCommand, State


def _inside(here: effects.Perform, name: str) -> effects.Perform:
    """The step that performs a list of operations inside this one."""
    return replace(here, script=f"{here.script}/{here.at}.{name}", at=0)


def _op(step: effects.ChooseOption | effects.NamePlayers) -> ops.Operation:
    """The operation that a question is about."""
    return SCRIPTS[step.here.script][step.here.at]


def do_if(p: Play[State], here: effects.Perform, op: ops.If) -> None:
    """Do one thing if the condition holds now, otherwise another: GW-18.6."""
    name = "do" if holds(p.state, here.clan, op.cond, here.context) else "else"
    p.then(_inside(here, name))


def may(p: Play[State], here: effects.Perform, op: ops.May) -> None:
    """Let a clan pay and do something, or leave it: GW-18.6."""
    _consider(p, effects.Consider((here.clan,), here=here, left=value_of(p.state, here, op.times)))


def _consider(p: Play[State], step: effects.Consider) -> None:
    if step.left > 0:
        p.then(steps.Ask(step=step))


def check_offer(state: State, step: effects.Consider, move: moves.Accept) -> None:
    """Refuse an effect that the seat cannot pay: GW-18.2, GW-18.6."""
    if not payments.can_pay(state, move.seat, step.price):
        raise RuleBroken("GW-18.2", "too_dear")


def accept(p: Play[State], step: effects.Consider, move: moves.Accept) -> None:
    """Pay, do it, and offer it again: GW-18.6."""
    _consider(p, replace(step, left=step.left - 1))
    p.then(_inside(step.here, "do"))
    payments.charge(p, move.seat, step.price, "GW-18.6")


def choose(p: Play[State], here: effects.Perform, op: ops.Choose) -> None:
    """Let a clan choose among options: GW-18.6."""
    p.then(steps.Ask(step=effects.ChooseOption((here.clan,), here=here, left=op.n)))


def _options(step: effects.ChooseOption) -> tuple[ops.Ops, ...]:
    op = _op(step)
    assert isinstance(op, ops.Choose)
    return op.options


def offer_options(
    _state: State, step: effects.ChooseOption, seat: Seat
) -> Iterator[moves.TakeOption]:
    """Each option: GW-18.6."""
    return (moves.TakeOption(seat, number) for number in range(len(_options(step))))


def check_option(state: State, step: effects.ChooseOption, move: moves.TakeOption) -> None:
    """Refuse an option twice, and a copy where there is nothing to copy: GW-9.6, GW-18.6."""
    options = _options(step)
    if move.option not in range(len(options)) or move.option in step.taken:
        raise RuleBroken("GW-18.6", "no_option")
    copies = any(isinstance(op, ops.CopyCommand) for op in options[move.option])
    if copies and not any(_find_copiable(state, move.seat)):
        raise RuleBroken("GW-9.6", "nothing_to_copy")


def take_option(p: Play[State], step: effects.ChooseOption, move: moves.TakeOption) -> None:
    """Do the chosen option, then offer another one: GW-18.6."""
    if step.left > 1:
        taken = (*step.taken, move.option)
        p.then(steps.Ask(step=replace(step, left=step.left - 1, taken=taken)))
    p.then(_inside(step.here, f"options.{move.option}"))


def each_player(p: Play[State], here: effects.Perform, op: ops.EachPlayer) -> None:
    """Let every player, or every other one, do something in Tea order: GW-18.6.

    In the cooperative game the Active player can choose another order: GW-16.3.
    """
    do = replace(_inside(here, "do"), alone=True)
    players = tuple(seat for seat in p.state.players if op.who == "all" or seat != here.clan)
    each = EachInOrder(here=do, clans=players)
    if player_order.is_chosen(p.state, players) and not all(map(_is_order_irrelevant, op.do)):
        player_order.ask(p, each)
    else:
        each_in_order(p, each)


def _is_order_irrelevant(op: ops.Op) -> bool:
    """Whether the order of players makes no difference: what one player does concerns no other.

    The supply is unlimited, there is always room for Shame that returns, and soldiers in Rest Zones
    are in the way of no other clan.
    """
    if isinstance(op, ops.Kill):
        return op.where == "rest_all"
    return isinstance(op, ops.DiscardShame) or (
        isinstance(op, ops.Gain | ops.Lose) and not op.tactics
    )


def each_in_order(p: Play[State], step: EachInOrder) -> None:
    """Let these players do it, one after the other: GW-18.6."""
    p.then(*(replace(step.here, clan=seat) for seat in step.clans))


def choose_players(p: Play[State], here: effects.Perform, op: ops.ChoosePlayers) -> None:
    """Let a clan name players who do something: GW-18.6."""
    left = value_of(p.state, here, op.n)
    if left > 0:
        p.then(steps.Ask(step=effects.NamePlayers((here.clan,), here=here, left=left)))


def offer_players(
    state: State, _step: effects.NamePlayers, seat: Seat
) -> Iterator[moves.NamePlayer]:
    """Each player: GW-18.6."""
    return (moves.NamePlayer(seat, player) for player in range(state.seats))


def check_player(state: State, step: effects.NamePlayers, move: moves.NamePlayer) -> None:
    """Refuse a player twice, one too many, or the seat itself against the card: GW-18.6."""
    op = _op(step)
    assert isinstance(op, ops.ChoosePlayers)
    fits = move.player != move.seat or op.include_self
    if move.player not in range(state.seats) or move.player in step.named or not fits:
        raise RuleBroken("GW-18.6", "wrong_player")
    if step.left < 1:
        raise RuleBroken("GW-18.6", "no_more", "fault_no_more_players")


def name_player(p: Play[State], step: effects.NamePlayers, move: moves.NamePlayer) -> None:
    """Name a player, and ask for the next: GW-18.6."""
    named = (*step.named, move.player)
    p.then(steps.Ask(step=replace(step, left=step.left - 1, named=named)))


def let_named(p: Play[State], step: effects.NamePlayers, move: moves.Done) -> None:
    """Let the named players do it, in Tea order, with the counters of the namer: GW-18.6."""
    do = replace(_inside(step.here, "do"), alone=True, counts=move.seat)
    p.then(*(replace(do, clan=seat) for seat in p.state.players if seat in step.named))


def copy_command(p: Play[State], here: effects.Perform, _op: ops.CopyCommand) -> None:
    """Let a clan choose the command card to copy: GW-9.6."""
    p.then(steps.Ask(step=effects.CopyCommand((here.clan,))))


def _find_copiable(state: State, seat: Seat) -> Iterator[tuple[int, LaidCommand]]:
    """The slots with cards to copy: those of others and of Qin, except Betrayal: GW-9.6."""
    for slot, laid in enumerate(state.track):
        of_other = laid is not None and laid.clan not in (seat, state.reed)
        if laid and of_other and namesake_of(laid.card) != COPYING:
            yield slot, laid


def offer_copies(state: State, _step: effects.CopyCommand, seat: Seat) -> Iterator[moves.CopyCard]:
    """Each card to copy: GW-9.6."""
    return (moves.CopyCard(seat, slot) for slot, _ in _find_copiable(state, seat))


def check_copy(state: State, _step: effects.CopyCommand, move: moves.CopyCard) -> None:
    """Refuse the seat's own card, a Betrayal, and the card of the Reed Clan: GW-9.6, GW-15.9."""
    if move.slot not in dict(_find_copiable(state, move.seat)):
        raise RuleBroken("GW-9.6", "not_to_be_copied")


def copy(p: Play[State], _step: effects.CopyCommand, move: moves.CopyCard) -> None:
    """Do what the card does for its owner, before and after the part for others: GW-9.6.

    Instead of a card of Qin Jiushao, use the player's card of the same name.
    """
    laid = p.state.track[move.slot]
    assert laid is not None
    for part in ("last", "first"):
        p.then(effects.Perform(clan=move.seat, script=f"commands/{namesake_of(laid.card)}/{part}"))
