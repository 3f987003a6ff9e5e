"""A client made by openapi-python-client from the contract plays Qin to the end."""

from __future__ import annotations

import sys

from annals_client import AuthenticatedClient, Client, models
from annals_client.api.events import list_events
from annals_client.api.matches import create_match, get_match
from annals_client.api.moves import list_legal_moves, make_move, preview_move
from annals_client.api.pictures import get_board_text, get_position
from annals_client.api.players import register_player

url, name = sys.argv[1:]
registered = register_player.sync(client=Client(url), body=models.NewPlayer(name=name))
with AuthenticatedClient(url, registered.token) as api:
    seats = [models.SeatPlan(me=True), models.SeatPlan(bot="li_mu")]
    plan = models.NewMatch(game="qin", seats=seats, clock=models.ClockBank(bank_s=600))
    match = create_match.sync(client=api, body=plan)
    assert match.clock.bank_s == 600
    while match.status != "scored":
        assert type(match.view) is models.QinView, match.view
        assert match.view.hands[match.view.seat] is not None
        legal = list_legal_moves.sync(match.id, client=api).moves
        if legal:
            assert type(legal[0]) is models.AnyPlaceTile, legal
            move = models.NewMove(move=legal[0])
            preview_move.sync(match.id, client=api, body=models.PreviewRequest(move=legal[0]))
            receipt = make_move.sync(match.id, client=api, body=move)
            assert type(receipt.events[0]) is models.AnyTilePlaced, receipt
        else:
            list_events.sync(match.id, client=api, after=match.version, wait=20)
        match = get_match.sync(match.id, client=api)
    first = list_events.sync(match.id, client=api).events[0]
    assert type(first.events[0]) is models.MatchCreated, first
    assert type(get_position.sync(match.id, client=api).position) is models.QinPosition
    assert get_board_text.sync(match.id, client=api)
    assert 1 in {line.rank for line in match.result.lines}
