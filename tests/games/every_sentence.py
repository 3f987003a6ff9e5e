"""What each game must be able to say, as functions of a game and a number of seats."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from html import unescape
from itertools import chain, combinations
from types import NoneType
from typing import Any, get_args, get_type_hints

from msgspec.structs import replace

from domain.engine.game import (
    describe_event,
    describe_step,
    describe_touch,
    preview,
)
from domain.engine.play import Awaiting, Move, Record, redact
from domain.engine.resources.rulebook import ENGLISH
from domain.engine.scoring import ScoreParts
from domain.engine.sentences import SeatName, Sentence, keys_of, say
from domain.match.sentences import is_own_event, name_touches, says_end
from tests.games.drawn import FORM, MARK, YOU, draw_each_step
from tests.games.record import Record as GameRecord
from tests.games.record import record, sample_of
from tests.games.seen import AnyGame
from tests.support.languages import check_texts, say_the_same

THEY = re.compile(r"\bthe(?:y|m|irs?)\b", re.IGNORECASE)
NOTHING = re.compile(
    r"[:,] none\b(?! against)|: 0\.|\b0 (?:\w+ )?(?:action|card|chi|clerk|gold|honor|pagoda|piece"
    r"|point|prestige|resource|soldier|stone|tile|token|wood)"
)
"""An empty list, or an amount of 0."""
TEXT = re.compile("<text[^>]*>([^<]*)")
SPACES, BESIDE = re.compile(r"\W"), re.compile(r"\([^)]*\)|\W")
"""What may differ between a prompt and a head: spaces, and what the head adds in brackets."""
LONG_PROMPTS = 4
BOTH_ENDS = 12
"""Letters."""
QUOTED = re.compile("“(.+?)”")
DONE = "done"
"""The first word, in English, of the button that ends a choice of several."""


def every_event_is_described(game: AnyGame, seats: int) -> None:
    """For every viewer, with what they may know, and how many things they may not know."""
    played = record(game, seats, 0)
    view = game.view(played.end, None)
    for event in (event for event in played.events if not isinstance(event, Awaiting)):
        known: list[Any] = []
        known += (one for seat in played.viewers if (one := redact(event, seat)) not in known)
        for one in known:
            if told := describe_event(game, one, view):
                said = _say(game, told, seats)
                assert said.endswith(".")
                hidden = [name for name in one.hidden_fields if f"_without_{name}" in told.key]
                several = [value for name in hidden if len(value := getattr(one, name) or ()) > 1]
                assert all(str(len(value)) in said for value in several), said


def every_event_is_described_without_optional_fields(game: AnyGame, seats: int) -> None:
    """Also where chance did not lead; with each of the words that may hold or not."""
    view = game.view(record(game, seats, 0).end, None)
    for kind in game.events:
        for event in _ways_to_happen(kind):
            if told := describe_event(game, event, view):
                _has_a_text(game, told)


def each_move_says_what_the_player_does(game: AnyGame, seats: int) -> None:
    """Not what follows from it: without `own_events`, a kind of move has one kind of event that no
    other kind of move has. Where no event says it, the touches do.
    """
    said: dict[type[Move], set[str]] = defaultdict(set)
    kinds = {kind.__name__ for kind in game.events}
    for state, move in _one_of_each_kind(record(game, seats, 0)):
        view = game.view(state, move.seat)
        assert _say(game, name_touches(game, view, move), seats).endswith(".")
        happened = [event for event in preview(game, state, move) if is_own_event(move, event)]
        spoken = [event for event in happened if describe_event(game, event, view)]
        said[type(move)].update(type(event).__name__ for event in spoken[:1])
    for kind, events in said.items():
        assert kinds >= set(kind.own_events or ()), kind
        others = (own for other, own in said.items() if other is not kind)
        if kind.own_events is None and events:
            assert len(events) == 1, (kind, events)
            assert not events & set(chain(*others)), (kind, events)


def _one_of_each_kind(played: GameRecord) -> Iterator[tuple[Any, Move]]:
    """Moves of each kind that some moments of a game offer to a seat."""
    for moment in played.of_each_step(20):
        by_kind = {type(move): move for move in (*moment.menu.legal[::7], *moment.menu.legal[::-1])}
        yield from ((moment.state, move) for move in by_kind.values())


def no_sentence_names_an_amount_of_nothing(game: AnyGame, seats: int) -> None:
    """Such as `0 points` or an empty list: a text says it otherwise, or leaves it out."""
    played, words = record(game, seats, 0), game.words(names=[f"<{seat}>" for seat in range(seats)])
    view = game.view(played.end, None)
    told = [
        describe_event(game, redact(event, seat), view)
        for event in played.events
        if not isinstance(event, Awaiting)
        for seat in (played.viewers if event.hidden_fields else (None,))
    ]
    asked = [
        describe_step(game, moment.state.agenda[-1], seen, seat)
        for moment in played.of_each_step(12)
        for seat, seen in (
            (None, game.view(moment.state, None)),
            (moment.move.seat, moment.menu.view),
        )
    ]
    said = {words.line(one) for one in [*told, *asked] if one}
    assert [one for one in said if NOTHING.search(one)] == []


def sentences_keep_their_person(game: AnyGame, seats: int) -> None:
    """What the page says to a player of their own moves is in the second person throughout, unless
    it names another player, whom `they` may mean.
    """
    played, names = record(game, seats, 0), [f"<{seat}>" for seat in range(seats)]
    view, words = game.view(played.end, None), game.words(names=names)
    told = {
        words.addressing(event.seat).say(said)
        for event in played.events
        if isinstance(getattr(event, "seat", None), int)
        if (said := describe_event(game, redact(event, event.seat), view))
    }
    alone = (one for one in told if not any(name in one for name in names))
    assert [one for one in alone if YOU[ENGLISH].search(one) and THEY.search(one)] == []


def only_the_last_event_says_how_the_game_ended(game: AnyGame, seats: int) -> None:
    """Summaries leave it out, since they say the outcome beside it."""
    played = record(game, seats, 0)
    view = game.view(played.end, None)
    events = [event for event in played.events if not isinstance(event, Awaiting)]
    assert not [event for event in events[:-1] if says_end(game, event, view)]
    has_event_of_its_end = any(kind.__name__ == "GameEnded" for kind in game.events)
    assert says_end(game, events[-1], view) == has_event_of_its_end


def every_step_that_waits_is_asked_for(game: AnyGame, seats: int) -> None:
    """Every deciding seat gets a prompt, also for steps that no recorded game contains."""
    played = record(game, seats, 0)
    for moment in played.of_each_step(12):
        step = moment.state.agenda[-1]
        for reader in played.viewers:
            view = game.view(moment.state, reader)
            assert _say(game, describe_step(game, step, view, reader), seats).endswith(".")
    view = game.view(played.end, None)
    for kind in (kind for kind in game.answers.steps if game.answers.moves_for(kind)):
        for step in _ways_to_happen(kind):
            _has_a_text(game, describe_step(game, step, view, None))
            if step.seats:
                _has_a_text(game, describe_step(game, step, view, step.seats[0]))


def prompts_address_the_seat_that_must_act(game: AnyGame, seats: int) -> None:
    """By "you" and without its name; others read its name, and no prompt addresses them."""
    played, names = record(game, seats, 0), [f"<{seat}>" for seat in range(seats)]
    for moment in played.of_each_step(12):
        step = moment.state.agenda[-1]
        for reader in played.viewers:
            asked = describe_step(game, step, game.view(moment.state, reader), reader)
            for language, texts in game.resources.texts.items():
                text = say(asked, texts, names)
                if reader in step.seats:
                    assert names[reader] not in text, (language, text)
                else:
                    assert all(names[seat] in text for seat in step.seats), (language, text)
                    assert not YOU[language].search(text), (language, text)


def prompts_quote_the_buttons_that_end_a_choice(game: AnyGame, seats: int) -> None:
    """What a prompt quotes begins the name of a possible touch (in Chinese it can also be that of a
    card), and a prompt names the button that ends a choice of several.
    """
    names = [f"<{seat}>" for seat in range(seats)]
    ends = [key for key, text in game.resources.texts[ENGLISH].items() if text == DONE]
    for moment in record(game, seats, 0).of_each_step(12):
        step, seat = moment.state.agenda[-1], moment.move.seat
        view, ways = moment.menu.view, moment.menu.touches
        named = [describe_touch(game, name, view) for name in ways.choices(())]
        for language, texts in game.resources.texts.items():
            asked = say(describe_step(game, step, view, seat), texts, names)
            labels = {say(one, texts, names) for one in named}
            quotes = QUOTED.findall(asked) if language == ENGLISH else []
            assert all(any(label.startswith(one) for label in labels) for one in quotes), asked
            for done in (texts[key] for key in ends):
                assert done in asked or not any(label.startswith(done) for label in labels), asked


def every_prompt_has_both_persons(game: AnyGame, _seats: int) -> None:
    """Each text for others has one for the seat that must act, in each language."""
    for language, texts in game.resources.texts.items():
        keys = {FORM.sub("", key) for key in texts if key.startswith("ask_")}
        others = {key for key in keys if not key.endswith("_you")}
        check_texts({language: texts}, [f"{key}_you" for key in others])
        assert keys - others == {f"{key}_you" for key in others}, language
        assert not any(YOU[language].search(texts.get(key, "")) for key in others), language


def lent_views_address_no_reader(game: AnyGame, seats: int) -> None:
    """No picture or text of a seat calls it "you" for others; a card does that for its owner."""
    for lent in draw_each_step(game, seats):
        assert MARK not in lent.drawing.svg
        assert MARK not in lent.drawing.text


def a_picture_says_the_whole_prompt(game: AnyGame, seats: int) -> None:
    """To the seat that must act: where the head of a picture begins with the prompt, it has the end
    of it, too. The longest prompts have the least room.
    """
    words = game.words()
    prompts = {
        words.say(
            describe_step(game, moment.state.agenda[-1], moment.menu.view, moment.move.seat)
        ): moment.menu.view
        for moment in record(game, seats, 0).of_each_step(1)
    }
    for prompt in sorted(prompts, key=len)[-LONG_PROMPTS:]:
        view = prompts[prompt]
        heads = [panel for panel in game.draw(view, words).panels if panel.role == "head"]
        drawn = [unescape(one) for head in heads for one in TEXT.findall("".join(head.parts))]
        beside = SPACES if "(" in prompt else BESIDE
        asked, said = (beside.sub("", one) for one in (prompt, "".join(drawn)))
        assert asked[:BOTH_ENDS] not in said or asked[-BOTH_ENDS:] in said, drawn


def verbs_agree_with_how_many_must_act(game: AnyGame, seats: int) -> None:
    """No English prompt says that several seats is choosing."""
    for moment in record(game, seats, 0).moments:
        step = moment.state.agenda[-1]
        if len(step.seats) > 1:
            asked = describe_step(game, step, game.view(moment.state, None), None)
            text = game.resources.texts["en"][
                next(key for key in keys_of(asked) if key in game.resources.texts["en"])
            ]
            assert not text.startswith(("{seats} is ", "{seats} has ")), text


def every_name_can_be_said(game: AnyGame, seats: int) -> None:
    """Names of touches and of the parts that contain them; the names of one choice differ."""
    for moment in record(game, seats, 0).some(16):
        for menu in moment.menus:
            view, ways = menu.view, menu.touches
            names = {name for ladder in ways.part_chains.values() for name in ladder}
            assert all(_say(game, describe_touch(game, name, view), seats) for name in names)
            shown = [
                _say(game, describe_touch(game, name, view), seats) for name in ways.choices(())
            ]
            assert len(set(shown)) == len(shown)


def scores_and_ends_have_headings(game: AnyGame, seats: int) -> None:
    """Every category of points and every reason of the end."""
    score = game.scoring(record(game, seats, 0).end)
    lines = (*score.lines, *score.rivals)
    keys = [f"score_{part}" for line in lines for part in line.breakdown]
    keys += [f"rival_{rival.key}" for rival in score.rivals]
    keys += [f"end_{end}" for end in game.end_reasons]
    parts = game.score_parts
    keys += [key for key in (parts.heading, parts.tie_break, parts.only) if key]
    check_texts(game.resources.texts, keys)
    for number in range(3) if parts.counted != ScoreParts.counted else ():
        _has_a_text(game, Sentence(parts.counted, {"count": number}))


def a_rule_that_breaks_ties_has_a_name(game: AnyGame, seats: int) -> None:
    """Seats with equal points share a place, or the page names what else ranks them."""
    for moment in record(game, seats, 0).some(60):
        lines = game.scoring(moment.state).lines
        places = {(line.points, line.rank) for line in lines}
        by_points = len({points for points, _ in places}) == len(places)
        assert by_points or game.score_parts.tie_break, (
            f"{game.key}: seats with equal points have different places. Name the tie-break in"
            " `score_parts`."
        )


def each_sentence_cites_one_rule_of_the_book(game: AnyGame, seats: int) -> None:
    """A reader can open the rule that applied; tests/games/test_cited_rules.py says which it is."""
    played = record(game, seats, 0)
    view = game.view(played.end, None)
    for event in (event for event in played.events if not isinstance(event, Awaiting)):
        if told := describe_event(game, event, view):
            assert len(told.rules) == 1, event
            assert told.rules[0] in game.rulebook.rules, event


def languages_say_the_same(game: AnyGame, _seats: int) -> None:
    """English is there; others have the same texts, filled with the same parts."""
    say_the_same(game.resources.texts)


def _say(game: AnyGame, spoken: Sentence, seats: int) -> str:
    """Say a sentence in English; fail unless its parts are words and all languages have a text."""
    names = [f"<{seat}>" for seat in range(seats)]
    for part in _parts_of(spoken):
        assert isinstance(part, Sentence | SeatName | int | str), part
        if isinstance(part, Sentence):
            _has_a_text(game, part)
    words = say(spoken, game.resources.texts["en"], names)
    assert "_" not in words, words  # nor are names of the code
    return words


def _has_a_text(game: AnyGame, spoken: Sentence) -> None:
    """In each language."""
    for texts in game.resources.texts.values():
        key = next((key for key in keys_of(spoken) if key in texts), spoken.key)
        assert texts[key] is not None  # it may be empty, such as for no coins


def _ways_to_happen(kind: type[Record]) -> Iterator[Any]:
    """A kind of record without any of what it may leave out, without what it hides, and with each
    of the fields that may be true.
    """
    whole = sample_of(kind)
    kinds = _hints(kind)
    open_ = [name for name in whole.__struct_fields__ if name not in whole.hidden_fields]
    optional = [name for name in open_ if NoneType in get_args(kinds[name])]
    for count in range(len(optional) + 1):
        for absent in combinations(optional, count):
            yield replace(whole, **dict.fromkeys(absent))
            yield replace(whole, **dict.fromkeys((*absent, *whole.hidden_fields)))
    yield from (replace(whole, **{name: True}) for name in open_ if kinds[name] is bool)


@cache
def _hints(kind: type[Record]) -> dict[str, Any]:
    """The types of the fields of a record, which take long to find."""
    return get_type_hints(kind)


def _parts_of(part: Any) -> Iterator[Any]:
    """A part and all parts of it, lists opened."""
    inner = part if isinstance(part, tuple) else getattr(part, "parts", {}).values()
    if not isinstance(part, tuple):
        yield part
    for one in inner:
        yield from _parts_of(one)
