"""The part of the contract about webhooks that follows from the records of notice types."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from domain.notice_types import NOTICE_TYPES

Json = dict[str, Any]
COMMON: Json = {
    "match": {"type": "string", "description": "The id of the match"},
    "game": {"type": "string", "description": "The key of the game"},
    "version": {"type": "integer", "minimum": 1, "description": "The version that it describes"},
    "head": {"$ref": "#/components/schemas/Head"},
    "seat": {
        "type": ["integer", "null"],
        "description": "The seat that it concerns; null if it concerns all",
    },
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
}
"""The members of `data` that each message has."""
RARE: Json = {
    "example": {"type": "boolean", "description": "Always true: the message is an example"},
    "truncated": {
        "type": "boolean",
        "description": "Always true: the members of the type were too long",
    },
}
HEADERS = ("WebhookId", "WebhookTimestamp", "WebhookSignature")


def notice_schemas() -> Json:
    """The names of notice types, a list of them, and the data of their messages."""
    names = {"type": "string", "description": "A type of notice", "enum": [*NOTICE_TYPES]}
    several = {
        "type": "array",
        "description": "The notices to receive; all if left out",
        "minItems": 1,
        "maxItems": len(NOTICE_TYPES),
        "items": {"$ref": "#/components/schemas/NoticeType"},
    }
    by_type = {
        member.name: {**member.schema, "description": member.about}
        for one in NOTICE_TYPES.values()
        for member in one.members
    }
    data = {
        "description": "What happened. Every message has the members that are required; its type"
        " says which others it has.",
        "type": "object",
        "required": [*COMMON],
        "properties": {**COMMON, **by_type, **RARE},
    }
    return {"NoticeType": names, "NoticeTypes": several, "MessageData": data}


def webhook_items() -> Json:
    """The section `webhooks`: the request that each type of message is sent with."""
    items = {
        one.name: message_operation(one.name, one.sent_when, (m.name for m in one.members))
        for one in NOTICE_TYPES.values()
    }
    return {**items, "ping": message_operation("ping", "you ask for it", ["example"])}


def message_operation(name: str, sent_when: str, members: Iterable[str]) -> Json:
    """The request that sends the messages of a type, such as `onTurnStarted`."""
    *firsts, last = (f"`{member}`" for member in members)
    listed = f"{', '.join(firsts)} and {last}" if firsts else last
    operation = {
        "operationId": "on" + "".join(word.capitalize() for word in name.split(".")),
        "tags": ["messages"],
        "summary": sent_when[0].upper() + sent_when[1:],
        "description": f"`data` has also {listed}.",
        "parameters": [{"$ref": f"#/components/parameters/{header}"} for header in HEADERS],
        "requestBody": {
            "required": True,
            "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Message"}}},
        },
        "responses": {"2XX": {"$ref": "#/components/responses/MessageReceived"}},
    }
    return {"post": operation}
