"""What each seat may know, and imagined tables that it cannot tell from the real one."""

from __future__ import annotations

import msgspec

from domain.engine.dice import Dice, draw
from domain.engine.game import seats_to_move
from domain.engine.play import Seat
from domain.games.qin.board import KINDS, Kind
from domain.games.qin.rules.places import can_place
from domain.games.qin.scoring import scoring
from domain.games.qin.state.position import cell_rows, owner_rows
from domain.games.qin.state.table import LastPlacement, State, tiles_of


class View(msgspec.Struct, frozen=True, tag_field="game", tag="qin"):
    """The table as one seat or a spectator may see it."""

    board: str
    cells: tuple[str, ...]
    owners: tuple[str, ...]
    supply: tuple[int, ...]
    allotment: int
    colours: tuple[str, ...]
    hands: tuple[tuple[Kind, ...] | None, ...]
    hand_sizes: tuple[int, ...]
    pile: int
    scores: tuple[int, ...]  # by seat, pagodas on the board
    awaiting: tuple[Seat, ...]
    seat: Seat | None
    last: LastPlacement | None
    joining_majors: str
    unseen: dict[str, int]
    ended: str | None
    winners: tuple[Seat, ...]


def view(state: State, seat: Seat | None) -> View:
    """The public table and the hand of this one seat, even if its player has several: QIN-13.2."""
    return View(
        board=state.setup.board if state.board.rows == state.setup.rows else "custom",
        cells=cell_rows(state),
        owners=owner_rows(state),
        supply=tuple(state.supply),
        allotment=state.setup.allotment,
        colours=state.setup.colours,
        hands=tuple(_hand(state, seat, other) for other in range(len(state.hands))),
        hand_sizes=tuple(sum(hand) for hand in state.hands),
        pile=sum(state.pile),
        scores=tuple(line.points for line in scoring(state).lines),
        awaiting=seats_to_move(state),
        seat=seat,
        last=state.last,
        joining_majors=state.setup.joining_majors,
        unseen=dict(zip(KINDS, _hidden_tiles(state, seat), strict=True)),
        ended=state.ended,
        winners=state.winners,
    )


def imagine(state: State, seat: Seat, dice: Dice) -> State:
    """A copy of the table with the tiles redealt that this seat has not seen: QIN-12.1.

    It is public knowledge that the awaited seat can place a tile, so deals without that are
    redrawn.
    """
    imagined = _dealt_anew(state, seat, dice)
    while not all(
        can_place(imagined, active) for active in seats_to_move(imagined) if active != seat
    ):
        imagined = _dealt_anew(state, seat, dice)
    return imagined


def _dealt_anew(state: State, seat: Seat, dice: Dice) -> State:
    imagined = state.copy()
    imagined.pile = _hidden_tiles(state, seat)
    for other, hand in enumerate(state.hands):
        if not _sees(state, seat, other):
            imagined.hands[other] = _new_hand(imagined.pile, sum(hand), dice)
    return imagined


def _new_hand(pile: list[int], tiles: int, dice: Dice) -> list[int]:
    hand = [0] * len(pile)
    for _ in range(tiles):
        hand[draw(dice, pile)] += 1
    return hand


def _hand(state: State, seat: Seat | None, other: Seat) -> tuple[Kind, ...] | None:
    return tiles_of(state.hands[other]) if _sees(state, seat, other) else None


def _hidden_tiles(state: State, seat: Seat | None) -> list[int]:
    """The tiles by kind in the pile or in hands that this seat does not see: QIN-12.2."""
    hands = [hand for other, hand in enumerate(state.hands) if not _sees(state, seat, other)]
    return [sum(counts) for counts in zip(state.pile, *hands, strict=True)]


def _sees(state: State, seat: Seat | None, other: Seat) -> bool:
    """Whether a seat sees this hand: its own, and after the end every hand: QIN-12.3."""
    return seat == other or state.ended is not None
