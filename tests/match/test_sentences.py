"""The descriptions of the events of a match."""

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
    Ended,
    InvitationDeclined,
    LessonBegun,
    NonceOpened,
    NoncesAwaited,
    Rated,
    Resigned,
    TimeReturned,
    UndoAnswered,
    UndoRequested,
)
from domain.match.outcome import RatingChange
from domain.match.sentences import TEXTS, sentence_of, texts_of
from domain.match.social_events import (
    PatienceEnded,
    PatienceSet,
    Paused,
    PlayerReplaced,
    ProposalAnswered,
    Proposed,
    RematchOpened,
    ReplacementSought,
    Resumed,
    TimeGiven,
)
from domain.match.state import (
    AbortReason,
    CloseReason,
    EndReason,
    UnratedReason,
)
from domain.match.undoing.request import RequestedMoves
from domain.match.visibility import view
from tests.engine.toy.events import CardPlayed
from tests.games.record import sample_of
from tests.match.table import Table, clock
from tests.support.for_each import for_each
from tests.support.languages import say_the_same

MATCH = Table("ann bob", clock=clock(bank=900)).match
NAMES = ("Ann", "Bob")
CHANGES = tuple(
    RatingChange(who, (25.0, 8.0), (26.0, 7.9), 1, 0) for who in ("ann", "bob", "bot:easy")
)
SILENT = (Clocked, DiceFell, LessonBegun, NonceOpened, NoncesAwaited, RematchOpened)


@for_each("kind", MATCH_EVENTS)
def test_every_event_has_a_text_or_is_silent(kind):
    spoken = sentence_of(MATCH, sample_of(kind), None)
    assert (spoken is None) == (kind in SILENT)
    for texts in TEXTS.values():
        assert spoken is None or not set(keys_of(spoken)).isdisjoint(texts)


def test_an_outage_is_no_news_where_no_clock_runs():
    assert sentence_of(MATCH, TimeReturned(1), None)
    assert sentence_of(Table("ann +easy").match, TimeReturned(1), None) is None


@for_each("kind", MATCH_EVENTS)
def test_every_event_has_a_text_for_all_optional_fields(kind):
    """Members that may be empty are empty, and those that may be true are true."""
    whole = sample_of(kind)
    optional = [field.name for field in msgspec.structs.fields(kind) if _may_be_empty(field)]
    for count in range(len(optional) + 1):
        for empty in combinations(optional, count):
            event = msgspec.structs.replace(whole, **dict.fromkeys(empty))
            spoken = sentence_of(MATCH, event, None)
            for texts in TEXTS.values():
                assert spoken is None or not set(keys_of(spoken)).isdisjoint(texts), spoken


def _may_be_empty(field):
    return "None" in str(field.type).replace("NoneType", "None")


@for_each(
    "why", dict.fromkeys(get_args(AbortReason) + get_args(EndReason) + get_args(UnratedReason))
)
def test_every_reason_has_a_text(why):
    """`EndReason` includes the reasons of ends by the match."""
    reasons = get_args(why) or (why,)
    assert [f"why_{reason}" for reason in reasons if f"why_{reason}" not in TEXTS["en"]] == []


@for_each("note", get_args(CloseReason))
def test_the_operator_closes_a_match_for_a_reason_that_has_a_text(note):
    spoken = sentence_of(MATCH, Aborted("operator", note), None)
    assert say(spoken, texts_of(MATCH, "en"), NAMES).startswith("The match was cancelled: the op")


