"""The texts of the page, by language."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from functools import cache
from html import escape
from importlib.resources import files

import msgspec
from jinja2.filters import do_mark_safe

from domain.engine.resources.texts import Texts
from domain.engine.sentences import LANGUAGES, Words
from service.page.assets import ASSETS, JAVASCRIPT

TEXT_CALL = re.compile(r'\bt\(\s*"(\w+)"')
"""How a module names a text."""
_CODE = re.compile(r"`([^`]+)`")


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
    """The texts of the page in a language."""
    return Words(TEXTS[language])


def mark_code(sentence: str) -> str:
    """Return a sentence as HTML for templates, with what stands in backticks as code."""
    return do_mark_safe(_CODE.sub(r"<code>\1</code>", escape(sentence)))


@cache
def texts_for_modules(language: str) -> str:
    """The texts that modules use, as JSON that can stand inside an HTML element."""
    texts = TEXTS[language]
    used = {key: texts[key] for key in sorted(module_text_keys())}
    return msgspec.json.encode(used).decode().replace("<", "\\u003c")


@cache
def module_text_keys() -> frozenset[str]:
    """The keys of all texts that modules use."""
    modules = (
        asset.content.decode() for asset in ASSETS.values() if asset.media_type == JAVASCRIPT
    )
    return frozenset(key for module in modules for key in TEXT_CALL.findall(module))
