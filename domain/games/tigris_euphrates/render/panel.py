"""What stands beside the board: whose turn it is, the players, the conflict, the supply."""

from __future__ import annotations

from collections.abc import Iterator

from domain.engine.drawing.layout import Panel, plain_panel, seat_panel, seats_from_own
from domain.engine.drawing.panel import FAINT, INK, PAPER, seat_card, seat_note
from domain.engine.drawing.seat_marks import COLOURS, SeatMark
from domain.engine.drawing.svg import Markup, circle, group, mark, rect, text
from domain.engine.drawing.terminal_width import wrap
from domain.engine.sentences import SeatName, Sentence, Words, sentence
from domain.games.tigris_euphrates import touch
from domain.games.tigris_euphrates.board import COLORS, MONUMENT_COLORS, Cell, Color
from domain.games.tigris_euphrates.render import pieces, sentences
from domain.games.tigris_euphrates.render.pieces import AT_ODDS
from domain.games.tigris_euphrates.view import View

WIDTH = 340
HEAD = 194
OWN, SEAT, POINTS = 182, 80, 32
"""The height of the viewer's card, of another card, and of known points in the latter."""
CONFLICT, MONUMENTS, SUPPLY = 118, 74, 74
TILE, SMALL_TILE = 46, 25
"""From one tile of a hand to the next: a finger's width for the viewer, else just to be seen."""
LEFT = 14
SWATCH = 27


def panels(view: View, words: Words) -> Iterator[Panel]:
    """The turn, the players, the conflict, and what lies beside the board."""
    yield plain_panel(words, "head", (WIDTH, HEAD), _head(view, words))
    seats = [_seat(view, seat, words) for seat in seats_from_own(view, len(view.dynasties))]
    yield from seats[: view.seat is not None]
    yield from _conflict(view, words)
    yield from seats[view.seat is not None :]
    yield _table("monuments", words(_monuments_heading(view)), MONUMENTS, _monuments(view, words))
    yield _table("supply", words("unseen"), SUPPLY, _supply(view, words))


def _table(name: str, label: str, height: float, parts: Iterator[Markup]) -> Panel:
    return Panel(name, "table", label, WIDTH, height, tuple(parts))


def _seat(view: View, seat: int, words: Words) -> Panel:
    """The card of a player: large for the viewer, whose tiles and leaders are touched there."""
    if seat == view.seat:
        return seat_panel(view, words, seat, (WIDTH, OWN), _own(view, seat, words))
    height = SEAT + (POINTS if view.points[seat] else 0)
    return seat_panel(view, words, seat, (WIDTH, height), _other(view, seat, height, words))


def _head(view: View, words: Words) -> Iterator[Markup]:
    """The title, whose turn it is, and the last events."""
    yield text(0, 30, words("title"), 30, fill=INK, font_weight=700)
    now = _headline(view, words)[:4]
    for number, line in enumerate(now):
        yield text(0, 57 + number * 21, line, 16.5, fill=INK, font_weight=700)
    for number, line in enumerate(_news(view, words)[: 7 - max(3, len(now))]):
        yield text(0, 61 + 21 * max(3, len(now)) + 20 * number, line, 16, fill=FAINT)


def _headline(view: View, words: Words) -> list[str]:
    """Who decides; during a conflict also the strengths."""
    if view.ended is not None:
        return [words("game_over", reason=Sentence(f"end_{view.ended}"))]
    if view.awaiting and (conflict := sentences.fighting(view)):
        attack, defence = sentences.strengths(view, conflict)
        leaders = Sentence(f"leaders_{conflict.color}")
        color = Sentence(f"color_{conflict.support}")
        key = "headline_commit_you" if words.reader(view) in view.awaiting else "headline_commit"
        return [
            words(f"headline_{conflict.kind}", leaders=leaders, attack=attack, defence=defence),
            words.line(sentence(key, seat=SeatName(view.awaiting[0]), color=color)),
        ]
    return wrap(sentences.status(view, sentences.with_dynasties(view, words)), 36)


def _news(view: View, words: Words) -> list[str]:
    """The last action and the outcome of the last conflict, without dynasties to save space."""
    return [line for said in sentences.news(view, words) for line in wrap(said, 42)]


def _own(view: View, seat: int, words: Words) -> Iterator[Markup]:
    """The viewer's card: who they are, points, tiles, and what else they may place."""
    yield from _name(view, seat, OWN, words)
    yield group(*_points(view, seat, words), at=(LEFT, 67))
    for number, color in enumerate(view.hands[seat] or ()):
        piece = mark(touch.tile(color), pieces.tile(COLORS.index(color), TILE + 4))
        yield group(piece, at=(37 + number * TILE, 110))
    for place, number in enumerate(_free_leaders(view, seat)):
        piece = pieces.leader(number, view.dynasties[seat], _initial(number, words), 0.95)
        yield group(mark(touch.leader(COLORS[number]), piece), at=(37 + place * 48, 156))
    for place in range(view.catastrophes_left[seat]):
        tile = mark(touch.CATASTROPHE.of(), pieces.catastrophe(TILE))
        yield group(tile, at=(252 + place * 48, 156))


def _other(view: View, seat: int, height: float, words: Words) -> Iterator[Markup]:
    """The card of another player: what all may know, in two lines or three."""
    yield from _name(view, seat, height, words)
    hand = view.hands[seat]
    tiles = (
        [pieces.back(SMALL_TILE)] * view.hand_sizes[seat]
        if hand is None
        else [pieces.tile(COLORS.index(color), SMALL_TILE + 2) for color in hand]
    )
    for number, tile in enumerate(tiles):
        yield group(tile, at=(25 + number * SMALL_TILE, 64))
    for place, number in enumerate(_free_leaders(view, seat)):
        yield group(pieces.initial(number, _initial(number, words)), at=(182 + place * 25, 64))
    for place in range(view.catastrophes_left[seat]):
        yield group(pieces.catastrophe(SMALL_TILE + 1), at=(286 + place * 26, 64))
    if view.points[seat]:
        yield group(*_points(view, seat, words), at=(LEFT, 95))


