"""A client made by openapi-python-client from the contract plays a game: URL, name, game, level."""

from __future__ import annotations

import sys

from annals_client import AuthenticatedClient, Client, models
from annals_client.api.events import list_events
from annals_client.api.matches import create_match, get_match
from annals_client.api.moves import list_legal_moves, make_move, preview_move, resign
from annals_client.api.pictures import get_board_text, get_position
from annals_client.api.players import register_player

MAX_MOVES = 30
url, name, game, level = sys.argv[1:]
prefix = game.title().replace("_", "")
registered = register_player.sync(client=Client(url), body=models.NewPlayer(name=name))
with AuthenticatedClient(url, registered.token) as api:
    seats = [models.SeatPlan(me=True), models.SeatPlan(bot=level)]
    plan = models.NewMatch(game=game, seats=seats, clock=models.ClockBank(bank_s=600))
    match = create_match.sync(client=api, body=plan)
    assert match.clock.bank_s == 600
    made = 0
    while match.status != "scored":
        assert type(match.view).__name__ == f"{prefix}View", match.view
        legal = list_legal_moves.sync(match.id, client=api).moves
        if legal and made == MAX_MOVES:
            resign.sync(match.id, client=api, body=models.EmptyObject())
        elif legal:
            assert legal[0].type_
            preview_move.sync(match.id, client=api, body=models.PreviewRequest(move=legal[0]))
            receipt = make_move.sync(match.id, client=api, body=models.NewMove(move=legal[0]))
            assert all(event.type_ for event in receipt.events)
            made += 1
        else:
            list_events.sync(match.id, client=api, after=match.version, wait=20)
        match = get_match.sync(match.id, client=api)
    first = list_events.sync(match.id, client=api).events[0]
    assert type(first.events[0]) is models.MatchCreated, first
    position = get_position.sync(match.id, client=api).position
    assert type(position).__name__ == f"{prefix}Position"
    assert get_board_text.sync(match.id, client=api)
    assert 1 in {line.rank for line in match.result.lines}
