"""`python -m tests.architecture.language` measures how plainly the code and the guides are written.

It counts words of private language per 10,000 words of prose, and names that are bare participles.
Limits are the level of well-known Python projects (CONTRIBUTING.md). Where a count is above its
limit, each occurrence is printed with its file and line, and the exit code is 1.
"""

from __future__ import annotations

import ast
import gc
import re
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from tests.architecture.layout import CODE, ROOT

PACKAGES = (*CODE, "bench", "examples", "tests")
WORDS = {
    "somebody": (5.0, re.compile(r"\b(some|no|any|every)body\b", re.IGNORECASE)),
    "tell": (5.0, re.compile(r"\b(told|tells?|telling)\b", re.IGNORECASE)),
    "whoever": (4.0, re.compile(r"\bwh(oever|omever|atever)\b", re.IGNORECASE)),
    "so many": (1.0, re.compile(r"\bso (many|much|often)\b", re.IGNORECASE)),
}
"""The limit per 10,000 words of prose, and the pattern."""
MAX_PARTICIPLES = 0.02
"""The maximum share of all functions."""
MIN_YOU, MAX_PASSIVES = 10, 15
"""Limits for guides, per 1,000 words."""
YOU = re.compile(r"\b(you|your|yours|yourself)\b", re.IGNORECASE)
PASSIVE = re.compile(
    r"\b(is|are|was|were|be|been|being) (not |never |only |also |then |always )?"
    r"(\w+ed|\w+en|made|kept|sent|told|read|found|held|known|shown|drawn|set|put|built|left|lost"
    r"|said|met|done|gone|begun|run|cut|paid|bought|brought|caught|taught|thought|won)\b",
    re.IGNORECASE,
)
ADJECTIVES = frozenset(
    [
        "embed",
        "even",
        "feed",
        "hidden",
        "len",
        "listen",
        "need",
        "open",
        "read",
        "screen",
        "seed",
        "speed",
        "then",
        "token",
        "when",
    ]
)
PARTICIPLE = re.compile(
    r"^_?(told|seen|noted|asked|drawn|kept|begun|shown|taken|given|held|known|written|found|met|left"
    r"|made|done|sent|said|heard|chosen|[a-z]+ed|[a-z]+en)(_[a-z_]+)?$"
)
PARTICIPLE_CLASS = re.compile(
    r"_?([A-Z][a-z]*[a-df-z]ed|Told|Seen|Kept|Drawn|Shown|Known|Found|Met|Left|Made|Said|Chosen|Begun"
    r"|Written|Given|Taken|Held)"
)
COMMENT = re.compile(
    r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\])*"|'
    r"'''(?:\\.|[^\\])*?'''|'(?:\\.|[^'\\])*'|"
    r"(?P<comment>#[^\n]*)",
    re.DOTALL,
)
"""A comment, or a string, in which `#` begins none; `tokenize` takes five times as long."""
STORED = {"Defeated"}
"""Steps whose class names are in recorded matches, which must stay readable."""
BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""The parts of a statement with the statements in it."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


class Finding(NamedTuple):
    """A counted occurrence."""

    path: Path
    line: int
    text: str

    def __str__(self) -> str:
        """The occurrence as compilers print it, so that editors can jump to it."""
        return f"{self.path.relative_to(ROOT)}:{self.line}: {self.text}"


class Prose(NamedTuple):
    """A piece of prose and the line on which it begins."""

    path: Path
    line: int
    text: str


def python_files(folder: str) -> list[Path]:
    """All Python files in a folder of the repository."""
    return sorted((ROOT / folder).rglob("*.py"))


@cache
def statements(path: Path) -> tuple[ast.AST, ...]:
    """All statements of a Python file, also the nested ones; no expression contains any, so walking
    through those, too, takes ten times as long.
    """
    found: list[ast.AST] = [ast.parse(path.read_text())]
    for one in found:  # which grows meanwhile
        for part in BLOCKS:
            found += getattr(one, part, ())
    return tuple(found)


def prose_of(path: Path) -> Iterator[Prose]:
    """The docstrings and comments of a Python file."""
    for node in statements(path):
        match node:
            case ast.Expr(value=ast.Constant(value=str(words))):
                yield Prose(path, node.lineno, words)
    yield from comments(path)


def comments(path: Path) -> Iterator[Prose]:
    """The comments of a Python file."""
    code, line, start = path.read_text(), 1, 0
    for found in COMMENT.finditer(code):
        if found["comment"]:
            line += code.count("\n", start, found.start())
            start = found.start()
            yield Prose(path, line, found["comment"])


