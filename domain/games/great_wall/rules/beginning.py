"""The setup: artifacts, Horde cards, Generals, advisors, Tea order: GW-2.1 to GW-2.13."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.errors import RuleBroken
from domain.engine.play import Play, Seat
from domain.games.great_wall import board, moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.events import course
from domain.games.great_wall.rules.goods import supply
from domain.games.great_wall.rules.locations import embassy
from domain.games.great_wall.rules.solo import course as solo_course
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.agenda import requests
from domain.games.great_wall.state.clans import Leaders
from domain.games.great_wall.state.context import Context
from domain.games.great_wall.state.table import State

ARTIFACT_COUNT = 3
"""How many artifacts lie open: GW-2.2."""
LEADERS_DEALT = 2
"""How many Generals, and how many advisors, each is dealt: GW-2.8."""


def begin(p: Play[State]) -> None:
    """Lay artifacts or Requests, and Horde cards, deal Generals and advisors.

    GW-2.2, GW-2.6, GW-2.8, GW-14.1, GW-14.3, GW-16.1.
    """
    if p.state.setup.artifacts:
        p.emit(course.ArtifactsLaid(_draw_some(p, p.state.setup.artifacts, ARTIFACT_COUNT)))
    solo = p.state.qin is not None
    if solo:
        solo_course.lay_track(p)
    p.then(
        steps.PlaceHordes(left=p.state.setup.table.initial_hordes, raids=not solo),
        steps.DealLeaders(),
        steps.ChooseLeaders(tuple(range(p.state.seats))),
        steps.RevealLeaders(),
    )
    if p.state.setup.requests:
        p.then(requests.RefillRequests(rule="GW-16.1"))


def _draw_some(p: Play[State], cards: tuple[str, ...], count: int) -> tuple[str, ...]:
    """That many cards, drawn at random."""
    left = list(cards)
    return tuple(left.pop(p.dice.below(len(left))) for _ in range(count))


def deal(p: Play[State], _step: steps.DealLeaders) -> None:
    """Deal Generals and advisors to each seat: GW-2.8."""
    for seat in range(p.state.seats):
        generals = _draw_some(p, p.state.general_deck, LEADERS_DEALT)
        advisors = _draw_some(p, p.state.advisor_deck, LEADERS_DEALT)
        p.emit(course.LeadersDealt(seat, generals, advisors))
    if p.state.qin is not None:
        solo_course.lay_supporters(p)


def offer_leaders(
    state: State, _step: steps.ChooseLeaders, seat: Seat
) -> Iterator[moves.KeepLeaders]:
    """Each General with each advisor as the Active one: GW-2.8."""
    clan = state.clans[seat]
    for general in clan.dealt_generals:
        yield from (moves.KeepLeaders(seat, general, active) for active in clan.dealt_advisors)


def check_leaders(state: State, _step: steps.ChooseLeaders, move: moves.KeepLeaders) -> None:
    """Refuse cards that were not dealt to this seat: GW-2.8."""
    clan = state.clans[move.seat]
    if move.general not in clan.dealt_generals or move.active not in clan.dealt_advisors:
        raise RuleBroken("GW-2.8", "not_dealt")


def choose(p: Play[State], _step: steps.ChooseLeaders, move: moves.KeepLeaders) -> None:
    """Keep a General; one advisor is Active, the other Supporting: GW-2.8."""
    dealt = p.state.clans[move.seat].dealt_advisors
    supporting = next(advisor for advisor in dealt if advisor != move.active)
    chosen = Leaders(move.general, move.active, supporting)
    p.emit(course.LeadersChosen(move.seat, chosen))


def _set_tea_order(p: Play[State]) -> None:
    """Place the Tea markers: GW-2.12."""
    p.emit(course.TeaOrderSet(_tea_order(p.state)))


def reveal(p: Play[State], _step: steps.RevealLeaders) -> None:
    """Show the leaders, fill the track, take what the Generals start with: GW-2.8 to GW-2.13."""
    for seat in range(p.state.seats):
        chosen = p.state.clans[seat].leaders
        assert chosen is not None
        p.emit(course.LeadersRevealed(seat, chosen.general, chosen.active, chosen.supporting))
    embassy.fill_track(p, "GW-2.9")
    _set_tea_order(p)
    p.then(
        steps.Fire(trigger="setup_done", clans=p.state.players, context=Context()),
        steps.Fall(),
    )
    for seat in range(p.state.seats):
        brings = decks.GENERALS[p.state.clans[seat].general].setup
        resources: board.Cost = {name: getattr(brings, name) for name in board.RESOURCES}
        supply.gain(p, seat, resources, "GW-2.11")
        supply.draw_tactics(p, seat, brings.tactics, "GW-2.11")


def _tea_order(state: State) -> tuple[int, ...]:
    """The highest number on top, the Reed Clan at the bottom: GW-2.12, GW-14.4, GW-15.2."""
    seats = sorted(
        range(state.seats),
        key=lambda seat: -decks.GENERALS[state.clans[seat].general].setup.tea,
    )
    return (*seats, *(clan for clan in (state.qin, state.reed) if clan is not None))
