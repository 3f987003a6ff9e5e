"""How each game must answer every touch, as functions of a game and a number of seats."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from domain.engine.contract.refusals import describe_refusal
from domain.engine.dice import Luck, choose
from domain.engine.errors import IncompleteMove, RuleBroken
from domain.engine.game import judge, legal_moves, touch_tree
from domain.engine.play import Seat
from domain.engine.resolve_touches import resolve_touches
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.touches import MAX_ALTERNATIVES, Touch, kind_of
from tests.games.record import Moment, record
from tests.games.seen import AnyGame

THING = re.compile(r'data-at="([^"]+)"')
ODD = ("", "::", "nonsense", "99999999999999999999999", "\u00b2", "a:b:c:1")
"""What follows the colon in names that no game has."""
SOME = 4


def each_way_leads_to_its_move(game: AnyGame, seats: int) -> None:
    """One touch after the other; a shorter path gets the list of touches that can come next."""
    for moment in record(game, seats, 0).some(SOME):
        state, seat = moment.state, moment.move.seat
        view = game.view(state, seat)
        for way in game.pointing.touches(view, moment.move):
            assert _answer(game, state, seat, view, way) == moment.move
            legal = touch_tree(game, view, legal_moves(game, state, seat))
            for path in (way[:length] for length in range(len(way))):
                answer = _answer(game, state, seat, view, path)
                several = len(legal.moves_at(path)) > 1
                assert answer == (legal.choices(path) if several else moment.move)


def a_touch_that_leaves_one_move_makes_it(game: AnyGame, seats: int) -> None:
    """Nothing is left to touch if all ways that begin so are ways to one move."""
    for moment in record(game, seats, 0).some(SOME):
        state, seat = moment.state, moment.move.seat
        view = game.view(state, seat)
        legal = touch_tree(game, view, legal_moves(game, state, seat))
        moves: dict[Touch, set[Any]] = defaultdict(set)
        for way, move in legal.ways.items():
            moves[way[0]].add(move)
        for first, meant in moves.items():
            answer = _answer(game, state, seat, view, [first])
            if len(meant) == 1:
                assert [answer] == [*meant], first
            else:
                assert len(answer) > 1 or len(legal.moves_at([first, *answer])) > 1, first


def each_kind_of_things_has_a_heading(game: AnyGame, _seats: int) -> None:
    """Above the choices of this kind, for those who cannot see the picture."""
    texts = game.resources.texts[ENGLISH]
    kinds = [kind.kind for kind in game.touch_kinds if kind.role == "thing"]
    assert [kind for kind in kinds if f"kind_{kind}" not in texts] == []


def answers_to_touches_do_not_depend_on_hidden_values(game: AnyGame, seats: int) -> None:
    """With a legal move, or with a reason that has words in each language."""
    for number, moment in enumerate(record(game, seats, 0).some(SOME)):
        state, seat = moment.state, moment.move.seat
        other = game.imagine(state, seat, Luck(number))
        view, other_view = game.view(state, seat), game.view(other, seat)
        for path in _paths(game, moment):
            answer = _answer(game, state, seat, view, path)
            assert answer == _answer(game, other, seat, other_view, path)


def a_refused_touch_gets_what_can_be_touched_instead(game: AnyGame, seats: int) -> None:
    """Touches that are possible there, those of its kind first: all of them, up to a bound."""
    for moment in record(game, seats, 0).some(SOME):
        state, seat = moment.state, moment.move.seat
        view = game.view(state, seat)
        legal = touch_tree(game, view, legal_moves(game, state, seat))
        for path in _paths(game, moment):
            try:
                resolve_touches(game, state, seat, view, path)
            except IncompleteMove:
                continue
            except RuleBroken as refusal:
                place, choices = refusal.refused_touch, refusal.choices
                assert place is not None
                kept = path[:place]
                assert choices
                assert len(choices) <= MAX_ALTERNATIVES
                assert all(legal.moves_at([*kept, Touch(choice)]) for choice in choices)
                possible = {
                    way[place] for way in legal.ways if [*way[:place]] == kept and way[place:]
                }
                assert {*choices} <= possible
                assert len(choices) == min(len(possible), MAX_ALTERNATIVES)
                others = [kind_of(Touch(one)) != kind_of(path[place]) for one in choices]
                assert others == sorted(others)


def unknown_names_are_refused(game: AnyGame, seats: int) -> None:
    """With any content."""
    [moment, *_] = record(game, seats, 0).some(1)
    state, seat = moment.state, moment.move.seat
    view = game.view(state, seat)
    paths = (*game.pointing.implied_moves, *((kind.kind,) for kind in game.touch_kinds))
    for number, kinds in enumerate(paths):
        for odd in ODD[number % 3 :: 3]:
            path = [Touch(f"{kind}:{odd}") for kind in kinds]
            answer = _answer(game, state, seat, view, path)
            assert isinstance(answer, list), (path, answer)


def _paths(game: AnyGame, moment: Moment) -> Iterator[list[Touch]]:
    """Some touches in the picture, each by itself and after the first touches of a legal path."""
    luck, view = Luck(0), game.view(moment.state, moment.move.seat)
    things = sorted(set(THING.findall(game.render_svg(view, game.words()))))
    [way, *_] = game.pointing.touches(view, moment.move)
    for _ in range(SOME):
        thing = Touch(choose(luck, things))
        yield [thing]
        yield [*way[:-1], thing]


def _answer(game: AnyGame, state: Any, seat: Seat, view: Any, path: Sequence[Touch]) -> Any:
    """The move, the next possible touches, or the rule and the reason in each language."""
    try:
        move = resolve_touches(game, state, seat, view, path)
    except IncompleteMove as several:
        return several.choices
    except RuleBroken as refusal:
        said = describe_refusal(refusal)
        return [
            refusal.rule,
            refusal.fault,
            refusal.refused_touch,
            refusal.choices,
            *(game.words(code).say(said) for code in game.resources.texts),
        ]
    judge(game, state, move)
    return move
