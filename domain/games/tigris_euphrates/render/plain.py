"""The table as text for terminals and screen readers, at most 80 columns wide."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from domain.engine.drawing.panel import seat_note
from domain.engine.drawing.terminal_width import pad, wrap
from domain.engine.sentences import SeatName, Sentence, Words, seat_number, sentence
from domain.games.tigris_euphrates.board import COLORS, board_of
from domain.games.tigris_euphrates.render import sentences
from domain.games.tigris_euphrates.view import View


def text(view: View, words: Words) -> str:
    """The whole table as the seat of this view sees it."""
    owners = sentences.with_dynasties(view, words)
    lines = [
        words("title_open") if view.open_scores else words("title"),
        *wrap(sentences.status(view, owners)),
        *_conflict(view, words),
        *(line for said in sentences.news(view, owners) for line in wrap(said)),
        "",
        *_board(view, words),
        "",
        *(words(f"plain_legend_{part}") for part in ("ground", "tiles", "leaders")),
        "",
        *_kingdoms(view, words),
        *_monuments(view, words),
        "",
        *(line for seat in range(len(view.dynasties)) for line in _player(view, seat, words)),
        "",
        words("plain_bag", tiles=sentence("tiles", count=view.bag), treasures=len(view.treasures)),
        words("plain_unseen", tiles=_by_color(view.unseen.values(), words)),
    ]
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _by_color(numbers: Iterable[int], words: Words) -> str:
    return sentences.join_parts(words, sentences.by_color(numbers))


def _conflict(view: View, words: Words) -> Iterator[str]:
    if conflict := sentences.fighting(view):
        attack, defence = sentences.strengths(view, conflict)
        yield words("plain_attack", at=conflict.attacker_at, strength=attack)
        yield words("plain_defence", at=conflict.defender_at, strength=defence)


def _board(view: View, words: Words) -> Iterator[str]:
    """A line of column letters, then one line per row."""
    letters = (chr(ord("A") + col) for col in range(len(view.rows[0])))
    yield "  " + "".join(f"  {letter} " for letter in letters)
    signs = _signs(view, words)
    last = set(view.last.cells[-1:]) if view.last else set()
    for row, line in enumerate(view.rows):
        names = [f"{chr(ord('A') + col)}{row + 1}" for col in range(len(line))]
        cells = (f"{'*' if name in last else ' '}{pad(signs[name], 3)}" for name in names)
        yield f"{row + 1:2} {''.join(cells)}"


def _signs(view: View, words: Words) -> dict[str, str]:
    """Up to three characters for each cell."""
    board = board_of(view.rows)
    signs = {name: "~" if wet else "." for name, wet in zip(board.names, board.river, strict=True)}
    signs.update({name: words(f"sign_tile_{color}") for name, color in view.tiles.items()})
    signs.update(dict.fromkeys(view.face_down, "#"))
    signs.update(dict.fromkeys(view.catastrophes, "X"))
    for piece in view.leaders:
        signs[piece.at] = f"{words(f'sign_leader_{piece.color}')}{seat_number(piece.seat)}"
    for name in view.treasures:
        signs[name] += "!" if board.number[name] in board.corners else "$"
    if view.unification:
        signs[view.unification] += "+"
    return signs


def _kingdoms(view: View, words: Words) -> Iterator[str]:
    """Each kingdom: its leaders, its tiles of each kind, its treasures."""
    for number, kingdom in enumerate(view.kingdoms, 1):
        cells = set(kingdom)
        leaders = (
            sentence(
                "leader_of",
                leader=Sentence(f"leader_{piece.color}"),
                seat=SeatName(piece.seat),
                at=piece.at,
            )
            for piece in view.leaders
            if piece.at in cells
        )
        held = sentences.join_parts(words, _count(view, cells)) or words("no_tiles")
        led = sentences.join_parts(words, leaders)
        yield from wrap(words("plain_kingdom", number=number, leaders=led, held=held))


def _count(view: View, cells: set[str]) -> Iterator[Sentence]:
    """The number of tiles of each kind and of treasures on some cells."""
    laid = [color for name, color in view.tiles.items() if name in cells]
    for color in COLORS:
        if color in laid:
            yield sentence(f"laid_{color}", count=laid.count(color))
    if treasures := len(cells & set(view.treasures)):
        yield sentence("treasures", count=treasures)


def _monuments(view: View, words: Words) -> Iterator[str]:
    """Built and unbuilt monuments."""
    pairs = [(_pair(piece.monument), piece.at) for piece in view.monuments]
    built = [sentence("monument_on", monument=pair, at=at) for pair, at in pairs if at]
    free = [pair for pair, at in pairs if not at]
    told = sentences.join_parts(words, built) or words("none_built")
    yield from wrap(words("plain_monuments", monuments=told))
    told = sentences.join_parts(words, free) or words("list_empty")
    yield from wrap(words("plain_not_built", monuments=told))


def _pair(monument: str) -> Sentence:
    """A monument by its two colours."""
    one, two = monument.split("-")
    return sentence("pair", one=Sentence(f"color_{one}"), two=Sentence(f"color_{two}"))


def _player(view: View, seat: int, words: Words) -> Iterator[str]:
    """Dynasty, points, hand, leaders and catastrophe tiles in front of the screen."""
    dynasty = sentences.dynasty(view, seat)
    owner = words("owner", seat=words.heading(seat), dynasty=dynasty)
    notes = seat_note(view, seat, view.active, words)
    yield words("owner_noted", owner=owner, notes=notes) if notes else owner
    yield f"  {words('plain_points', points=_points(view, seat, words))}"
    yield f"  {words('plain_hand', hand=_hand(view, seat, words))}"
    posted = {piece.color for piece in view.leaders if piece.seat == seat}
    free = [Sentence(f"leader_{color}") for color in COLORS if color not in posted]
    leaders = sentences.join_parts(words, free) or words("no_leader")
    left = view.catastrophes_left[seat]
    yield f"  {words('plain_supply', leaders=leaders, number=left)}"


def _points(view: View, seat: int, words: Words) -> str:
    known = view.points[seat]
    if known is None:
        return words("hidden")
    parts = [
        *sentences.by_color(known),
        sentence("treasures", count=view.treasures_taken[seat] or 0),
        sentence("score", score=view.scores[seat] or 0),
    ]
    return sentences.join_parts(words, parts)


def _hand(view: View, seat: int, words: Words) -> str:
    hand = view.hands[seat]
    if hand is None:
        return words("hidden_tiles", count=view.hand_sizes[seat])
    return " ".join(words(f"color_{color}") for color in hand) or words("empty")