def _name(view: View, seat: int, height: float, words: Words) -> Iterator[Markup]:
    """The background of a card, and who sits there."""
    yield seat_card(view, seat, WIDTH, height)
    yield circle(30, 25, 18, fill=PAPER, stroke=INK, stroke_width=1.5)
    yield group(pieces.dynasty_sign(view.dynasties[seat], 0.85), at=(30, 25))
    name = words("card", seat=words.heading(seat), dynasty=sentences.dynasty(view, seat))
    yield text(56, 22, name, 17, fill=INK, font_weight=700)
    yield text(56, 42, seat_note(view, seat, view.active, words), 15, fill=INK, font_weight=700)


def _points(view: View, seat: int, words: Words) -> Iterator[Markup]:
    """Points by colour, treasures, and the colour that counts; nothing if they are hidden."""
    for color, number in enumerate(view.points[seat] or ()):
        yield group(*_purse(color, number), at=(color * 51, 0))
    if (taken := view.treasures_taken[seat]) is not None:
        yield group(pieces.treasure(scale=1.1), at=(215, 0))
        yield text(229, 6, str(taken), 18, fill=INK, font_weight=700)
    if (score := view.scores[seat]) is not None:
        said = words("score", score=score)
        yield text(WIDTH - 2 * LEFT, 6, said, 17, fill=INK, text_anchor="end")


def _purse(color: int, number: int) -> Iterator[Markup]:
    """The points of a colour, with its sign."""
    mark = pieces.MARKS[color]
    yield rect(0, -12, 48, 25, rx=5, fill=pieces.TINTS[color])
    yield group(pieces.sign(color), at=(12, 0.5), scale=0.48)
    yield text(35, 6.5, str(number), 18, fill=mark, font_weight=700, text_anchor="middle")


def _free_leaders(view: View, seat: int) -> list[int]:
    """The colours of the leaders that a seat has not on the board, by number."""
    posted = {piece.color for piece in view.leaders if piece.seat == seat}
    return [number for number, color in enumerate(COLORS) if color not in posted]


def _initial(color: int, words: Words) -> str:
    return words(f"sign_leader_{COLORS[color]}")


def _conflict(view: View, words: Words) -> Iterator[Panel]:
    """Both leaders in conflict, their strengths in large letters, and what tiles support them."""
    if view.awaiting and (conflict := sentences.fighting(view)):
        attack, defence = sentences.strengths(view, conflict)
        heading = words(f"panel_{conflict.kind}", leaders=Sentence(f"leaders_{conflict.color}"))
        sides = (
            (conflict.attacker, "attack", conflict.attacker_at, attack),
            (conflict.defender, "defence", conflict.defender_at, defence),
        )
        parts = [
            rect(1, 1, WIDTH - 2, CONFLICT - 2, rx=9, fill=PAPER, stroke=AT_ODDS, stroke_width=2.5),
            text(LEFT, 26, heading, 17, fill=INK, font_weight=700),
            group(pieces.tile(COLORS.index(conflict.support), SWATCH), at=(WIDTH - 26, 22)),
            *(
                group(*_side(view, conflict.color, side, words), at=(LEFT + place * 160, 36))
                for place, side in enumerate(sides)
            ),
        ]
        yield _table("conflict", heading, CONFLICT, iter(parts))


def _side(
    view: View, color: Color, side: tuple[int, str, Cell, str], words: Words
) -> Iterator[Markup]:
    """A leader in conflict, its strength, and where it stands."""
    seat, role, cell, strength = side
    number = COLORS.index(color)
    yield group(pieces.leader(number, view.dynasties[seat], _initial(number, words)), at=(23, 25))
    yield text(54, 35, strength, 26, fill=INK, font_weight=700)
    yield text(0, 69, words(f"strength_{role}", at=cell), 15, fill=FAINT)


def _monuments_heading(view: View) -> str:
    return "all_built" if all(built.at for built in view.monuments) else "to_build"


def _monuments(view: View, words: Words) -> Iterator[Markup]:
    """The monuments that are not built yet."""
    yield text(0, 14, words(_monuments_heading(view)), 16, fill=FAINT)
    free = [number for number, built in enumerate(view.monuments) if built.at is None]
    for place, number in enumerate(free):
        piece = pieces.monument(MONUMENT_COLORS[number], 0.68)
        name = touch.MONUMENT.of(view.monuments[number].monument)
        yield group(mark(name, piece), at=(29 + place * 56, 52))


def _supply(view: View, words: Words) -> Iterator[Markup]:
    """The tiles in the bag, and those that no player has seen."""
    tiles, treasures = sentence("tiles", count=view.bag), sentences.treasures(view)
    yield text(0, 16, words("bag", tiles=tiles, treasures=treasures), 16, fill=INK)
    yield text(0, 54, words("unseen"), 16, fill=FAINT)
    for color, unseen in enumerate(view.unseen.values()):
        at = (114 + color * 60, 48)
        yield group(pieces.tile(color, SWATCH), text(17, 6, str(unseen), 17, fill=INK), at=at)


def seat_mark(view: View, seat: int) -> SeatMark:
    """The dynasty of a seat; in a ring, since the colours of leaders are those of spheres."""
    colour = COLOURS[seat]
    ring = circle(0, 0, 18, fill=PAPER, stroke=colour, stroke_width=4)
    return SeatMark(colour, group(ring, pieces.dynasty_sign(view.dynasties[seat], 0.8)))
