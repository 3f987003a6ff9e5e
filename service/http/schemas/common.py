"""Schemas of what clients send: built once, and the same as the components of openapi.yaml."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from marshmallow import RAISE, Schema, ValidationError, fields, missing, validate, validates_schema

from domain.engine.sentences import LANGUAGES

MAX_INT = 2**31 - 1
MAX_SEAT = 63
PAGE = 50
MAX_PAGE = 200
MAX_EVENTS = 1_000
MAX_WAIT_S = 25
MAX_MARKS = 16_384
MAX_TOUCH = 100
MAX_WAY = 32
WIDTHS = (200, 2_400)
MONTH_S = 30 * 86_400
DIGITS = re.compile(r"-?[0-9]{1,18}\Z", re.ASCII)
BYTES = r"[0-9a-f]{64}\Z"
BYTES_RULE = "Expected 32 bytes as 64 hexadecimal digits in lower case."
MATCH_ID = r"[a-z0-9][a-z0-9-]{0,63}\Z"
MATCH_RULE = "Expected the id of a match."
PLAYER_ID = r"u[0-9a-f]{16}\Z"
PLAYER_RULE = "Expected the id of a player; `GET /v1/players?name=` finds it."


class JsonInt(fields.Integer):
    """A whole number as JSON has it: 3 and 3.0, but neither 3.5 nor "3" nor true."""

    def _validated(self, value: object) -> int:
        if isinstance(value, float) and value.is_integer():
            return int(value)
        if isinstance(value, bool) or not isinstance(value, int):
            raise self.make_error("invalid", input=value)
        return value


class JsonBool(fields.Boolean):
    """True or false, and nothing that looks like it."""

    def _deserialize(self, value: object, *_: object, **__: object) -> bool:
        if not isinstance(value, bool):
            raise self.make_error("invalid", input=value)
        return value


class QueryInt(fields.Integer):
    """A whole number written with digits."""

    def _validated(self, value: object) -> int:
        if not isinstance(value, str) or not DIGITS.match(value):
            raise self.make_error("invalid", input=value)
        return int(value)


class Viewer(fields.Field[Any]):
    """A seat, or the word `spectator`."""

    def _deserialize(self, value: object, *_: object, **__: object) -> int | None:
        if value == "spectator":
            return None
        if not isinstance(value, str) or not DIGITS.match(value) or not 0 <= int(value) <= MAX_SEAT:
            raise ValidationError("Expected the number of a seat, or `spectator`.")
        return int(value)


class Strict(Schema):
    """Nothing may be sent that is not asked for."""

    class Meta:
        """Refuse unknown members."""

        unknown = RAISE

    def __init__(self, **more: Any) -> None:  # noqa: ANN401 - passed on
        super().__init__(**more)
        known = ", ".join(f"`{field.data_key or name}`" for name, field in self.fields.items())
        self.error_messages["unknown"] = f"There is no such member; known are {known or 'none'}."


def seat_number() -> JsonInt:
    """The number of a seat, or null."""
    return JsonInt(validate=validate.Range(0, MAX_SEAT), allow_none=True)


def version_number(load_default: int | None = None) -> QueryInt:
    """A version in a query."""
    default = missing if load_default is None else load_default
    return QueryInt(validate=validate.Range(0, MAX_INT), load_default=default)


def yes_or_no(default: bool) -> fields.Boolean:
    """`true` or `false` in a query."""
    return fields.Boolean(truthy={"true"}, falsy={"false"}, load_default=default)


class SeatPlan(Strict):
    """Who is to sit on a seat: the caller, a bot, anybody, or one player."""

    me = JsonBool(validate=validate.OneOf([True]))
    bot = fields.String(validate=validate.Length(1, 40))
    open = JsonBool(validate=validate.OneOf([True]))
    invite = fields.String(validate=validate.Length(1, 40))

    @validates_schema
    def one_of_them(self, data: Mapping[str, Any], **_: object) -> None:
        """A seat is one thing only."""
        if len(data) != 1:
            raise ValidationError("Say one of `me`, `bot`, `open` and `invite`.")


class ClockPlan(Strict):
    """How time is limited, in seconds: for each move, or in a bank that grows with each move."""

    per_move_s = JsonInt(validate=validate.Range(1, MONTH_S))
    bank_s = JsonInt(validate=validate.Range(1, MONTH_S))
    increment_s = JsonInt(validate=validate.Range(0, 86_400))

    @validates_schema
    def one_kind(self, data: Mapping[str, Any], **_: object) -> None:
        """Either kind of clock, not both."""
        if ("per_move_s" in data) == ("bank_s" in data):
            raise ValidationError("Say one of `per_move_s` and `bank_s`.")
        if "per_move_s" in data and "increment_s" in data:
            raise ValidationError("`increment_s` goes with `bank_s`.")


class Share(Strict):
    """What one adds to the dice: a nonce, or the hash of one that is opened later."""

    nonce = fields.String(validate=validate.Regexp(BYTES, error=BYTES_RULE), allow_none=True)
    commitment = fields.String(validate=validate.Regexp(BYTES, error=BYTES_RULE), allow_none=True)

    @validates_schema
    def one_of_both(self, data: Mapping[str, Any], **_: object) -> None:
        """Who gives a nonce need not commit to it."""
        if data.get("nonce") and data.get("commitment"):
            raise ValidationError({"commitment": ["Say one of `nonce` and `commitment`."]})


class Terms(Strict):
    """On what terms a match is played."""

    undo = fields.String(validate=validate.OneOf(["free", "consent", "off"]))
    clock = fields.Nested(ClockPlan, allow_none=True)
    on_timeout = fields.String(validate=validate.OneOf(["bot", "resign"]))
    substitute = fields.String(validate=validate.Length(1, 40), allow_none=True)
    visibility = fields.String(validate=validate.OneOf(["public", "private"]))
    nonce = fields.String(validate=validate.Regexp(BYTES, error=BYTES_RULE), allow_none=True)

    @validates_schema
    def nonce_of_a_seat(self, data: Mapping[str, Any], **_: object) -> None:
        """Who takes no seat adds nothing to the dice."""
        seats = data.get("seats")
        if not seats or any("me" in seat for seat in seats):
            return
        for name in ("nonce", "commitment"):
            if data.get(name):
                raise ValidationError({name: ["It goes with a seat of your own (`me`)."]})


class NewMatch(Terms, Share):
    """What a match is to be like."""

    game = fields.String(required=True, validate=validate.Length(1, 40))
    seats = fields.List(
        fields.Nested(SeatPlan), required=True, validate=validate.Length(1, MAX_SEAT + 1)
    )
    options = fields.Dict(keys=fields.String())
    position = fields.Dict(keys=fields.String(), allow_none=True)
    seed = fields.String(validate=validate.Regexp(BYTES, error=BYTES_RULE), allow_none=True)


class NewFork(Terms):
    """From which version of a match another one begins, and who is to sit at it."""

    version = JsonInt(required=True, validate=validate.Range(1, MAX_INT))
    seats = fields.List(fields.Nested(SeatPlan), validate=validate.Length(1, MAX_SEAT + 1))


class SeatChoice(Share):
    """Which seat to take; the first that is free if none is named."""

    seat = seat_number()


class NewNonce(Strict):
    """The nonce that one has committed to."""

    nonce = fields.String(required=True, validate=validate.Regexp(BYTES, error=BYTES_RULE))


class Start(Strict):
    """The level of the bots that fill the open seats."""

    level = fields.String(validate=validate.Length(1, 40), allow_none=True)


class NewMove(Strict):
    """A move of the game, and whose it is if the caller holds several seats."""

    move = fields.Dict(keys=fields.String(), required=True)
    seat = seat_number()


class Trial(Strict):
    """A move to try out, or what is touched for it, and whose it is."""

    move = fields.Dict(keys=fields.String())
    touches = fields.List(
        fields.String(validate=validate.Length(1, MAX_TOUCH)), validate=validate.Length(0, MAX_WAY)
    )
    seat = seat_number()

    @validates_schema
    def one_of_both(self, data: Mapping[str, Any], **_: object) -> None:
        """What is meant is said in one way."""
        if ("move" in data) == ("touches" in data):
            raise ValidationError("Say one of `move` and `touches`.")


class NewUndo(Strict):
    """The version to go back to; by default to before one's last move."""

    to = JsonInt(validate=validate.Range(1, MAX_INT), allow_none=True)


