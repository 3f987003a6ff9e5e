"""What players agree on: to end the match without a result (docs/match.md), to pause it, or that
bots play on for absent players, or new players take their seats (docs/clocks.md).
"""

from __future__ import annotations

from domain.match.decisions import undo
from domain.match.decisions.absence import (
    absent_others,
    replace_absent,
    replaceable_seats,
    require_absent,
    require_replaceable,
)
from domain.match.decisions.pauses import MAX_PAUSE_MS, pause_events, require_pausable
from domain.match.decisions.playing import require_active
from domain.match.errors import Forbidden, Impossible, TooEarly
from domain.match.events import Aborted
from domain.match.log import Draft
from domain.match.social_events import (
    ProposalAnswered,
    ProposalLapsed,
    Proposed,
    ReplacementSought,
)
from domain.match.state import AbortReason, Match, ProposalKind

PROPOSAL_MS = 3 * 86_400_000
"""How long the others have to answer."""
MIN_MOVES = 10
"""Number of moves of the match after which a player can propose the same again."""


def propose(
    match: Match, player: str, kind: ProposalKind, now: int, pause_ms: int = MAX_PAUSE_MS
) -> Draft:
    """Propose it, or agree if another player proposes it already. Without other people it happens
    at once, since bots agree. The absent are not asked. A pause lasts at most `pause_ms`
    milliseconds.

    Raises Refusal.
    """
    _require_decider(match, player)
    if kind == "pause":
        require_pausable(match, pause_ms)
    if kind == "bot":
        require_absent(match, player)
    if kind == "replacement":
        require_replaceable(match, player)
    if match.proposal is not None:
        if match.proposal.kind == kind and match.proposal.player != player:
            return answer(match, player, kind, now, agree=True, pause_ms=pause_ms)
        raise Impossible("proposal_stands", "A proposal waits for answers already.")
    others = tuple(sorted(match.deciding_players() - {player} - absent_others(match, player)))
    if not others:
        return _carry_out(match, kind, player, now, pause_ms)
    if moves := moves_until_next(match, player, kind):
        more = f"{moves} more move{'' if moves == 1 else 's'}"
        raise Impossible(
            "proposed_lately", f"The match needs {more} before you propose this again."
        )
    return Draft("Proposed", (Proposed(kind, player, others, now + PROPOSAL_MS),))


def answer(
    match: Match,
    player: str,
    kind: ProposalKind,
    now: int,
    *,
    agree: bool,
    pause_ms: int = MAX_PAUSE_MS,
) -> Draft:
    """Agree to a proposal or decline it. The player who made it can withdraw it by declining.

    Raises Refusal.
    """
    _require_decider(match, player)
    proposal = match.proposal
    if proposal is None or proposal.kind != kind:
        raise Impossible("no_proposal", "No such proposal waits for answers.")
    if player not in proposal.asked and (agree or player != proposal.player):
        raise Forbidden(
            "no_answer_expected",
            "You have agreed already, the proposal is your own, or the match waits for your move.",
        )
    answered = ProposalAnswered(player, agree)
    if agree and proposal.asked == (player,):
        return _carry_out(match, kind, proposal.player, now, pause_ms, answered)
    return Draft("ProposalAnswered", (answered,))


def lapse(match: Match, now: int) -> Draft:
    """Drop a proposal that was not answered in time."""
    if match.proposal is None or now < match.proposal.expires:
        raise TooEarly("No proposal has expired.")
    return Draft("ProposalLapsed", (ProposalLapsed(),))


def lapse_request(match: Match, now: int) -> Draft:
    """Drop a request for an undo that was not answered in time, or else such a proposal."""
    request = match.undo_request
    expired = request is not None and request.expires <= now
    return undo.lapse(match, now) if expired else lapse(match, now)


def moves_until_next(match: Match, player: str, kind: ProposalKind) -> int:
    """How many moves the match must have before the player can propose this again; 0 if none."""
    before = match.proposed.get((kind, player))
    if before is None:
        return 0
    return max(0, MIN_MOVES - sum(point.version > before for point in match.line))


def _carry_out(
    match: Match,
    kind: ProposalKind,
    player: str,
    now: int,
    pause_ms: int,
    *before: ProposalAnswered,
) -> Draft:
    """End or pause the match, let bots play on, or open seats to new players, as the player had
    proposed, after these events.
    """
    if kind == "pause":
        return Draft("Paused", (*before, *pause_events(match, player, now, pause_ms)))
    if kind == "bot":
        agreed = match.copy()
        for event in before:
            event.apply(agreed)
        return Draft("BotSeated", (*before, *replace_absent(agreed, now)))
    if kind == "replacement":
        opened = map(ReplacementSought, replaceable_seats(match))
        return Draft("ReplacementSought", (*before, *opened))
    reason: AbortReason = "absence" if absent_others(match, player) else "agreement"
    return Draft("Aborted", (*before, Aborted(reason, match.seed.hex())))


def _require_decider(match: Match, player: str) -> None:
    require_active(match)
    if player in match.deciding_players():
        return
    if any(not match.chairs[seat].resigned for seat in match.seats_of(player)):
        raise Forbidden("seat_played_by_bot", "A bot plays in your place.")
    raise Forbidden("not_seated", "You play no seat in this match.")
