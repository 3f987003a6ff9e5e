"""The page narrows moves touch by touch as the service does."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from domain.engine.game import legal_moves, touch_tree
from domain.engine.touches import Touch, TouchTree
from domain.games import GAMES
from tests.games.record import record
from tests.games.seen import AnyGame

MODULE = Path(__file__).parents[2] / "service" / "page" / "static" / "match" / "touch.js"
READ_TREE = """async ([module, ways, paths]) => {
    const { TouchTree } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
    const tree = new TouchTree(ways);
    return paths.map((path) => [tree.moves(path), tree.open(path)]);
}"""
PLAY_TOUCHES = """async ([module, ways, touched]) => {
    const source = `data:text/javascript,${encodeURIComponent(module)}`;
    const { Selection, TouchTree } = await import(source);
    const hand = new Selection(new TouchTree(ways));
    const took = touched.map((name) => name ? hand.touch(name) : hand.back());
    return [took, hand.path, hand.move, hand.open];
}"""
TOUCH_EACH = """async ([module, ways, names]) => {
    const source = `data:text/javascript,${encodeURIComponent(module)}`;
    const { Selection, TouchTree } = await import(source);
    const tree = new TouchTree(ways);
    return names.map((name) => {
        const hand = new Selection(tree);
        if (!hand.path.includes(name)) hand.touch(name);
        return [hand.move, hand.open.length];
    });
}"""
MOVES_LEFT = """async ([module, ways, each]) => {
    const source = `data:text/javascript,${encodeURIComponent(module)}`;
    const { Selection, TouchTree } = await import(source);
    return each.filter((touched) => {
        const hand = new Selection(new TouchTree(ways));
        touched.forEach((name) => hand.touch(name));
        hand.back();
        return hand.move !== null;
    });
}"""
"""The touches after which a move stays chosen when the last is taken back."""
WAIT = """async ([module, ways, name]) => {
    const source = `data:text/javascript,${encodeURIComponent(module)}`;
    const { Selection, TouchTree } = await import(source);
    const hand = new Selection(new TouchTree(ways), null, true);
    const before = [hand.move, hand.open];
    return [...before, hand.touch(name), hand.move, hand.chosen];
}"""
SELECT_ANEW = """async ([module, before, touched, now]) => {
    const source = `data:text/javascript,${encodeURIComponent(module)}`;
    const { Selection, TouchTree } = await import(source);
    const hand = new Selection(new TouchTree(before));
    touched.forEach((name) => hand.touch(name));
    const other = new Selection(new TouchTree(now), hand);
    return [other.path, other.before.length];
}"""
NAME_TOUCHES = """async ([module, ways, touched]) => {
    const source = `data:text/javascript,${encodeURIComponent(module)}`;
    const { Selection, TouchTree } = await import(source);
    const hand = new Selection(new TouchTree(ways));
    touched.forEach((name) => hand.touch(name));
    return hand.chosen;
}"""
OFFER = """async ([module, ways, lists, touched]) => {
    const source = `data:text/javascript,${encodeURIComponent(module)}`;
    const { Selection, TouchTree } = await import(source);
    const hand = new Selection(new TouchTree(ways));
    touched.forEach((name) => hand.touch(name));
    return hand.offers(lists.map((names) => new Set(names))).sort();
}"""
OFFERED = {
    (): (["a", "b", "pass", "s", "t", "x"], ["a", "b", "pass", "s", "t", "x", "y"]),
    ("x",): (["a", "b"], ["a", "b"]),
    ("b",): (["s", "t", "x", "z"], ["s", "t", "x", "z"]),
    ("a", "x"): ([], []),
}
"""What can be touched after touches if only `s`, `t` and `x` are in the picture, and if besides
pieces `a` and `b` it has a map with these and `y`.
"""
NAMED = {
    (): [],
    ("x",): ["x"],
    ("x", "a"): ["a", "x"],
    ("s",): ["b", "z", "s"],
    ("x", "z"): ["b", "z"],
}
SEATS, MOMENTS, WALKS, NAMES = 3, 3, 12, 60


@pytest.fixture(scope="module")
def modules(browser: Browser) -> Iterator[Page]:
    """An empty page that can run modules."""
    page = browser.new_page()
    yield page
    page.close()


def walks(pointed: TouchTree[Any], random: Random) -> Iterator[tuple[Touch, ...]]:
    """Random paths into a tree with all their nodes, and one that leads nowhere."""
    yield (Touch("nothing"),)
    for _ in range(WALKS):
        way = random.choice(list(pointed.ways))
        yield from (way[:depth] for depth in range(len(way) + 1))


def follow(pointed: TouchTree[Any], path: tuple[Touch, ...]) -> list[Touch]:
    """The touches that can follow on a path."""
    longer = (way for way in pointed.ways if way[: len(path)] == path and way != path)
    return list(dict.fromkeys(way[len(path)] for way in longer))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_tree_of_the_page_is_that_of_the_engine(modules: Page, game: AnyGame) -> None:
    module, random = MODULE.read_text(), Random(game.key)
    for moment in record(game, SEATS, 0).some(MOMENTS):
        view = game.view(moment.state, moment.move.seat)
        moves = legal_moves(game, moment.state, moment.move.seat)
        pointed = touch_tree(game, view, moves)
        ways = [list(game.pointing.touches(view, one)) for one in moves]
        paths = list(walks(pointed, random))
        known = [
            [[moves.index(move) for move in pointed.moves_at(path)], follow(pointed, path)]
            for path in paths
        ]
        assert modules.evaluate(READ_TREE, [module, ways, paths]) == known


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_touch_with_one_meaning_chooses_its_move(modules: Page, game: AnyGame) -> None:
    """Also one that comes later on its way; otherwise there are several touches to choose from."""
    for moment in record(game, SEATS, 0).some(MOMENTS):
        view, seat = game.view(moment.state, moment.move.seat), moment.move.seat
        moves = legal_moves(game, moment.state, seat)
        ways = [[list(way) for way in game.pointing.touches(view, one)] for one in moves]
        meant = {
            name: [number for number, own in enumerate(ways) if any(name in way for way in own)]
            for name in {name for own in ways for way in own for name in way}
        }
        names = sorted(meant)[:NAMES]
        chosen = modules.evaluate(TOUCH_EACH, [MODULE.read_text(), ways, names])
        for name, (move, open_count) in zip(names, chosen, strict=True):
            if len(meant[name]) == 1:
                assert (move, open_count) == (meant[name][0], 0), name
            else:
                assert move in meant[name] or open_count > 1, name


WAYS = [[["a", "x"]], [["a", "y"]], [["b", "x"]], [["b", "z", "s"]], [["b", "z", "t"]], [["pass"]]]
SELECTION_CASES = {
    "a touch narrows": (["a"], ["a"], None, ["x", "y"]),
    "the last decides": (["a", "y"], ["a", "y"], 1, []),
    "what has to come is touched by itself": (["pass"], ["pass"], 5, []),
    "another first touch takes its place": (["a", "b"], ["b"], None, ["x", "z"]),
    "another last touch, too": (["a", "x", "y"], ["a", "y"], 1, []),
    "a later touch leaves what leads to it": (["x"], [], None, ["a", "b"]),
    "and comes by itself then": (["x", "b"], ["b"], 2, []),
    "from there it goes on": (["b", "z"], ["b", "z"], None, ["s", "t"]),
    "a touch is taken back": (["b", "z", None], ["b"], None, ["x", "z"]),
    "and so is one of a later thing": (["x", None], [], None, ["a", "b", "pass"]),
    "touching the same again takes it back": (["a", "a"], [], None, ["a", "b", "pass"]),
    "also a later one": (["x", "x"], [], None, ["a", "b", "pass"]),
    "another later touch takes its place": (["x", "z"], ["b", "z"], None, ["s", "t"]),
    "what was replaced does not come back": (["a", "b", None], [], None, ["a", "b", "pass"]),
    "nor does what was chosen with it": (["a", "y", "b", None], [], None, ["a", "b", "pass"]),
    "nor does another last touch": (["a", "x", "y", None], ["a"], None, ["x", "y"]),
    "nor does a later one": (["x", "b", "pass", None], [], None, ["a", "b", "pass"]),
    "nor does a move that was chosen": (["y", "a", None], [], None, ["a", "b", "pass"]),
}


@pytest.mark.parametrize(
    ("touched", "path", "move", "opened"), SELECTION_CASES.values(), ids=SELECTION_CASES
)
def test_a_hand_points(modules: Page, touched: Any, path: Any, move: Any, opened: Any) -> None:
    took, *left = modules.evaluate(PLAY_TOUCHES, [MODULE.read_text(), WAYS, touched])
    assert (took, left) == ([True] * len(touched), [path, move, opened])


def test_what_is_taken_back_leaves_no_move_to_confirm(modules: Page) -> None:
    touches = list(map(list, product(sorted({*chain(*chain(*WAYS))}), repeat=3)))
    assert modules.evaluate(MOVES_LEFT, [MODULE.read_text(), WAYS, touches]) == []


@pytest.mark.parametrize("name", ["a", "x"])
def test_in_a_lesson_the_first_touch_is_left_to_the_player(modules: Page, name: str) -> None:
    """Given a step that asks for one move, when the player touches part of it, it is chosen."""
    move, opened, took, *after = modules.evaluate(WAIT, [MODULE.read_text(), [[["a", "x"]]], name])
    assert (move, opened, took, after) == (None, ["a"], True, [0, ["a", "x"]])


def test_the_only_move_stays_chosen(modules: Page) -> None:
    """A later touch of it, and the same touch again."""
    touched = ["x", "x"]
    found = modules.evaluate(PLAY_TOUCHES, [MODULE.read_text(), [[["a", "x"]]], touched])
    assert found == [[True, True], [], 0, []]


def test_a_later_touch_is_named_until_its_way_is_chosen(modules: Page) -> None:
    named = [modules.evaluate(NAME_TOUCHES, [MODULE.read_text(), WAYS, path]) for path in NAMED]
    assert named == list(NAMED.values())


@pytest.mark.parametrize("path", OFFERED)
def test_a_hand_may_begin_with_what_follows_a_word_or_a_piece(
    modules: Page, path: tuple[str, ...]
) -> None:
    words_first, pieces_first = OFFERED[path]
    places = ["s", "t", "x"]
    for lists, offered in (
        ([places], words_first),
        ([["a", "b", *places, "y"], [*places, "y"]], pieces_first),
    ):
        found = modules.evaluate(OFFER, [MODULE.read_text(), WAYS, lists, path])
        assert found == offered


def test_what_goes_with_nothing_is_not_touched(modules: Page) -> None:
    took, path, _, _ = modules.evaluate(PLAY_TOUCHES, [MODULE.read_text(), WAYS, ["a", "z", None]])
    assert (took, path) == ([True, False, True], [])


LESS = [[["a", "x", "s"]], [["a", "x", "t"]]]
MORE = [*LESS, [["a", "y"]], [["b", "x"]], [["b", "y"]]]
RESELECTION_CASES = {
    "what is touched stays so": (MORE, ["a", "x"], MORE, ["a", "x"], 2),
    "where there is less to choose, too": (MORE, ["a", "x"], LESS, ["a", "x"], 0),
    "and what has to come is no obstacle": (LESS, ["s"], [*LESS, [["b"]]], ["a", "x", "s"], 2),
    "what cannot be touched any more is left out": (MORE, ["b", "x"], LESS, ["a", "x"], 0),
    "what came by itself was not touched": (LESS, [], MORE, [], 0),
}


@pytest.mark.parametrize(
    ("was", "touched", "now", "path", "touches"), RESELECTION_CASES.values(), ids=RESELECTION_CASES
)
def test_a_hand_goes_on_where_another_was(
    modules: Page, was: Any, touched: Any, now: Any, path: Any, touches: int
) -> None:
    found = modules.evaluate(SELECT_ANEW, [MODULE.read_text(), was, touched, now])
    assert found == [path, touches]
