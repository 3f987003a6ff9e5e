"""The table as lines of text, for terminals and screen readers; 80 columns are enough."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from domain.engine.panel import count
from domain.engine.telling import Words
from domain.games.tigris_euphrates.board import COLORS, LEADER_NAMES, TILE_NAMES, board_of
from domain.games.tigris_euphrates.render import words
from domain.games.tigris_euphrates.telling import ENGLISH
from domain.games.tigris_euphrates.view import View

COLUMNS = 80
LEGEND = """\
. land  ~ river  s settlement  t temple  m market  f farm  # face down  X catastrophe
K king  P priest  T trader  F farmer, each with its seat   $ treasure, ! corner one
* last action   + unification tile   Leaders of a kingdom are listed below"""
SIGNS = dict(zip(COLORS, (name[0] for name in TILE_NAMES), strict=True))


def text(view: View, _words: Words = ENGLISH) -> str:
    """The whole table as this seat sees it."""
    lines = [
        f"Tigris & Euphrates{', open scores' if view.open_scores else ''}",
        *wrap(words.status(view), COLUMNS),
        *_conflict(view),
        *wrap(words.last_action(view), COLUMNS),
        *wrap(words.last_conflict(view), COLUMNS),
        "",
        *_board(view),
        "",
        *wrap(LEGEND.replace("\n", "   "), COLUMNS),
        "",
        *_kingdoms(view),
        *_monuments(view),
        "",
        *(line for seat in range(len(view.dynasties)) for line in _player(view, seat)),
        "",
        f"Bag: {view.bag} tiles. Treasures on the board: {len(view.treasures)}.",
        "Not seen yet: " + ", ".join(f"{count} {color}" for color, count in view.unseen.items()),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _conflict(view: View) -> Iterator[str]:
    if conflict := words.fighting(view):
        attack, defence = words.strengths(view, conflict)
        yield f"Attack from {conflict.attacker_at}: {attack}"
        yield f"Defence at {conflict.defender_at}: {defence}"


def _board(view: View) -> Iterator[str]:
    """A line of column letters, then a line for each row."""
    letters = (chr(ord("A") + col) for col in range(len(view.rows[0])))
    yield "  " + "".join(f"  {letter} " for letter in letters)
    signs = _signs(view)
    last = set(view.last.cells[-1:]) if view.last else set()
    for row, line in enumerate(view.rows):
        names = [f"{chr(ord('A') + col)}{row + 1}" for col in range(len(line))]
        cells = (f"{'*' if name in last else ' '}{signs[name]:3}" for name in names)
        yield f"{row + 1:2} {''.join(cells)}"


def _signs(view: View) -> dict[str, str]:
    """Up to three letters for each cell."""
    board = board_of(view.rows)
    signs = {name: "~" if wet else "." for name, wet in zip(board.names, board.river, strict=True)}
    signs.update({name: SIGNS[color] for name, color in view.tiles.items()})
    signs.update(dict.fromkeys(view.face_down, "#"))
    signs.update(dict.fromkeys(view.catastrophes, "X"))
    for piece in view.leaders:
        signs[piece.at] = f"{words.leader_name(piece.color)[0].upper()}{piece.seat}"
    for name in view.treasures:
        signs[name] += "!" if board.number[name] in board.corners else "$"
    if view.unification:
        signs[view.unification] += "+"
    return signs


def _kingdoms(view: View) -> Iterator[str]:
    """Each kingdom: its leaders, how many tiles of each kind, its treasures."""
    for number, kingdom in enumerate(view.kingdoms, 1):
        cells = set(kingdom)
        leaders = ", ".join(
            f"{words.leader_name(piece.color)} of seat {piece.seat} on {piece.at}"
            for piece in view.leaders
            if piece.at in cells
        )
        yield from wrap(f"Kingdom {number}: {leaders}; {_tiles(view, cells)}", COLUMNS)


def _tiles(view: View, cells: set[str]) -> str:
    laid = [color for name, color in view.tiles.items() if name in cells]
    counts = [
        count(laid.count(color), name)
        for color, name in zip(COLORS, TILE_NAMES, strict=True)
        if color in laid
    ]
    treasures = len(cells & set(view.treasures))
    held = [count(treasures, "treasure")] * bool(treasures)
    return ", ".join(counts + held) or "no tiles"


def _monuments(view: View) -> Iterator[str]:
    built = [f"{piece.monument} on {piece.at}" for piece in view.monuments if piece.at]
    free = [piece.monument for piece in view.monuments if not piece.at]
    yield from wrap(f"Monuments: {', '.join(built) or 'none built'}", COLUMNS)
    yield from wrap(f"Not yet built: {', '.join(free) or 'none'}", COLUMNS)


def _player(view: View, seat: int) -> Iterator[str]:
    """Dynasty, points, hand, leaders and catastrophe tiles in front of the screen."""
    notes = ["you"] if seat == view.seat else []
    notes += ["active"] if seat == view.active else []
    notes += ["winner"] if seat in view.winners else []
    whose = f" ({', '.join(notes)})" if notes else ""
    yield f"{words.seat_name(view, seat).capitalize()}{whose}"
    yield f"  points: {_points(view, seat)}"
    posted = {piece.color for piece in view.leaders if piece.seat == seat}
    free = [name for name, color in zip(LEADER_NAMES, COLORS, strict=True) if color not in posted]
    yield f"  hand: {_hand(view, seat)}"
    left = view.catastrophes_left[seat]
    yield f"  off the board: {', '.join(free) or 'no leader'}; catastrophe tiles: {left}"


def _points(view: View, seat: int) -> str:
    known = view.points[seat]
    if known is None:
        return "hidden"
    each = ", ".join(f"{points} {color}" for points, color in zip(known, COLORS, strict=True))
    treasures = count(view.treasures_taken[seat] or 0, "treasure")
    return f"{each}, {treasures}, score {view.scores[seat]}"


def _hand(view: View, seat: int) -> str:
    hand, size = view.hands[seat], view.hand_sizes[seat]
    if hand is None:
        return count(size, "hidden tile")
    return " ".join(hand) or "empty"
