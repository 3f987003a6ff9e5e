"""Takes, leaves and reclaims seats; declines invitations; starts or closes a table; gives time;
plays again.
"""

from __future__ import annotations

from flask import Blueprint, Response, g

from domain.match.decisions import ending, giving_time, lobby, playing
from service.accounts.client_networks import record_shared_network, store_network
from service.http.addresses import MATCH
from service.http.context import annals, authenticate, caller
from service.http.requests import command_metadata, parse_body
from service.http.responses.command_responses import (
    command_response,
    creation_response,
    run_command,
)
from service.http.schemas.commands import (
    DiceContribution,
    NewNonce,
    SeatChoice,
    StartRequest,
    TimeGift,
)
from service.http.schemas.common import EmptyObject
from service.matches import commands, player_moves, queries
from service.store.planning.plans import Plans
from service.store.redis_failures import log_redis_failures

bp = Blueprint("seats", __name__, url_prefix=MATCH)
SEAT_CHOICE, NEW_NONCE, START, NOTHING = SeatChoice(), NewNonce(), StartRequest(), EmptyObject()
REMATCH, TIME_GIFT = DiceContribution(), TimeGift()
NETWORK_NOT_RECORDED = "network_not_recorded"
"""What the log says if Redis fails then. Ratings also compare the networks of the last week."""


@bp.post("/seats")
def take(match_id: str) -> Response:
    """Take a seat."""
    player, data = authenticate("play"), parse_body(SEAT_CHOICE, optional=True)
    nonce, commitment = bytes.fromhex(data.get("nonce") or ""), data.get("commitment")
    redis = annals().store.redis
    store_network(redis, player.id, caller().address)
    decision = player_moves.take_seat(annals(), player.id, data.get("seat"), nonce, commitment)
    response = run_command(match_id, player, decision, 201, data.get("invitation"))
    with log_redis_failures(NETWORK_NOT_RECORDED, match=match_id):
        record_shared_network(redis, annals().matches.latest(match_id))
    return response


@bp.post("/nonce")
def open_nonce(match_id: str) -> Response:
    """Open the nonce that the caller has committed to."""
    player, data = authenticate("play"), parse_body(NEW_NONCE)
    nonce = bytes.fromhex(data["nonce"])
    return run_command(
        match_id, player, lambda match, now: lobby.open_nonce(match, player.id, nonce, now)
    )


@bp.delete("/seats/<int(max=63):seat>")
def leave(match_id: str, seat: int) -> Response:
    """Leave a seat before the start."""
    player, g.body = authenticate("play"), {}
    metadata = command_metadata(player)
    left = commands.execute(
        annals(), match_id, metadata, lambda match, _: lobby.leave_seat(match, player.id, seat)
    )
    if not left.match.seats_of(player.id):
        with log_redis_failures("plan_not_erased", match=match_id, player=player.id):
            Plans(annals().store).erase_player([match_id], player.id)
    return command_response(left, player, 200)


@bp.delete("/invitation")
def decline(match_id: str) -> Response:
    """Decline the invitation to a table."""
    player, g.body = authenticate("play"), {}
    return run_command(
        match_id, player, lambda match, _: lobby.decline_invitation(match, player.id)
    )


@bp.delete("")
def close(match_id: str) -> Response:
    """Close the table before the start, or a match that only bots play."""
    player, g.body = authenticate("host"), {}
    return run_command(match_id, player, lambda match, _: lobby.close(match, player.id))


@bp.post("/start")
def start(match_id: str) -> Response:
    """Fill the open seats with bots and start the match."""
    player, data = authenticate("host"), parse_body(START, optional=True)
    return run_command(match_id, player, commands.start(annals(), player.id, data.get("level")))


@bp.post("/keep")
def keep(match_id: str) -> Response:
    """Keep a match against bots that would end by itself."""
    player = authenticate("play")
    parse_body(NOTHING, optional=True)
    return run_command(match_id, player, lambda match, now: ending.keep(match, player.id, now))


@bp.post("/time")
def give_time(match_id: str) -> Response:
    """Give others who are thinking more time."""
    player, data = authenticate("play"), parse_body(TIME_GIFT, optional=True)
    seat, seconds = data.get("seat"), data.get("seconds")
    return run_command(
        match_id,
        player,
        lambda match, now: giving_time.give_time(match, player.id, seat, seconds, now),
    )


@bp.post("/rematch")
def play_again(match_id: str) -> Response:
    """Offer to play a finished match again, or agree to such an offer."""
    player, data = authenticate("play"), parse_body(REMATCH, optional=True)
    metadata, redis = command_metadata(player), annals().store.redis
    if commands.find_rematch(annals(), queries.match_for(annals(), match_id, player.id)) is None:
        authenticate("host")  # it opens a table
    store_network(redis, player.id, caller().address)
    nonce, commitment = bytes.fromhex(data.get("nonce") or ""), data.get("commitment")
    receipt = commands.play_again(annals(), match_id, metadata, nonce, commitment)
    with log_redis_failures(NETWORK_NOT_RECORDED, match=receipt.match.id):
        record_shared_network(redis, receipt.match)
    return creation_response(receipt, player)


@bp.post("/reclaim")
def reclaim(match_id: str) -> Response:
    """Take the caller's seats back from the bots that play them."""
    player = authenticate("play")
    parse_body(NOTHING, optional=True)
    return run_command(match_id, player, lambda match, now: playing.reclaim(match, player.id, now))
