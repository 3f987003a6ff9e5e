"""The table as lines of text, for terminals and screen readers; 80 columns are enough."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.engine.drawing.terminal_width import MAX_COLUMNS, pad, wrap
from domain.engine.resources.texts import figures
from domain.engine.sentences import SeatName, Words, seat_number, sentence
from domain.games.chang_cheng.places import board_name
from domain.games.chang_cheng.render.sentences import (
    events,
    is_scored_now,
    last_turn,
    leading,
    points_now,
    scoring_now,
    status,
    threat,
    value,
)
from domain.games.chang_cheng.view import CardView, CellView, ChinaView, MongolView, View

NARROW = 3
"""Columns for a cell."""
LEFT = 8
"""Columns for what stands at the left of the lines of a board."""
LEGEND = (
    ("plain_empty", "plain_single", "plain_double", "plain_tower", "plain_ruin"),
    ("plain_neutral", "plain_kept", "plain_touched", "plain_face_down"),
)
SIGNS = {"single": "", "tower": "^", "double": "=", "ruin": "x"}


def text(view: View, words: Words) -> str:
    """The whole table as this seat sees it."""
    heading = words("plain_heading", title=words("title"), face=view.face, turn=view.turn)
    lines = [
        heading,
        *wrap(status(view, words)),
        *wrap(scoring_now(view, words)),
        "",
        *_boards(view, words),
        *("   ".join(map(words, keys)) for keys in LEGEND),
        "",
        *wrap(last_turn(view, words)),
        "",
        *(line for seat in range(len(view.scores)) for line in wrap(_player(view, seat, words))),
        "",
        *_rest(view, words),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _boards(view: View, words: Words) -> Iterator[str]:
    """Each board with the Mongols above and China below."""
    for before, board in zip((None, *view.boards), view.boards, strict=False):
        cells = [cell for cell in view.wall if cell.name.startswith(f"{board}:")]
        yield _board_heading(before, board, words)
        yield from _mongols(view, board, words)
        yield pad(f"  {words('plain_north')}", LEFT) + _borders([cell.mongol for cell in cells])
        yield " " * LEFT + "".join(f"{cell.name.split(':')[1]:>{NARROW}} " for cell in cells)
        yield pad(f"  {words('plain_wall')}", LEFT) + "".join(_cell(view, cell) for cell in cells)
        yield pad(f"  {words('plain_south')}", LEFT) + _borders([cell.china for cell in cells])
        yield from _china(view, board, words)
        yield ""


def _board_heading(before: str | None, board: str, words: Words) -> str:
    """The sign of a board, and of the one on its left."""
    if before is None:
        return words("plain_board", board=board_name(board))
    return words("plain_board_after", board=board_name(board), before=board_name(before))


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
        kept = _kept(cell.kept_for) if cell.kept_for else "."
        return f"{kept:>{NARROW}} "
    owner = "n" if cell.seat is None else str(seat_number(cell.seat))
    sign = "" if cell.kind == "double" else SIGNS[cell.kind]
    return f"{touched + owner + sign:>{NARROW}}" + ("=" if cell.joined else " ")


def _kept(seats: Iterable[int]) -> str:
    """The sign of a cell that is reserved for these seats, with their numbers."""
    return "".join(["(", *(str(seat_number(seat)) for seat in seats)])


def _mongols(view: View, board: str, words: Words) -> Iterator[str]:
    regions = [one for one in view.mongol if one.name.startswith(f"{board}:")]
    yield from _indent(words("plain_pause").join(_mongol(one, words) for one in regions))


def _mongol(region: MongolView, words: Words) -> str:
    """The threat of a region, and who knows it."""
    short = region.name.split(":")[1]
    if region.removed:
        return words("plain_no_threat", region=short)
    told = words("plain_threat", region=short, threat=threat(region))
    if region.open:
        return words("plain_open", what=told)
    if not region.seen_by:
        return told
    return words("plain_seen", what=told, seats=tuple(map(SeatName, region.seen_by)))


def _china(view: View, board: str, words: Words) -> Iterator[str]:
    for region in view.china:
        if region.name.startswith(f"{board}:"):
            yield from _indent(_region(view, region, words))


def _indent(said: str) -> Iterator[str]:
    return (f"  {line}" for line in wrap(said, MAX_COLUMNS - 2))


def _region(view: View, region: ChinaView, words: Words) -> str:
    """The value of a region, its cards, and whether it has scored."""
    short, worth = region.name.split(":")[1], value(view, region)
    parts = [words("plain_value", region=short, value=worth, prestige=region.prestige)]
    if region.cards:
        cards = words("list_more").join(_lying(card, words) for card in region.cards)
        parts.append(words("plain_cards", cards=cards))
    parts += _describe_score(view, region, words) + [words("sign_emperor")] * region.emperor
    return words("plain_pause").join(parts)


def _lying(card: CardView, words: Words) -> str:
    """A card that lies in a region."""
    return words("plain_lying", number=card.number or "?", seat=SeatName(card.seat))


def _describe_score(view: View, region: ChinaView, words: Words) -> list[str]:
    """What became of a region that is full, or who would score another one now."""
    if is_scored_now(view, region):
        return [words("plain_scored_now"), *_leading(view, region, words)]
    if not region.scored:
        return _leading(view, region, words)
    if region.brought is None:
        return [words("scored")]
    if not region.won_by:
        return [words("won_by_nobody")]
    seats, points = tuple(map(SeatName, region.won_by)), sentence("points", count=region.brought)
    return [words("plain_brought", points=points, seats=seats)]


def _leading(view: View, region: ChinaView, words: Words) -> list[str]:
    """Who would score a region now, and how much."""
    seats = tuple(SeatName(seat) for seat in leading(view, region) if seat is not None)
    points = sentence("points", count=points_now(view, region))
    return [words("plain_leading", points=points, seats=seats)] if seats else []


def _player(view: View, seat: int, words: Words) -> str:
    """Points, pieces, cards."""
    colour = sentence(f"colour_{view.colours[seat]}")
    key = "seat_yours" if seat == view.seat else "seat"
    supply = view.unbuilt[seat]
    pieces = [
        words("singles", count=supply.singles),
        words("doubles", count=supply.doubles),
        words("towers", count=supply.towers),
    ]
    return words(
        "plain_player",
        seat=words(key, seat=words.heading(seat), colour=colour),
        points=sentence("points", count=view.scores[seat]),
        pieces=words("list_more").join(pieces),
        cards=_cards(view, seat, words),
    )


def _cards(view: View, seat: int, words: Words) -> str:
    """The hand of a seat, as far as the viewer may know it."""
    hand = view.cards_in_hand[seat]
    if hand is None:
        return words("cards", count=view.hand_sizes[seat])
    if not hand:
        return words("no_cards")
    listed = words("list_more").join(f"{number} {words(f'card_{number}')}" for number in hand)
    return words("plain_cards", cards=listed)


def _rest(view: View, words: Words) -> Iterator[str]:
    """What lies beside the boards."""
    beside = {"emperors": view.emperors, "extensions": view.extensions, "events": events(view)}
    yield from wrap(words("plain_beside", **beside))
    if view.neutral is not None:
        yield words("plain_neutrals", singles=view.neutral)
    if view.reserve:
        yield words("plain_reserve", boards=tuple(map(board_name, view.reserve)))
    prestige = ((number, left) for number, left in enumerate(view.prestige_left))
    yield words("plain_prestige", piles=_piles(prestige, words))
    threats = ((figures(-int(loss)), left) for loss, left in view.unseen.items())
    yield words("plain_unseen", piles=_piles(threats, words))


def _piles(counts: Iterable[tuple[int | str, int]], words: Words) -> str:
    """How many tiles there are of each value."""
    piles = [words("plain_of", left=left, value=value) for value, left in counts]
    return words("list_more").join(piles)
