"""What each seat may know; nothing else reaches it."""

from __future__ import annotations

import pytest

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.game import legal_moves, preview
from domain.engine.play import redact
from domain.games.chang_cheng import GAME
from domain.games.chang_cheng.board import THREATS
from domain.games.chang_cheng.events.cards import CardLaid
from domain.games.chang_cheng.events.course import TilesPlaced
from domain.games.chang_cheng.events.wall import ThreatSeen
from domain.games.chang_cheng.moves import BuildDouble, BuildSingle, LayCard, RemoveThreat
from tests.engine.table import contents, new_game
from tests.games import every_secret
from tests.games.chang_cheng.table import card, happens, kinds, only, table
from tests.games.record import record

VIEWERS = (None, 0, 1, 2)


def test_only_its_owner_knows_a_card_that_lies_in_a_region():
    """CC-9.1"""
    state = table(cards=[card(1, 5, "b1:C1")])
    seen = [GAME.view(state, viewer).china[0].cards[0] for viewer in VIEWERS]
    assert [c.number for c in seen] == [None, None, 5, None]
    assert {c.seat for c in seen} == {1}


def test_only_its_owner_knows_a_hand_until_the_end():
    """CC-9.1"""
    state = table(hands=[[1, 2], [3], []])
    for viewer in VIEWERS:
        view = GAME.view(state, viewer)
        assert view.hand_sizes == (2, 1, 0)
        assert [hand is not None for hand in view.cards_in_hand] == [
            viewer == seat for seat in range(3)
        ]
    end = record(GAME, 3, 0).end
    assert None not in GAME.view(end, None).cards_in_hand


def test_other_numbers_of_a_card_that_is_laid_look_the_same_to_others():
    """CC-9.1"""
    state = table()
    for viewer in (None, 1, 2):
        told = {
            json_codec.encode([redact(e, viewer) for e in preview(GAME, state, move)])
            for move in (LayCard(0, "b1:C1", number) for number in range(1, 7))
        }
        assert len(told) == 1
    assert redact(CardLaid(0, "b1:C1", 4), 0) == CardLaid(0, "b1:C1", 4)


def test_a_leak_of_sealed_numbers_would_be_found(monkeypatch):
    """CC-9.1"""
    monkeypatch.setattr(CardLaid, "hidden_fields", ())
    with pytest.raises(AssertionError):
        every_secret.sealed_choices_look_alike(GAME, 3)


def test_only_the_player_who_builds_learns_the_threats():
    """CC-9.2"""
    state = table()
    told = happens(state, BuildDouble(0, ("b1:13", "b2:1")))
    looks = [event for event in told if isinstance(event, ThreatSeen)]
    assert [(e.seat, e.region) for e in looks] == [(0, "b1:M3"), (0, "b2:M1")]
    assert [redact(looks[0], viewer).threat for viewer in VIEWERS] == [
        None,
        looks[0].threat,
        None,
        None,
    ]
    for viewer in VIEWERS:
        shown = [region for region in GAME.view(state, viewer).mongol if region.threat]
        assert [r.name for r in shown] == (["b1:M3", "b2:M1"] if viewer == 0 else [])
        assert GAME.view(state, viewer).mongol[2].seen_by == (0,)


def test_what_was_seen_is_not_looked_at_again():
    """CC-9.2"""
    state = table(seen={"b1:M1": [0]})
    assert "ThreatSeen" not in kinds(happens(state, BuildSingle(0, "b1:1")))


def test_a_spectator_sees_no_tile_that_lies_face_down():
    """CC-9.3"""
    placed = TilesPlaced("b1", (1, 2, 3), (2, 3, 4))
    assert [redact(placed, viewer).threats for viewer in VIEWERS] == [(None,) * 3] * 4
    state = new_game(GAME, 3, Luck(1))
    assert GAME.view(state, None).unseen == {"2": 5, "3": 5, "4": 5}


def test_a_removed_tile_stays_unseen_but_for_who_had_seen_it():
    """CC-9.3, CC-7.4"""
    state = table("b1:1=0 b1:2=1 b1:3=2", cards=[card(1, 2, "b1:C1")], seen={"b1:M1": [2]})
    happens(state, BuildSingle(0, "b1:4"), RemoveThreat(1, "b1:M1"))
    shown = [GAME.view(state, viewer).mongol[0].threat for viewer in VIEWERS]
    assert shown == [None, state.threats[0], None, state.threats[0]]


def test_imagined_tables_hold_the_tiles_of_the_box_and_the_same_numbers_of_cards():
    """CC-9.3, CC-1.4"""
    for moment in record(GAME, 3, 1).some(10):
        state = GAME.imagine(moment.state, 1, Luck(2))
        for value, count in THREATS.items():
            assert state.threats.count(value) <= count
        for seat in range(3):
            own = [c.number for c in state.laid if c.seat == seat]
            real = [c.number for c in moment.state.laid if c.seat == seat]
            assert len(own) == len(real)
            assert seat != 1 or own == real


def test_all_else_is_public():
    """CC-9.4"""
    state = table("b1:1=0 b1:2-3=1 b2:6=2t", cards=[card(1, 5, "b1:C2")], reserved={"2": ["b2:5"]})
    views = [GAME.view(state, viewer) for viewer in VIEWERS]
    for name in ("wall", "unbuilt", "scores", "emperors", "reserve", "last", "step"):
        assert len({json_codec.encode(getattr(view, name)) for view in views}) == 1


def test_a_preview_stops_at_a_look_and_at_cards_that_lie_face_down():
    """CC-9.2, CC-6.3"""
    state = table()
    assert kinds(preview(GAME, state, BuildSingle(0, "b1:1"))) == ["SingleBuilt"]
    state = table("b1:1=0 b1:2=1 b1:3=2", cards=[card(1, 2, "b1:C1")], seen={"b1:M1": [0]})
    told = kinds(preview(GAME, state, BuildSingle(0, "b1:4")))
    assert told == ["SingleBuilt", "ScoringBegan"]


def test_hidden_values_change_neither_the_menu_nor_the_previews():
    """CC-9.1, CC-9.3"""
    for moment in record(GAME, 4, 3).some(8):
        state, seat = moment.state, moment.move.seat
        other = GAME.imagine(state, seat, Luck(9))
        legal = legal_moves(GAME, state, seat)
        assert legal == legal_moves(GAME, other, seat)
        for move in legal[::7]:
            assert preview(GAME, state, move) == preview(GAME, other, move)


def test_imagining_changes_hidden_cards_and_tiles():
    """CC-9.3"""
    state = table(cards=[card(1, 5, "b1:C1")])
    tables = [GAME.imagine(state, 0, Luck(seed)) for seed in range(30)]
    assert len({t.laid[0].number for t in tables}) == 6
    assert len({bytes(t.threats) for t in tables}) > 5
    assert contents(state) == contents(table(cards=[card(1, 5, "b1:C1")]))


def test_the_hidden_number_is_what_the_owner_sees():
    """CC-9.1"""
    told = happens(table(), LayCard(0, "b1:C1", 6))
    assert redact(only(told, CardLaid), 0).number == 6
    assert redact(only(told, CardLaid), None).number is None
