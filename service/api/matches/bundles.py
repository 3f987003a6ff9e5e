"""The audit of a match: the result of a full check, and a bundle to verify it elsewhere."""

from __future__ import annotations

from contextlib import suppress
from typing import Literal

from flask import Blueprint, Response

from domain.audit.bundle import SUFFIX
from domain.match.state import Match
from service.http.addresses import MATCH
from service.http.context import annals, context, payer, viewer_id
from service.http.json_responses import json_response
from service.http.requests import parse_query
from service.http.responses.representation import (
    VARY_BY_CALLER,
    Representation,
    not_modified,
    represent,
)
from service.http.schemas.audit import BundleQuery
from service.http.schemas.common import EmptyObject
from service.matches import queries
from service.runtime.errors import NotFound, NotLogged
from service.runtime.event_loop import in_steps, pause

bp = Blueprint("bundles", __name__, url_prefix=MATCH)
BUNDLE, NOTHING = BundleQuery(), EmptyObject()
PROVED: tuple[Literal["open", "newest"], ...] = ("open", "newest")


@bp.get("/audit")
def audit(match_id: str) -> Response:
    """Return whether all entries of the match agree with the hash chain, the rules and the dice."""
    parse_query(NOTHING)
    match = queries.match_for(annals(), match_id, viewer_id())
    headers = Representation(match, None, fixed=False).headers
    if same := not_modified(headers):
        return same
    invalid = context().bundles.find_first_wrong(match, payer())
    content = {
        "match": match.id,
        "version": match.version,
        "head": match.head.hex(),
        "valid": invalid is None,
        "first_invalid": invalid and invalid.version,
        "in_log": bool(_proofs(match)),
    }
    return json_response(content, headers=headers)


@bp.get("/export")
def export(match_id: str) -> Response:
    """Return the match in one file, with all that a client needs to verify it without
    the service.
    """
    shown = represent(match_id, parse_query(BUNDLE))
    bundle = context().bundles.build(
        shown.match, shown.seat, _proofs(shown.match), _keys(), payer()
    )
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": f'attachment; filename="{match_id}{SUFFIX}"',
        "Vary": VARY_BY_CALLER,
    }
    pause(0)  # to encode it is a step of its own
    return json_response(bundle, headers=headers)


def _proofs(match: Match) -> list[str]:
    """Return the proofs that the log includes this match, as far as it does; the opening first."""
    proofs: list[str] = []
    log = context().log
    for which in in_steps(PROVED):
        with suppress(NotFound, NotLogged):
            proofs += [log.proof(match.id, which)] if log else []
    return list(dict.fromkeys(proofs))  # the newest leaf of a match may be its opening


def _keys() -> list[str]:
    log = context().log
    with suppress(NotFound):
        return log.keys().splitlines() if log else []
    return []