class UndoAnswer(Strict):
    """Whether one agrees."""

    agree = JsonBool(required=True)


class Nothing(Strict):
    """No member."""


def language_tag() -> fields.String:
    """The tag of a language in a query."""
    return fields.String(validate=validate.OneOf(list(LANGUAGES)))


class WordsQuery(Strict):
    """Whether the answer is wanted in words, too, and in which language."""

    words = yes_or_no(default=False)
    language = language_tag()


class MomentQuery(Strict):
    """A moment of a match, as a seat or a spectator sees it."""

    version = version_number()
    viewer = Viewer(data_key="as")


class StateQuery(MomentQuery):
    """A moment of a match, perhaps of a version that is about to come."""

    min_version = version_number()


class MatchQuery(StateQuery, WordsQuery):
    """The same, perhaps without what lasts all through the match, or in words, too."""

    board = yes_or_no(default=True)


class TextQuery(StateQuery):
    """The same as a picture, perhaps one that names nobody, told in a language."""

    names = yes_or_no(default=True)
    language = language_tag()


class PictureQuery(TextQuery):
    """The same as a picture of some width, in pixels."""

    width = QueryInt(validate=validate.Range(*WIDTHS))


class LanguageQuery(Strict):
    """In which language people are told."""

    language = language_tag()