@for_each(
    ("event", "said"),
    [
        (Resigned(1), "Bob resigns."),
        (UndoAnswered("ann", agree=True), "Ann agrees."),
        (UndoAnswered("ann", agree=False), "Ann declines."),
        (UndoRequested("ann", 3, False, ("bob",), 0, RequestedMoves(0, 1, 0, 0)),
         "Ann asks to undo their last move; Bob must agree."),
        (UndoRequested("ann", 3, False, ("bob",), 0, RequestedMoves(1, 2, 1, 0)),
         "Ann asks to undo Bob's last 2 moves and 1 move of others; Bob must agree."),
        (UndoRequested("cid", 3, True, ("bob",), 0, RequestedMoves(0, 1, 2, 3)),
         "cid asks to redo Ann's undone move and 2 moves of others instead of the last 3 moves;"
         " Bob must agree."),
        (UndoRequested("ann", 3, redo=True, asked=("bob",), expires=0),
         "Ann asks to redo moves (to step 3); Bob must agree."),
        (TimeGiven("ann", 1, 5_400_000), "Ann gives Bob 90 minutes more to think."),
        (TimeGiven("ann", 1, 86_400_000), "Ann gives Bob 1 day more to think."),
        (PatienceSet(14 * 86_400_000),
         "If the others have waited for a player for 14 days, they may vote how to go on."),
        (PatienceEnded(1), "The others have waited long for Bob: they may vote how to go on."),
        (ReplacementSought(1), "Bob is absent: a new player can take the seat."),
        (PlayerReplaced(1, "old", "bob"), "Bob takes over seat 2 from an absent player."),
        (PlayerReplaced(1, "old", "bob", "ann"),
         "Bob takes over seat 2 from an absent player; Ann is the host."),
        (Proposed("replacement", "ann", ("bob",), 0),
         "Ann proposes that a new player takes the seat of an absent one; Bob must agree."),
        (Proposed("bot", "ann", ("bob",), 0),
         "Ann proposes that bots play on for absent players; Bob must agree."),
        (Proposed("end", "ann", ("bob", "cid"), 0),
         "Ann proposes to end the match without a result; Bob and cid must agree."),
        (Proposed("pause", "bob", ("ann",), 0), "Bob proposes to pause the match; Ann must agree."),
        (Paused("bob", 0, 9),
         "Bob proposed a pause: no clock runs until a player resumes the match."),
        (Resumed("ann", 9), "Ann resumes the match."),
        (Resumed(None, 9), "The pause is over: the match goes on."),
        (ProposalAnswered("bob", agree=True), "Bob agrees."),
        (ProposalAnswered("bob", agree=False), "Bob declines."),
        (TimeGiven("ann", 1, 1_000), "Ann gives Bob 1 second more to think."),
        (BotSeated(1, "easy"), "Bot Any takes seat 2."),
        (InvitationDeclined(1, "bob"), "The invitation to seat 2 is declined."),
        (BotSeated(1, "of_old"), "Bot of_old takes seat 2."),
        (BotFailed(1, "easy"), "Bob's bot failed; bot Any takes over."),
        (Ended("resignation"), "Game over: resignation."),
        (Rated(CHANGES), "Ratings updated."),
        (Rated(CHANGES[1:]), "Ratings updated, except those of Ann."),
        (Rated(CHANGES[2:]), "Ratings updated, except those of Ann and Bob."),
        (CardPlayed(0, 1, 5), "Ann shows Bob the card 5."),
    ],
)  # fmt: skip
def test_events_of_the_match_and_of_its_game_are_described_alike(event, said):
    """Players by their seats, or by their ids if they have none."""
    spoken = sentence_of(MATCH, event, view(MATCH, None))
    assert say(spoken, texts_of(MATCH, "en"), NAMES) == said


def test_the_end_by_the_rules_is_an_event_of_the_game_and_said_once():
    assert sentence_of(MATCH, Ended("rules"), None) is None


def test_of_what_is_long_only_the_name_is_said():
    created = sample_of(Created)
    assert sentence_of(MATCH, created, None) == Sentence("Created")


def test_a_missing_language_falls_back_to_english():
    assert texts_of(MATCH, "tlh") == texts_of(MATCH, "en")


def test_every_language_says_the_same():
    assert set(TEXTS) == set(LANGUAGES)
    say_the_same(TEXTS)


@pytest.mark.parametrize(("language", "said"), [("zh-Hant", "認輸"), ("zh-Hans", "认输")])
def test_chinese_is_written_in_two_ways(language, said):
    spoken = sentence_of(MATCH, Resigned(1), view(MATCH, None))
    assert say(spoken, TEXTS[language], NAMES) == f"Bob{said}\u3002"