def guide_prose(path: Path) -> Iterator[Prose]:
    """The lines of a guide without code, tables of code names and addresses of links."""
    fenced = False
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
        elif not fenced:
            yield Prose(path, number, re.sub(r"`[^`]*`|\]\([^)]*\)|<[^>]*>", " ", line))


def find_words(prose: Iterable[Prose], words: re.Pattern[str]) -> Iterator[Finding]:
    """Each occurrence of these words."""
    for path, line, text in prose:
        for number, part in enumerate(text.splitlines()):
            for found in words.finditer(part):
                yield Finding(path, line + number, f"{found.group()!r} in: {part.strip()[:80]}")


def count_words(prose: Iterable[Prose]) -> int:
    """How many words there are, at least one."""
    return sum(len(piece.text.split()) for piece in prose) or 1


def functions(path: Path) -> Iterator[Function]:
    """The functions and methods of a file, without its properties."""
    for node in statements(path):
        if isinstance(node, Function) and not any(
            "property" in ast.unparse(decorator) for decorator in node.decorator_list
        ):
            yield node


def is_participle(name: str) -> bool:
    """Whether a function name is a bare participle, such as `told` or `_asked_again`."""
    first = name.lstrip("_").partition("_")[0]
    return bool(PARTICIPLE.match(name)) and first not in ADJECTIVES and not first.endswith("eed")


def is_participle_class(name: str) -> bool:
    """Whether a class is named by a bare participle, such as `Told`."""
    return bool(PARTICIPLE_CLASS.fullmatch(name)) and name not in STORED


def find_participles(paths: Iterable[Path]) -> Iterator[Finding]:
    """The functions with a bare participle as their name."""
    for path in paths:
        for node in functions(path):
            if is_participle(node.name):
                yield Finding(path, node.lineno, f"function {node.name} is named by a participle")


def find_classes(paths: Iterable[Path]) -> Iterator[Finding]:
    """The classes with a bare participle as their name, without events."""
    for path in paths:
        if not path.stem.endswith("events") and path.parent.name != "events":
            for node in statements(path):
                if isinstance(node, ast.ClassDef) and is_participle_class(node.name):
                    yield Finding(path, node.lineno, f"class {node.name} is named by a participle")


def check_prose(name: str, prose: list[Prose]) -> Iterator[Finding]:
    """The words of private language, of each kind that is above its limit; prints the counts."""
    total, row = count_words(prose), []
    for word, (limit, words) in WORDS.items():
        found = list(find_words(prose, words))
        rate = 10_000 * len(found) / total
        row.append(f"{word} {rate:.1f}")
        if rate > limit:
            yield from found
    print(f"{name}: {total} words; per 10,000: {', '.join(row)}")  # noqa: T201 - a command


def check_names(folder: str) -> Iterator[Finding]:
    """The names that are participles, if there are too many; prints their share."""
    paths = python_files(folder)
    total = sum(1 for path in paths for _ in functions(path)) or 1
    found = list(find_participles(paths))
    print(f"{folder}: participles {100 * len(found) / total:.1f} % of {total} functions")  # noqa: T201
    if len(found) > MAX_PARTICIPLES * total:
        yield from found
    yield from find_classes(paths)


def check_guides(paths: Iterable[Path]) -> Iterator[Finding]:
    """The guides that do not speak to their reader, or say too much in the passive voice."""
    for path in paths:
        prose = list(guide_prose(path))
        per_thousand = 1000 / count_words(prose)
        passives = list(find_words(prose, PASSIVE))
        if len(passives) * per_thousand > MAX_PASSIVES:
            yield from passives
        you = len(list(find_words(prose, YOU))) * per_thousand
        if you < MIN_YOU:
            yield Finding(path, 1, f"says you {you:.1f} times per 1,000 words, not {MIN_YOU}")


def guides() -> list[Path]:
    """The guides and other pages for people."""
    return [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]


def tasks() -> list[Path]:
    """The guides that lead a reader through a task; they must address the reader."""
    return sorted(
        path for kind in ("tutorials", "how-to") for path in (ROOT / "docs" / kind).glob("*.md")
    )


def check() -> list[Finding]:
    """All findings in code and guides."""
    found: list[Finding] = []
    for folder in PACKAGES:
        prose = (piece for path in python_files(folder) for piece in prose_of(path))
        found += check_prose(folder, list(prose))
        found += check_names(folder)
    found += check_prose("guides", [piece for path in guides() for piece in guide_prose(path)])
    return [*found, *check_guides(tasks())]


if __name__ == "__main__":
    gc.disable()  # it would go through all syntax trees many times, which takes half of the time
    FOUND = check()
    sys.exit("\n".join(map(str, FOUND)) or 0)
