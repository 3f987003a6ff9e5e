"""Schemas of the bodies of commands on matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, get_args

from marshmallow import Schema, ValidationError, fields, validate, validates_schema

from domain.match.decisions.absence import MAX_PATIENCE_DAYS
from domain.match.decisions.giving_time import MAX_GIFT_S
from domain.match.state import ProposalKind
from service.http.schemas.common import (
    BYTES,
    BYTES_RULE,
    MAX_INT,
    MAX_SEAT,
    EmptyObject,
    JsonBool,
    JsonInt,
    Strict,
    seat_number,
)

MAX_TOUCH_LENGTH = 100
MAX_TOUCHES = 32
MONTH_S = 30 * 86_400
RESUME = "resume"
"""What each player does alone, so that it is no proposal."""


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
    patience_days = JsonInt(validate=validate.Range(1, MAX_PATIENCE_DAYS))
    nonce = fields.String(validate=validate.Regexp(BYTES, error=BYTES_RULE), allow_none=True)

    @validates_schema
    def check_patience(self, data: Mapping[str, Any], **_: object) -> None:
        """Raise ValidationError for a patience in a match with a clock."""
        if data.get("clock") and "patience_days" in data:
            raise ValidationError({"patience_days": ["A match with a clock has no patience."]})

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
    min_reliability = JsonInt(validate=validate.Range(1, 100), allow_none=True)
    position = fields.Dict(keys=fields.String(), allow_none=True)
    seed = fields.String(validate=validate.Regexp(BYTES, error=BYTES_RULE), allow_none=True)


class NewFork(MatchSettings):
    """The version at which a fork begins, and its settings."""

    version = JsonInt(required=True, validate=validate.Range(1, MAX_INT))
    seats = fields.List(fields.Nested(SeatPlan), validate=validate.Length(1, MAX_SEAT + 1))


class SeatChoice(DiceContribution):
    """The seat to take; by default all kept for the caller, or else the first free one."""

    seat = seat_number()
    invitation = fields.String(validate=validate.Length(1, 64), allow_none=True)


class TimeGift(Strict):
    """The seat that gets more time, by default each of others that is thinking; and how much."""

    seat = seat_number()
    seconds = JsonInt(validate=validate.Range(1, MAX_GIFT_S))


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


class NewRedo(Strict):
    """The version of an undone line to go to; by default that of the last undo."""

    to = JsonInt(validate=validate.Range(1, MAX_INT), allow_none=True)


class UndoAnswer(Strict):
    """Whether the caller agrees."""

    agree = JsonBool(required=True)


class ProposalVote(Strict):
    """What the caller proposes; with `agree`, an answer to such a proposal."""

    kind = fields.String(required=True, validate=validate.OneOf([*get_args(ProposalKind), RESUME]))
    agree = JsonBool()

    @validates_schema
    def check_resume(self, data: Mapping[str, Any], **_: object) -> None:
        """Raise ValidationError for an answer to what no player has to agree to."""
        if data.get("kind") == RESUME and "agree" in data:
            raise ValidationError({"agree": ["No player has to agree to resume the match."]})


BODIES: tuple[type[Schema], ...] = (
    SeatPlan, ClockPlan, NewMatch, NewFork, DiceContribution,
    SeatChoice, TimeGift, NewNonce, StartRequest, NewMove, PreviewRequest, NewUndo, NewRedo,
    UndoAnswer, ProposalVote, EmptyObject,
)  # fmt: skip
