"""Schemas of requests: built once, and the same as the components of openapi.yaml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate, validates_schema

from domain.engine.sentences import LANGUAGES

MAX_INT = 2**31 - 1
MAX_SEAT = 63
DEFAULT_PAGE_SIZE = 50
MAX_PAGE_SIZE = 200
MAX_EVENTS = 1_000
MAX_WAIT_S = 25
MAX_CURSOR_LENGTH = 16_384
MAX_TOUCH_LENGTH = 100
MAX_TOUCHES = 32
WIDTH_RANGE_PX = (200, 2_400)
MONTH_S = 30 * 86_400
INTEGER = re.compile(r"-?[0-9]{1,18}\Z", re.ASCII)
BYTES = r"[0-9a-f]{64}\Z"
BYTES_RULE = "Expected 32 bytes as 64 hexadecimal digits in lower case."
MATCH_ID = r"[a-z0-9][a-z0-9-]{0,63}\Z"
MATCH_RULE = "Expected the id of a match."
PLAYER_ID = r"u[0-9a-f]{16}\Z"
PLAYER_RULE = "Expected the id of a player; `GET /v1/players?name=` finds it."


class JsonInt(fields.Integer):
    """An integer in JSON: 3 and 3.0, but not 3.5, "3" or true."""

    def _validated(self, value: object) -> int:
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

    def _validated(self, value: object) -> int:
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


class SeatPlan(Strict):
    """Who gets a seat: the caller, a bot, the first player who comes, or an invited player."""

    me = JsonBool(validate=validate.OneOf([True]))
    bot = fields.String(validate=validate.Length(1, 40))
    open = JsonBool(validate=validate.OneOf([True]))
    invite = fields.String(validate=validate.Length(1, 40))

    @validates_schema
    def check_one_kind(self, data: Mapping[str, Any], **_: object) -> None:
        """Raise ValidationError unless there is exactly one member."""
        if len(data) != 1:
            raise ValidationError("Expected exactly one of `me`, `bot`, `open` and `invite`.")


class ClockPlan(Strict):
    """A clock in seconds: for each move, or a bank that grows with each move."""

    per_move_s = JsonInt(validate=validate.Range(1, MONTH_S))
    bank_s = JsonInt(validate=validate.Range(1, MONTH_S))
    increment_s = JsonInt(validate=validate.Range(0, 86_400))

    @validates_schema
    def check_one_kind(self, data: Mapping[str, Any], **_: object) -> None:
        """Raise ValidationError unless it is one of the two kinds."""
        if ("per_move_s" in data) == ("bank_s" in data):
            raise ValidationError("Expected exactly one of `per_move_s` and `bank_s`.")
        if "per_move_s" in data and "increment_s" in data:
            raise ValidationError("`increment_s` needs `bank_s`.")


class DiceContribution(Strict):
    """What the caller adds to the dice: a nonce, or a commitment to one that they open later."""

    nonce = fields.String(validate=validate.Regexp(BYTES, error=BYTES_RULE), allow_none=True)
    commitment = fields.String(validate=validate.Regexp(BYTES, error=BYTES_RULE), allow_none=True)

    @validates_schema
    def check_one_kind(self, data: Mapping[str, Any], **_: object) -> None:
        """Raise ValidationError if there is both a nonce and a commitment."""
        if data.get("nonce") and data.get("commitment"):
            raise ValidationError(
                {"commitment": ["Expected only one of `nonce` and `commitment`."]}
            )


class MatchSettings(Strict):
    """The settings of a match."""

    undo = fields.String(validate=validate.OneOf(["free", "consent", "off"]))
    clock = fields.Nested(ClockPlan, allow_none=True)
    on_timeout = fields.String(validate=validate.OneOf(["bot", "resign"]))
    substitute = fields.String(validate=validate.Length(1, 40), allow_none=True)
    visibility = fields.String(validate=validate.OneOf(["public", "private"]))
    nonce = fields.String(validate=validate.Regexp(BYTES, error=BYTES_RULE), allow_none=True)

    @validates_schema
    def check_own_seat(self, data: Mapping[str, Any], **_: object) -> None:
        """Raise ValidationError for a nonce or commitment without a seat of the caller."""
        seats = data.get("seats")
        if not seats or any("me" in seat for seat in seats):
            return
        for name in ("nonce", "commitment"):
            if data.get(name):
                raise ValidationError({name: ["This needs a seat of your own (`me`)."]})


class NewMatch(MatchSettings, DiceContribution):
    """A new match."""

    game = fields.String(required=True, validate=validate.Length(1, 40))
    seats = fields.List(
        fields.Nested(SeatPlan), required=True, validate=validate.Length(1, MAX_SEAT + 1)
    )
    options = fields.Dict(keys=fields.String())
    position = fields.Dict(keys=fields.String(), allow_none=True)
    seed = fields.String(validate=validate.Regexp(BYTES, error=BYTES_RULE), allow_none=True)


class NewFork(MatchSettings):
    """The version at which a fork begins, and its settings."""

    version = JsonInt(required=True, validate=validate.Range(1, MAX_INT))
    seats = fields.List(fields.Nested(SeatPlan), validate=validate.Length(1, MAX_SEAT + 1))


class SeatChoice(DiceContribution):
    """The seat to take; by default the first free one."""

    seat = seat_number()
    invitation = fields.String(validate=validate.Length(1, 64), allow_none=True)


class NewNonce(Strict):
    """The nonce that the caller has committed to."""

    nonce = fields.String(required=True, validate=validate.Regexp(BYTES, error=BYTES_RULE))


class StartRequest(Strict):
    """The level of the bots that fill the open seats."""

    level = fields.String(validate=validate.Length(1, 40), allow_none=True)


class NewMove(Strict):
    """A move of the game, and its seat if the caller holds several."""

    move = fields.Dict(keys=fields.String(), required=True)
    seat = seat_number()


class PreviewRequest(Strict):
    """A move to preview, or the touches that point at it, and its seat."""

    move = fields.Dict(keys=fields.String())
    touches = fields.List(
        fields.String(validate=validate.Length(1, MAX_TOUCH_LENGTH)),
        validate=validate.Length(0, MAX_TOUCHES),
    )
    seat = seat_number()

    @validates_schema
    def check_one_kind(self, data: Mapping[str, Any], **_: object) -> None:
        """Raise ValidationError unless there is exactly one of `move` and `touches`."""
        if ("move" in data) == ("touches" in data):
            raise ValidationError("Expected exactly one of `move` and `touches`.")


class NewUndo(Strict):
    """The version to go back to; by default before the caller's last move."""

    to = JsonInt(validate=validate.Range(1, MAX_INT), allow_none=True)


class UndoAnswer(Strict):
    """Whether the caller agrees."""

    agree = JsonBool(required=True)


class EmptyObject(Strict):
    """No members."""


def language_tag() -> fields.String:
    """Return the tag of a language in a query."""
    return fields.String(validate=validate.OneOf(list(LANGUAGES)))


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


class ExampleQuery(LanguageQuery):
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
        validate=validate.OneOf(["open", "active", "ended", "scored", "aborted"])
    )
    player = fields.String(validate=validate.Regexp(PLAYER_ID, error=PLAYER_RULE))


BODIES: tuple[type[Schema], ...] = (
    SeatPlan, ClockPlan, NewMatch, NewFork,
    SeatChoice, NewNonce, StartRequest, NewMove, PreviewRequest, NewUndo, UndoAnswer, EmptyObject,
)  # fmt: skip
