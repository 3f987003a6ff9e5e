"""`annals new-game`: copies the toy game into a checkout under another name."""

from __future__ import annotations

import ast
import keyword
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click
import msgspec

from workers.host.errors import CannotRun

MARK = "TODO: still the toy's"
"""What a file says after its docstring until you make it yours."""
KEY = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
PREFIX = re.compile(r"[A-Z]{2,}")
GAMES = "domain/games/__init__.py"
TOY, TOY_TESTS = "tests/engine/toy", "tests/games/toy"
TOY_PAGE = f"{TOY_TESTS}/page.md"
LISTS = (
    (re.compile(r"(?:^    \w+,\n)+", re.MULTILINE), "    {key},\n"),
    (re.compile(r'(?:^    "\w+": \w+\.GAME,\n)+', re.MULTILINE), '    "{key}": {key}.GAME,\n'),
)
"""The two lists of games, their imports and their records, and the line of a game in each."""
ORDER = (
    "RULES*.md", "fields.json", "__init__.py", "board.py", "state/*.py", "events.py", "moves.py",
    "scoring.py", "rules/*.py", "view.py", "touch.py", "sayings.py", "texts/*.json",
    "render/*.py", "bot.py", "examples.json",
)  # fmt: skip
"""The files of a game, in the order in which they build on one another."""
WITHOUT_DOCSTRING = {
    "RULES.md": "The rules in your own words, a number for each.",
    "fields.json": "What the fields of its records mean.",
    "en.json": "All texts of the game by key.",
    "examples.json": "Worked examples of the rules; a text explains each.",
}


@dataclass(frozen=True)
class NewGame:
    """The names of the new game, and the checkout that gets it."""

    checkout: Path
    key: str
    title: str
    prefix: str  # of its rule numbers

    @property
    def folder(self) -> Path:
        """Its rules, pictures, texts and bots."""
        return self.checkout / "domain/games" / self.key

    @property
    def tests(self) -> Path:
        """Its tests and its recorded games."""
        return self.checkout / "tests/games" / self.key

    @property
    def page(self) -> Path:
        """Its guide."""
        return self.checkout / "docs/games" / f"{self.key}.md"


@click.command("new-game")
@click.argument("key")
@click.option("--title", help="Name of the game in English.  [default: made from KEY]")
@click.option("--prefix", help="Begins its rule numbers, such as QIN.  [default: made from KEY]")
@click.option(
    "--into",
    "checkout",
    default=".",
    type=click.Path(file_okay=False, path_type=Path),
    help="Checkout of Annals.  [default: this folder]",
)
def new_game(key: str, title: str | None, prefix: str | None, checkout: Path) -> None:
    """Add a game to a checkout of Annals: the toy game, under the name KEY.

    It is complete: rules, pictures, texts in each language, bots, tests and a guide. Replace one
    part after the other; the command lists them. KEY is lower case, such as high_low.
    """
    words = key.split("_")
    initials = "".join(word[0] for word in words if word) if len(words) > 1 else key
    title = title or " ".join(words).title()
    game = NewGame(checkout, key, title, prefix or initials.upper())
    check(game)
    copy(game)
    register(game)
    for line in instructions(game):
        click.echo(line)


def check(game: NewGame) -> None:
    """Raise CannotRun unless the checkout can hold this game."""
    if missing := [name for name in (TOY, TOY_TESTS, GAMES) if not (game.checkout / name).exists()]:
        raise CannotRun(
            f"{game.checkout.resolve()} is no checkout of Annals, it has no {missing[0]}: clone the"
            " repository, since an installed package lacks the tests, and name it with --into."
        )
    if not KEY.fullmatch(game.key) or keyword.iskeyword(game.key):
        raise CannotRun(
            f"{game.key!r} cannot be a key: use lower-case words joined by _, such as high_low."
        )
    if taken := [path for path in (game.folder, game.tests, game.page) if path.exists()]:
        raise CannotRun(f"There is a game {game.key!r} already: {taken[0]} exists.")
    check_prefix(game)


