"""Proposals that all people at a table have to agree to, and the end of a pause."""

from __future__ import annotations

from flask import Blueprint, Response

from domain.match.decisions import pauses, proposals
from domain.match.log import Draft
from domain.match.state import Match
from service.http.addresses import MATCH
from service.http.context import annals, authenticate
from service.http.requests import parse_body
from service.http.responses.command_responses import run_command
from service.http.schemas.commands import RESUME, ProposalVote

bp = Blueprint("proposals", __name__, url_prefix=MATCH)
VOTE = ProposalVote()


@bp.post("/proposal")
def vote(match_id: str) -> Response:
    """Propose something, or answer: agree, decline or withdraw it; resume a match."""
    player, data = authenticate("play"), parse_body(VOTE)
    kind, pause_ms = data["kind"], annals().pause_ms

    def decision(match: Match, now: int) -> Draft:
        if kind == RESUME:
            return pauses.resume(match, player.id, now)
        if "agree" in data:
            agree = data["agree"]
            return proposals.answer(match, player.id, kind, now, agree=agree, pause_ms=pause_ms)
        return proposals.propose(match, player.id, kind, now, pause_ms)

    return run_command(match_id, player, decision)
