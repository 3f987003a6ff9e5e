"""Draw a whole match as one animated SVG: the moving picture of the README.

`make readme-picture` writes it. Two bots play a match from a fixed seed; each frame is the board at
the end of a turn, as a spectator sees it. What stays the same between frames is in the file once.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape

from domain.engine.bots import bot_view
from domain.engine.dice import Luck
from domain.engine.game import Game, advance, new_state, seats_to_move
from domain.games import GAMES

ROOT = Path(__file__).parents[2]
GAME, LEVELS, SEED = "tigris_euphrates", ("hammurabi", "gilgamesh"), "the README"
TARGET = ROOT / "docs/pictures/match.svg"
MAX_BYTES = 600_000
FRAME_S, LAST_FRAME_S = 0.7, 5.0
MAX_DEPTH = 3
"""Groups down to this depth are merged; a deeper one is drawn again if anything in it changes."""
SVG = "http://www.w3.org/2000/svg"
NO_PICTURE = {f"{{{SVG}}}title", f"{{{SVG}}}desc"}


@dataclass
class Part:
    """An element of the merged picture, and the frames that show it."""

    key: str
    element: Element
    frames: set[int] = field(default_factory=set)
    parts: list[Part] | None = None  # of a group that is merged itself


def play(game: Game[Any], levels: Sequence[str], seed: str) -> Iterator[str]:
    """The board as SVG at the start, after each turn, and at the end."""
    bots = [level.bot for key in levels for level in game.levels if level.key == key]
    words = game.words(names=[game.bot_names()[key] for key in levels])
    luck = Luck(seed)
    state = new_state(game, game.setup(game.options(), len(bots)), len(bots), luck)
    previous = None
    while seats := seats_to_move(state):
        if seats[0] != previous:
            yield game.render_svg(game.view(state, None), words)
        previous = seats[0]
        advance(game, state, bots[seats[0]](bot_view(game, state, seats[0], luck)), luck)
    yield game.render_svg(game.view(state, None), words)


def merge(parts: list[Part], children: Sequence[Element], frame: int, depth: int = 1) -> None:
    """Add the elements of a frame to the merged ones, in an order that suits all frames."""
    drawn = [child for child in children if child.tag not in NO_PICTURE]
    new = [Part(_key(child, depth), child) for child in drawn]
    keys, new_keys = [one.key for one in parts], [one.key for one in new]
    matcher = SequenceMatcher(None, keys, new_keys, autojunk=False)
    merged: list[Part] = []
    for _, begin, end, new_begin, new_end in matcher.get_opcodes():
        same = parts[begin:end] if keys[begin:end] == new_keys[new_begin:new_end] else []
        merged += same or [*parts[begin:end], *new[new_begin:new_end]]
        for one, child in zip(
            same or new[new_begin:new_end], drawn[new_begin:new_end], strict=True
        ):
            one.frames.add(frame)
            if one.key.startswith("group "):
                one.parts = one.parts or []
                merge(one.parts, list(child), frame, depth + 1)
    parts[:] = merged


def animate(parts: list[Part], total: int) -> str:
    """The merged elements as SVG, each with the class of the frames that show it."""
    drawn = []
    for one in parts:
        name = f' class="{_class(one.frames)}"' if len(one.frames) < total else ""
        if one.parts is None:
            text = ElementTree.tostring(one.element, encoding="unicode")
            drawn.append(f"<g{name}>{text}</g>" if name else text)
        else:
            attributes = "".join(f' {key}="{value}"' for key, value in one.element.items())
            drawn.append(f"<g{name}{attributes}>{animate(one.parts, total)}</g>")
    return "".join(drawn)


def style(parts: list[Part], total: int) -> str:
    """The animation of each class; without motion, or without CSS animations, the last frame."""
    seconds = (total - 1) * FRAME_S + LAST_FRAME_S
    timing = "animation-iteration-count:infinite;animation-timing-function:step-end"
    rules = [f".match g{{animation-duration:{seconds:g}s;{timing}}}"]
    for frames in sorted({tuple(sorted(one.frames)) for one in _all(parts)}):
        if len(frames) < total:
            name = _class(set(frames))
            steps = "".join(_steps(set(frames), total, seconds))
            still = "" if total - 1 in frames else "visibility:hidden;"
            rules.append(f".{name}{{{still}animation-name:{name}}}@keyframes {name}{{{steps}}}")
    rules.append("@media(prefers-reduced-motion:reduce){.match g{animation:none}}")
    return "".join(rules)


def main() -> None:
    """Write the picture."""
    ElementTree.register_namespace("", SVG)
    game = GAMES[GAME]
    frames = [ElementTree.fromstring(svg) for svg in play(game, LEVELS, SEED)]
    parts: list[Part] = []
    for number, frame in enumerate(frames):
        merge(parts, list(frame), number)
    attributes = "".join(f' {key}="{value}"' for key, value in frames[-1].items())
    text = (
        f'<svg class="match"{attributes}><title>A match of {escape(game.title)}</title>'
        f"<style>{style(parts, len(frames))}</style>{animate(parts, len(frames))}</svg>\n"
    )
    text = text.replace(f' xmlns="{SVG}"', "").replace("<svg ", f'<svg xmlns="{SVG}" ', 1)
    if len(text.encode()) > MAX_BYTES:
        sys.exit(f"The picture has {len(text.encode()):,} bytes, of which {MAX_BYTES:,} may be.")
    TARGET.write_text(text, encoding="utf-8")
    print(f"{TARGET.name}: {len(frames)} frames, {len(text.encode()):,} bytes")


def _key(element: Element, depth: int) -> str:
    if element.tag == f"{{{SVG}}}g" and depth <= MAX_DEPTH and len(element):
        return f"group {sorted(element.items())}"
    return ElementTree.tostring(element, encoding="unicode")


def _class(frames: set[int]) -> str:
    """A name for these frames, as short as can be: their runs, such as `f3-7_12`."""
    runs = [
        f"{first}-{last}" if last > first else f"{first}" for first, last in _runs(sorted(frames))
    ]
    return f"f{'_'.join(runs)}"


def _runs(frames: Sequence[int]) -> Iterator[tuple[int, int]]:
    first = last = frames[0]
    for frame in frames[1:]:
        if frame != last + 1:
            yield first, last
            first = frame
        last = frame
    yield first, last


def _steps(frames: set[int], total: int, seconds: float) -> Iterator[str]:
    """The keyframes at which the visibility changes."""
    for frame in range(total):
        shown, before = frame in frames, frame - 1 in frames
        if frame == 0 or shown != before:
            at = 100 * frame * FRAME_S / seconds
            yield f"{at:.4g}%{{visibility:{'visible' if shown else 'hidden'}}}"


def _all(parts: list[Part]) -> Iterator[Part]:
    for one in parts:
        yield one
        yield from _all(one.parts or [])


if __name__ == "__main__":
    main()
