"""What each seat may know, and imagined tables that it cannot tell from the real one."""

from __future__ import annotations

from typing import Literal

import msgspec

from domain.engine.dice import Dice, draw, shuffle
from domain.engine.game import seats_to_move
from domain.engine.play import Seat
from domain.games.chang_cheng import board
from domain.games.chang_cheng.rules.open_cells import find_reservations
from domain.games.chang_cheng.state import table
from domain.games.chang_cheng.state.steps import AnyStep
from domain.games.chang_cheng.state.table import State

Kind = Literal["single", "double", "tower", "ruin"]


class CellView(msgspec.Struct, frozen=True, gc=False):
    """A cell, its regions, and what is built there; neutral pieces have no seat."""

    name: str
    china: str
    mongol: str
    kind: Kind | None
    seat: Seat | None
    joined: bool  # whether it is the left half of a double
    kept_for: tuple[Seat, ...]  # the only seats that may build here: CC-5.5


class CardView(msgspec.Struct, frozen=True, gc=False):
    """A card that lies in a region; its number if the viewer may know it."""

    seat: Seat
    number: int | None


class ChinaView(msgspec.Struct, frozen=True, gc=False):
    """A Chinese region."""

    name: str
    cells: tuple[str, ...]
    prestige: int
    scored: bool
    brought: int | None  # its value when it scored; null if unknown
    won_by: tuple[Seat, ...]  # seats that scored it
    emperor: bool
    cards: tuple[CardView, ...]


class MongolView(msgspec.Struct, frozen=True, gc=False):
    """A Mongol region; its threat if the viewer may know it, and who does."""

    name: str
    cells: tuple[str, ...]
    removed: bool
    threat: int | None
    open: bool
    seen_by: tuple[Seat, ...]


class Supply(msgspec.Struct, frozen=True, gc=False):
    """What a seat has not built yet."""

    singles: int
    doubles: int
    towers: int


