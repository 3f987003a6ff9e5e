"""The table as lines of text, for terminals and screen readers; 80 columns are enough."""

from __future__ import annotations

from collections.abc import Iterator
from textwrap import wrap

from domain.engine.panel import count
from domain.engine.telling import Words
from domain.games.chang_cheng.board import CARD_NAMES
from domain.games.chang_cheng.render import words
from domain.games.chang_cheng.telling import ENGLISH
from domain.games.chang_cheng.view import CellView, ChinaView, View

COLUMNS = 80
NARROW = 3
"""Columns for a cell."""
LEGEND = """\
. empty   0 single   0=0 double   0^ tower   0x ruin, each of the seat it names
n neutral   (0 kept for this seat   * touched in the last turn   ? face down"""
SIGNS = {"single": "", "tower": "^", "double": "=", "ruin": "x"}


def text(view: View, _words: Words = ENGLISH) -> str:
    """The whole table as this seat sees it."""
    lines = [
        f"Chang Cheng, face {view.face}, turn {view.turn}",
        *wrap(words.status(view), COLUMNS),
        *wrap(words.scoring_now(view), COLUMNS),
        "",
        *_boards(view),
        *LEGEND.splitlines(),
        "",
        *wrap(words.last_turn(view), COLUMNS),
        "",
        *(line for seat in range(len(view.scores)) for line in wrap(_player(view, seat), COLUMNS)),
        "",
        *_rest(view),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _boards(view: View) -> Iterator[str]:
    """Each board with the Mongols above and China below."""
    for board in view.boards:
        cells = [cell for cell in view.cells if cell.name.startswith(f"{board}:")]
        yield f"Board {board}"
        yield from _mongols(view, board)
        yield "  north " + _borders([cell.mongol for cell in cells])
        yield "        " + "".join(f"{cell.name.split(':')[1]:>{NARROW}} " for cell in cells)
        yield "  wall  " + "".join(_cell(view, cell) for cell in cells)
        yield "  south " + _borders([cell.china for cell in cells])
        yield from _china(view, board)
        yield ""


def _borders(regions: list[str]) -> str:
    """A line with the number of each region, and a bar where it ends."""
    line = ""
    for place, region in enumerate(regions):
        first = not place or regions[place - 1] != region
        last = place + 1 == len(regions) or regions[place + 1] != region
        line += f"{region.split(':')[1] if first else '':-^{NARROW}}" + ("|" if last else "-")
    return line


def _cell(view: View, cell: CellView) -> str:
    touched = "*" if view.last is not None and cell.name in view.last.cells else ""
    if cell.kind is None:
        kept = f"({''.join(map(str, cell.kept_for))}" if cell.kept_for else "."
        return f"{kept:>{NARROW}} "
    owner = "n" if cell.seat is None else str(cell.seat)
    sign = "" if cell.kind == "double" else SIGNS[cell.kind]
    return f"{touched + owner + sign:>{NARROW}}" + ("=" if cell.joined else " ")


def _mongols(view: View, board: str) -> Iterator[str]:
    parts = []
    for region in view.mongol:
        if region.name.startswith(f"{board}:"):
            seen = "".join(map(str, region.seen_by))
            known = ", open" if region.open else f", seen by {seen}" if seen else ""
            parts.append(f"{region.name.split(':')[1]} threat {words.threat(region)}{known}")
    yield from _indented("; ".join(parts))


def _china(view: View, board: str) -> Iterator[str]:
    for region in view.china:
        if region.name.startswith(f"{board}:"):
            yield from _indented(_region(view, region))


def _indented(sentence: str) -> list[str]:
    return wrap(sentence, COLUMNS, initial_indent="  ", subsequent_indent="  ")


def _region(view: View, region: ChinaView) -> str:
    """Value, cards, whether it was scored."""
    short = region.name.split(":")[1]
    parts = [f"{short} value {words.value(view, region)} with prestige {region.prestige}"]
    if region.cards:
        cards = (f"{card.number or '?'} of seat {card.seat}" for card in region.cards)
        parts.append(f"cards {', '.join(cards)}")
    parts += _scored(view, region) + ["emperor"] * region.emperor
    return "; ".join(parts)


def _scored(view: View, region: ChinaView) -> list[str]:
    """What became of a region that is full."""
    if words.is_scored_now(view, region):
        return ["being scored"]
    if not region.scored or region.brought is None:
        return ["scored"] * region.scored
    seats = " and ".join(f"seat {seat}" for seat in region.won_by) or "nobody"
    return [f"{count(region.brought, 'point')} to {seats}"]


def _player(view: View, seat: int) -> str:
    supply, hand = view.supply[seat], view.hands[seat]
    kinds = {"single": supply.singles, "double": supply.doubles, "tower": supply.towers}
    pieces = ", ".join(count(number, kind) for kind, number in kinds.items())
    whose = " (you)" if seat == view.seat else ""
    if hand is None:
        cards = count(view.hand_sizes[seat], "card")
    else:
        cards = "cards " + (", ".join(f"{n} {CARD_NAMES[n]}" for n in hand) or "none")
    name = words.seat_name(view, seat).capitalize()
    return f"{name}{whose}: {count(view.scores[seat], 'point')}; {pieces}; {cards}"


def _rest(view: View) -> Iterator[str]:
    """What lies beside the boards."""
    events = words.events(view)
    yield f"Emperor cards {view.emperors}, extensions {view.extensions}, events: {events}"
    if view.neutral is not None:
        yield f"Neutral singles: {view.neutral}"
    if view.reserve:
        yield f"Boards in reserve: {', '.join(view.reserve)}"
    piles = ", ".join(f"{left} of {number}" for number, left in enumerate(view.prestige_left))
    yield f"Prestige pile: {piles}"
    unseen = ", ".join(f"{left} of -{number}" for number, left in view.unseen.items())
    yield f"Threats not seen: {unseen}"
