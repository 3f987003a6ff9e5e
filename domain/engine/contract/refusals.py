"""Refusals by the rules: their reasons in words, and all that a game can give, read from its source
to stay current.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any, NamedTuple

from domain.engine.errors import NotInLesson, Refusal, RuleBroken
from domain.engine.game import Game
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.sentences import Sentence

REFUSAL_CLASSES = {"RuleBroken", "Fallback"}
"""Classes whose first two arguments are a rule and a fault."""


def describe_refusal(refusal: RuleBroken) -> Sentence:
    """A sentence that explains why the rules refuse a move."""
    return Sentence(refusal.text, refusal.parts, (refusal.rule,))


def game_of(games: Iterable[Game[Any]], rule: str) -> Game[Any] | None:
    """The game that a rule number belongs to; None if it is not among these."""
    return next((game for game in games if rule in game.rulebook.rules), None)


def refusal_reason(
    games: Iterable[Game[Any]],
    refusal: Refusal,
    language: str = ENGLISH,
    names: Sequence[str | None] = (),
) -> str:
    """The reason of a refusal; in the given language, with the names of players by seat, if the
    rules of a game, or a lesson, refuse.
    """
    if isinstance(refusal, RuleBroken) and (game := game_of(games, refusal.rule)):
        return game.words(language, names).say(describe_refusal(refusal))
    if isinstance(refusal, NotInLesson):
        return refusal.reasons[language]
    return refusal.reason


class CodeScope(NamedTuple):
    """A function in a module, or the module itself for code outside functions."""

    module: ast.Module
    function: ast.FunctionDef | ast.Module

    @property
    def parameters(self) -> list[str]:
        """The names of the function's parameters, in order."""
        if isinstance(self.function, ast.Module):
            return []
        return [one.arg for one in self.function.args.args]


class CallSite(NamedTuple):
    """A call by name, and the scope it is in."""

    scope: CodeScope
    name: str
    call: ast.Call


@cache
def rule_faults(game: Game[Any]) -> Mapping[str, Sequence[str]]:
    """The faults of a game by name, each with the numbers of the rules that it breaks.

    Reads each RuleBroken and Fallback that the package of the game creates with a literal fault. A
    rule that is computed in a way this module does not follow is missing; a test that breaks it
    then fails.
    """
    modules = _modules(game.begin.__module__.rpartition(".")[0])
    uses = [use for module in modules for use in _call_sites(module)]
    found: dict[str, set[str]] = {}
    for place, name, call in uses:
        match call.args:
            case [rule, ast.Constant(value=str(fault)), *_] if name in REFUSAL_CLASSES:
                found.setdefault(fault, set()).update(_rules(rule, place, uses))
    return {fault: sorted(found[fault], key=_rule_order) for fault in sorted(found)}


def _rule_order(rule: str) -> tuple[int, ...]:
    """Sort key of a rule number: QIN-4.10 comes after QIN-4.9."""
    return tuple(map(int, rule.partition("-")[2].split(".")))


def _modules(package: str) -> list[ast.Module]:
    sources = _sources(files(package))
    return [ast.parse(one.read_text(encoding="utf-8")) for one in sources]


def _sources(folder: Traversable) -> Iterator[Traversable]:
    """The modules in a folder and its subfolders."""
    for one in folder.iterdir():
        if one.is_dir():
            yield from _sources(one)
        elif one.name.endswith(".py"):
            yield one


def _call_sites(module: ast.Module) -> Iterator[CallSite]:
    """All calls in a module, each with the outermost function around it."""
    for part in module.body:
        place = CodeScope(module, part if isinstance(part, ast.FunctionDef) else module)
        for node in ast.walk(part):
            match node:
                case ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name)):
                    yield CallSite(place, name, node)
                case _:
                    pass


def _rules(rule: ast.expr, at: CodeScope, uses: Sequence[CallSite]) -> Iterator[str]:
    """The rule numbers that an expression can evaluate to."""
    match rule:
        case ast.Constant(value=str(number)):
            yield number
        case ast.IfExp(body=one, orelse=other):
            yield from _rules(one, at, uses)
            yield from _rules(other, at, uses)
        case ast.Name(id=name) if name in at.parameters:
            yield from _argument_rules(name, at, uses)
        case ast.Name(id=name):
            for value in _assignments(name, at.function):
                yield from _rules(value, at, uses)
        case ast.Call(func=ast.Name(id=name)):
            for value in _return_values(name, at.module):
                yield from _rules(value, at, uses)
        case _:
            pass


def _argument_rules(name: str, to: CodeScope, uses: Sequence[CallSite]) -> Iterator[str]:
    """The rule numbers that callers pass as this parameter; a private function is called in its
    module.
    """
    assert isinstance(to.function, ast.FunctionDef)
    called, position = to.function.name, to.parameters.index(name)
    for use in uses:
        near = use.scope.module is to.module or not called.startswith("_")
        if use.name == called and near:
            yield from _rules(use.call.args[position], use.scope, uses)


def _assignments(name: str, function: ast.AST) -> Iterator[ast.expr]:
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=target)], value=value) if target == name:
                yield value
            case _:
                pass


def _return_values(name: str, module: ast.Module) -> Iterator[ast.expr]:
    for part in module.body:
        if isinstance(part, ast.FunctionDef) and part.name == name:
            returns = (node for node in ast.walk(part) if isinstance(node, ast.Return))
            yield from (node.value for node in returns if node.value)
