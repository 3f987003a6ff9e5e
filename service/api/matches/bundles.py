"""What anybody can check of a match: the outcome of a full check, and all of it in one file."""

from __future__ import annotations

from contextlib import suppress

from flask import Blueprint, Response

from domain.audit.bundle import SUFFIX
from domain.match.state import Match
from service.http.addresses import MATCH
from service.http.context import annals, context, viewer_id
from service.http.json_responses import answer
from service.http.requests import query
from service.http.responses.representation import BY_CALLER, Representation, look, unchanged
from service.http.schemas.audit import BundleQuery
from service.http.schemas.common import Nothing
from service.matches import queries
from service.runtime.errors import NotFound, NotLogged

bp = Blueprint("bundles", __name__, url_prefix=MATCH)
BUNDLE, NOTHING = BundleQuery(), Nothing()


@bp.get("/audit")
def audit(match_id: str) -> Response:
    """Whether all entries of the match are as the chain, the rules and the dice say."""
    query(NOTHING)
    match = queries.match_for(annals(), match_id, viewer_id())
    headers = Representation(match, None, fixed=False).headers
    if same := unchanged(headers):
        return same
    wrong = context().bundles.first_wrong(match)
    content = {
        "match": match.id,
        "version": match.version,
        "head": match.head.hex(),
        "sound": wrong is None,
        "first_wrong": wrong and wrong.version,
        "logged": bool(_proofs(match)),
    }
    return answer(content, headers=headers)


@bp.get("/export")
def export(match_id: str) -> Response:
    """The match in one file, with all that is needed to check it without the service."""
    shown = look(match_id, query(BUNDLE))
    bundle = context().bundles.bundle_of(shown.match, shown.seat, _proofs(shown.match), _keys())
    headers = {
        "Cache-Control": "private, no-cache",
        "Content-Disposition": f'attachment; filename="{match_id}{SUFFIX}"',
        "Vary": BY_CALLER,
    }
    return answer(bundle, headers=headers)


def _proofs(match: Match) -> list[str]:
    """That the log has this match, as far as it has; the opening first."""
    proofs: list[str] = []
    log = context().log
    for which in ("open", "newest"):
        with suppress(NotFound, NotLogged):
            proofs += [log.proof(match.id, which)] if log else []
    return proofs


def _keys() -> list[str]:
    log = context().log
    with suppress(NotFound):
        return log.keys().splitlines() if log else []
    return []
