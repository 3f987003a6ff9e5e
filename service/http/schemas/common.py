"""Schemas of requests: built once, and the same as the components of openapi.yaml."""

from __future__ import annotations

import re
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate

from domain.engine.drawing.themes import THEMES
from domain.engine.sentences import LANGUAGES
from projections.lists.matches import REPLACEMENT

MAX_INT = 2**31 - 1
MAX_SEAT = 63
DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 200
MAX_EVENTS = 1_000
MAX_WAIT_S = 25
MAX_CURSOR_LENGTH = 16_384
WIDTH_RANGE_PX = (200, 2_400)
INTEGER = re.compile(r"-?[0-9]{1,18}\Z", re.ASCII)
BYTES = r"[0-9a-f]{64}\Z"
BYTES_RULE = "Expected 32 bytes as 64 hexadecimal digits in lower case."
MATCH_ID = r"[a-z0-9][a-z0-9-]{0,63}\Z"
MATCH_RULE = "Expected the id of a match."
PLAYER_ID = r"u[0-9a-f]{16}\Z"
PLAYER_RULE = "Expected the id of a player; `GET /v1/players?name=` finds it."


class JsonInt(fields.Integer):
    """An integer in JSON: 3 and 3.0, but not 3.5, "3" or true."""

    def _deserialize(self, value: object, *_: object, **__: object) -> int:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.make_error("invalid", input=value)
        return value


class JsonBool(fields.Boolean):
    """Only true or false, not 1 or "true"."""

    def _deserialize(self, value: object, *_: object, **__: object) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class QueryInt(fields.Integer):
    """An integer written with digits."""

    def _deserialize(self, value: object, *_: object, **__: object) -> int:
        if not isinstance(value, str) or not INTEGER.match(value):
            raise self.make_error("invalid", input=value)
        return int(value)


class Viewer(fields.Field[Any]):
    """A seat, or the word `spectator`."""

    def _deserialize(self, value: object, *_: object, **__: object) -> int | None:
        if value == "spectator":
            return None
        if (
            not isinstance(value, str)
            or not INTEGER.match(value)
            or not 0 <= int(value) <= MAX_SEAT
        ):
            raise ValidationError("Expected the number of a seat, or `spectator`.")
        return int(value)


class Strict(Schema):
    """A schema that refuses unknown members."""

    class Meta:
        """Refuse unknown members."""

        unknown = RAISE

    def __init__(self, **more: Any) -> None:  # noqa: ANN401 - passed on
        super().__init__(**more)
        known = ", ".join(f"`{field.data_key or name}`" for name, field in self.fields.items())
        valid = f"known are {known}" if known else "none are allowed"
        self.error_messages["unknown"] = f"There is no such member; {valid}."


def seat_number() -> JsonInt:
    """Return the number of a seat, or null."""
    return JsonInt(validate=validate.Range(0, MAX_SEAT), allow_none=True)


def version_number(load_default: int | None = None) -> QueryInt:
    """Return a version in a query."""
    default = missing if load_default is None else load_default
    return QueryInt(validate=validate.Range(0, MAX_INT), load_default=default)


def boolean(default: bool) -> fields.Boolean:
    """`true` or `false` in a query."""
    return fields.Boolean(truthy={"true"}, falsy={"false"}, load_default=default)


class EmptyObject(Strict):
    """No members."""


def language_tag() -> fields.String:
    """Return the tag of a language in a query."""
    return fields.String(validate=validate.OneOf(list(LANGUAGES)))


def theme_name() -> fields.String:
    """Return the name of the theme of a picture in a query."""
    return fields.String(load_default=THEMES[0], validate=validate.OneOf(THEMES))


class SentencesQuery(Strict):
    """Whether the response has sentences, and in which language."""

    sentences = boolean(default=False)
    language = language_tag()


class ViewQuery(Strict):
    """A version of a match, as a seat or a spectator sees it."""

    version = version_number()
    viewer = Viewer(data_key="as")


class StateQuery(ViewQuery):
    """The same, with a version to wait for."""

    min_version = version_number()


class MatchQuery(StateQuery, SentencesQuery):
    """The same, perhaps without the static part of the view, or with sentences."""

    board = boolean(default=True)


class LanguageQuery(Strict):
    """The language of the texts."""

    language = language_tag()


class ChartQuery(LanguageQuery):
    """The language of a chart, and whether it is narrow."""

    narrow = boolean(default=False)


class ThemeQuery(LanguageQuery):
    """The language of a picture, and its theme."""

    theme = theme_name()


class ExampleQuery(ThemeQuery):
    """Whether the picture of a worked example shows the position after its moves."""

    after = boolean(default=False)


class VersionQuery(Strict):
    """A version of a match."""

    version = version_number()


class LegalMovesQuery(Strict):
    """The seat whose moves to list, and whether to list the touches that point at them."""

    seat = QueryInt(data_key="as", validate=validate.Range(0, MAX_SEAT))
    touch = boolean(default=False)
    language = language_tag()


class EntriesQuery(SentencesQuery):
    """How to show the entries of a match: as the caller sees them, or as a spectator does."""

    viewer = fields.String(data_key="as", validate=validate.OneOf(["spectator"]))


class EventLinesQuery(EntriesQuery):
    """Which entries of a match."""

    after = version_number(load_default=0)
    limit = QueryInt(validate=validate.Range(1, MAX_EVENTS))
    proof = boolean(default=False)


class EventsQuery(EventLinesQuery):
    """Which page of the entries of a match."""

    limit = QueryInt(load_default=MAX_PAGE_SIZE, validate=validate.Range(1, MAX_EVENTS))
    wait = QueryInt(load_default=0, validate=validate.Range(0, MAX_WAIT_S))


class StreamQuery(EntriesQuery):
    """Where a stream continues. Browsers can send a token only in the query."""

    after = version_number()
    access_token = fields.String()


class ChangeStreamQuery(Strict):
    """Where a change feed continues."""

    after = fields.String(validate=validate.Length(1, MAX_CURSOR_LENGTH))
    access_token = fields.String()


class LobbyStreamQuery(ChangeStreamQuery):
    """The game to follow, and where the stream continues."""

    game = fields.String(validate=validate.Length(1, 40))


class PageQuery(Strict):
    """Which page of a list."""

    after = fields.String(validate=validate.Length(1, 200))
    limit = QueryInt(load_default=DEFAULT_PAGE_SIZE, validate=validate.Range(1, MAX_PAGE_SIZE))


class CatchUpQuery(Strict):
    """A version of a match that the lists must include."""

    match = fields.String(validate=validate.Regexp(MATCH_ID, error=MATCH_RULE))
    min_version = version_number()


class NameQuery(Strict):
    """The name of a player."""

    name = fields.String(required=True, validate=validate.Length(1, 40))


class TurnsQuery(PageQuery, CatchUpQuery):
    """Which page of turns."""


class ForksQuery(PageQuery, CatchUpQuery):
    """Which page of forks."""


class MatchesQuery(PageQuery, CatchUpQuery):
    """Which matches."""

    game = fields.String(validate=validate.Length(1, 40))
    status = fields.String(
        validate=validate.OneOf(["open", "active", "ended", "scored", "aborted", REPLACEMENT])
    )
    player = fields.String(validate=validate.Regexp(PLAYER_ID, error=PLAYER_RULE))
