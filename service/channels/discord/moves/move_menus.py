"""A move, step by step: what is touched first, then what comes next, in menus of at most 25.

The tree is that of the game's legal moves at one version, so a path into it is a few numbers.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from domain.engine.game import tree
from domain.engine.play import Move, Seat
from domain.engine.touches import Touch, Tree
from domain.match.state import Match
from service.channels.chat.markup import plain
from service.channels.chat.sentences import Words
from service.channels.discord.components import Json, button, menu, row
from service.channels.discord.custom_ids import Mark
from service.matches import queries
from service.matches.container import Annals
from service.runtime.errors import NotFound

ARROW = " \u2192 "


class Steps:
    """The legal moves of a seat, as they can be pointed at."""

    def __init__(self, annals: Annals, match: Match, seat: Seat) -> None:
        self._match = match
        self._seat = seat
        self.words = Words(annals, match, seat)
        moves = queries.moves_of(match, seat)
        self._tree: Tree[Move] = tree(match.game, self.words.view, moves)

    def chosen(self, path: Sequence[int]) -> Move | None:
        """The move that is left once so much was chosen; None if there are several."""
        left = self._tree.left(self._walked(path))
        return left[0] if path and len(left) == 1 else None

    def asked(self, path: Sequence[int]) -> str:
        """What is to be chosen next, after what was chosen."""
        names = [self.words.called(touch) for touch in self._walked(path)]
        chosen = f"**{plain(ARROW.join(names))}**\n" if names else ""
        return f"{chosen}{self.words.asked()}"

    def controls(self, path: Sequence[int]) -> list[Json]:
        """The menu of what comes next, and the way back."""
        mark = Mark("st", self._match.id, self._match.version, self._seat, tuple(path))
        touches = self._tree.choices(self._walked(path))
        numbers = {touch: place for place, touch in enumerate(sorted(touches))}
        options = [(self.words.called(touch), str(numbers[touch])) for touch in touches]
        shown = [row([menu(str(mark), "What?" if not path else "And then?", options)])]
        if path:
            shown.append(row([button("Back", str(mark.to("bk", *path[:-1])))]))
        return shown

    def offered(self, typed: str) -> Iterator[tuple[str, str]]:
        """Moves in words that have all of these words in them, with what each is known by."""
        wanted = typed.casefold().split()
        for place, way in enumerate(sorted(self._tree.ways)):
            label = ARROW.join(map(self.words.called, way))
            if all(word in label.casefold() for word in wanted):
                yield label, f"{self._match.version}.{self._seat}.{place}"

    def known(self, place: int) -> Move:
        """The move that was offered under this number; NotFound."""
        ways = sorted(self._tree.ways)
        if place >= len(ways):
            raise NotFound("There is no such move now.")
        return self._tree.ways[ways[place]]

    def _walked(self, path: Sequence[int]) -> list[Touch]:
        """The touches on this path, with those that go without saying; NotFound."""
        walked = self._onward([])
        for place in path:
            choices = sorted(self._tree.choices(walked))
            if place >= len(choices):
                raise NotFound("There is no such choice now.")
            walked = self._onward([*walked, choices[place]])
        return walked

    def _onward(self, walked: list[Touch]) -> list[Touch]:
        """The same path up to where there is something to choose."""
        while len(self._tree.left(walked)) > 1 and len(only := self._tree.choices(walked)) == 1:
            walked = [*walked, *only]
        return walked
