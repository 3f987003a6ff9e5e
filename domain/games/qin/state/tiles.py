"""Hands and pile of a position: as given, or filled plausibly."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence

from domain.engine.errors import BadPosition
from domain.engine.game import seats_to_move
from domain.games.qin import board as box
from domain.games.qin.board import COLORS, KINDS, TILES, Kind
from domain.games.qin.state.table import State


def fill_hands_and_pile(
    state: State, hands: Sequence[Collection[Kind]] | None, pile: Mapping[Kind, int] | None
) -> None:
    """Fill hands and pile as given, or with the tiles that are not on the board: QIN-1.2.

    BadPosition if the box does not hold these tiles.
    """
    state.hands = [_counts(Counter(hand)) for hand in hands or [()] * len(state.hands)]
    state.pile = _rest(state) if pile is None else _counts(pile)
    if hands is None:
        _deal(state)
    _check_tiles(state)


def _counts(tiles: Mapping[Kind, int]) -> list[int]:
    """The number of tiles of each kind."""
    return [tiles.get(kind, 0) for kind in KINDS]


def _rest(state: State) -> list[int]:
    """The number of tiles of each kind neither on the board nor in a hand; refuses an impossible
    board.
    """
    gone = [sum(counts) for counts in zip(_guess_tiles(state), *state.hands, strict=True)]
    rest = [count - away for count, away in zip(TILES, gone, strict=True)]
    if min(rest) < 0:
        raise BadPosition("Which tiles are left cannot be told from the board; give the `pile`.")
    return rest


def _guess_tiles(state: State) -> list[int]:
    """A guess at the number of tiles of each kind on the board.

    The board does not show which halves belong together: this pairs cells in reading order.
    """
    rest = _tile_cells(state)
    laid = [0] * len(KINDS)
    for cell in sorted(rest):
        beside = [other for other in state.board.neighbours[cell] if other in rest and other > cell]
        if cell in rest and beside:
            rest -= {cell, beside[0]}
            laid[_kind(state, cell, beside[0])] += 1
    alone = sorted(rest)
    for cell, other in zip(alone[::2], alone[1::2] + alone[-1:], strict=False):
        laid[_kind(state, cell, other)] += 1
    return laid


def _kind(state: State, cell: int, other: int) -> int:
    one, two = COLORS[state.cells[cell] - 1], COLORS[state.cells[other] - 1]
    return box.KIND_NUMBER[box.KIND_OF[one, two]]


def _deal(state: State) -> None:
    """Deal three times round the kind with most tiles left; reading a position rolls no dice."""
    active = next(iter(seats_to_move(state)), 0)
    for seat in state.turn_order(active) * box.HAND_SIZE:
        if most := max(state.pile):
            kind = state.pile.index(most)
            state.pile[kind] -= 1
            state.hands[seat][kind] += 1


def _check_tiles(state: State) -> None:
    """Refuse more than 12 of a kind, 72 in all, or 48 halves of a colour: QIN-1.2."""
    counts = [sum(column) for column in zip(state.pile, *state.hands, strict=True)]
    for kind, count, most in zip(KINDS, counts, TILES, strict=True):
        if count > most:
            raise BadPosition(f"Hands and pile have {count} tiles {kind}; there are {most}.")
    if sum(counts) * 2 + len(_tile_cells(state)) > 2 * sum(TILES):
        raise BadPosition(f"Hands, pile and board have more than {sum(TILES)} tiles.")
    for color in COLORS:
        _check_halves(state, color, counts)


def _check_halves(state: State, color: str, counts: list[int]) -> None:
    """Refuse more halves of a colour than the box holds: QIN-1.2."""
    most = sum(kind.count(color) * count for kind, count in zip(KINDS, TILES, strict=True))
    left = sum(kind.count(color) * count for kind, count in zip(KINDS, counts, strict=True))
    covered = sum(COLORS[state.cells[cell] - 1] == color for cell in _tile_cells(state))
    if left + covered > most:
        raise BadPosition(f"There are more than {most} {box.COLOR_NAMES[color]} halves.")


def _tile_cells(state: State) -> set[int]:
    """The cells with halves of tiles: QIN-2.4."""
    pairs = enumerate(zip(state.cells, state.board.ground, strict=True))
    return {cell for cell, (what, ground) in pairs if what != ground}
