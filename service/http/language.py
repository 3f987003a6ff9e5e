"""The language of a response that people read."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from flask import Response, request

from domain.engine.sentences import LANGUAGES

DEFAULT = next(iter(LANGUAGES))
TRADITIONAL_CHINESE_PREFIXES = ("zh-hant", "zh-tw", "zh-hk", "zh-mo")
"""Prefixes of language tags (BCP 47) whose readers use traditional Chinese characters."""


def language() -> str:
    """Return the best language that we have for the caller: the parameter `language` of the query,
    else `Accept-Language` (RFC 9110, 12.5.4).
    """
    requested = request.args.get("language")
    tags = [requested] if requested else [tag for tag, q in request.accept_languages if q > 0]
    return next((ours for tag in tags if (ours := find_language(tag))), DEFAULT)


def sentence_language(parameters: Mapping[str, Any]) -> str | None:
    """Return the language of the sentences in the response (parameter `sentences`), or None without
    them.
    """
    return language() if parameters["sentences"] else None


def with_content_language(response: Response) -> Response:
    """Mark this response as being in the language of the request."""
    response.headers["Content-Language"] = language()
    response.vary.add("Accept-Language")
    return response


def find_language(tag: str) -> str | None:
    """Our language for this tag; None if we have none."""
    tag = tag.lower()
    if tag.startswith(TRADITIONAL_CHINESE_PREFIXES):
        return "zh-Hant"
    primary = tag.partition("-")[0]
    return {"zh": "zh-Hans", "en": "en", "*": DEFAULT}.get(primary)
