"""Pictures and text of the solo game: Qin Jiushao, his track and his cards, the Shame left."""

from __future__ import annotations

from typing import Any

import pytest

from domain.games.great_wall.cards import automata
from domain.games.great_wall.render.pieces import COLOURS
from domain.games.great_wall.render.sentences import Table, summary
from domain.games.great_wall.state.clans import Claim
from domain.games.great_wall.view import view
from tests.games.great_wall.game import GAME
from tests.games.great_wall.table import horde, table
from tests.games.great_wall.test_render import picture_of, text_of, words_of_picture
from tests.games.test_pictures_on_a_telephone import faults

REED, QIN = 1, 2
TOKENS = ("chi", "wound", "wood", "stone", "gold")
OF_QIN = {
    "supporting": ("spy", "herald", "sifu"),
    "discard": ("solo_betrayal",),
    "clerks": {"quarry": 2, "barracks": 1},
    "clerks_pool": 5,
    "claimed": (Claim("leader_left"),),
}


def solo_table(mine: Any = (), **values: Any) -> Any:
    """A solo table with everything that Qin Jiushao can have."""
    known = {
        "tokens": TOKENS,
        "solo_deck": tuple(automata.SOLO)[:3],
        "shame": 7,
        "track": [(QIN, "solo_economy"), (0, "economy"), (REED, "reed_command")],
        "hordes": {"center": [horde("scouts_center", by2=(2,), by0=(3,))]},
    }
    return table(dict(mine), {}, OF_QIN, seats=1, mode="solo", **{**known, **values})


def test_the_panels_of_clans_without_a_seat_have_their_names():
    picture = GAME.draw(view(solo_table(), 0), GAME.words())
    labels = [panel.label for panel in picture.panels if panel.role == "seat"]
    assert labels == ["Qin Jiushao", "The Reed Clan"]


def test_his_location_track_is_shown_from_the_highest_to_the_lowest():
    """GW-14.3"""
    order = "Temple, Barracks, Lumber Mill, Quarry, Gold Mine"
    said = f"Qin Jiushao's Location track, highest first: {order}"
    assert said in text_of(solo_table())
    seen = words_of_picture(solo_table())
    begins = seen.index("Location track") + 1
    shown = seen[begins : seen.index("Shame pool")]
    assert shown == [
        "Temple",
        "highest",
        "Barracks",
        "Lumber Mill",
        "Quarry",
        "Gold Mine",
        "lowest",
    ]


def test_his_pieces_are_square_and_have_a_letter():
    """GW-14.2"""
    seen = GAME.render_svg(view(solo_table(), 0), GAME.words())
    fill = COLOURS["qin"][0]
    squares = seen.count(f'<rect x="-8.5" y="-8.5" width="17" height="17" rx="2" fill="{fill}"')
    # twice in the Tea order, three clerks, his command card, the heading of his card
    assert squares == 7
    assert f'r="9" fill="{fill}"' not in seen
    assert "Q spear" in words_of_picture(solo_table())
    text = text_of(solo_table())
    assert "Qs" in text
    assert "(Q: Qin, R: Reed)" in text
    assert "(Q: Qin" not in text_of(table())


def test_of_his_cards_only_numbers_and_known_ones_are_shown():
    """GW-14.3, GW-14.5"""
    for seat in (0, None):
        text = text_of(solo_table(), seat)
        assert "Supporting Advisors: 3, face down" in text
        assert "Command cards left: 3" in text
        assert "Discarded: Betrayal" in text
        assert "Claimed: Leader (5 honor)" in text
        assert "At the end: 1 honor per Supporting Advisor, 20 honor per artifact." in text
        assert not {"Spy", "Herald", "Sifu"} & set(words_of_picture(solo_table(), seat))


def test_the_effect_of_his_command_card_is_shown():
    """GW-14.5"""
    does = automata.SOLO["solo_economy"].text
    assert f"Qin Jiushao's command card Economy: {does}" in text_of(solo_table())
    assert "Qin Jiushao's command card" not in text_of(solo_table(track=[]))
    assert "1 Qin Jiushao's Economy, 2 seat 1 (dragon)'s Economy" in text_of(solo_table())


def test_his_honor_is_shown_with_all_that_counts_at_the_end():
    """GW-14.14"""
    state = solo_table(artifacts=("jade_seal", "bronze_ding"))
    state.clans[QIN].honor = 12
    state.clans[QIN].counted = (12, *state.clans[QIN].counted[1:])
    total = 12 + 5 + 2 * 20 + 3
    assert f"Qin Jiushao Honor: 12 ({total} with end scoring)" in text_of(state)
    assert f"12 honor, {total} in total" in words_of_picture(state)
    assert f"Qin Jiushao: {total} honor in total" in summary(
        Table(view(state, 0), GAME.words("en"))
    )


def test_the_cards_of_qin_and_of_the_player_come_before_that_of_the_reed_clan():
    """GW-15.2"""
    seen = words_of_picture(solo_table())
    assert (
        seen.index("Seat 1 (dragon), you") < seen.index("Qin Jiushao") < seen.index("The Reed Clan")
    )


def test_the_mode_and_the_shame_left_are_shown():
    """GW-1.1, GW-14.14"""
    assert "The Great Wall, solo" in words_of_picture(solo_table())
    assert "7 of 10 left" in words_of_picture(solo_table())
    assert "Shame pool: 7 of 10" in text_of(solo_table())
    said = summary(Table(view(solo_table(), 0), GAME.words("en")))
    assert said.startswith("1 player against Qin Jiushao and the Reed Clan.")


@pytest.mark.parametrize(
    ("winners", "said"), [((0,), "seat 1 (dragon) wins"), ((), "the game is lost")]
)
def test_the_status_names_victory_and_defeat(winners, said):
    """GW-14.14"""
    state = solo_table()
    state.ended, state.winners = "time", winners
    assert f"Game over: {said} (the last Year ended)." in text_of(state)


@pytest.mark.parametrize("language", GAME.resources.texts)
def test_all_texts_exist(language):
    """GW-14.3"""
    seen = picture_of(solo_table(), 0, language)
    assert list(faults(seen)) == []
