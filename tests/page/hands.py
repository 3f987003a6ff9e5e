"""Hands that play on the page: they touch lit elements until a move is chosen, and confirm it; by
mouse, by finger or only by keyboard. They know no game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from random import Random
from typing import Any

from playwright.sync_api import Page, Request

READY = "#match[data-ready=true]"
OVER = f"{READY}[data-status=scored]"
LIT = ".view .can-touch, #words button[data-touch]"
CONFIRM = "button[data-do=confirm]:not([hidden])"
CURTAIN = "dialog.curtain[open] button"
"""Takes the device in hot seat."""
MINE = f"{READY} :is({LIT}, {CONFIRM}), {OVER}, body:has({READY}) {CURTAIN}"
"""Matches when the player can act, or the game is over."""
MOST_TOUCHES = 100
"""Upper bound for the touches of one move."""
MOST_MOVES = 1_000
"""Upper bound for the moves of one player in a match."""
MOST_TABS = 200
"""Upper bound for the number of tab stops to any element."""
MOST_STEPS = 4
"""Upper bound for the lit elements that a hand passes over before it touches one."""
ARROWS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
AT = "(things) => document.activeElement.matches(things)"
SPOT = """([things, chance]) => {
    const seen = [...document.querySelectorAll(things)].filter((one) => one.checkVisibility());
    const one = seen[Math.floor(chance * seen.length)];
    if (!one) return null;
    one.scrollIntoView({ block: "nearest", inline: "nearest" });
    const { left, top, width, height } = one.getBoundingClientRect();
    const parts = [0.5, 0.4, 0.6, 0.3, 0.7, 0.2, 0.8, 0.1, 0.9];
    const spots = parts.flatMap((x) => parts.map((y) => [left + x * width, top + y * height]));
    const free = spots.find((spot) => one.contains(document.elementFromPoint(...spot)));
    return free ?? `nobody can point at ${one.outerHTML}`;
}"""
"""A point at which one of these elements can be hit: its centre, or another uncovered point."""


class Hand(ABC):
    """A player who touches random lit elements."""

    def __init__(self, page: Page, chance: Random) -> None:
        self.page = page
        self.chance = chance
        self.sent: Any = None
        """The move that the page was asked to make last."""
        self._keys: set[str] = set()
        page.on("request", self._on_request)

    @property
    def moves(self) -> int:
        """The number of moves that the page was asked to make; retries count once."""
        return len(self._keys)

    def play(self, moved: Callable[[int], object] = lambda moves: None) -> None:
        """Play a match to its end; calls `moved` after each move with the number of moves."""
        while self.move():
            moved(self.moves)
            assert self.moves < MOST_MOVES

    def move(self) -> bool:
        """Make a move as soon as possible; False if the match is over."""
        before = self.moves
        for _ in range(MOST_TOUCHES):
            self.page.wait_for_selector(MINE, state="attached")
            if self.moves > before:
                return True
            if self.page.query_selector(OVER):
                return False
            self.touch(next(filter(self.page.query_selector, (CURTAIN, CONFIRM)), LIT))
            if self.moves > before:
                return True
        raise AssertionError(f"no move comes of it: {self.page.inner_text('#bar')}")

    def make(self, way: Sequence[str]) -> None:
        """Make the move to which these touches lead, or the one that is left before; skips those
        that come by themselves.
        """
        for name in way:
            self.page.wait_for_selector(MINE, state="attached")
            if self.page.query_selector(CONFIRM):
                break
            if self.page.query_selector(lit(name)):
                self.touch(lit(name))
        self.page.wait_for_selector(CONFIRM)
        assert self.move()

    def choose(self) -> None:
        """Touch elements until a move waits for confirmation."""
        for _ in range(MOST_TOUCHES):
            self.page.wait_for_selector(MINE, state="attached")
            if self.page.query_selector(CONFIRM):
                return
            self.touch(CURTAIN if self.page.query_selector(CURTAIN) else LIT)
        raise AssertionError(f"no move comes of it: {self.page.inner_text('#bar')}")

    def _on_request(self, request: Request) -> None:
        if request.method == "POST" and request.url.endswith("/moves"):
            self._keys.add(request.headers["idempotency-key"])
            self.sent = (request.post_data_json or {})["move"]

    @abstractmethod
    def touch(self, things: str) -> None:
        """Touch one of these elements, if one is left."""


class Mouse(Hand):
    """A hand with a mouse."""

    def touch(self, things: str) -> None:
        if at := spot(self.page, things, self.chance):
            self.page.mouse.click(*at)


class Finger(Hand):
    """A hand at a touch screen."""

    def touch(self, things: str) -> None:
        if at := spot(self.page, things, self.chance):
            self.page.touchscreen.tap(*at)


def lit(name: str) -> str:
    """A selector of an element that can be touched, by the name of its touch."""
    return f'.view .can-touch[data-at="{name}"], #words button[data-touch="{name}"]'


def spot(page: Page, things: str, chance: Random) -> tuple[float, float] | None:
    """The position of one of these elements on the screen, after scrolling to it."""
    found = page.evaluate(SPOT, [things, chance.random()])
    assert not isinstance(found, str), found
    return found and (found[0], found[1])


class Keys(Hand):
    """A hand with only a keyboard."""

    def touch(self, things: str) -> None:
        self.go(things)
        for _ in range(self.chance.randrange(MOST_STEPS)):
            if self._at("button"):
                self.page.keyboard.press("Tab")
                self.go(things, "Shift+Tab")
            else:
                self.page.keyboard.press(self.chance.choice(ARROWS))
                self.go(things)
        self.page.keyboard.press("Enter")

    def go(self, things: str, way: str = "Tab") -> None:
        """Press Tab, or Shift+Tab, until one of these elements has the focus."""
        for _ in range(MOST_TABS):
            if self._at(things):
                return
            self.page.keyboard.press(way)
        raise AssertionError(f"no way to {things}")

    def _at(self, things: str) -> bool:
        return bool(self.page.evaluate(AT, things))
