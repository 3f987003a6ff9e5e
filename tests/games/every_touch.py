"""How each game must answer every touch, as functions of a game and a number of seats."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any

from msgspec.structs import replace

from domain.engine.codecs.json_codec import find_move
from domain.engine.contract.refusals import describe_refusal
from domain.engine.dice import Luck, choose
from domain.engine.errors import IncompleteMove, RuleBroken
from domain.engine.game import describe_step, describe_touch, judge, legal_moves, touch_tree
from domain.engine.play import Seat
from domain.engine.resolve_touches import resolve_touches
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.sentences import LANGUAGES, Sentence, touch_effect
from domain.engine.touches import MAX_ALTERNATIVES, Touch, TouchTree, id_of, kind_of
from service.matches.queries import REQUEST_PREFIX
from tests.games.drawn import draw_each_step
from tests.games.record import Moment, record
from tests.games.seen import AnyGame, is_legal

THING = re.compile(r'data-at="([^"]+)"')
ODD = ("", "::", "nonsense", "99999999999999999999999", "\u00b2", "a:b:c:1")
"""What follows the colon in names that no game has."""
RAW = re.compile(r"\d,\d(?!\d\d)|_|\bNone\b")
"""What no player says: a row and a column of data, a key, no value."""
SOME, TOUCHES = 4, 2
"""Numbers of moments, and of things that are touched at each."""
CARD = re.compile(
    r"(an?|one of the viewer's) (\w+ )?(card|marker|tile|leaders|monument|ability|location)\b",
    re.IGNORECASE,
)
"""What a kind of touches is about if that does something, such as `a tactic card`."""
BARE_LETTERS = 4
"""A shorter Chinese label names a deed without its object."""
MANY = 6
"""Number of things in a picture that are touched at a moment."""


def each_way_leads_to_its_move(game: AnyGame, seats: int) -> None:
    """One touch after the other; a shorter path gets the list of touches that can come next."""
    for moment in record(game, seats, 0).some(SOME):
        state, seat = moment.state, moment.move.seat
        view, legal = moment.menu.view, moment.menu.touches
        for way in game.pointing.touches(view, moment.move):
            assert _answer(game, state, seat, view, way) == moment.move
            for path in (way[:length] for length in range(len(way))):
                answer = _answer(game, state, seat, view, path, legal)
                several = len(legal.moves_at(path)) > 1
                assert answer == (legal.choices(path) if several else moment.move)


def a_touch_that_leaves_one_move_makes_it(game: AnyGame, seats: int) -> None:
    """Nothing is left to touch if all ways that begin so are ways to one move."""
    for moment in record(game, seats, 0).some(SOME):
        state, seat = moment.state, moment.move.seat
        view, legal = moment.menu.view, moment.menu.touches
        moves: dict[Touch, set[Any]] = defaultdict(set)
        for way, move in legal.ways.items():
            moves[way[0]].add(move)
        for first, meant in moves.items():
            answer = _answer(game, state, seat, view, [first], legal)
            if len(meant) == 1:
                assert [answer] == [*meant], first
            else:
                assert len(answer) > 1 or len(legal.moves_at([first, *answer])) > 1, first


def what_is_touched_is_in_the_picture(game: AnyGame, seats: int) -> None:
    """Of the seat that touches it, at each kind of step."""
    things = {kind.kind for kind in game.touch_kinds if kind.role == "thing"}
    for moment, drawing in draw_each_step(game, seats):
        touched = {name for way in moment.menu.touches.ways for name in way}
        drawn = set(THING.findall(drawing.svg))
        assert {name for name in touched if kind_of(name) in things} <= drawn
        assert things >= {kind_of(Touch(name)) for name in drawn}


def a_way_may_be_touched_from_its_end(game: AnyGame, seats: int) -> None:
    """In reverse, unless a later touch can itself begin a move."""
    for moment in record(game, seats, 0).of_each_step(SOME):
        state, seat = moment.state, moment.move.seat
        view, legal = moment.menu.view, moment.menu.touches
        first = {way[0] for way in legal.ways}
        for way in (way for way, move in legal.ways.items() if move == moment.move):
            if first.isdisjoint(way[1:]) and len({*way}) == len(way):
                answer = _answer(game, state, seat, view, way[::-1], legal)
                assert not isinstance(answer, list), (way, answer)


def cards_say_what_they_do(game: AnyGame, seats: int) -> None:
    """In each language: things with names. A clan may show none yet."""
    cards = {
        kind.kind for kind in game.touch_kinds if kind.role == "thing" and CARD.match(kind.about)
    }
    for moment in record(game, seats, 0).of_each_step(SOME):
        view, names = moment.menu.view, {name for way in moment.menu.touches.ways for name in way}
        for name in (name for name in names if kind_of(name) in cards):
            label = describe_touch(game, name, view)
            effect = touch_effect(name, view, game.sayings)
            has_name = any(isinstance(part, Sentence) for part in label.parts.values())
            assert f"effect_{kind_of(name)}" in game.sayings or not has_name, name
            assert all(game.words(language).line(effect) for language in LANGUAGES if effect), name


def each_kind_has_the_rule_behind_it(game: AnyGame, seats: int) -> None:
    """And each tip is about a thing that exists: its name has a label in each language."""
    tips, view = game.resources.tips, game.view(record(game, seats, 0).some(1)[0].state, None)
    kinds = {kind.kind for kind in game.touch_kinds if kind.role != "part"}
    assert {kind_of(Touch(name)) for name in tips} == kinds
    assert [kind for kind in kinds if kind not in tips] == []
    for name in (Touch(name) for name in tips if id_of(Touch(name))):
        label = describe_touch(game, name, view)
        assert all(game.words(language).say(label) for language in LANGUAGES), name


def labels_are_words_of_players(game: AnyGame, seats: int) -> None:
    """In each language every name that can be touched has a label, and none is an index."""
    for moment in record(game, seats, 0).of_each_step(1):
        view, chains = moment.menu.view, moment.menu.touches.part_chains
        for name in {name for chain in chains.values() for name in chain}:
            for language in game.resources.texts:
                label = game.words(language).say(describe_touch(game, name, view))
                assert label, name
                assert not RAW.search(label), (name, label)


def a_word_says_what_it_ends(game: AnyGame, seats: int) -> None:
    """A word that is a whole move, such as `done`, says in each language what is done: a log and a
    list of choices show it without the prompt.
    """
    for moment in record(game, seats, 0).of_each_step(1):
        view, ways = moment.menu.view, moment.menu.touches.ways
        for name in {way[0] for way in ways if len(way) == 1 and not id_of(way[0])}:
            for language in LANGUAGES:
                label = game.words(language).say(describe_touch(game, name, view))
                is_bare = " " not in label if language == ENGLISH else len(label) < BARE_LETTERS
                assert not is_bare, (name, label)


def a_prompt_says_how_many_are_left(game: AnyGame, seats: int) -> None:
    """In each language: one more that is left changes what is said to the player who decides."""
    for moment in record(game, seats, 0).of_each_step(1):
        step, (view, seat) = moment.state.agenda[-1], (moment.menu.view, moment.menu.seat)
        if isinstance(getattr(step, "left", None), int):
            more = replace(step, left=step.left + 1)
            for language in LANGUAGES:
                words = game.words(language)
                said = {words.say(describe_step(game, one, view, seat)) for one in (step, more)}
                assert len(said) == 2, (step, said)


def each_kind_of_things_has_a_heading(game: AnyGame, _seats: int) -> None:
    """Above the choices of this kind, for those who cannot see the picture."""
    texts = game.resources.texts[ENGLISH]
    kinds = [kind.kind for kind in game.touch_kinds if kind.role == "thing"]
    assert [kind for kind in kinds if f"kind_{kind}" not in texts] == []


def each_kind_that_leaves_a_choice_has_a_request(game: AnyGame, _seats: int) -> None:
    """Which says what to choose next; a word without a choice has a label that is one."""
    texts = game.resources.texts[ENGLISH]
    words = [
        kind.kind
        for kind in game.touch_kinds
        if kind.role == "word" and "{" not in texts[f"touch_{kind.kind}"]
    ]
    kinds = [kind.kind for kind in game.touch_kinds if kind.role != "part"]
    lacking = [kind for kind in kinds if f"{REQUEST_PREFIX}{kind}" not in texts]
    assert [kind for kind in lacking if kind not in words] == []


def answers_to_touches_do_not_depend_on_hidden_values(game: AnyGame, seats: int) -> None:
    """With a legal move, or with a reason that has words in each language."""
    for number, moment in enumerate(record(game, seats, 0).some(SOME)):
        state, seat = moment.state, moment.move.seat
        other = game.imagine(state, seat, Luck(number))
        tables = [(one, game.view(one, seat)) for one in (state, other)]
        trees = [touch_tree(game, view, legal_moves(game, one, seat)) for one, view in tables]
        for path in _paths(game, moment):
            answer, other_answer = (
                _answer(game, one, seat, view, path, legal)
                for (one, view), legal in zip(tables, trees, strict=True)
            )
            assert answer == other_answer


def a_refused_touch_gets_what_can_be_touched_instead(game: AnyGame, seats: int) -> None:
    """Touches that are possible there, those of its kind first: all of them, up to a bound."""
    for moment in record(game, seats, 0).some(SOME):
        state, seat = moment.state, moment.move.seat
        view, legal = moment.menu.view, moment.menu.touches
        for path in _paths(game, moment):
            try:
                resolve_touches(game, state, seat, view, path, legal)
            except IncompleteMove:
                continue
            except RuleBroken as refusal:
                place, choices = refusal.refused_touch, refusal.choices
                assert place is not None
                kept = path[:place]
                assert choices
                assert len(choices) <= MAX_ALTERNATIVES
                assert all(legal.after([*kept, Touch(choice)]).ways for choice in choices)
                possible = {
                    name
                    for way in legal.ways
                    if [*way[:place]] == kept
                    for name in way[place:]
                    if name == way[place] or kind_of(name) == kind_of(path[place])
                }
                assert {*choices} <= possible
                assert len(choices) == min(len(possible), MAX_ALTERNATIVES)
                others = [kind_of(Touch(one)) != kind_of(path[place]) for one in choices]
                assert others == sorted(others)


def a_touch_of_a_place_where_a_move_begins_leads_to_it(
    game: AnyGame, seats: int, touched: int = MANY
) -> None:
    """A first touch of a thing in the picture that is on a way to a legal move, also if the list
    leaves that move out, makes the move or asks for more; and each touch it asks for leads on.
    """
    for number, moment in enumerate(record(game, seats, 0).some(SOME)):
        state, seat = moment.state, moment.move.seat
        view, legal, luck = moment.menu.view, moment.menu.touches, Luck(number)
        things = sorted(set(THING.findall(moment.menu.picture)))
        for thing in dict.fromkeys(Touch(choose(luck, things)) for _ in range(touched)):
            moves = {*legal.after([thing]).ways.values()} | {
                move
                for way in dict.fromkeys(_ways_as_if_listed(legal, thing))
                for move in _legal_moves_of(game, state, seat, view, way)
            }
            answer = _answer(game, state, seat, view, [thing], legal)
            if isinstance(answer, tuple):
                assert moves, thing
                assert answer, thing
                for choice in answer:
                    orders = [thing, choice], [choice, thing]
                    onward = (_answer(game, state, seat, view, path, legal) for path in orders)
                    assert any(not isinstance(one, list) for one in onward), (thing, choice)
            elif isinstance(answer, list):
                assert not moves, (thing, answer, moves)
            else:
                assert {answer} == moves, (thing, answer, moves)


def unknown_names_are_refused(game: AnyGame, seats: int) -> None:
    """With any content."""
    [moment, *_] = record(game, seats, 0).some(1)
    state, seat = moment.state, moment.move.seat
    view, legal = moment.menu.view, moment.menu.touches
    paths = (*game.pointing.implied_moves, *((kind.kind,) for kind in game.touch_kinds))
    for number, kinds in enumerate(paths):
        for odd in ODD[number % 3 :: 3]:
            path = [Touch(f"{kind}:{odd}") for kind in kinds]
            answer = _answer(game, state, seat, view, path, legal)
            assert isinstance(answer, list), (path, answer)


def _paths(game: AnyGame, moment: Moment) -> Iterator[list[Touch]]:
    """Some touches in the picture, each by itself and after the first touches of a legal path."""
    luck, things = Luck(0), sorted(set(THING.findall(moment.menu.picture)))
    [way, *_] = game.pointing.touches(moment.menu.view, moment.move)
    for _ in range(TOUCHES):
        thing = Touch(choose(luck, things))
        yield [thing]
        yield [*way[:-1], thing]


def _ways_as_if_listed(legal: TouchTree[Any], thing: Touch) -> Iterator[tuple[Touch, ...]]:
    """The ways to legal moves, with a thing in place of each of its kind."""
    for way in legal.ways:
        for place, name in enumerate(way):
            if kind_of(name) == kind_of(thing) and thing not in way:
                yield (*way[:place], thing, *way[place + 1 :])


def _legal_moves_of(
    game: AnyGame, state: Any, seat: Seat, view: Any, way: Sequence[Touch]
) -> Iterator[Any]:
    """The legal moves that the touches of a way mean."""
    meant = game.pointing.implied_moves.get(tuple(map(kind_of, way)), lambda *_: ())
    for data in meant(view, *map(id_of, way)):
        move = find_move(game, seat, data)
        if move and is_legal(game, state, move):
            yield move


def _answer(
    game: AnyGame,
    state: Any,
    seat: Seat,
    view: Any,
    path: Sequence[Touch],
    legal: TouchTree[Any] | None = None,
) -> Any:
    """The move, the next possible touches, or the rule and the reason in each language."""
    try:
        move = resolve_touches(game, state, seat, view, path, legal)
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
