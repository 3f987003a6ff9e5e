"""The language in which a caller is answered, where people read the answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, request

from domain.engine.sentences import LANGUAGES

DEFAULT = next(iter(LANGUAGES))
TRADITIONAL = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")
"""How the tags of languages begin (BCP 47) whose readers write Chinese the traditional way."""


def language() -> str:
    """The first that the caller would like of those that we have: the parameter `language` of the
    query, or else `Accept-Language` (RFC 9110, 12.5.4).
    """
    asked = request.args.get("language")
    wanted = [asked] if asked else [tag for tag, q in request.accept_languages if q > 0]
    return next((found for tag in wanted if (found := ours(tag))), DEFAULT)


def language_of_words(asked: Mapping[str, Any]) -> str | None:
    """The language in which the answer is wanted in words, too (the parameter `words`); None if it
    is not.
    """
    return language() if asked["words"] else None


def in_its_language(response: Response) -> Response:
    """An answer whose words are in the language of this request, marked as such."""
    response.headers["Content-Language"] = language()
    response.vary.add("Accept-Language")
    return response


def ours(tag: str) -> str | None:
    """The language that we have for this tag, if we have one for it."""
    tag = tag.lower()
    if tag.startswith(TRADITIONAL):
        return "zh-Hant"
    primary = tag.partition("-")[0]
    return {"zh": "zh-Hans", "en": "en", "*": DEFAULT}.get(primary)
