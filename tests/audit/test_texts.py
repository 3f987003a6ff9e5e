"""The texts of entries, byte by byte, and the chain of a match."""

from __future__ import annotations

import hashlib
import hmac

import msgspec
import pytest

from domain.audit.texts import Content, Salts, head_after, openings, text_of, with_head
from domain.engine.dice import Luck
from domain.games import GAMES
from domain.games.qin.events import TileDrawn
from domain.match.log import Entry, apply_events, make_entry, read_events, read_move
from domain.match.state import GENESIS_HEAD, Match
from tests.games.test_stored import PLAYERS, SEED, following, open_match

SALTS = Salts("m1", SEED)
DRAWN = Entry(7, "Moved", "ann", 1_700_000_000_000, b"", b"", 3, b"")


def test_a_text_is_this():
    text = text_of(SALTS, DRAWN, Content(None, [TileDrawn(1, "RR")]))
    salt = hmac.new(SEED, b"salt|m1|7|events.0.kind", "sha256").digest()
    sealed = hashlib.sha256(salt + b'"RR"').hexdigest()
    assert text == (
        b'{"version":7,"kind":"Moved","actor":"ann","at":1700000000000,"rules":3,"move":null,'
        b'"events":[{"type":"TileDrawn","seat":1,"kind":{"commitment":"%b"}}]}' % sealed.encode()
    )


def test_its_opening_is_this():
    [(seat, opening)] = openings(SALTS, DRAWN, Content(None, [TileDrawn(1, "RR")]))
    salt = hmac.new(SEED, b"salt|m1|7|events.0.kind", "sha256").hexdigest()
    assert (seat, *msgspec.structs.astuple(opening)) == (1, "events.0.kind", salt, '"RR"')


def test_a_head_is_this():
    assert (
        head_after(GENESIS_HEAD, b"text")
        == hashlib.sha256(b"annals/entry/1\n" + bytes(32) + b"text").digest()
    )


def test_salts_differ_by_match_version_field_and_seed():
    others = [Salts("m2", SEED), Salts("m1", bytes(32))]
    salts = {SALTS.salt(1, "move"), SALTS.salt(2, "move"), SALTS.salt(1, "events.0.kind")}
    assert len(salts | {other.salt(1, "move") for other in others}) == 5


@pytest.mark.parametrize("key", GAMES)
def test_heads_follow_from_what_is_stored(key):
    match, dice = Match(GAMES[key], SEED), Luck(key)
    head, draft, actor = GENESIS_HEAD, open_match("m1", GAMES[key]), PLAYERS[0]
    for version in range(1, 9):
        one = make_entry(draft, version, actor, version, GAMES[key].rules)
        one = with_head("m1", match, one, draft)
        match = match.copy()
        apply_events(match, one, draft.events)
        move = read_move(match.game, one.move) if one.move else None
        content = Content(move, read_events(match.game, one.events))
        head = head_after(head, text_of(SALTS, one, content))
        assert match.head == one.head == head
        draft, actor = following(match, dice)
