"""What the other seats may not know: GW-1.10."""

from domain.engine.codecs import json_codec
from domain.engine.dice import Luck
from domain.engine.play import redact
from domain.games.great_wall import moves
from domain.games.great_wall.cards import decks
from domain.games.great_wall.events import course, effects, supply
from domain.games.great_wall.state import steps
from domain.games.great_wall.state.clans import Leaders, Reaction
from tests.games.great_wall.course import after, begin
from tests.games.great_wall.game import GAME, new_table
from tests.games.great_wall.table import table
from tests.support.for_each import for_each

HAND = tuple(decks.COMMANDS)
HELD = {"tactics": ("volley", "ambush"), "hand": HAND, "general": "song_ci"}
CHOSEN = Leaders("song_ci", "spy", "herald")


def text_of_view(state, seat):
    """The content of a view, as text."""
    return json_codec.encode(GAME.view(state, seat)).decode()


def others_see_nothing_of(state, *secrets):
    """Check that only the first seat can see these words."""
    for secret in secrets:
        assert f'"{secret}"' in text_of_view(state, 0)
        assert f'"{secret}"' not in text_of_view(state, 1) + text_of_view(state, None)


def test_resources_are_behind_screens_unless_the_table_plays_openly():
    """GW-1.10"""
    state = table({"resources": {"gold": 7}}, {"resources": {"wood": 1}})
    assert [clan.resources for clan in GAME.view(state, 0).clans] == [{"gold": 7}, None, None]
    assert GAME.view(state, None).clans[0].resources is None
    open_table = new_table(3, open_resources=True)
    assert GAME.view(open_table, None).clans[0].resources == {}


def test_tactic_cards_are_counted_but_not_shown():
    """GW-1.10"""
    state = table({"tactics": ("volley", "ambush")}, tactic_deck=("restless",))
    others_see_nothing_of(state, "volley", "ambush")
    assert GAME.view(state, 1).clans[0].tactics_held == 2
    drawn = supply.TacticDrawn(0, "volley")
    assert redact(drawn, 0) == drawn
    assert redact(drawn, 1) == redact(drawn, None) == supply.TacticDrawn(0, None)


def test_cards_dealt_and_chosen_at_the_setup_are_secret():
    """GW-1.10, GW-2.8"""
    own = {"dealt_generals": ("song_ci", "qin_hui"), "dealt_advisors": ("spy", "herald")}
    state = table({**own, "leaders": CHOSEN})
    others_see_nothing_of(state, "song_ci", "qin_hui", "spy", "herald")
    assert [clan.ready for clan in GAME.view(state, 1).clans] == [True, False, False]
    dealt = course.LeadersDealt(0, own["dealt_generals"], own["dealt_advisors"])
    assert redact(dealt, 1) == course.LeadersDealt(0, (None, None), (None, None))
    assert redact(course.LeadersChosen(0, CHOSEN), 1) == course.LeadersChosen(0, None)
    shown = course.LeadersRevealed(0, "song_ci", "spy", "herald")
    assert redact(shown, 1) == course.LeadersRevealed(0, "song_ci", "spy", None)


def test_the_supporting_advisor_of_the_setup_stays_face_down_and_hired_ones_were_seen():
    """GW-1.10, GW-9.2"""
    state = table({"supporting": ("spy", "herald"), "active": ("fletcher",)})
    others_see_nothing_of(state, "spy")
    assert GAME.view(state, 1).clans[0].supporting == (None, "herald")


def test_a_chosen_command_card_looks_like_the_rest_of_the_hand():
    """GW-1.10, GW-7.1"""
    hand = begin(table({"hand": HAND}, {"hand": HAND}, {"hand": HAND}), steps.Fall())
    views = {
        json_codec.encode(GAME.view(after(hand, moves.PlayCommand(0, card)), 1)) for card in HAND
    }
    assert len(views) == 1
    chosen = course.CommandChosen(0, "economy")
    assert redact(chosen, None) == course.CommandChosen(0, None)


def reacting():
    """A table where two seats may play tactic cards, and one has answered."""
    moment = steps.Moment(
        windows=((0, ("horde_defeated",)), (1, ("horde_defeated",))), context=steps.Context()
    )
    held = {**HELD, "tactics": ("brothers_in_arms", "volley")}
    return begin(table(held, HELD), moment)


def test_answers_at_a_moment_are_shown_when_all_have_answered():
    """GW-1.10, GW-9.4"""
    state = table({**HELD, "reaction": Reaction("volley", True)})
    others_see_nothing_of(state, "volley")
    sealed = effects.ReactionSealed(0, "volley", True)
    assert redact(sealed, 1) == effects.ReactionSealed(0, None, None)
    asked = reacting()
    assert asked.agenda[-1].seats == (0, 1)
    answered = after(asked, moves.PlayTactic(0))
    assert answered.agenda[-1].seats == (1,)


@for_each("cards", [(), ("volley",), ("volley", "ambush")])
def test_questions_depend_only_on_the_size_of_the_hand(cards):
    """GW-9.4"""
    moment = steps.Moment(windows=((0, ("you_recruit",)),), context=steps.Context())
    state = begin(table({"tactics": cards}), moment)
    assert bool(state.agenda) == bool(cards)


def test_decks_show_their_size_and_the_back_of_the_top_horde_card():
    """GW-1.10, GW-5.2"""
    state = table(horde_deck=("scouts_left", "leader_right"), indicator="right")
    view = GAME.view(state, None)
    assert (view.horde_deck, view.indicator) == (2, "right")
    assert '"scouts_left"' not in text_of_view(state, 0)


def test_imagined_seats_have_chosen_any_of_their_command_cards():
    """GW-1.10, GW-7.1"""
    hand = begin(table({"hand": HAND}, {"hand": HAND}, {"hand": HAND}), steps.Fall())
    state = after(hand, moves.PlayCommand(1, "economy"))
    others = [GAME.imagine(state, 0, Luck(luck)).clans[1] for luck in range(9)]
    assert len({clan.command for clan in others}) > 3
    assert all({clan.command, *clan.hand} == set(HAND) for clan in others)
    mine = GAME.imagine(state, 1, Luck(1)).clans[1]
    assert mine.command == "economy"


def test_imagined_tables_have_other_cards_in_all_hidden_places():
    """GW-1.10"""
    state = new_table(3)
    dealt = state.clans[1].dealt_generals
    imagined = {GAME.imagine(state, 0, Luck(luck)).clans[1].dealt_generals for luck in range(9)}
    assert len(imagined - {dealt}) > 3
    held = table({}, {**HELD, "supporting": ("spy",), "reaction": Reaction("volley")})
    others = [GAME.imagine(held, 0, Luck(luck)).clans[1] for luck in range(9)]
    assert len({clan.tactics for clan in others}) > 3
    assert len({clan.supporting for clan in others}) > 3
    assert {len(clan.tactics) for clan in others} == {2}
    assert {clan.reaction.card for clan in others} != {"volley"}
    assert all(clan.reaction.card in (None, *clan.tactics) for clan in others)
    mine = GAME.imagine(held, 1, Luck(1)).clans[1]
    assert (mine.tactics, mine.supporting) == (HELD["tactics"], ("spy",))