def check_prefix(game: NewGame) -> None:
    """Raise CannotRun unless the numbers of the rules can begin like this, and no others do."""
    if not PREFIX.fullmatch(game.prefix):
        raise CannotRun(f"{game.prefix!r} cannot begin rule numbers: use --prefix with A to Z.")
    for book in sorted(game.checkout.glob("*/*/*/RULES.md")):
        if f" {game.prefix}-" in book.read_text(encoding="utf-8"):
            raise CannotRun(
                f"The rules of {book.parent.name} begin with {game.prefix}: choose another --prefix."
            )


def copy(game: NewGame) -> None:
    """Copy the toy, its tests and its page, renamed; mark what is still the toy's."""
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(game.checkout / TOY, game.folder, ignore=ignored)
    shutil.copytree(game.checkout / TOY_TESTS, game.tests, ignore=ignored)
    (game.tests / Path(TOY_PAGE).name).rename(game.page)
    titles = titles_of(game.folder)
    for path in files_of(game):
        text = rename(path.read_text(encoding="utf-8"), game, titles)
        code = path.suffix == ".py" and is_to_fill_in(path)
        path.write_text(mark(text) if code else text, encoding="utf-8")


def titles_of(folder: Path) -> list[str]:
    """The titles of a game in all languages."""
    texts = (msgspec.json.decode(path.read_bytes()) for path in folder.glob("texts/*.json"))
    return [one["title"] for one in texts]


def rename(text: str, game: NewGame, titles: list[str]) -> str:
    """The text of a file of the toy, as one of the new game."""
    names = {
        "tests.engine.toy": f"domain.games.{game.key}",
        "tests.games.toy": f"tests.games.{game.key}",
        "tests/engine/toy": f"domain/games/{game.key}",
        "/toy": f"/{game.key}",
        '"toy"': f'"{game.key}"',
        "TOY-": f"{game.prefix}-",
        **dict.fromkeys(titles, game.title),
    }
    for old, new in names.items():
        text = text.replace(old, new)
    return text


def mark(text: str) -> str:
    """The text of a Python file, marked below its docstring."""
    docstring, _, code = text.partition('"""\n')
    return f'{docstring}"""\n\n# {MARK}.\n{code}'


def is_to_fill_in(path: Path) -> bool:
    """Whether a file says something about the game, beside a docstring."""
    if path.suffix == ".py":
        return len(ast.parse(path.read_text(encoding="utf-8")).body) > 1
    return path.name in WITHOUT_DOCSTRING


def files_of(game: NewGame) -> Iterator[Path]:
    """All files of the game."""
    for folder in (game.folder, game.tests):
        yield from (path for path in sorted(folder.rglob("*")) if path.is_file())
    yield game.page


def register(game: NewGame) -> None:
    """Add the game to GAMES."""
    path = game.checkout / GAMES
    text = path.read_text(encoding="utf-8")
    for lines, line in LISTS:
        own = line.format(key=game.key)
        text = lines.sub(lambda old, own=own: insert(old[0], own), text, count=1)
    path.write_text(text, encoding="utf-8")


def insert(lines: str, line: str) -> str:
    """The lines with one more, in alphabetical order."""
    return "".join(sorted([*lines.splitlines(keepends=True), line]))


def instructions(game: NewGame) -> Iterator[str]:
    """The files of the game with what is in each, and what to run next."""
    yield f"{game.title} can be played: it is the toy under another name. Make it yours, a file"
    yield "after the other:"
    yield ""
    for path in in_order(game):
        yield f"  {path.relative_to(game.checkout)}: {describe(path)}"
    yield ""
    yield f"Delete the line with {MARK!r} in each file that is yours. Next:"
    yield ""
    yield f"  make replays GAME={game.key}   # records its games"
    yield "  make contract   # adds its records to the contract"
    yield f"  make test GAME={game.key}"
    yield ""
    yield "Each step is in docs/how-to/add-a-game.md."


def in_order(game: NewGame) -> Iterator[Path]:
    """The files to fill in: those of the game in the order of its layers, then its tests."""
    for pattern in ORDER:
        yield from (path for path in sorted(game.folder.glob(pattern)) if is_to_fill_in(path))
    yield from (path for path in sorted(game.tests.glob("*.py")) if is_to_fill_in(path))
    yield game.page


def describe(path: Path) -> str:
    """What a file is for: the first line of its docstring."""
    if path.suffix == ".py":
        return str(ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))).splitlines()[0]
    return WITHOUT_DOCSTRING.get(path.name, "The guide of the game: options, moves and events.")
