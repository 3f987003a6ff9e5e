"""All that the rules of a game can refuse: read from their source, so that no list goes stale."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

from domain.engine.game import Game

MADE = {"RuleBroken", "Refusal"}
"""What carries a rule and a fault, as its first two arguments."""


class Place(NamedTuple):
    """A function in a module; all of the module if it is in none."""

    module: ast.Module
    function: ast.FunctionDef | ast.Module

    @property
    def parameters(self) -> list[str]:
        """The names of the arguments of the function, in their order."""
        if isinstance(self.function, ast.Module):
            return []
        return [one.arg for one in self.function.args.args]


class Use(NamedTuple):
    """A call by a name, and where it is."""

    place: Place
    name: str
    call: ast.Call


@cache
def faults(game: Game[Any]) -> Mapping[str, Sequence[str]]:
    """The faults of a game by their names, each with the numbers of the rules that it breaks.

    They are those of each RuleBroken and each Refusal that is made in the package where the game
    begins, and that says its fault right there. A rule that is worked out in a way unknown here is
    left out; then a test that breaks it fails.
    """
    modules = _modules(game.begin.__module__.rpartition(".")[0])
    uses = [use for module in modules for use in _uses(module)]
    found: dict[str, set[str]] = {}
    for place, name, call in uses:
        match call.args:
            case [rule, ast.Constant(value=str(fault)), *_] if name in MADE:
                found.setdefault(fault, set()).update(_rules(rule, place, uses))
    return {fault: sorted(found[fault], key=_in_order) for fault in sorted(found)}


def _in_order(rule: str) -> tuple[int, ...]:
    """The parts of a rule's number: QIN-4.10 comes after QIN-4.9."""
    return tuple(map(int, rule.partition("-")[2].split(".")))


def _modules(package: str) -> list[ast.Module]:
    sources = _sources(files(package))
    return [ast.parse(one.read_text(encoding="utf-8")) for one in sources]


def _sources(folder: Traversable) -> Iterator[Traversable]:
    """The modules in a folder and in those inside it."""
    for one in folder.iterdir():
        if one.is_dir():
            yield from _sources(one)
        elif one.name.endswith(".py"):
            yield one


def _uses(module: ast.Module) -> Iterator[Use]:
    """All calls in a module, each with the outermost function that it is in."""
    for part in module.body:
        place = Place(module, part if isinstance(part, ast.FunctionDef) else module)
        for node in ast.walk(part):
            match node:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                    yield Use(place, name, node)
                case _:
                    pass


def _rules(rule: ast.expr, at: Place, uses: Sequence[Use]) -> Iterator[str]:
    """The numbers that an expression can stand for."""
    match rule:
        case ast.Constant(value=str(number)):
            yield number
        case ast.IfExp(body=one, orelse=other):
            yield from _rules(one, at, uses)
            yield from _rules(other, at, uses)
        case ast.Name(id=name) if name in at.parameters:
            yield from _handed_down(name, at, uses)
        case ast.Name(id=name):
            for value in _assigned(name, at.function):
                yield from _rules(value, at, uses)
        case ast.Call(func=ast.Name(id=name)):
            for value in _returned(name, at.module):
                yield from _rules(value, at, uses)
        case _:
            pass


def _handed_down(name: str, to: Place, uses: Sequence[Use]) -> Iterator[str]:
    """What a function is called with: one of its own module, or of any module by its name."""
    assert isinstance(to.function, ast.FunctionDef)
    called, position = to.function.name, to.parameters.index(name)
    for use in uses:
        near = use.place.module is to.module or not called.startswith("_")
        if use.name == called and near:
            yield from _rules(use.call.args[position], use.place, uses)


def _assigned(name: str, function: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                yield value
            case _:
                pass


def _returned(name: str, module: ast.Module) -> Iterator[ast.expr]:
    for part in module.body:
        if isinstance(part, ast.FunctionDef) and part.name == name:
            returns = (node for node in ast.walk(part) if isinstance(node, ast.Return))
            yield from (node.value for node in returns if node.value)
