"""The schema of notes about a match."""

from __future__ import annotations

from marshmallow import fields, validate

from service.http.schemas.common import Strict

MAX_NOTE = 2_000
"""Maximum length of a note, in characters."""


class NewNote(Strict):
    """The text of a note."""

    text = fields.String(required=True, validate=validate.Length(1, MAX_NOTE))
