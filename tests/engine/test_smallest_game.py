"""A game that says only what it must: the engine has right defaults for the rest, and says plainly
what is missing.
"""

from __future__ import annotations

import re
from dataclasses import MISSING, fields, replace
from inspect import getmembers, isfunction
from random import Random

import msgspec
import pytest

from domain.analysis.analysis import analyse
from domain.engine.bots import bot_view
from domain.engine.contract.schemas import game_schemas
from domain.engine.defaults import NoOptions, lead
from domain.engine.dice import Luck
from domain.engine.game import (
    Game,
    decide,
    describe_touch,
    evaluate,
    fold,
    legal_moves,
    new_state,
    seats_to_move,
    touch_tree,
)
from domain.engine.resolve_touches import resolve_touches
from domain.engine.resources.texts import MissingText
from domain.engine.scoring import Rival, ScoreLine, Scoring
from domain.engine.sentences import say, sentence
from domain.engine.touches import TouchKind
from domain.match.sentences import texts_of
from tests.analysis.matches import Quick
from tests.architecture.layout import ROOT
from tests.engine import nim
from tests.engine.nim.table import Take, View
from tests.engine.toy import GAME as TOY
from tests.engine.toy import view as toy_view
from tests.engine.toy.state.setup import Setup
from tests.games import (
    every_game,
    every_number,
    every_secret,
    every_sentence,
    every_text,
    every_touch,
)
from tests.support.for_each import for_each

GUIDE = ROOT / "docs/engine.md"
MAX_REQUIRED = 15
SEATS = 2
MODULES = (every_game, every_number, every_secret, every_sentence, every_text, every_touch)
CHECKS = [
    pytest.param(check, id=name)
    for module in MODULES
    for name, check in getmembers(module, isfunction)
    if check.__module__ == module.__name__ and not name.startswith("_")
]


REQUIRED = [
    one.name
    for one in fields(Game)
    if one.init and one.default is MISSING and one.default_factory is MISSING
]
GAME = Game(**{name: getattr(nim.GAME, name) for name in REQUIRED})


class BareView(msgspec.Struct, tag_field="game", tag="nim"):
    """A view whose field nothing describes."""

    stones: int
    scores: tuple[int, ...]  # points


def bare_view(state, seat) -> BareView:
    return BareView(state.heap, (0, 0))


def view_without_scores(state, seat) -> NoOptions:
    return NoOptions()


def line(seat, rank, points):
    return ScoreLine(seat, rank, points, {})


def start():
    return new_state(GAME, GAME.setup(GAME.options(), SEATS), SEATS, Luck(1))


def test_few_fields_are_required():
    assert len(REQUIRED) <= MAX_REQUIRED


def test_the_guide_lists_all_others_with_their_defaults():
    table = GUIDE.read_text().partition("| you may also set |")[2].partition("\n\n")[0]
    rows = [row.split("|")[1] for row in table.splitlines()[2:]]
    listed = [name for row in rows for name in re.findall(r"`(\w+)`", row)]
    optional = [one.name for one in fields(Game) if one.init and one.name not in REQUIRED]
    assert sorted(listed) == sorted(optional)


@for_each("check", CHECKS)
def test_it_holds_what_every_game_must(check):
    check(GAME, SEATS)


def test_bots_play_it_to_the_end():
    state = start()
    while waiting := seats_to_move(state):
        [level] = GAME.levels
        move = level.bot(bot_view(GAME, state, waiting[0], Luck(state.heap)))
        fold(state, decide(GAME, state, move, Luck(1)))
    [winner] = GAME.scoring(state).winners
    assert winner == state.last
    assert evaluate(GAME, state, winner) > 0 > evaluate(GAME, state, 1 - winner)


def test_players_touch_the_fields_of_its_moves():
    state = start()
    view, words = GAME.view(state, 0), GAME.words()
    assert GAME.touch_kinds == (TouchKind("count", "thing", "the `count` of a move"),)
    assert touch_tree(GAME, view, legal_moves(GAME, state, 0)).choices(()) == (
        "count:1",
        "count:2",
        "count:3",
    )
    assert resolve_touches(GAME, state, 0, view, ("count:2",)) == Take(0, 2)
    assert words.say(describe_touch(GAME, "count:2", view)) == "2"


def test_it_can_be_analysed():
    match = Quick(GAME, "ann ben")
    match.by_chance(Random(1))
    match.score()
    analysis = analyse(GAME, match.entries, lambda done, of: None)
    assert sorted(seat.result for seat in analysis.seats) == [0, 1]
    assert any(choice.error for choice in analysis.choices)


def test_clients_get_its_records():
    schemas = game_schemas(GAME)
    assert {"View", "Take", "Turn", "StonesTaken", "NoOptions"} <= schemas.keys()
    assert schemas["EndReason"]["enum"] == ["over"]


def test_a_field_without_a_description_is_named():
    with pytest.raises(MissingText) as missing:
        game_schemas(replace(GAME, view=bare_view))
    assert "`BareView.stones` of the game `nim`" in str(missing.value)
    assert "`stones` in fields.json" in str(missing.value)


def test_a_missing_text_is_named_with_its_file():
    with pytest.raises(MissingText) as missing:
        GAME.words()("option_heaps")
    assert str(missing.value) == "tests/engine/nim/texts/en.json has no text `option_heaps`."


def test_a_missing_text_of_a_match_is_named_with_its_file():
    match = Quick(GAME, "ann ben").match
    with pytest.raises(MissingText, match=r"^tests/engine/nim/texts/en.json has no text `oh`\.$"):
        say(sentence("oh"), texts_of(match, "en"), ("Ann", "Ben"))


def test_a_missing_language_is_named():
    with pytest.raises(MissingText) as missing:
        GAME.words("zh-Hant")
    assert str(missing.value) == "There is no file tests/engine/nim/texts/zh-Hant.json."
    with pytest.raises(MissingText) as missing:
        GAME.resources.rulebooks["zh-Hant"]
    assert str(missing.value) == "There is no file tests/engine/nim/RULES.zh-Hant.md."


@pytest.mark.parametrize("name", ["setup", "view"])
def test_a_function_that_does_not_name_its_record_is_named(name):
    def silent(one, other):
        return NotImplemented

    with pytest.raises(TypeError, match=r"silent must name the record that it returns"):
        replace(GAME, **{name: silent})


def test_a_view_without_scores_is_refused():
    with pytest.raises(TypeError, match=r"NoOptions'> needs a field `scores`"):
        replace(GAME, view=view_without_scores)


def test_the_records_of_a_game_are_those_that_its_functions_return():
    assert (GAME.setup_type, GAME.view_type) == (NoOptions, View)
    assert (TOY.setup_type, TOY.view_type) == (Setup, toy_view.View)


@for_each(
    ("scoring", "values"),
    [
        (Scoring("over", (line(0, 1, 7), line(1, 2, 4))), [4, -3]),
        (Scoring("over", (line(0, 1, 5), line(1, 1, 5))), [0.5, 0.5]),
        (Scoring("over", (line(0, 2, 5),), rivals=(Rival("machine", 9, {}),)), [-4]),
        (Scoring("over", (line(0, 1, 3), line(1, 1, 3)), won=True), [1, 1]),
        (Scoring("over", (line(0, 2, 3), line(1, 2, 3)), won=False), [-1, -1]),
    ],
)
def test_the_lead_is_in_points_and_victories(scoring, values):
    assert [lead(scoring, one.seat) for one in scoring.lines] == values
