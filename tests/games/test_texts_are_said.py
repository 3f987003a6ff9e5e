"""Code uses every text of a game: no text is left over."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_type_hints

import pytest

from domain.engine.answers import fallback_key
from domain.engine.drawing import panel
from domain.engine.game import Game
from domain.engine.play import Record
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.resources.texts import TEXTS_FOLDER, read
from domain.engine.sentences import VIEWER_SUFFIX
from domain.games import GAMES
from service.matches.queries import REQUEST_PREFIX
from service.page.views.new_table import option_controls
from tests.engine.toy import GAME as TOY

ALL = [pytest.param(game, id=game.key) for game in (*GAMES.values(), TOY)]
FORM = re.compile(r"_(zero|one|other)$")
"""How a key ends that has a text for each number."""
ANY = "(.+)"
SHARED = read("domain.engine")["en"]


@dataclass(frozen=True)
class SourceNames:
    """What the sources of a game name: whole keys and words, and how they put keys together."""

    words: frozenset[str]
    shapes: tuple[re.Pattern[str], ...]

    def has(self, key: str) -> bool:
        """Whether a key occurs in the sources, or the sources assemble it."""
        return key in self.words or any(
            all(self._is_word(part) or self._is_composed(part) for part in parts)
            for parts in self._parts(key)
        )

    def _is_composed(self, key: str) -> bool:
        return any(all(map(self._is_word, parts)) for parts in self._parts(key))

    def _is_word(self, part: str) -> bool:
        return part in self.words or part.isdigit()

    def _parts(self, key: str) -> Iterator[Sequence[str]]:
        """The parts that fill each shape of the key."""
        found = (shape.fullmatch(key) for shape in self.shapes)
        return (one.groups() for one in found if one)


def idle(game: Game[Any]) -> list[str]:
    """The keys of texts that no code of the game uses."""
    package = files(game.begin.__module__.rpartition(".rules")[0])
    folder = Path(str(package))
    own = json.loads((folder / TEXTS_FOLDER / "en.json").read_text(encoding="utf-8"))
    said, steps = {*SHARED, *_game_keys(game)}, {step.__name__ for step in game.answers.fallbacks}
    found = _find_names(folder)
    named = replace(found, words=found.words | steps)
    asked = [f"ask_{_key_shape(step)}(_you)?" for step in game.answers.fallbacks]
    told = re.compile("|".join((*map(_key_shape, game.events), *asked)))
    options = [f"option_{name}" for name in game.options.__struct_fields__]
    return [
        key
        for key in dict.fromkeys(FORM.sub("", key) for key in own)
        if not (key in said or told.fullmatch(key))
        if not (
            named.has(key.removesuffix("_you").removesuffix(VIEWER_SUFFIX))
            or any(_is_value(key, one, named) for one in options)
        )
    ]


def _game_keys(game: Game[Any]) -> Iterator[str]:
    """The keys of texts that every game has."""
    yield from ("title", "goal")
    yield from (f"goal_{mode}" for mode in game.seats_by_mode)
    yield from (f"level_{level.key}" for level in game.levels)
    yield from (f"end_{end}" for end in game.end_reasons)
    yield from (f"example_{example.key}" for example in game.resources.examples)
    yield from (f"touch_{kind.kind}" for kind in game.touch_kinds)
    yield from (f"kind_{kind.kind}" for kind in game.touch_kinds if kind.role == "thing")
    yield from (f"{REQUEST_PREFIX}{kind.kind}" for kind in game.touch_kinds if kind.role != "part")
    yield from map(fallback_key, game.answers.fallbacks)
    yield from (f"option_{name}" for name in game.options.__struct_fields__)
    lists = (one for one in option_controls(game, ENGLISH) if one["kind"] == "list")
    yield from (f"hint_{one['name']}" for one in lists)


def _is_value(key: str, option: str, named: SourceNames) -> bool:
    """Whether a key belongs to a value of an option."""
    return key.startswith(f"{option}_") and key.removeprefix(f"{option}_") in named.words


def _key_shape(kind: type[Record]) -> str:
    """The shape of the keys of a kind of record."""
    kinds = get_type_hints(kind)
    without = [
        name for name, of in kinds.items() if name in kind.hidden_fields or _may_be_empty(of)
    ]
    true = [name for name, of in kinds.items() if of is bool or bool in get_args(of)]
    ends = [f"(_without_{name})?" for name in without] + [f"(_{name})?" for name in true]
    return "".join([kind.__name__, *ends])


def _may_be_empty(kind: Any) -> bool:
    return NoneType in get_args(kind) or any(NoneType in get_args(one) for one in get_args(kind))


@cache
def _find_names(folder: Path) -> SourceNames:
    """The names in the sources and data of a folder."""
    modules = [*folder.rglob("*.py"), Path(panel.__file__)]
    nodes = [
        node
        for one in modules
        for node in ast.walk(ast.parse(one.read_text("utf-8")))
        if isinstance(node, ast.Call | ast.Constant | ast.JoinedStr)
    ]
    data = (path for path in folder.rglob("*.json") if path.parent.name != TEXTS_FOLDER)
    words = {word for path in data for word in _words(json.loads(path.read_text("utf-8")))}
    shapes = {"score_(.+)", "rival_(.+)"}
    for node in nodes:
        match node:
            case ast.Constant(value=str(word)):
                words.add(word)
            case ast.JoinedStr(values=values):
                shapes.add("".join(map(_shape, values)))
            case ast.Call(
                func=ast.Name(id="word" | "_words"), args=[ast.Constant(value=begin), *_]
            ):
                shapes.add(f"{begin}_(.+)")
            case ast.Call(
                func=ast.Name(id="RuleBroken" | "Fallback"),
                args=[_, ast.Constant(value=value)],
            ):
                shapes.add(f"fault_{value}")
            case _:
                pass
    return SourceNames(
        frozenset(words), tuple(re.compile(one) for one in sorted(shapes) if "_" in one)
    )


def _shape(part: ast.expr) -> str:
    return re.escape(str(part.value)) if isinstance(part, ast.Constant) else ANY


def _words(data: Any) -> Iterator[str]:
    """All words in data."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict | list):
        inner = [*data, *data.values()] if isinstance(data, dict) else data
        for one in inner:
            yield from _words(one)


@pytest.mark.parametrize("game", ALL)
def test_no_text_is_idle(game: Game[Any]) -> None:
    assert idle(game) == []


def test_idle_texts_are_found() -> None:
    """The texts of an event, a kind of touches and a bot that do not exist."""
    pointing = replace(TOY.pointing, kinds=TOY.touch_kinds[1:])
    gone = replace(TOY, events=TOY.events[1:], pointing=pointing, levels=TOY.levels[1:])
    assert idle(gone)[:2] == ["CardDrawn", "CardDrawn_without_card"]
    assert idle(gone)[2:] == [
        "kind_card",
        "pick_card",
        "touch_card",
        "level_easy",
    ]
