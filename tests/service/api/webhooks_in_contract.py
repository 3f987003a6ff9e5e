"""The part of openapi.yaml about webhooks that follows from the records of notice types."""

from __future__ import annotations

from typing import Any

from domain.notice_types import NOTICE_TYPES, Member, NoticeType

Json = dict[str, Any]
COMMON: Json = {
    "match": {"$ref": "#/components/schemas/MatchId"},
    "game": {"type": "string", "description": "The key of the game"},
    "version": {"type": "integer", "minimum": 1, "description": "The version that it describes"},
    "head": {"$ref": "#/components/schemas/Head"},
    "as": {
        "type": ["integer", "null"],
        "description": "The seat as which you see the match; null as a spectator",
    },
    "status": {"$ref": "#/components/schemas/MatchStatus"},
    "awaiting": {
        "type": "array",
        "items": {"$ref": "#/components/schemas/AwaitedSeat"},
        "description": "The seats that have to decide",
    },
    "url": {"type": "string", "description": "Where you read more"},
    "page": {
        "type": ["string", "null"],
        "description": "The page of the match for people; null without `ANNALS_PUBLIC_URL`",
    },
    "example": {
        "type": "boolean",
        "description": "Present, and true, in an example",
    },
    "truncated": {
        "type": "boolean",
        "description": "Present, and true, if the members of the type are left out for their size",
    },
}
"""The members of `data` that each type has, besides `seat`."""
OPTIONAL = ("example", "truncated")
SEATS = {
    "mover": "The seat that moved",
    "decider": "The seat that has to decide",
}


def notice_schemas() -> Json:
    """The names of notice types, a list of them, and the message of each type."""
    names = {"type": "string", "description": "A type of notice", "enum": [*NOTICE_TYPES]}
    several = {
        "type": "array",
        "description": "The notices to receive; all if left out",
        "minItems": 1,
        "maxItems": len(NOTICE_TYPES),
        "items": {"$ref": "#/components/schemas/NoticeType"},
    }
    common = {
        "description": "What the messages of all types say",
        "required": [name for name in COMMON if name not in OPTIONAL],
        "properties": COMMON,
    }
    messages = {schema_name(one): message_schema(one) for one in NOTICE_TYPES.values()}
    return {"NoticeType": names, "NoticeTypes": several, "MessageData": common, **messages}


def schema_name(notice_type: NoticeType) -> str:
    """The name of the schema of a type's messages: `MessageTurnStarted`."""
    return "Message" + "".join(word.capitalize() for word in notice_type.name.split("."))


def message_schema(notice_type: NoticeType) -> Json:
    """The schema of the messages of a type."""
    own = {one.name: member_schema(one) for one in notice_type.members}
    return {
        "type": "object",
        "description": f"Sent when {notice_type.sent_when}",
        "required": ["type", "timestamp", "data"],
        "properties": {
            "type": {"type": "string", "enum": [notice_type.name]},
            "timestamp": {"$ref": "#/components/schemas/Time"},
            "data": {
                "type": "object",
                "allOf": [{"$ref": "#/components/schemas/MessageData"}],
                "required": ["seat"],
                "properties": {"seat": seat_schema(notice_type), **own},
            },
        },
    }


def member_schema(member: Member) -> Json:
    return {**member.schema, "description": member.about}


def seat_schema(notice_type: NoticeType) -> Json:
    if notice_type.seat is None:
        return {"type": "null", "description": "No seat"}
    return {"$ref": "#/components/schemas/Seat", "description": SEATS[notice_type.seat]}
