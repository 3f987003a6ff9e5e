"""Sizes of the code, of each game and of the contract."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from inspect import Parameter, signature
from pathlib import Path

import msgspec

from domain.engine.game import Game
from domain.games import GAMES
from service.http.contract import read_contract

ROOT = Path(__file__).parents[2]
PACKAGES = (
    *(f"domain/{name}" for name in ("engine", "games", "match", "analysis", "audit")),
    "service",
    "projections",
    "workers",
    "tests",
)
POSITIONS = ("state/position.py", "rules/start.py")
"""Files of a game that read positions, and that refuse those that no game reaches."""


def figures(_folder: Path) -> dict[str, float]:
    """Lines of packages and games, code lines per rule, fields, and kB of the contract."""
    return {**dict(_of_packages()), **dict(_of_games()), **dict(_of_contract())}


def _of_packages() -> Iterator[tuple[str, float]]:
    for name in PACKAGES:
        yield f"{name}: lines", _count_lines((ROOT / name).rglob("*.py"))
    fields = signature(Game).parameters.values()
    required = sum(field.default is Parameter.empty for field in fields)
    yield "Game: required fields", required
    yield "Game: fields", len(fields)


def _of_games() -> Iterator[tuple[str, float]]:
    for key, game in GAMES.items():
        folder = ROOT / "domain/games" / key
        files = [*folder.rglob("*.py")]
        yield f"{game.title}: lines", _count_lines(files)
        for name in POSITIONS:
            yield f"{game.title}: lines of {name}", _count_lines([folder / name])
        code = sum(map(count_code, (path.read_text(encoding="utf-8") for path in files)))
        yield f"{game.title}: rules", len(game.rulebook.rules)
        yield f"{game.title}: code lines per rule", code / len(game.rulebook.rules)


def _of_contract() -> Iterator[tuple[str, float]]:
    yield "openapi.yaml: lines", _count_lines([ROOT / "openapi.yaml"])
    contract = read_contract()
    yield "contract: kB", _count_kilobytes(contract.whole())
    yield "contract without games: kB", _count_kilobytes(contract.without_games())
    for key, game in GAMES.items():
        yield f"contract with {game.title}: kB", _count_kilobytes(contract.of_game(key))


def count_code(source: str) -> int:
    """The lines of code, without blank lines, comments and docstrings."""
    tree = ast.parse(source)
    words = {
        line
        for node in ast.walk(tree)
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        for line in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    return sum(
        bool(line.strip()) and not line.lstrip().startswith("#")
        for number, line in enumerate(source.splitlines(), 1)
        if number not in words
    )


def _count_lines(paths: Iterable[Path]) -> int:
    return sum(path.read_text(encoding="utf-8").count("\n") for path in paths)


def _count_kilobytes(document: object) -> float:
    return len(msgspec.json.encode(document)) / 1000