class ExampleQuery(LanguageQuery):
    """Whether a worked example is shown after its moves rather than before."""

    after = yes_or_no(default=False)


class VersionQuery(Strict):
    """A moment of a match."""

    version = version_number()


class MenuQuery(Strict):
    """The moves of one of the caller's seats, perhaps with the ways to point at them."""

    seat = QueryInt(data_key="as", validate=validate.Range(0, MAX_SEAT))
    touch = yes_or_no(default=False)
    language = language_tag()


class EventsQuery(WordsQuery):
    """Which entries of the annals."""

    after = version_number(load_default=0)
    limit = QueryInt(validate=validate.Range(1, MAX_EVENTS))
    wait = QueryInt(load_default=0, validate=validate.Range(0, MAX_WAIT_S))
    proof = yes_or_no(default=False)


class StreamQuery(WordsQuery):
    """Where a stream goes on; browsers cannot send a token otherwise."""

    after = version_number()
    access_token = fields.String()


class NewsStreamQuery(Strict):
    """Where a stream of changes goes on."""

    after = fields.String(validate=validate.Length(1, MAX_MARKS))
    access_token = fields.String()


class LobbyStreamQuery(NewsStreamQuery):
    """Of which game, and where it goes on."""

    game = fields.String(validate=validate.Length(1, 40))


class PageQuery(Strict):
    """Which page of a list."""

    after = fields.String(validate=validate.Length(1, 200))
    limit = QueryInt(load_default=PAGE, validate=validate.Range(1, MAX_PAGE))


class CatchUp(Strict):
    """A version of a match that the lists should know already."""

    match = fields.String(validate=validate.Regexp(MATCH_ID, error=MATCH_RULE))
    min_version = version_number()


class NameQuery(Strict):
    """Whose name."""

    name = fields.String(required=True, validate=validate.Length(1, 40))


class TurnsQuery(PageQuery, CatchUp):
    """Which turns."""


class ForksQuery(PageQuery, CatchUp):
    """Which forks."""


class MatchesQuery(PageQuery, CatchUp):
    """Which matches."""

    game = fields.String(validate=validate.Length(1, 40))
    status = fields.String(
        validate=validate.OneOf(["open", "active", "ended", "scored", "aborted"])
    )
    player = fields.String(validate=validate.Regexp(PLAYER_ID, error=PLAYER_RULE))


BODIES: tuple[type[Schema], ...] = (
    SeatPlan, ClockPlan, NewMatch, NewFork,
    SeatChoice, NewNonce, Start, NewMove, Trial, NewUndo, UndoAnswer, Nothing,
)  # fmt: skip
