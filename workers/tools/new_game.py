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
"""What a Python file says below its docstring until you make it yours."""
TOY, TOY_TESTS = "tests/engine/toy", "tests/games/toy"
PAGE = "page.md"
"""The guide of the toy, beside its tests."""
CACHE = "__pycache__"
GAMES, README = "domain/games/__init__.py", "README.md"
LISTS = (
    (GAMES, re.compile(r"(?:^    \w+,\n)+", re.MULTILINE), "    {key},\n"),
    (GAMES, re.compile(r'(?:^    "\w+": .+,\n)+', re.MULTILINE), '    "{key}": {key}.GAME,\n'),
    (
        README,
        re.compile(r"(?:^\| .*RULES\.md.*\n)+", re.MULTILINE),
        "| {title} | 2-4 | [rules](domain/games/{key}/RULES.md)"
        " | [levels](docs/games/{key}.md#bots) |\n",
    ),
)
"""The lists of games: the file, the lines of all games, and the line of the new one."""
KEY = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
RECORD = re.compile(r"^(?:    )?([A-Z]\w+):", re.MULTILINE)
RESERVED = ("core", "common", "examples")
"""Names of files of the contract that belong to no game."""
TITLE = re.compile(r"\w[\w &':,!-]*")
MAX_LETTERS = 40
"""The longest key, and the longest title."""
PREFIX = re.compile(r"[A-Z]{2,}")
VERSION = re.compile(r"^    rules=\d+,\n", re.MULTILINE)
"""The version of the toy's rules; those of a new game are its first."""
ORDER = (
    "RULES.md", "board.py", "state/*.py",
    "events.py", "moves.py", "scoring.py", "rules/*.py", "view.py", "touch.py",
    "sayings.py", "texts/en.json", "render/*.py", "bot.py", "__init__.py", "fields.json",
    "examples.json", "tips.json", "TURN.md", "AID.md",
)  # fmt: skip
"""The files of a game, in the order in which you fill them in."""
WITHOUT_DOCSTRING = {
    "RULES.md": "The rules in your own words, a number for each; RULES.*.md translate them.",
    "en.json": "All texts of the game, with its goal; the files beside it translate them.",
    "fields.json": "What the fields of its records mean, for authors of clients.",
    "examples.json": "Worked examples of the rules; a text explains each.",
    "tips.json": "The rule behind each kind of touch.",
    "TURN.md": "How a turn goes, with drawn examples; TURN.*.md translate it.",
    "AID.md": "The player aid: a turn and the scoring; AID.*.md translate it.",
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
@click.option("--title", help="Name of the game in English.  [default: KEY as words]")
@click.option("--prefix", help="Begins its rule numbers, such as QIN.  [default: from KEY]")
@click.option(
    "--into",
    "checkout",
    default=".",
    type=click.Path(file_okay=False, path_type=Path),
    help="Checkout of Annals.  [default: this folder]",
)
def new_game(key: str, title: str | None, prefix: str | None, checkout: Path) -> None:
    """Add a game to a checkout of Annals: a copy of the toy game, named KEY.

    It is a whole game with rules, pictures, texts in each language, bots, tests and a guide, so
    all checks pass. Then make it yours, one file after the other; the command lists them.

    KEY is in lower case, such as high_low.
    """
    words = key.split("_")
    initials = "".join(word[:1] for word in words) if len(words) > 1 else key
    title = title or " ".join(words).title()
    game = NewGame(checkout, key, title, prefix or initials.upper())
    check(game)
    copy(game)
    register(game)
    click.echo("\n".join(instructions(game)))


def check(game: NewGame) -> None:
    """Raise CannotRun unless the checkout can hold a game of these names."""
    if missing := [
        name for name in (TOY, TOY_TESTS, GAMES, README) if not (game.checkout / name).exists()
    ]:
        raise CannotRun(
            f"{game.checkout.resolve()} is no checkout of Annals: it has no {missing[0]}. Clone the"
            " repository (an installed package lacks the toy game) and name its folder by --into."
        )
    if not KEY.fullmatch(game.key) or keyword.iskeyword(game.key) or len(game.key) > MAX_LETTERS:
        raise CannotRun(
            f"{game.key!r} cannot be a key: use lower-case words joined by _, such as high_low, of"
            f" at most {MAX_LETTERS} letters."
        )
    if game.key in RESERVED or any(name.startswith(record_prefix(game)) for name in shared(game)):
        raise CannotRun(
            f"Names of the contract begin with {record_prefix(game)}: choose another key."
        )
    if game.key == Path(TOY).name or any(map(is_there, (game.folder, game.tests, game.page))):
        raise CannotRun(f"There is a game {game.key!r} already: choose another key.")
    check_title(game)
    check_prefix(game)


def is_there(path: Path) -> bool:
    """Whether a path is a file or a folder of files. What Python leaves in a folder when git
    deletes the files does not count.
    """
    return path.is_file() or any(files_below(path))


def files_below(folder: Path) -> Iterator[Path]:
    """All files of a folder, but no compiled modules."""
    found = sorted(folder.rglob("*"))
    yield from (one for one in found if not one.is_dir() and one.parent.name != CACHE)


def record_prefix(game: NewGame) -> str:
    """How the names of its records begin in the contract."""
    return "".join(word.title() for word in game.key.split("_"))


def shared(game: NewGame) -> list[str]:
    """The names of the records in the contract that belong to no game."""
    files = (game.checkout / name for name in ("openapi.yaml", "openapi/match.yaml"))
    return [name for file in files for name in RECORD.findall(file.read_text(encoding="utf-8"))]


def check_title(game: NewGame) -> None:
    """Raise CannotRun unless files of all formats can hold the title, and no other game has it."""
    if not TITLE.fullmatch(game.title) or len(game.title) > MAX_LETTERS:
        raise CannotRun(
            f"{game.title!r} cannot be a title: use letters, digits and spaces, at most"
            f" {MAX_LETTERS}."
        )
    readme = (game.checkout / README).read_text(encoding="utf-8").casefold()
    if f"| {' '.join(game.title.split()).casefold()} |" in readme:
        raise CannotRun(f"There is a game {game.title!r} already: choose another --title.")


def check_prefix(game: NewGame) -> None:
    """Raise CannotRun unless the numbers of the rules can begin like this, and no others do."""
    if not PREFIX.fullmatch(game.prefix):
        raise CannotRun(
            f"{game.prefix!r} cannot begin rule numbers: name two or more letters by --prefix."
        )
    for book in sorted(game.checkout.glob("*/*/*/RULES.md")):
        if f" {game.prefix}-" in book.read_text(encoding="utf-8"):
            raise CannotRun(
                f"Rule numbers of {book.parent.name} begin with {game.prefix}: choose another"
                " --prefix."
            )


def copy(game: NewGame) -> None:
    """Copy the toy, its tests and its page, renamed; mark the code that is still the toy's."""
    ignored = shutil.ignore_patterns(CACHE)
    shutil.copytree(game.checkout / TOY, game.folder, ignore=ignored, dirs_exist_ok=True)
    shutil.copytree(game.checkout / TOY_TESTS, game.tests, ignore=ignored, dirs_exist_ok=True)
    (game.tests / PAGE).rename(game.page)
    names = names_of(game)
    for path in files_of(game):
        text = path.read_text(encoding="utf-8")
        for old, new in names.items():
            text = text.replace(old, new)
        path.write_text(mark(text) if is_code(path) else text, encoding="utf-8")
    record = game.folder / "__init__.py"
    text = record.read_text(encoding="utf-8")
    record.write_text(VERSION.sub("", text, count=1), encoding="utf-8")


def names_of(game: NewGame) -> dict[str, str]:
    """The names of the toy in its files, and those of the new game."""
    texts = [msgspec.json.decode(path.read_bytes()) for path in game.folder.glob("texts/*.json")]
    return {
        "tests.engine.toy": f"domain.games.{game.key}",
        "tests.games.toy": f"tests.games.{game.key}",
        "/toy": f"/{game.key}",
        '"toy"': f'"{game.key}"',
        "TOY-": f"{game.prefix}-",
        **{one["title"]: game.title for one in texts},
    }


def mark(code: str) -> str:
    """The code with a mark below its docstring."""
    docstring, end, rest = code.partition('"""\n')
    return f"{docstring}{end}\n# {MARK}.\n{rest}"


def is_code(path: Path) -> bool:
    """Whether a file has code, not just a docstring."""
    return path.suffix == ".py" and len(ast.parse(path.read_text(encoding="utf-8")).body) > 1


def files_of(game: NewGame) -> Iterator[Path]:
    """All files of the game."""
    for folder in (game.folder, game.tests):
        yield from files_below(folder)
    yield game.page


def register(game: NewGame) -> None:
    """Add the game to all lists of games."""
    for name, lines, line in LISTS:
        path = game.checkout / name
        own = line.format(key=game.key, title=game.title)
        text = path.read_text(encoding="utf-8")
        old = lines.search(text)
        assert old, f"{name} has no list of games"
        rows = [*old[0].splitlines(keepends=True), own]
        new = "".join(sorted(rows) if name == GAMES else rows)
        path.write_text(text.replace(old[0], new, 1), encoding="utf-8")


def instructions(game: NewGame) -> Iterator[str]:
    """What to run, then the files to fill in with what is in each."""
    yield f"{game.title} is a game now: the toy under another name. Record it and test it:"
    yield ""
    yield f"  make replays GAME={game.key}"
    yield "  make contract"
    yield f"  make test GAME={game.key}"
    yield ""
    yield f'Then make these files yours, and delete the line "{MARK}" in each:'
    yield ""
    for path in in_order(game):
        yield f"  {path.relative_to(game.checkout)}: {describe(path)}"
    yield ""
    yield "docs/how-to/add-a-game.md explains each step."


def in_order(game: NewGame) -> Iterator[Path]:
    """The files to fill in: those of the game, then its tests, then its guide."""
    paths = [path for pattern in ORDER for path in sorted(game.folder.glob(pattern))]
    paths += sorted(game.tests.glob("*.py"))
    yield from (path for path in paths if path.suffix != ".py" or is_code(path))
    yield game.page


def describe(path: Path) -> str:
    """What is in a file: the first line of its docstring."""
    if path.suffix == ".py":
        module = ast.parse(path.read_text(encoding="utf-8"))
        return (ast.get_docstring(module) or "").partition("\n")[0]
    return WITHOUT_DOCSTRING.get(path.name, "Its guide: options, moves, events and bots.")