class View(msgspec.Struct, frozen=True, tag_field="game", tag="chang_cheng"):
    """The table as one seat, or a spectator, may see it."""

    face: board.Face
    boards: tuple[board.BoardName, ...]
    reserve: tuple[board.BoardName, ...]
    wall: tuple[CellView, ...]
    china: tuple[ChinaView, ...]
    mongol: tuple[MongolView, ...]
    colours: tuple[str, ...]
    unbuilt: tuple[Supply, ...]
    neutral: int | None  # neutral singles left; null if there is no neutral colour: CC-11.1
    cards_in_hand: tuple[tuple[int, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    scores: tuple[int, ...]
    emperors: int
    extensions: int
    events: tuple[board.EventCard, ...]
    prestige_left: tuple[int, ...]  # by value from 0, how many prestige tiles are in the pile
    unseen: dict[str, int]  # by value, how many threat tiles the viewer has not seen
    tally: table.Tally | None
    step: AnyStep | None  # the current step; null after the end
    awaiting: tuple[Seat, ...]
    seat: Seat | None
    turn: int
    last: table.Last | None
    ended: str | None
    winners: tuple[Seat, ...]


def view(state: State, seat: Seat | None) -> View:
    """The public table, and what this one seat knows besides: CC-9.1, CC-9.2, CC-9.4."""
    seats = range(state.seats)
    return View(
        face=state.setup.face,
        boards=tuple(board.BOARDS[number] for number in state.wall.row),
        reserve=tuple(board.BOARDS[number] for number in table.reserve(state)),
        wall=tuple(_wall(state)),
        china=tuple(_china(state, region, seat) for region in state.wall.china),
        mongol=tuple(_mongol(state, region, seat) for region in state.wall.china),
        colours=state.setup.colours,
        unbuilt=tuple(_supply(state, other + 1) for other in seats),
        neutral=state.singles[table.NEUTRAL] if state.setup.neutral else None,
        cards_in_hand=tuple(_hand(state, seat, other) for other in seats),
        hand_sizes=tuple(len(table.cards_of(hand)) for hand in state.hands),
        scores=tuple(state.score(other) for other in seats),
        emperors=table.emperors_left(state),
        extensions=state.extensions,
        events=state.events,
        prestige_left=tuple(table.prestige_left(state)),
        unseen={str(loss): count for loss, count in table.threats_unseen(state, seat).items()},
        tally=state.tally,
        step=state.agenda[-1] if state.agenda else None,
        awaiting=seats_to_move(state),
        seat=seat,
        turn=state.turn,
        last=state.last,
        ended=state.ended,
        winners=state.winners,
    )


def imagine(state: State, seat: Seat, dice: Dice) -> State:
    """The same table with tiles and cards that this seat has not seen dealt anew: CC-9.3."""
    imagined = state.copy()
    losses = tuple(board.THREATS)
    left = list(table.threats_unseen(state, seat).values())
    for region in state.wall.china:
        if not state.knows(seat, region):
            imagined.threats[region] = losses[draw(dice, left)]
    if state.ended is None:
        for other in range(state.seats):
            if other != seat:
                _deal_anew(imagined, other, dice)
    return imagined


def _deal_anew(state: State, seat: Seat, dice: Dice) -> None:
    """The cards in a hand and those it laid change places: CC-9.1."""
    own = [place for place, card in enumerate(state.laid) if card.seat == seat]
    hand = table.cards_of(state.hands[seat])
    numbers = sorted([*hand, *(state.laid[place].number for place in own)])
    shuffle(dice, numbers)
    laid = list(state.laid)
    for place in own:
        laid[place] = table.Card(seat, numbers.pop(), laid[place].region)
    state.laid = tuple(laid)
    state.hands[seat] = sum(1 << number for number in numbers)


def _wall(state: State) -> list[CellView]:
    kept = find_reservations(state)
    right, cells = state.wall.right, state.cells
    joined = False
    views = []
    for cell in state.wall.cells:
        what = cells[cell]
        colour = what % table.RUINED
        joined = (
            not joined
            and state.kinds[cell] == table.DOUBLE
            and right[cell] != board.NOWHERE
            and state.kinds[right[cell]] == table.DOUBLE
            and cells[right[cell]] == what
        )
        seat = colour - 1 if 0 < colour < table.NEUTRAL else None
        names = (board.CHINA[state.map.china_of[cell]], board.MONGOL[state.map.mongol_of[cell]])
        built = _kind(state, cell)
        views.append(CellView(board.CELLS[cell], *names, built, seat, joined, kept.get(cell, ())))
    return views


def _kind(state: State, cell: int) -> Kind | None:
    if not state.cells[cell]:
        return None
    if state.cells[cell] > table.RUINED:
        return "ruin"
    return table.KINDS[state.kinds[cell] - table.SINGLE]


def _china(state: State, region: int, seat: Seat | None) -> ChinaView:
    name = board.CHINA[region]
    paid = next((paid for paid in state.paid if paid.region == name), None)
    return ChinaView(
        name=name,
        cells=tuple(board.CELLS[slice(*state.map.china[region])]),
        prestige=state.prestige[region],
        scored=bool(state.scored[region]),
        brought=paid.value if paid else None,
        won_by=paid.seats if paid else (),
        emperor=name in state.emperors,
        cards=tuple(
            CardView(card.seat, card.number if card.seat == seat else None)
            for card in state.cards_in(name)
        ),
    )


def _mongol(state: State, region: int, seat: Seat | None) -> MongolView:
    known = state.known[region]
    shown = state.knows(seat, region)
    return MongolView(
        name=board.MONGOL[region],
        cells=tuple(board.CELLS[slice(*state.map.mongol[region])]),
        removed=bool(state.removed[region]),
        threat=state.threats[region] if shown else None,
        open=state.knows(None, region),
        seen_by=tuple(other for other in range(state.seats) if known >> other & 1),
    )


def _supply(state: State, colour: int) -> Supply:
    return Supply(state.singles[colour], state.doubles[colour], state.towers[colour])


def _hand(state: State, seat: Seat | None, other: Seat) -> tuple[int, ...] | None:
    """A hand for its owner, and after the end for all: CC-9.1."""
    shown = seat == other or state.ended is not None
    return table.cards_of(state.hands[other]) if shown else None
