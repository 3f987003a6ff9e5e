"""A Python client made by openapi-generator from the contract plays Qin to the end."""

from __future__ import annotations

import sys

import openapi_client as made

url, name = sys.argv[1:]
with made.ApiClient(made.Configuration(host=url)) as nobody:
    registered = made.PlayersApi(nobody).register_player(made.NewPlayer(name=name))
with made.ApiClient(made.Configuration(host=url, access_token=registered.token)) as api:
    tables, playing, history = made.MatchesApi(api), made.MovesApi(api), made.EventsApi(api)
    seats = [made.SeatPlan(me=True), made.SeatPlan(bot="li_mu")]
    clock = made.ClockPlan(made.ClockBank(bank_s=600))
    match = tables.create_match(made.NewMatch(game="qin", seats=seats, clock=clock))
    assert match.clock.actual_instance.bank_s == 600
    while match.status != "scored":
        view = match.view.actual_instance
        assert view.hands[view.seat] is not None
        legal = playing.list_legal_moves(match.id).moves
        if legal:
            move = made.NewMove(move=legal[0])
            playing.preview_move(match.id, made.PreviewRequest(move=legal[0]))
            receipt = playing.make_move(match.id, move)
            assert "TilePlaced" in {event.actual_instance.type for event in receipt.events}
        else:
            history.list_events(match.id, after=match.version, wait=20)
        match = tables.get_match(match.id)
    first = history.list_events(match.id).events[0]
    assert first.events[0].actual_instance.type == "Created"
    pictures = made.PicturesApi(api)
    assert pictures.get_board_png(match.id)[:4] == b"\x89PNG"
    assert b"<svg" in pictures.get_board_svg(match.id)
    assert pictures.get_position(match.id).position.actual_instance.cells
    assert 1 in {line.rank for line in match.result.lines}
