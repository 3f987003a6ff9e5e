"""What no game may show, as a function of a game and a number of seats: ids of data and code."""

from __future__ import annotations

import re
from collections.abc import Iterator
from xml.etree import ElementTree

from domain.engine.errors import IncompleteMove, RuleBroken
from domain.engine.game import (
    describe_event,
    describe_step,
    describe_touch,
)
from domain.engine.play import Awaiting
from domain.engine.resolve_touches import resolve_touches
from domain.engine.sentences import LANGUAGES, Sentence
from domain.engine.touches import Touch, kind_of
from tests.games.drawn import draw_in_turn
from tests.games.record import record
from tests.games.seen import AnyGame, find_refusal, why

ID = re.compile(r"\w_\w|\w--\w|[A-Za-z]\w*:[A-Za-z0-9]")
"""An id as touches, moves and options have them: `b4:M1`, `remove_three`, `bremen--minden`."""
PART = re.compile(r"\{\w*(?::[^}]*)?\}")
"""Where another text goes, or a verb that agrees with it."""
SHAPES = ("circle", "ellipse", "line", "path", "polygon", "polyline", "rect")
LINES = ("line", "path", "polyline")
MOMENTS = 4
TOUCHED = 2
SPREAD = 6
"""Number of things in a picture that are touched at a moment, besides one of each kind."""


def players_see_no_ids(game: AnyGame, seats: int, turn: int = 0) -> None:
    """In texts, pictures, prompts, names of touches, sentences about events, and refusals;
    languages take turns in pictures and sentences.
    """
    spoken = list(_spoken(game, seats))
    for number, language in enumerate(LANGUAGES):
        texts = game.resources.texts[language]
        words = game.words(language)
        shown = [PART.sub(" ", text) for text in texts.values()]
        shown += (
            words.line(one) for one in spoken[(number + turn) % len(LANGUAGES) :: len(LANGUAGES)]
        )
        assert [text for text in dict.fromkeys(shown) if ID.search(text)] == [], language
    for language, one in draw_in_turn(game, seats, [*LANGUAGES], turn):
        shown = [one.text, *_texts_of(one.root)]
        assert [text for text in dict.fromkeys(shown) if ID.search(text)] == [], language
    shown = [*_refusals(game, seats), *_refusals_of_touches(game, seats)]
    assert [text for text in shown if ID.search(text)] == []


def things_have_a_shape_to_touch(game: AnyGame, seats: int) -> None:
    """In pages, pointers pass through texts, and through areas that are not filled."""
    for moment in record(game, seats, 0).some(TOUCHED):
        picture = ElementTree.fromstring(moment.menu.picture)
        things = [part for part in picture.iter() if part.get("data-at")]
        shaped = {one.get("data-at") for one in things if any(map(_can_be_hit, one.iter()))}
        assert {one.get("data-at") for one in things} == shaped


def _can_be_hit(part: ElementTree.Element) -> bool:
    """Whether an element of a picture is a filled shape, or a line."""
    kind = part.tag.rpartition("}")[2]
    return kind == "use" or (kind in SHAPES and (kind in LINES or part.get("fill") != "none"))


def _texts_of(picture: ElementTree.Element) -> Iterator[str]:
    """The words of a picture, and what screen readers say of it."""
    yield from picture.itertext()
    yield from filter(None, (part.get("aria-label") for part in picture.iter()))


def _spoken(game: AnyGame, seats: int) -> Iterator[Sentence]:
    """The sentences about the events, the prompts and the touches of a match."""
    played = record(game, seats, 0)
    view = game.view(played.end, None)
    events = (event for event in played.events if not isinstance(event, Awaiting))
    yield from filter(None, (describe_event(game, event, view) for event in events))
    for moment in played.of_each_step(MOMENTS):
        for viewer in played.viewers:
            view = game.view(moment.state, viewer)
            yield describe_step(game, moment.state.agenda[-1], view, viewer)
        for menu in moment.menus:
            names = {name for chain in menu.touches.part_chains.values() for name in chain}
            yield from (describe_touch(game, name, menu.view) for name in sorted(names))


def _refusals(game: AnyGame, seats: int) -> Iterator[str]:
    """Why moves of other moments are refused."""
    played = record(game, seats, 0)
    for moment in played.some(MOMENTS):
        for other in played.some(4 * MOMENTS):
            if other.move.seat == moment.move.seat:
                refusal = find_refusal(game, moment.state, other.move)
                yield refusal[-1] if refusal else ""


def _refusals_of_touches(game: AnyGame, seats: int) -> Iterator[str]:
    """Why single touches of things in the picture are refused: of some, and one of each kind."""
    for number, moment in enumerate(record(game, seats, 0).some(TOUCHED)):
        seat = moment.move.seat
        view, legal = moment.menu.view, moment.menu.touches
        picture = ElementTree.fromstring(moment.menu.picture)
        names = filter(None, (part.get("data-at") for part in picture.iter()))
        things = sorted({Touch(name) for name in names})
        spread = things[number % TOUCHED :: max(TOUCHED, len(things) // SPREAD)]
        one_of_each_kind = {kind_of(name): name for name in things}.values()
        for name in dict.fromkeys((*spread, *one_of_each_kind)):
            try:
                resolve_touches(game, moment.state, seat, view, (name,), legal)
            except RuleBroken as refusal:
                yield why(game, refusal)
            except IncompleteMove:
                continue
