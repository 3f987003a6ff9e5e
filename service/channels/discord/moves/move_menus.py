"""Choosing a move step by step, in menus of at most 25 options.

The menus follow the tree of legal moves at one version, so a path through it is a few numbers. As
soon as few moves are left, a menu or buttons show all of them.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from domain.engine.game import touch_tree
from domain.engine.play import Move, Seat
from domain.engine.touches import Touch, TouchTree
from domain.match.state import Match
from service.channels.chat.markup import escape_markdown
from service.channels.chat.sentences import MatchTexts
from service.channels.discord.components import MAX_MENU_OPTIONS, Json, button, menu, row
from service.channels.discord.custom_ids import CustomId
from service.matches import queries
from service.matches.container import Annals
from service.runtime.errors import NotFound

ARROW = " \u2192 "
MAX_BUTTONS = 5
"""Maximum number of moves that are buttons; more are options of a menu."""
Path = tuple[int, ...]


class MoveMenu:
    """The legal moves of a seat, as a tree of touches."""

    def __init__(self, annals: Annals, match: Match, seat: Seat) -> None:
        self._match = match
        self._seat = seat
        self.texts = MatchTexts(annals, match, seat)
        moves = queries.moves_of(match, seat)
        self._tree: TouchTree[Move] = touch_tree(match.game, self.texts.view, moves)

    def move_at(self, path: Sequence[int]) -> Move | None:
        """Return the only move that is left after these choices, or None if there are several."""
        left = self._tree.moves_at(self._resolve(path))
        return left[0] if path and len(left) == 1 else None

    def prompt(self, path: Sequence[int]) -> str:
        """Return the choices so far, and what to choose next."""
        names = [self.texts.label(touch) for touch in self._resolve(path)]
        chosen = f"**{escape_markdown(ARROW.join(names))}**\n" if names else ""
        return f"{chosen}{self.texts.prompt()}"

    def controls(self, path: Sequence[int]) -> list[Json]:
        """Return the menu of the next choice, and a button back."""
        custom_id = CustomId("st", self._match.id, self._match.version, self._seat, tuple(path))
        options = self._options(tuple(path))
        if len(options) > MAX_BUTTONS:
            rest = [(label, ".".join(map(str, to[len(path) :]))) for label, to in options]
            rows = [row([menu(str(custom_id), "What?" if not path else "What next?", rest)])]
        else:
            rows = [
                row([button(label, str(custom_id.with_action("pk", *to))) for label, to in options])
            ]
        if path:
            rows.append(row([button("Back", str(custom_id.with_action("bk", *path[:-1])))]))
        return rows

    def _options(self, path: Path) -> list[tuple[str, Path]]:
        """Return the labels and paths to choose from: all moves if they fit, else the next
        touches.
        """
        touches = self._resolve(path)
        if len(self._tree.moves_at(touches)) <= MAX_MENU_OPTIONS:
            paths = {move: to for to, move in self._moves_behind(path)}
            names = self._labels(paths.keys(), touches)
            return [(names[move], to) for move, to in paths.items()]
        choices = self._tree.choices(touches)
        numbers = {touch: number for number, touch in enumerate(sorted(choices))}
        return [(self.texts.label(touch), (*path, numbers[touch])) for touch in choices]

    def _moves_behind(self, path: Path) -> Iterator[tuple[Path, Move]]:
        """Yield paths to all moves behind this path."""
        if move := self.move_at(path):
            yield path, move
            return
        touches = self._resolve(path)
        for number in range(len(self._tree.choices(touches))):
            yield from self._moves_behind((*path, number))

    def _labels(self, moves: Collection[Move], chosen: Sequence[Touch]) -> Mapping[Move, str]:
        """Return the touches of each move that are not chosen yet, on one of its ways."""
        left = {
            move: [touch for touch in way if touch not in chosen]
            for way, move in self._tree.ways.items()
            if move in moves
        }
        return {
            move: ARROW.join(map(self.texts.label, touches or chosen))
            for move, touches in left.items()
        }

    def search(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield the labels and ids of moves whose label contains all these words."""
        words = text.casefold().split()
        for number, touches in enumerate(sorted(self._tree.ways)):
            label = ARROW.join(map(self.texts.label, touches))
            if all(word in label.casefold() for word in words):
                yield label, f"{self._match.version}.{self._seat}.{number}"

    def get_move(self, number: int) -> Move:
        """Return the move with this number. Raises NotFound."""
        touches_in_order = sorted(self._tree.ways)
        if number >= len(touches_in_order):
            raise NotFound("This move is not available now.")
        return self._tree.ways[touches_in_order[number]]

    def _resolve(self, path: Sequence[int]) -> list[Touch]:
        """Return the touches on this path, including forced ones. Raises NotFound."""
        touches = self._skip_forced([])
        for number in path:
            choices = sorted(self._tree.choices(touches))
            if number >= len(choices):
                raise NotFound("This choice is not available now.")
            touches = self._skip_forced([*touches, choices[number]])
        return touches

    def _skip_forced(self, touches: list[Touch]) -> list[Touch]:
        """Return the touches, extended while there is only one choice."""
        while (
            len(self._tree.moves_at(touches)) > 1 and len(only := self._tree.choices(touches)) == 1
        ):
            touches = [*touches, *only]
        return touches
