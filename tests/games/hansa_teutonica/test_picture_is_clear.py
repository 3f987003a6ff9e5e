"""Qualities of the picture: nothing hidden or empty, every sign explained, readable."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from domain.engine.sentences import LANGUAGES
from domain.games.hansa_teutonica import GAME
from domain.games.hansa_teutonica.board import MAPS, Map
from domain.games.hansa_teutonica.render import room
from tests.games.hansa_teutonica.test_render import SVG, labels, map_labels, show, some_table
from tests.games.record import record


def test_the_ring_of_the_last_move_hides_no_name():
    """The ring around a city is below its label and its flag."""
    played = record(GAME, 3, 1)
    touched = next(
        moment.state
        for moment in played.moments
        if moment.state.last is not None and GAME.view(moment.state, None).last.city
    )
    view = GAME.view(touched, None)
    name = next(city.name for city in view.map.cities if city.id == view.last.city)
    picture = GAME.render_svg(view, GAME.words())
    ring = picture.index('stroke-dasharray="6 5"')
    label = next(found for found in (f">{name}<", f">{name}:") if found in picture)
    assert ring < picture.index(label)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("chart", MAPS.values(), ids=lambda chart: chart.id)
def test_no_part_of_the_map_is_empty_at_its_edges(chart: Map, language: str) -> None:
    left, top, across, down = room.frame(chart, map_labels(chart, language))
    spots = [room.on_map(chart, post) for route in chart.routes for post in route.layout.posts]
    spots += [room.on_map(chart, city.layout.centre) for city in chart.cities]
    near = 4 * room.EDGE
    assert min(x for x, _ in spots) - left < near
    assert min(y for _, y in spots) - top < near
    assert left + across - max(x for x, _ in spots) < near
    assert top + down - max(y for _, y in spots) < near


def test_every_sign_of_the_map_is_explained():
    words = set(labels(GAME.render_svg(show(some_table()), GAME.words())))
    assert {"tavern", "remove three", "improve ability", "white", "purple"} <= words
    assert "Special prestige: Coellen" in words


def test_a_picture_is_narrow_enough_for_a_telephone():
    """At 550 pixels, as in chats, the names of cities are at least 7 pixels high."""
    picture = ElementTree.fromstring(GAME.render_svg(show(some_table()), GAME.words()))
    width = float(picture.get("width") or 0)
    [name] = (part for part in picture.iter(f"{SVG}text") if part.text == "Hamburg")
    assert float(name.get("font-size") or 0) * 550 / width > 7
