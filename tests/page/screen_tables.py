"""The tables of `docs/screens.md`: a section for each screen, a row for each table of a game."""

from __future__ import annotations

import re
from typing import NamedTuple

from tests.page.screens import NOTHING, ScreenSizes, Size, Smallest
from tests.support.documented import DOCS

PAGE = DOCS / "screens.md"
NAMES = {"map": "the map", "own": "your pieces", "prompt": "the prompt", "confirm": "Confirm"}
NEAR_PX = (0.5, 2, 2)
"""How far letters and targets may be from those of a table: other fonts wrap other lines."""


class Row(NamedTuple):
    """A line of a table: sizes with the panels where they are, and what is not as it should be."""

    sizes: tuple[str, ...]
    in_sight: str
    beyond: str

    @classmethod
    def of(cls, found: ScreenSizes, *, is_phone: bool) -> Row:
        """The line for what was measured."""
        sizes = found[:3] if is_phone else found[:2]
        unseen = ", ".join(NAMES[part] for part in NAMES if part in found.unseen)
        return cls(
            tuple(map(_cell, sizes)),
            f"all but {unseen}" if unseen else "yes",
            f"{found.beyond} px" if found.beyond else "none",
        )

    @classmethod
    def read(cls, line: str) -> Row:
        """The line as written."""
        *sizes, in_sight, beyond = line.split(" | ")
        return cls(tuple(sizes), in_sight, beyond)

    def __str__(self) -> str:
        return " | ".join([*self.sizes, self.in_sight, self.beyond])

    def is_like(self, other: Row) -> bool:
        """Whether another one says almost the same."""
        pairs = zip(self.sizes, other.sizes, NEAR_PX, strict=False)
        return self[1:] == other[1:] and all(
            abs(_number(one) - _number(two)) <= near_px for one, two, near_px in pairs
        )


def _cell(one: Smallest) -> str:
    return "none" if one == NOTHING else f"{one.size:.1f} {one.panel}".strip()


def _number(cell: str) -> float:
    return 0 if cell == "none" else float(cell.split()[0])


def heading_of(size: Size) -> str:
    """The heading of the section of a screen."""
    return f"### {size[0]} x {size[1]}\n"


def read_rows(heading: str) -> dict[str, str]:
    """The rows of the table below a heading, by their first cells."""
    return dict(re.findall(r"^\| `(.+?)` \| (.+) \|$", _section(heading), re.MULTILINE))


def write_row(heading: str, name: str, row: object) -> None:
    """Write a row into the table below a heading."""
    rows, section = {**read_rows(heading), name: row}, _section(heading)
    [head] = re.findall(r"^.*\| --- \|\n", section, re.DOTALL | re.MULTILINE)
    lines = [f"| `{each}` | {rows[each]} |\n" for each in sorted(rows)]
    text = PAGE.read_text(encoding="utf-8").replace(section, "".join([head, *lines, "\n"]))
    PAGE.write_text(text, encoding="utf-8")


def _section(heading: str) -> str:
    """The section of a heading, to the next one."""
    text = PAGE.read_text(encoding="utf-8")
    start = text.index(heading)
    return text[start : text.index("\n##", start) + 1]
