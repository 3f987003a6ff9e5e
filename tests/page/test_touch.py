"""The page narrows moves touch by touch as the service does."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from domain.engine.game import legal_moves, tree
from domain.engine.touches import Touch, Tree
from domain.games import GAMES
from tests.games.record import record
from tests.games.seen import AnyGame

MODULE = Path(__file__).parents[2] / "service" / "page" / "static" / "touch.js"
LOOKED_AT = """async ([module, ways, paths]) => {
    const { Tree } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
    const tree = new Tree(ways);
    return paths.map((path) => [tree.left(path), tree.open(path)]);
}"""
HANDED = """async ([module, ways, touched]) => {
    const { Hand, Tree } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
    const hand = new Hand(new Tree(ways));
    const took = touched.map((name) => name ? hand.touch(name) : hand.back());
    return [took, hand.path, hand.move, hand.open];
}"""
ANEW = """async ([module, before, touched, now]) => {
    const { Hand, Tree } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
    const hand = new Hand(new Tree(before));
    touched.forEach((name) => hand.touch(name));
    const other = new Hand(new Tree(now), hand);
    return [other.path, other.before.length];
}"""
SEATS, MOMENTS, WALKS = 3, 5, 12


@pytest.fixture(scope="module")
def modules(browser: Browser) -> Iterator[Page]:
    """A page that has nothing but can run modules."""
    page = browser.new_page()
    yield page
    page.close()


def walks(pointed: Tree[Any], random: Random) -> Iterator[tuple[Touch, ...]]:
    """Ways into a tree by chance, with all that one comes by, and one that leads nowhere."""
    yield (Touch("nothing"),)
    for _ in range(WALKS):
        way = random.choice(list(pointed.ways))
        yield from (way[:depth] for depth in range(len(way) + 1))


def follow(pointed: Tree[Any], path: tuple[Touch, ...]) -> list[Touch]:
    """The touches that can follow on a path."""
    longer = (way for way in pointed.ways if way[: len(path)] == path and way != path)
    return list(dict.fromkeys(way[len(path)] for way in longer))


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_the_tree_of_the_page_is_that_of_the_engine(modules: Page, game: AnyGame) -> None:
    module, random = MODULE.read_text(), Random(game.key)
    for moment in record(game, SEATS, 0).some(MOMENTS):
        view = game.view(moment.state, moment.move.seat)
        moves = legal_moves(game, moment.state, moment.move.seat)
        pointed, ways = tree(game, view, moves), [list(game.touches(view, one)) for one in moves]
        paths = list(walks(pointed, random))
        known = [
            [[moves.index(move) for move in pointed.left(path)], follow(pointed, path)]
            for path in paths
        ]
        assert modules.evaluate(LOOKED_AT, [module, ways, paths]) == known


WAYS = [[["a", "x"]], [["a", "y"]], [["b", "x"]], [["b", "z", "s"]], [["b", "z", "t"]], [["pass"]]]
TOUCHED = {
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
}


@pytest.mark.parametrize(("touched", "path", "move", "opened"), TOUCHED.values(), ids=TOUCHED)
def test_a_hand_points(modules: Page, touched: Any, path: Any, move: Any, opened: Any) -> None:
    took, *left = modules.evaluate(HANDED, [MODULE.read_text(), WAYS, touched])
    assert (took, left) == ([True] * len(touched), [path, move, opened])


def test_what_goes_with_nothing_is_not_touched(modules: Page) -> None:
    took, path, _, _ = modules.evaluate(HANDED, [MODULE.read_text(), WAYS, ["a", "z", None]])
    assert (took, path) == ([True, False, True], [])


LESS = [[["a", "x", "s"]], [["a", "x", "t"]]]
MORE = [*LESS, [["a", "y"]], [["b", "x"]], [["b", "y"]]]
KEPT = {
    "what is touched stays so": (MORE, ["a", "x"], MORE, ["a", "x"], 2),
    "where there is less to choose, too": (MORE, ["a", "x"], LESS, ["a", "x"], 0),
    "and what has to come is no obstacle": (LESS, ["s"], [*LESS, [["b"]]], ["a", "x", "s"], 2),
    "what cannot be touched any more is left out": (MORE, ["b", "x"], LESS, ["a", "x"], 0),
    "what came by itself was not touched": (LESS, [], MORE, [], 0),
}


@pytest.mark.parametrize(("was", "touched", "now", "path", "touches"), KEPT.values(), ids=KEPT)
def test_a_hand_goes_on_where_another_was(
    modules: Page, was: Any, touched: Any, now: Any, path: Any, touches: int
) -> None:
    found = modules.evaluate(ANEW, [MODULE.read_text(), was, touched, now])
    assert found == [path, touches]
