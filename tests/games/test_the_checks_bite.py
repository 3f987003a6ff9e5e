"""Games with one defect each, and the check that finds it."""

from __future__ import annotations

from dataclasses import replace

import msgspec
import pytest

from domain.engine.answers import Answers
from domain.engine.dice import choose
from domain.engine.drawing.layout import Panel, Picture
from domain.engine.errors import BadPosition, RuleBroken
from domain.engine.play import redact
from domain.engine.resources import rulebook
from domain.engine.scoring import ScoreLine, ScoreParts, Scoring
from domain.engine.sentences import LANGUAGES, word
from domain.engine.touches import MAX_CHOICES
from domain.match.events import MATCH_EVENTS
from tests.engine.toy import GAME as TOY
from tests.engine.toy import sayings, touch
from tests.engine.toy.events import CardDrawn, CardPlayed, CardSealed, GaveIn
from tests.engine.toy.moves import GiveIn, Pass, Seal
from tests.engine.toy.rules.rounds import seal
from tests.games import (
    every_game,
    every_language,
    every_number,
    every_panel,
    every_secret,
    every_sentence,
    every_shown,
    every_touch,
)
from tests.games.careless import Careless

ENGLISH = TOY.resources.texts["en"]
UNFILLED = {**ENGLISH, "touch_card": "card"}
NAMED_AS_A_CARD = {**ENGLISH, "level_easy": "Easy Card", "touch_card": "Card"}
DENYING = {**ENGLISH, "fault_no_points": "This seat has nothing to lose."}
ADDRESSING = {**ENGLISH, "panel_own_viewer": "your pieces"}
IN_CHINESE = {"en": ENGLISH, "zh-Hans": {**ENGLISH, "panel_own_viewer": "\u4f60"}}
ZERO = {**ENGLISH, "CardDrawn_without_card": "{seat} draws 0 cards."}
THEIRS = {**ENGLISH, "CardDrawn": "{seat} {seat:draws|draw} {card} to their hand."}
QUOTING = {**ENGLISH, "ask_Choose_you": "Choose, or “done”."}
AIMLESS = {**ENGLISH, "goal": "Points"}
TRADITIONAL = {**ENGLISH, "touch_pass": "過"}


class Peeking(msgspec.Struct, frozen=True):
    """A view that shows how many of each value the bag holds."""

    table: object
    bag: list[int]
    scores: tuple[int, ...]


class MapView(msgspec.Struct, frozen=True):
    """A view with a map that is always the same."""

    map: str = "road " * 200
    scores: tuple[int, ...] = ()


def careless_blank(setup, seats):
    hands = [[] for _ in range(seats)]
    return Careless(setup, list(setup.bag), hands, [0] * seats, [None] * seats)


def show_odd_cards(event, seat):
    known = redact(event, seat)
    hidden = known != event and event.card is not None
    return msgspec.structs.replace(event, card=1) if hidden and event.card % 2 else known


def show_spectators_all(event, seat):
    return event if seat is None else redact(event, seat)


def show(kind):
    return lambda event, seat: event if isinstance(event, kind) else redact(event, seat)


class WithoutSealed(TOY.position_type, tag="toy", frozen=True):
    """A position that does not show what is sealed."""

    @staticmethod
    def show(state):
        return {"sealed": [None] * len(state.hands)}


def with_rows(*rows):
    return Answers(rows, TOY.answers.fallbacks, TOY.answers.automatic_steps)


def pay_for_asking(state, step, move):
    state.points[move.seat] += 1


def never(state, step, seat):
    return ()


def twice(row):
    return lambda state, step, seat: [*row.offer(state, step, seat)] * 2


ROWS, FALLBACKS = TOY.answers.rows, TOY.answers.fallbacks
ALL_EXACT = with_rows(*(row._replace(exact=True) for row in ROWS))
PAYING = with_rows(*(row._replace(judge=pay_for_asking) for row in ROWS))
NEVER_PASSING = with_rows(*(row._replace(offer=never) if row.move is Pass else row for row in ROWS))


def pass_or_give_in(state, step, seat):
    return (Pass(seat), GiveIn(seat))


def only_passing(state, step, move):
    if not isinstance(move, Pass):
        raise RuleBroken("TOY-3.1", "not_now")


STRAYING = with_rows(
    *(
        row._replace(offer=pass_or_give_in, judge=only_passing) if row.move is Pass else row
        for row in ROWS
    )
)
STARRED = {"zh-Hant": rulebook.parse("\u5faa\u74b0*\u7d50\u675f\u3002*\u70ba\u6b62")}
APART = {"zh-Hant": rulebook.parse("\u5faa\u74b0\u3002\n\n\u88c1\u5b9a\uff1a\u70ba\u6b62")}
OF_DATA = {"en": rulebook.parse("Then setup_done fires.")}
UNQUOTED = {**TOY.resources.texts["zh-Hant"], "card_1": "\u5ea7\u4f4d"}
QUOTED = {"zh-Hans": rulebook.parse("\u300c\u724c\u300d")}
UNWRITTEN = {step: refusal._replace(rule="TOY-9.9") for step, refusal in FALLBACKS.items()}


