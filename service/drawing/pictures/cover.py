"""The picture of a game that links show: what it is about, for whom, how long, and how it looks."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from msgspec import Struct

from domain.engine.dice import Luck, choose
from domain.engine.drawing.layout import Picture
from domain.engine.drawing.panel import KEPT_INK, PAPER
from domain.engine.drawing.svg import Markup, circle, document, group, path, rect, text
from domain.engine.game import Game, advance, legal_moves, new_state, seats_to_move
from domain.engine.sentences import Words, capitalize
from service.drawing.charts.text_metrics import text_width, truncate, wrap
from service.drawing.charts.texts import words_in
from service.drawing.pictures.fonts import code_points
from service.drawing.pictures.result_card import HEIGHT, WIDTH, fit_map

MOVE_COUNT = 24
LUCK_SEED = 3
MOST_WEIGHT = 5
LOOK_WIDTH, LOOK_HEIGHT = 640, 320
_BAND = 456
_MARGIN = 36
_ROOM = _BAND - 2 * _MARGIN
_LETTERS = "#FBF7EC"
_SOFT, _DIM, _ACCENT = "#E9DFC9", "#7D7263", "#C8553D"
_TITLE_SIZE, _FOOT_SIZE = 52, 20
_SIZES = (25, 23, 21, 19, 17)
_LEADING = 1.34
_MAX_TITLE_LINES, _MAX_GOAL_LINES = 2, 12
_MARK_SCALE = 0.9
_MARK_WIDTH = 46
_FACT_HEIGHT = 42
_PERSON = "M0-4a5 5 0 1 0-.1 0zM-9 10c0-9 4-12 9-12s9 3 9 12z"
_HANDS = "M0-6V0l4 3"
_BOX = "M-8-4 0-9 8-4V5L0 10-8 5zM-8-4 0 1 8-4M0 1V10"


class GameFacts(Struct, frozen=True):
    """What somebody who chooses a game wants to know, in words."""

    players: str
    minutes: str  # "" if the game does not say
    weight: int  # 1 to MOST_WEIGHT; 0 if the game does not say
    weight_in_words: str
    modes: tuple[str, ...]  # besides the default one


class Cover(Struct, frozen=True):
    """What the picture says beside the board."""

    goal: str
    facts: GameFacts
    marks: tuple[str, ...]  # of the seats
    house: str  # the name of the service

    def draw(self, picture: Picture, words: Words) -> Markup:
        """Return the board with a band that says what the game is, as an SVG document of WIDTH by
        HEIGHT.
        """
        left = _BAND + _MARGIN
        return document(
            WIDTH,
            HEIGHT,
            picture.title,
            self.goal,
            *picture.definitions,
            rect(0, 0, WIDTH, HEIGHT, fill=PAPER),
            fit_map(picture, left, _MARGIN, WIDTH - _MARGIN - left, HEIGHT - 2 * _MARGIN),
            rect(0, 0, _BAND, HEIGHT, fill=KEPT_INK),
            rect(_BAND, 0, 8, HEIGHT, fill=_ACCENT),
            *_draw_words(self, words.texts["title"]),
            *_draw_facts(self),
        )


def describe_game(game: Game[Any], language: str) -> GameFacts:
    """Return for how many players a game is, how long it takes, how much there is to learn and to
    consider, and its other modes.
    """
    words, texts = words_in(language), game.words(language).texts
    few, many = game.seat_range[0], game.seat_range[-1]
    minutes = game.minutes and words("fact_minutes", few=game.minutes[0], many=game.minutes[1])
    return GameFacts(
        players=words("fact_players", few=few, many=many),
        minutes=minutes or "",
        weight=game.weight or 0,
        weight_in_words=words(f"weight_{game.weight}") if game.weight else "",
        modes=tuple(
            capitalize(texts[f"option_mode_{mode}"])
            for mode in game.seats_by_mode
            if game.non_default_mode(game.options(mode=mode))
        ),
    )


@cache
def sample_view(game: Game[Any]) -> Any:  # noqa: ANN401  any game
    """Return what a spectator sees of a game with all its seats, after some moves."""
    luck, seats = Luck(LUCK_SEED), game.seats[-1]
    state = new_state(game, game.setup(game.options(), seats), seats, luck)
    for _ in range(MOVE_COUNT):
        if seat := seats_to_move(state)[:1]:
            advance(game, state, choose(luck, legal_moves(game, state, seat[0])), luck)
    return game.view(state, None)


def make_cover(game: Game[Any], language: str, house: str) -> Cover:
    """Return what the picture of a game says."""
    view = sample_view(game)
    marks = tuple(game.seat_mark(view, seat).sign for seat in range(game.seats[-1]))
    return Cover(game.goal_in(language), describe_game(game, language), marks, house)


def draw_look(picture: Picture) -> Markup:
    """Return only the board, as an SVG document of LOOK_WIDTH by LOOK_HEIGHT."""
    return document(
        LOOK_WIDTH,
        LOOK_HEIGHT,
        picture.title,
        picture.description,
        *picture.definitions,
        rect(0, 0, LOOK_WIDTH, LOOK_HEIGHT, fill=PAPER),
        fit_map(picture, 0, 0, LOOK_WIDTH, LOOK_HEIGHT),
    )


def _draw_words(cover: Cover, title: str) -> Iterator[Markup]:
    y: float = _MARGIN + _TITLE_SIZE - 6
    for line in wrap(title, _TITLE_SIZE, _ROOM, _MAX_TITLE_LINES):
        yield text(_MARGIN, y, line, _TITLE_SIZE, font_weight="bold", fill=_LETTERS)
        y += _TITLE_SIZE + 8
    size, lines = _fit_goal(cover, _top_of_facts(cover) - y)
    for line in lines:
        yield text(_MARGIN, y, line, size, fill=_SOFT)
        y += size * _LEADING
    if code_points().issuperset(map(ord, cover.house)):
        house = truncate(cover.house, _FOOT_SIZE, _ROOM)
        yield text(_MARGIN, HEIGHT - _MARGIN + 6, house, _FOOT_SIZE, fill=_SOFT)


def _fit_goal(cover: Cover, room: float) -> tuple[int, list[str]]:
    """Return the largest size in which the goal takes no more room, and its lines."""
    wrapped = {size: wrap(cover.goal, size, _ROOM, _MAX_GOAL_LINES) for size in _SIZES}
    fitting = (size for size in _SIZES if len(wrapped[size]) * size * _LEADING <= room)
    size = next(fitting, _SIZES[-1])
    return size, wrapped[size]


def _top_of_facts(cover: Cover) -> float:
    """Return where the signs of the seats begin."""
    facts = cover.facts
    rows = len(facts.modes) + bool(facts.weight) + bool(facts.minutes) + 1
    return HEIGHT - _MARGIN - 40 - rows * _FACT_HEIGHT - 34


def _draw_facts(cover: Cover) -> Iterator[Markup]:
    """Yield the signs of the seats, and the facts that are known, above the foot of the band."""
    facts = cover.facts
    rows = [
        *((_draw_box(), mode) for mode in reversed(facts.modes)),
        *([(_draw_weight(facts.weight), facts.weight_in_words)] if facts.weight else []),
        *([(_draw_clock(), facts.minutes)] if facts.minutes else []),
        (path(_PERSON, fill=_SOFT), facts.players),
    ]
    y = HEIGHT - _MARGIN - 40
    for sign, said in rows:
        indent = 24 * MOST_WEIGHT if said == facts.weight_in_words else 34
        yield group(sign, at=(_MARGIN + 10, y - 9))
        room = _ROOM - indent
        size = next((one for one in _SIZES if text_width(said, one) <= room), _SIZES[-1])
        yield text(_MARGIN + indent, y, truncate(said, size, room), size, fill=_SOFT)
        y -= _FACT_HEIGHT
    for seat, mark in enumerate(cover.marks):
        at = (_MARGIN + 18 + seat * _MARK_WIDTH, y - 12)
        yield group(Markup(mark), at=at, scale=_MARK_SCALE)


def _draw_clock() -> Markup:
    parts = (circle(0, 0, 9.5), path(_HANDS, stroke_linecap="round"))
    return group(*parts, fill="none", stroke=_SOFT, stroke_width=2.5)


def _draw_box() -> Markup:
    return path(_BOX, fill="none", stroke=_SOFT, stroke_width=2.2, stroke_linejoin="round")


def _draw_weight(weight: int) -> Markup:
    """Return as many full dots as the weight is, of MOST_WEIGHT."""
    return group(
        *(
            circle(20 * place, 0, 7, fill=_ACCENT if place < weight else _DIM)
            for place in range(MOST_WEIGHT)
        )
    )
