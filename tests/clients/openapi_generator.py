"""A Python client of openapi-generator plays a game: arguments are URL, name, game and level."""

from __future__ import annotations

import sys

import openapi_client as made

MAX_MOVES = 30
url, name, game, level = sys.argv[1:]
prefix = game.title().replace("_", "")
with made.ApiClient(made.Configuration(host=url)) as nobody:
    registered = made.PlayersApi(nobody).register_player(made.NewPlayer(name=name))
with made.ApiClient(made.Configuration(host=url, access_token=registered.token)) as api:
    tables, playing, history = made.MatchesApi(api), made.MovesApi(api), made.EventsApi(api)
    seats = [made.SeatPlan(me=True), made.SeatPlan(bot=level)]
    clock = made.ClockPlan(made.ClockBank(bank_s=600))
    match = tables.create_match(made.NewMatch(game=game, seats=seats, clock=clock))
    assert match.clock.actual_instance.bank_s == 600
    assert made.WebhooksApi(api).list_webhooks().webhooks == []
    moves = 0
    while match.status != "scored":
        assert type(match.view.actual_instance).__name__ == f"{prefix}View", match.view
        legal = playing.list_legal_moves(match.id).moves
        if legal and moves == MAX_MOVES:
            playing.resign(match.id)
        elif legal:
            playing.preview_move(match.id, made.PreviewRequest(move=legal[0]))
            receipt = playing.make_move(match.id, made.NewMove(move=legal[0]))
            assert all(event.actual_instance.type for event in receipt.events)
            moves += 1
        else:
            history.list_events(match.id, after=match.version, wait=20)
        match = tables.get_match(match.id)
    first = history.list_events(match.id).events[0]
    assert first.events[0].actual_instance.type == "Created"
    pictures = made.PicturesApi(api)
    assert pictures.get_board_png(match.id)[:4] == b"\x89PNG"
    assert b"<svg" in pictures.get_board_svg(match.id)
    position = pictures.get_position(match.id).position.actual_instance
    assert type(position).__name__ == f"{prefix}Position"
    assert 1 in {line.rank for line in match.result.lines}
