"""The words of the page, by language."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

import msgspec

from domain.engine.sentences import LANGUAGES, Texts, Words
from service.page.assets import ASSETS, MODULE

USED = re.compile(r'\bt\(\s*"(\w+)"')
"""How a module names a text."""


def read_texts() -> Mapping[str, Texts]:
    """All texts of the page, by language and key."""
    folder = files(__package__).joinpath("texts")
    return {
        code: json.loads(folder.joinpath(f"{code}.json").read_text(encoding="utf-8"))
        for code in LANGUAGES
    }


TEXTS = read_texts()


@cache
def words_in(language: str) -> Words:
    """How the page speaks a language."""
    return Words(TEXTS[language])


@cache
def for_modules(language: str) -> str:
    """The texts that modules say, as JSON that can stand inside an element of a page."""
    texts = TEXTS[language]
    said = {key: texts[key] for key in sorted(keys_of_modules())}
    return msgspec.json.encode(said).decode().replace("<", "\\u003c")


@cache
def keys_of_modules() -> frozenset[str]:
    """The keys of all texts that modules say."""
    modules = (asset.content.decode() for asset in ASSETS.values() if asset.kind == MODULE)
    return frozenset(key for module in modules for key in USED.findall(module))
