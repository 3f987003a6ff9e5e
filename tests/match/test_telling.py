"""What is said of a match."""

from __future__ import annotations

from itertools import combinations
from typing import get_args

import msgspec
import pytest

from domain.engine.sentences import LANGUAGES, Sentence, keys_of, say
from domain.match.events import (
    MATCH_EVENTS,
    Aborted,
    BotFailed,
    BotSeated,
    Clocked,
    Created,
    DiceFell,
    NonceOpened,
    NoncesAwaited,
    Resigned,
    UndoAnswered,
    UndoRequested,
)
from domain.match.sentences import TEXTS, sentence_of, texts_of
from domain.match.state import WhyAborted, WhyClosed, WhyEnded, WhyUnrated
from domain.match.visibility import view
from tests.engine.toy.events import CardPlayed
from tests.games.record import sample
from tests.match.table import Table
from tests.support.languages import say_the_same

MATCH = Table("ann bob").match
NAMES = ("Ann", "Bob")


@pytest.mark.parametrize("kind", MATCH_EVENTS)
def test_every_event_has_a_text_or_is_silent(kind):
    spoken = sentence_of(MATCH, sample(msgspec.inspect.type_info(kind)), None)
    assert (spoken is None) == (kind in (Clocked, DiceFell, NonceOpened, NoncesAwaited))
    for texts in TEXTS.values():
        assert spoken is None or not set(keys_of(spoken)).isdisjoint(texts)


@pytest.mark.parametrize("kind", MATCH_EVENTS)
def test_every_event_has_a_text_whatever_it_leaves_out(kind):
    """Members that may be empty are, and those that may be true are."""
    whole = sample(msgspec.inspect.type_info(kind))
    optional = [field.name for field in msgspec.structs.fields(kind) if _may_be_empty(field)]
    for count in range(len(optional) + 1):
        for empty in combinations(optional, count):
            event = msgspec.structs.replace(whole, **dict.fromkeys(empty))
            spoken = sentence_of(MATCH, event, None)
            for texts in TEXTS.values():
                assert spoken is None or not set(keys_of(spoken)).isdisjoint(texts), spoken


def _may_be_empty(field):
    return "None" in str(field.type).replace("NoneType", "None")


@pytest.mark.parametrize(
    "why", dict.fromkeys(get_args(WhyAborted) + get_args(WhyEnded) + get_args(WhyUnrated))
)
def test_every_reason_has_a_text(why):
    """Those of the ends that the match has by itself are inside of `WhyEnded`."""
    reasons = get_args(why) or (why,)
    assert [f"why_{reason}" for reason in reasons if f"why_{reason}" not in TEXTS["en"]] == []


@pytest.mark.parametrize("note", get_args(WhyClosed))
def test_whoever_runs_the_service_closes_a_match_for_a_reason_that_has_a_text(note):
    spoken = sentence_of(MATCH, Aborted("operator", note), None)
    assert say(spoken, texts_of(MATCH, "en"), NAMES).startswith("The match came to nothing: the op")


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (Resigned(1), "Bob resigns."),
        (UndoAnswered("ann", agree=True), "Ann agrees."),
        (UndoAnswered("ann", agree=False), "Ann does not agree."),
        (UndoRequested("ann", 3, redo=False, asked=("bob",), expires=0),
         "Ann asks Bob to go back to version 3."),
        (UndoRequested("cid", 3, redo=True, asked=("bob",), expires=0),
         "cid asks Bob to take up again what was undone, up to version 3."),
        (BotSeated(1, "easy"), "The bot Any plays in seat 1."),
        (BotSeated(1, "of_old"), "The bot of_old plays in seat 1."),
        (BotFailed(1, "easy"), "The bot of Bob failed; the bot Any plays on."),
        (CardPlayed(0, 1, 5), "Ann shows Bob the card 5."),
    ],
)  # fmt: skip
def test_events_of_the_match_and_of_its_game_are_told_alike(event, said):
    """Players by their seats, or by their ids if they have none."""
    spoken = sentence_of(MATCH, event, view(MATCH, None))
    assert say(spoken, texts_of(MATCH, "en"), NAMES) == said


def test_of_what_is_long_only_the_name_is_said():
    created = sample(msgspec.inspect.type_info(Created))
    assert sentence_of(MATCH, created, None) == Sentence("Created")


def test_a_language_that_is_not_there_is_english():
    assert texts_of(MATCH, "tlh") == texts_of(MATCH, "en")


def test_every_language_says_the_same():
    assert set(TEXTS) == set(LANGUAGES)
    say_the_same(TEXTS)


@pytest.mark.parametrize(("language", "said"), [("zh-Hant", "認輸"), ("zh-Hans", "认输")])
def test_chinese_is_written_in_two_ways(language, said):
    spoken = sentence_of(MATCH, Resigned(1), view(MATCH, None))
    assert say(spoken, TEXTS[language], NAMES) == f"Bob {said}\u3002"