def roll_and_seal(p, step, move):
    p.dice.below(6)
    seal(p, step, move)


def seal_and_tell(p, step, move):
    other = (move.seat + 1) % len(p.state.hands)
    p.emit(GaveIn(move.seat, other, sum(p.state.hands[other])))
    seal(p, step, move)


def seal_and_show_by_any_rule(p, step, move):
    """The rule of an event that all see tells a throw of the dice."""
    seal(p, step, move)
    for card in p.state.hands[move.seat][:1]:
        p.emit(CardPlayed(move.seat, move.seat, card, f"TOY-3.{1 + p.dice.below(2)}"))


def with_sealing(deed):
    return with_rows(*(row._replace(deed=deed) if row.move is Seal else row for row in ROWS))


TWICE = with_rows(*(row._replace(offer=twice(row)) for row in ROWS))


def peek(state, seat) -> Peeking:
    view = TOY.view(state, seat)
    return Peeking(view, state.bag, view.scores)


def with_own(**changes):
    """Pictures in which the viewer's panel differs."""
    return with_panels(lambda panel: replace(panel, **changes) if panel.role == "own" else panel)


def with_shapes(old, new):
    """Pictures in which shapes and texts differ."""
    return with_panels(
        lambda panel: replace(panel, parts=tuple(part.replace(old, new) for part in panel.parts))
    )


def with_panels(change):
    def draw(view, words):
        picture = TOY.draw(view, words)
        return replace(picture, panels=tuple(map(change, picture.panels)))

    return {"draw": draw}


def draw_nothing(view, words):
    return Picture("", "", (Panel("map", "map", "", 1, 1, ()),))


def show_map(state, seat) -> MapView:
    return MapView()


def with_resources(**broken):
    return {"resources": replace(TOY.resources, **broken)}


def with_texts(texts):
    return with_resources(texts=texts)


def with_rulebooks(books):
    return with_resources(rulebooks=books)


def with_pointing(**broken):
    return {"pointing": replace(TOY.pointing, **broken)}


def without(key):
    return with_texts({"en": {name: text for name, text in ENGLISH.items() if name != key}})


def odd(view, card):
    return {card}


def count_up(view, move):
    """Two touches of one card count as one."""
    return [(touch.CARD.of(1),) * getattr(move, "card", 1)]


def pass_many_times(view, move):
    """Too many words have the same meaning."""
    return [
        (*way, touch.PASS.of(n))
        for way in TOY.pointing.touches(view, move)
        for n in range(MAX_CHOICES + 1)
    ]


def pass_in_any_case(view, move):
    return [("pass",)]


def touch_cards_of_nobody(view, move):
    return [(touch.CARD.of(0), *way) for way in TOY.pointing.touches(view, move)]


def in_a_card(view, name):
    return touch.CARD.of(0) if name != touch.CARD.of(0) else None


def all_second(state):
    lines = TOY.scoring(state).lines
    return Scoring("rounds", tuple(ScoreLine(line.seat, 2, line.points, {}) for line in lines))


def legal(state, seat):
    return list(TOY.answers.legal_moves(state, seat))


def mostly_the_first(state, seat, dice):
    moves = legal(state, seat)
    return choose(dice, [moves[0], *moves])


def any_candidate(state, seat, dice):
    return choose(dice, [move for _, move in TOY.answers.offers(state, seat)])


def guess_nothing(state, seat, dice):
    return state.copy()


def guess_all(state, seat, dice):
    return TOY.imagine(state, (seat + 1) % len(state.hands), dice)


def guess_by_hands(state, seat, dice):
    """Depends on hidden cards."""
    for _ in range(sum(state.hands[(seat + 1) % len(state.hands)])):
        dice.below(2)
    return TOY.imagine(state, seat, dice)


