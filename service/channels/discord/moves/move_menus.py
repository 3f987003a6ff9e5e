"""Choosing a move step by step, in menus of at most 25 options.

The menus follow the tree of legal moves at one version, so a path through it is a few numbers. As
soon as few moves are left, a menu or buttons show all of them. While many are left, the likely ones
come first, and buttons make the likeliest.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from domain.engine.bots import rank_moves
from domain.engine.game import touch_tree
from domain.engine.play import Move, Seat
from domain.engine.touches import Touch, TouchTree, Way
from domain.match.state import Match
from service.channels.chat.markup import escape_markdown
from service.channels.chat.sentences import MatchTexts
from service.channels.discord.components import (
    BLUE,
    GREY,
    MAX_MENU_OPTIONS,
    Json,
    button,
    menu,
    row,
)
from service.channels.discord.custom_ids import CustomId
from service.matches import queries
from service.matches.container import Annals
from service.runtime.errors import NotFound

ARROW = " \u2192 "
MAX_BUTTONS = 5
"""Maximum number of buttons: for the likely moves, or for all choices if they are no more."""
Path = tuple[int, ...]
Option = tuple[str, Path]


class MoveMenu:
    """The legal moves of a seat, as a tree of touches; the likely ones first if they are many."""

    def __init__(self, annals: Annals, match: Match, seat: Seat) -> None:
        self._match = match
        self._seat = seat
        self.texts = MatchTexts(annals, match, seat)
        moves = queries.moves_of(match, seat)
        if len(moves) > MAX_MENU_OPTIONS:
            moves = rank_moves(match.game, match.state, seat, moves)
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
        """Return the likely moves if many are left, the menu of the next choice, and a button
        back.
        """
        path, custom_id = tuple(path), self._custom_id(path)
        touches = self._resolve(path)
        moves = self._tree.moves_at(touches)
        if len(moves) <= MAX_MENU_OPTIONS:
            rows, options = [], self._options_of(moves, path)
        else:
            rows = [self._buttons(self._options_of(moves[:MAX_BUTTONS], path), BLUE)]
            options = self._next_touches(touches, path)
        if len(options) > MAX_BUTTONS:
            rest = [(label, ".".join(map(str, to[len(path) :]))) for label, to in options]
            rows.append(row([menu(str(custom_id), "What?" if not path else "What next?", rest)]))
        else:
            rows.append(self._buttons(options))
        if path:
            rows.append(row([button("Back", str(custom_id.with_action("bk", *path[:-1])))]))
        return rows

    def _custom_id(self, path: Sequence[int]) -> CustomId:
        return CustomId("st", self._match.id, self._match.version, self._seat, tuple(path))

    def _buttons(self, options: Sequence[Option], style: int = GREY) -> Json:
        """Return a row of buttons that go to these paths."""
        pick = self._custom_id(()).with_action
        return row([button(label, str(pick("pk", *to)), style) for label, to in options])

    def _options_of(self, moves: Sequence[Move], path: Path) -> list[Option]:
        """Return the labels of these moves, and the paths to them."""
        touches = self._resolve(path)
        names, paths = self._labels(moves, touches), dict(self._paths_to(moves, path, touches))
        return [(names[move], paths[move]) for move in moves]

    def _next_touches(self, touches: Sequence[Touch], path: Path) -> list[Option]:
        """Return the labels of the next touches, and the paths to them."""
        choices = self._tree.choices(touches)
        numbers = {touch: number for number, touch in enumerate(sorted(choices))}
        return [(self.texts.label(touch), (*path, numbers[touch])) for touch in choices]

    def _paths_to(
        self, moves: Collection[Move], path: Path, touches: Sequence[Touch]
    ) -> Iterator[tuple[Move, Path]]:
        """Yield each of these moves with the first path to it behind this path, which has these
        touches.
        """
        at_path, left = self._tree.moves_at(touches), set(moves)
        if path and len(at_path) == 1:
            yield at_path[0], path
            return
        for number, touch in enumerate(sorted(self._tree.choices(touches))):
            onward = [*touches, touch]
            if here := left.intersection(self._tree.moves_at(onward)):
                left -= here
                yield from self._paths_to(here, (*path, number), self._skip_forced(onward))
            if not left:
                return

    def _labels(self, moves: Collection[Move], chosen: Sequence[Touch]) -> Mapping[Move, str]:
        """Return the touches of each move that are not chosen yet, on the first of its ways."""
        left = {
            move: [touch for touch in way if touch not in chosen]
            for move, way in self._first_ways().items()
            if move in moves
        }
        return {
            move: ARROW.join(map(self.texts.label, touches or chosen))
            for move, touches in left.items()
        }

    def _first_ways(self) -> dict[Move, Way]:
        """Return the first way to each move, which names its touches in their usual order."""
        first: dict[Move, Way] = {}
        for way, move in self._tree.ways.items():
            first.setdefault(move, way)
        return first

    def search(self, text: str) -> Iterator[tuple[str, str]]:
        """Yield the labels and ids of moves whose label contains all these words."""
        words = text.casefold().split()
        numbers = {touches: number for number, touches in enumerate(sorted(self._tree.ways))}
        for touches in self._first_ways().values():
            label = ARROW.join(map(self.texts.label, touches))
            if all(word in label.casefold() for word in words):
                yield label, f"{self._match.version}.{self._seat}.{numbers[touches]}"

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
