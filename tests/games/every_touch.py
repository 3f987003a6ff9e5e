"""What each game must say to whatever is touched, as functions of a game and a number of seats."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from domain.engine.dice import Luck, choose
from domain.engine.errors import RuleBroken, Unfinished
from domain.engine.game import judge, legal_moves, refuse, tree
from domain.engine.play import Seat
from domain.engine.resolve_touches import pointed_at
from domain.engine.touches import Touch
from tests.games.record import Moment, record
from tests.games.seen import AnyGame

THING = re.compile(r'data-at="([^"]+)"')
ODD = ("", "::", "nonsense", "99999999999999999999999", "\u00b2", "a:b:c:1")
"""What follows the colon in names that no game has."""
SOME = 4


def each_way_leads_to_its_move(game: AnyGame, seats: int) -> None:
    """One touch after the other, and whoever has touched less is told what can come next."""
    for moment in record(game, seats, 0).some(SOME):
        state, seat = moment.state, moment.move.seat
        view = game.view(state, seat)
        for way in game.touches(view, moment.move):
            assert _answer(game, state, seat, way) == moment.move
            legal = tree(game, view, legal_moves(game, state, seat))
            for path in (way[:length] for length in range(len(way))):
                answer, several = _answer(game, state, seat, path), len(legal.left(path)) > 1
                assert answer == (legal.choices(path) if several else moment.move)


def whatever_is_touched_is_answered_alike_whatever_is_hidden(game: AnyGame, seats: int) -> None:
    """With a legal move, or with a reason that has words in each language."""
    for number, moment in enumerate(record(game, seats, 0).some(SOME)):
        state, seat = moment.state, moment.move.seat
        other = game.imagine(state, seat, Luck(number))
        for path in _paths(game, moment):
            answer = _answer(game, state, seat, path)
            assert answer == _answer(game, other, seat, path)


def names_that_there_are_not_are_refused(game: AnyGame, seats: int) -> None:
    """Whatever stands in them."""
    [moment, *_] = record(game, seats, 0).some(1)
    for kinds in (*game.meant, *((kind.kind,) for kind in game.touch_kinds)):
        for odd in ODD:
            path = [Touch(f"{kind}:{odd}") for kind in kinds]
            answer = _answer(game, moment.state, moment.move.seat, path)
            assert isinstance(answer, list), (path, answer)


def _paths(game: AnyGame, moment: Moment) -> Iterator[list[Touch]]:
    """Some things of the picture, each touched alone, and after the beginning of a legal way."""
    luck, view = Luck(0), game.view(moment.state, moment.move.seat)
    things = sorted(set(THING.findall(game.svg(view))))
    [way, *_] = game.touches(view, moment.move)
    for _ in range(SOME):
        thing = Touch(choose(luck, things))
        yield [thing]
        yield [*way[:-1], thing]


def _answer(game: AnyGame, state: Any, seat: Seat, path: Sequence[Touch]) -> Any:
    """The move, what can be touched next, or a list of the rule and of why not in each language."""
    try:
        move = pointed_at(game, state, seat, game.view(state, seat), path)
    except Unfinished as several:
        return several.choices
    except RuleBroken as refusal:
        said = refuse(refusal)
        return [refusal.rule, refusal.fault, *(game.words(code).say(said) for code in game.texts)]
    judge(game, state, move)
    return move