BROKEN = [
    (every_game.it_ends_with_places, {"scoring": all_second}),
    (every_game.it_ends_with_places, {"answers": NEVER_PASSING}),
    (every_game.it_ends_with_places, {"end_reasons": ("boredom",)}),
    (every_sentence.a_rule_that_breaks_ties_has_a_name, {"score_parts": ScoreParts()}),
    (every_game.folding_gives_what_deciding_gave, {"blank_state": careless_blank}),
    (every_game.deciding_does_not_change_the_state, {"answers": PAYING}),
    (every_game.deciding_does_not_change_the_state, {"imagine": lambda state, seat, dice: state}),
    (every_game.the_table_holds_every_step_and_every_move, {"answers": with_rows(*ROWS[:-1])}),
    (every_game.the_table_holds_every_step_and_every_move, {"events": TOY.events[1:]}),
    (every_game.each_row_offers_its_own_kind_of_move, {"answers": STRAYING}),
    (every_game.other_moves_are_refused_in_the_words_of_the_table,
     {"answers": Answers(ROWS, UNWRITTEN, TOY.answers.automatic_steps)}),
    (every_secret.events_that_follow_dice_reveal, {"answers": with_sealing(roll_and_seal)}),
    (every_secret.deterministic_moves_do_not_depend_on_hidden_values,
     {"answers": with_sealing(seal_and_tell)}),
    (every_secret.previews_do_not_depend_on_hidden_values, {"view": peek}),
    (every_game.names_of_events_are_not_those_of_the_match, {"events": MATCH_EVENTS * 2}),
    (every_language.a_word_names_one_level, {"levels": TOY.levels * 2}),
    (every_language.cards_are_in_quotes, with_texts(dict.fromkeys(LANGUAGES, UNQUOTED))),
    (every_language.no_bot_has_the_name_of_a_thing, with_texts({"en": NAMED_AS_A_CARD})),
    (every_language.every_refusal_says_what_is_possible, with_texts({"en": DENYING})),
    (every_language.its_goals_are_sentences_of_its_own, with_texts({"en": AIMLESS})),
    (every_language.its_title_is_translated, with_texts(dict.fromkeys(LANGUAGES, ENGLISH))),
    (every_game.candidates_are_all_different, {"answers": TWICE}),
    (every_game.what_is_legal_is_what_is_offered_and_allowed, {"answers": ALL_EXACT}),
    (every_game.any_legal_move_is_drawn_as_often_as_the_others, {"draw_move": mostly_the_first}),
    (every_game.any_legal_move_is_drawn_as_often_as_the_others, {"draw_move": any_candidate}),
    (every_game.refusals_name_a_rule, with_rulebooks({"en": rulebook.parse("")})),
    (every_game.what_lasts_of_a_view_is_the_same_for_all, {"static_view_fields": ("round",)}),
    (every_game.what_lasts_of_a_view_is_the_same_for_all, {"static_view_fields": ("hand",)}),
    (every_game.what_never_changes_of_a_view_and_is_long_lasts,
     {"view": show_map, "static_view_fields": ()}),
    (every_game.ways_lead_to_each_move_and_to_one, with_pointing(touches=lambda view, move: ())),
    (every_game.ways_lead_to_each_move_and_to_one, with_pointing(touches=pass_in_any_case)),
    (every_game.ways_lead_to_each_move_and_to_one, with_pointing(touches=count_up)),
    (every_game.names_are_of_the_published_kinds, with_pointing(kinds=touch.KINDS[1:])),
    (every_game.names_are_of_the_published_kinds, with_pointing(part_of=in_a_card)),
    (every_game.no_choice_is_too_long, with_pointing(touches=pass_many_times)),
    (every_touch.what_is_touched_is_in_the_picture, with_pointing(touches=touch_cards_of_nobody)),
    (every_game.a_copy_shares_nothing, {"blank_state": careless_blank}),
    (every_game.a_position_comes_back_from_json, {"position_type": WithoutSealed}),
    (every_sentence.every_event_is_described, without("GameEnded")),
    (every_sentence.every_event_is_described, without("CardDrawn_without_card")),
    (every_sentence.every_event_is_described_without_optional_fields,
     without("CardsShown_without_winner")),
    (every_sentence.every_event_is_described, without("points_other")),
    (every_sentence.every_event_is_described, {"sayings": {**sayings.SAYINGS, "card": odd}}),
    (every_sentence.every_step_that_waits_is_asked_for, without("ask_Respond")),
    (every_sentence.no_sentence_names_an_amount_of_nothing, with_texts({"en": ZERO})),
    (every_sentence.sentences_keep_their_person, with_texts({"en": THEIRS})),
    (every_sentence.lent_views_address_no_reader, with_texts({"en": ADDRESSING})),
    (every_sentence.lent_views_address_no_reader, with_texts(IN_CHINESE)),
    (every_sentence.prompts_quote_the_buttons_that_end_a_choice, with_texts({"en": QUOTING})),
    (every_sentence.every_name_can_be_said, without("touch_card")),
    (every_sentence.every_name_can_be_said, with_texts({"en": {**ENGLISH, "touch_card": "card"}})),
    (every_shown.players_see_no_ids, with_texts({"en": {**ENGLISH, "touch_card": "card:{a}"}})),
    (every_shown.players_see_no_ids, with_shapes(">1<", ">card_1<")),
    (every_shown.things_have_a_shape_to_touch, with_shapes('fill="#fbf7ec"', 'fill="none"')),
    (every_sentence.scores_and_ends_have_headings, without("score_prizes")),
    (every_sentence.scores_and_ends_have_headings, without("end_cards")),
    (every_sentence.scores_and_ends_have_headings, without("more_cards")),
    (every_sentence.scores_and_ends_have_headings, {"score_parts": ScoreParts(counted="cards")}),
    (every_language.rules_are_in_the_letters_of_their_book, with_rulebooks(STARRED)),
    (every_language.pictures_have_initials_of_the_language, with_shapes(">1<", ">R<")),
    (every_language.rules_have_no_words_of_data, with_rulebooks(OF_DATA)),
    (every_language.rules_are_in_the_letters_of_their_book, with_rulebooks(QUOTED)),
    (every_language.rulings_stand_below_what_they_are_about, with_rulebooks(APART)),
    (every_language.its_pages_cite_the_same_rules, with_resources(turns=TOY.resources.aids)),
    (every_number.one_thing_is_singular, with_texts({"en": {**ENGLISH, "points_one": "1 points"}})),
    (every_panel.panels_fit_the_screen, with_shapes('font-size="16"', 'font-size="8"')),
    (every_panel.panels_fit_the_screen, with_shapes('x="8"', 'x="400"')),
    (every_panel.panels_fit_the_screen, with_shapes('y="40"', 'y="22"')),
    (every_panel.the_widest_names_fit, with_shapes('x="8"', 'x="270"')),
    (every_panel.panels_fit_the_screen, with_shapes('width="30"', 'width="24"')),
    (every_panel.panels_fit_the_screen, with_shapes("<g", f'<g class="{"long " * 30_000}"')),
    (every_panel.panels_fit_the_screen, with_own(role="legend")),
    (every_panel.panels_fit_the_screen, with_own(width=341)),
    (every_panel.panels_fit_the_screen, with_own(height=271)),
    (every_sentence.languages_say_the_same, with_texts({"en": ENGLISH, "zh": {}})),
    (every_sentence.languages_say_the_same, with_texts({"en": ENGLISH, "zh": UNFILLED})),
    (every_sentence.languages_say_the_same, with_texts({"en": ENGLISH, "zh-Hans": TRADITIONAL})),
    (every_touch.each_kind_that_leaves_a_choice_has_a_request, without("pick_card")),
    (every_touch.each_kind_has_the_rule_behind_it, with_resources(tips={"card": "TOY-2.2"})),
    (
        every_touch.cards_say_what_they_do,
        {"sayings": {**sayings.SAYINGS, "touch_card.a": word("card")}},
    ),
    (
        every_touch.a_word_says_what_it_ends,
        with_texts({one: {**ENGLISH, "touch_pass": "pass"} for one in LANGUAGES}),
    ),
    (
        every_touch.labels_are_words_of_players,
        {"sayings": {**sayings.SAYINGS, "touch_card.a": lambda _view, _card: "1,3"}},
    ),
    (every_secret.nothing_leaks, {"view": peek}),
    (every_secret.nothing_leaks, {"imagine": guess_all}),
    (every_secret.imagining_varies_what_is_hidden, {"imagine": guess_nothing}),
    (every_secret.what_is_imagined_depends_on_nothing_hidden, {"imagine": guess_by_hands}),
    (every_secret.hints_depend_on_nothing_hidden, {"imagine": guess_by_hands}),
    (every_secret.redacting_does_not_depend_on_hidden_values, {"redact": show_odd_cards}),
    (every_secret.events_reveal_no_more_than_views, {"redact": show(CardDrawn)}),
    (
        every_secret.events_reveal_no_more_than_views,
        {"answers": with_sealing(seal_and_show_by_any_rule)},
    ),
    (every_secret.sealed_choices_look_alike, {"redact": show(CardSealed)}),
    (every_secret.a_spectator_knows_no_more_than_any_seat, {"redact": show_spectators_all}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("check", "broken"), BROKEN, ids=lambda part: getattr(part, "__name__", "")
)
def test_a_broken_game_is_found(check, broken, monkeypatch):
    broken = dict(broken)
    if leaky := broken.pop("redact", None):
        monkeypatch.setattr(every_secret, "redact", leaky)
    text_only = {"render_text": lambda view: "", "draw": draw_nothing} if "view" in broken else {}
    with pytest.raises((AssertionError, BadPosition, KeyError, ValueError)):
        check(replace(TOY, **broken, **text_only), 3)
