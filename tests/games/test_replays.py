"""Recorded games of every game: the rules still give the same events."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import get_args, get_type_hints

import msgspec
import pytest

from domain.engine.game import fold, seats_to_move
from domain.games import GAMES
from service.drawing.pictures.text_lengths import hold_lengths
from tests.engine.toy import GAME as TOY
from tests.games.replay import Plan, Replays, read, replay

EVERY = {**GAMES, "toy": TOY}
REPLAYS: dict[str, Replays] = {
    key: import_module(f"tests.games.{key}.recording").REPLAYS for key in EVERY
}
VERSIONS = json.loads(Path(__file__).with_name("rules_versions.json").read_text())
PLANS = [
    pytest.param(replays, plan, id=f"{key}-{plan.name}")
    for key, replays in REPLAYS.items()
    for plan in replays.plans
]
IN_WORDS = [
    pytest.param(replays, name, id=f"{key}-{name}")
    for key, replays in REPLAYS.items()
    for name in replays.in_words
]
PICTURES = Path(__file__).parents[2] / "docs/pictures"
PICTURED: dict[str, Plan] = {}
"""The recorded games whose pictures are in the guide, by the name of the picture: the first of each
game, and the first in another mode.
"""
for key in GAMES:
    for plan in REPLAYS[key].plans:
        mode = plan.options.get("mode")
        PICTURED.setdefault(f"{key}_{mode}" if mode else key, plan)
SHOWN = [
    pytest.param(replays, name, id=f"{key}-{name}")
    for key, replays in REPLAYS.items()
    for name in replays.shows
]


@pytest.mark.parametrize(("replays", "plan"), PLANS)
def test_a_recorded_game_is_played_the_same_way_again(replays, plan, update_replays, wrong):
    """And what happens cites the rule that the code names which caused it; a recording says what it
    began with.
    """
    if update_replays:
        replays.write(plan, VERSIONS.get(plan.game.key, {}).get("rules"))
    recorded = replays.load(plan.name)
    assert not seats_to_move(replay(plan, recorded))
    assert list(wrong) == []
    plan_of_it = {name: value for name, value in recorded.items() if name != "entries"}
    assert plan_of_it == msgspec.json.decode(msgspec.json.encode(plan))


def test_what_moves_do_changes_under_another_version_of_the_rules_only(tmp_path):
    toy = REPLAYS["toy"]
    plan = toy.plans[0]
    recorded = (toy.folder / f"{plan.name}.json").read_text()
    kept = replace(toy, folder=tmp_path)
    kept.write(plan, rules=plan.game.rules)  # a new one, at first
    kept.write(replace(plan, seed=plan.seed + 1), rules=plan.game.rules)  # another game
    kept.write(plan, rules=plan.game.rules)  # and nothing has changed
    assert (tmp_path / f"{plan.name}.json").read_text() == recorded
    (tmp_path / f"{plan.name}.json").write_text(recorded.replace('"reason":"', '"reason":"other '))
    with pytest.raises(AssertionError, match="Let `rules` of toy grow"):
        kept.write(plan, rules=plan.game.rules)
    kept.write(plan, rules=plan.game.rules - 1)
    assert (tmp_path / f"{plan.name}.json").read_text() == recorded


@pytest.mark.parametrize(("replays", "name"), IN_WORDS)
def test_a_recorded_game_reads_the_same(replays, name, update_replays):
    if update_replays:
        replays.write_words(name)
    told, recorded = replays.words(name)
    assert told == recorded


@pytest.mark.parametrize(("name", "plan"), PICTURED.items(), ids=PICTURED)
def test_the_picture_in_the_guide_is_drawn_as_today(name, plan, update_replays):
    """The picture shows two thirds of a recorded game as every viewer sees it."""
    entries = REPLAYS[plan.game.key].load(plan.name)["entries"]
    state = plan.table()
    for line in entries[: 2 * len(entries) // 3]:
        fold(state, read(plan, line))
    drawn = plan.game.render_svg(plan.game.view(state, None), plan.game.words())
    picture = hold_lengths(drawn)
    if update_replays:
        (PICTURES / f"{name}.svg").write_text(picture)
    is_same = (PICTURES / f"{name}.svg").read_text() == picture  # pytest takes minutes for all
    assert is_same, f"{name}.svg is drawn otherwise: `make replays` draws it anew"


@pytest.mark.parametrize("key", EVERY)
def test_a_game_has_no_recordings_but_those_that_are_replayed(key):
    replays = REPLAYS[key]
    files = {f"{plan.name}.json" for plan in replays.plans}
    files |= {f"{name}.txt" for name in replays.in_words}
    assert {path.name for path in replays.folder.iterdir()} == files


@pytest.mark.parametrize("key", EVERY)
def test_every_way_to_end_is_recorded(key):
    ends = set()
    for plan in REPLAYS[key].plans:
        state = plan.table()
        for line in REPLAYS[key].load(plan.name)["entries"]:
            fold(state, read(plan, line))
        ends.add(plan.game.scoring(state).reason)
    assert ends == set(EVERY[key].end_reasons)


@pytest.mark.parametrize("key", EVERY)
def test_every_choice_of_the_options_that_matter_most_is_recorded(key):
    kinds = get_type_hints(EVERY[key].options)
    for option in REPLAYS[key].options:
        assert REPLAYS[key].option_values(option) == set(get_args(kinds[option]) or (False, True))


@pytest.mark.parametrize("key", EVERY)
def test_every_event_and_every_move_is_recorded_but_the_rare_ones(key):
    lines = REPLAYS[key].entries()
    recorded = {event["type"] for line in lines for event in line["events"]}
    recorded |= {line["move"]["type"] for line in lines if line["move"]}
    kinds = {kind.__name__ for kind in (*EVERY[key].events, *EVERY[key].answers.moves)}
    assert kinds - recorded == REPLAYS[key].rare


@pytest.mark.parametrize(("replays", "name"), SHOWN)
def test_a_recorded_game_has_in_it_what_it_is_recorded_for(replays, name):
    assert replays.shows[name](replays.load(name))
