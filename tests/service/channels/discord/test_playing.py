"""Playing in Discord: tables, moves step by step, old buttons, undo by consent, resigning."""

from __future__ import annotations

import re
from hashlib import sha256
from random import Random
from typing import Any

import pytest
from rq import Queue

from domain.games import GAMES
from domain.match.decisions import ending
from service.channels.discord.follow_up_jobs import QUEUE, Errand
from service.matches.commands import Metadata, carry_out
from tests.discord.people import labels, options, parts, text
from tests.engine.toy import GAME as TOY
from tests.games.modes import Seating, seatings
from tests.service.channels.discord.conftest import Guest, Office, guest

ALONE = [one for one in seatings(GAMES.values()) if one.seats == 1]


def newest(office: Office, channel: str = "500") -> Any:
    return office.discord.newest(channel)


def opened(ada: Guest, ben: Guest, game: str = "qin", **more: Any) -> Any:
    """The message that shows a match of two that has begun."""
    return ben.presses(ada.says("new", game=game, seats=2, **more), "Join")


def mover_of(card: Any, *people: Guest) -> Guest:
    """Whoever it is the turn of: named in the message, and called when their turn begins."""
    return next(person for person in people if f"<@{person.id}>" in text(card))


def moved(person: Guest, card: Any, seed: int = 1) -> Any:
    """Make a move by chance; what they are told of it."""
    chance, shown = Random(seed), person.presses(card, "Move")
    while choices := options(shown):
        shown = person.chooses(shown, chance.choice(choices)["value"])
    return shown


def test_a_table_is_opened_joined_and_begins(ada: Guest, ben: Guest) -> None:
    table = ada.says("new", game="qin", seats=2)
    assert "A table for 2: Ada, \u2014." in text(table)
    assert labels(table) == ["Join", "Start with bots", "Board"]
    assert re.search(r"### \[Qin .+\]\(https://annals\.example/matches/\w+\) ", text(table))
    card = ben.presses(table, "Join")
    assert labels(card) == ["Move", "My hand", "Board"]
    assert card["only"] is None
    assert [file["filename"] for file in card["attachments"]] == ["board.png"]
    assert card["users"] in (["101"], ["102"])


@pytest.mark.parametrize("game", [*GAMES, TOY.key])
def test_a_move_of_any_game_is_made_step_by_step(
    game: str, office: Office, ada: Guest, ben: Guest
) -> None:
    card = opened(ada, ben, game)
    for step in range(4):
        mover = mover_of(card, ada, ben)
        told = moved(mover, card, step)
        assert told["only"] == mover.id
        assert not options(told)
        after = newest(office)
        assert after["only"] is None
        assert after["id"] != card["id"]
        card = after


def test_one_can_go_back_a_step(ada: Guest, ben: Guest) -> None:
    card = opened(ada, ben)
    mover = mover_of(card, ada, ben)
    first = mover.presses(card, "Move")
    choices = options(first)
    second = mover.chooses(first, choices[0]["value"])
    again = mover.presses(second, "Back")
    assert options(again) == choices
    assert again["id"] == first["id"]


def test_whoever_is_not_to_move_is_told_so_alone(ada: Guest, ben: Guest) -> None:
    card = opened(ada, ben)
    other = ben if mover_of(card, ada, ben) is ada else ada
    told = other.presses(card, "Move")
    assert told["only"] == other.id
    assert "not your turn" in text(told)


def test_an_old_button_says_so_and_shows_how_it_stands(
    office: Office, ada: Guest, ben: Guest
) -> None:
    card = opened(ada, ben)
    mover = mover_of(card, ada, ben)
    menu = mover.presses(card, "Move")
    moved(mover, card)
    told = mover.chooses(menu, options(menu)[0]["value"])
    assert "The match is at version 3 now." in text(told)
    assert told["only"] == mover.id
    assert told["attachments"]
    assert "Move" in labels(told)


def test_the_message_before_has_no_buttons_any_more(office: Office, ada: Guest, ben: Guest) -> None:
    card = opened(ada, ben)
    moved(mover_of(card, ada, ben), card)
    [before] = [one for one in office.discord.messages("500") if one["id"] == card["id"]]
    assert labels(before) == []
    assert before["attachments"]


def test_a_message_that_is_filled_late_leaves_the_buttons_to_the_one_below(
    office: Office, ada: Guest, ben: Guest
) -> None:
    opened(ada, ben)
    above, below = (one.uses(2, one._command("board", {}))["message"] for one in (ada, ben))
    queue = Queue(QUEUE, connection=office.redis)
    jobs = queue.get_jobs()
    for job in reversed(jobs):
        job.perform()
    assert len(jobs) == 2
    assert "Move" in labels(office.discord.message(below))
    assert labels(office.discord.message(above)) == []


def test_a_typed_move_is_offered_and_made(office: Office, ada: Guest, ben: Guest) -> None:
    card = opened(ada, ben)
    mover = mover_of(card, ada, ben)
    offered = mover.types("move", "move", move="tile")
    assert 0 < len(offered) <= 25
    told = mover.says("move", move=offered[0]["value"])
    assert "places a tile" in text(told)
    late = mover.says("move", move=offered[1]["value"])
    assert "places a tile" not in text(late)


def test_an_undo_is_asked_for_and_agreed_to_with_buttons(
    office: Office, ada: Guest, ben: Guest
) -> None:
    card = opened(ada, ben)
    mover = mover_of(card, ada, ben)
    other = ben if mover is ada else ada
    moved(mover, card)
    asked = mover.says("undo")
    assert labels(asked)[-2:] == ["Agree", "Refuse"]
    assert "may not" in text(mover.presses(asked, "Agree")) or "not asked" in text(
        mover.presses(asked, "Agree")
    )
    undone = other.presses(asked, "Agree")
    assert undone["users"] == [mover.id]
    assert "Agree" not in labels(undone)


def test_whoever_resigns_is_asked_again(ada: Guest, ben: Guest, office: Office) -> None:
    opened(ada, ben)
    asked = ada.says("resign")
    assert asked["only"] == ada.id
    assert "given up" in text(ada.presses(asked, "Resign"))
    assert "Move" not in labels(newest(office))


def test_the_same_click_twice_is_one_move(office: Office, ada: Guest, ben: Guest) -> None:
    """Two tables are not opened by an interaction that Discord sends twice."""
    done = ada.uses(2, ada._command("new", {"game": "qin"}))
    office.discord.ask("again", done["token"])
    office.work()
    [match] = ada.types("board", "match", match="")
    assert "Qin" in match["name"]


def test_what_a_channel_was_shown_is_not_shown_again(
    office: Office, ada: Guest, ben: Guest
) -> None:
    """An errand that was cut off after it was done is done again."""
    card = opened(ada, ben)
    moved(mover_of(card, ada, ben), card)
    match, shown = text(card).split("`")[1], office.discord.messages("500")
    office.showing.show(Errand(match, shown[-1]["id"], original=False, channel="500"))
    assert office.discord.messages("500") == shown


def test_words_that_are_typed_go_into_the_dice(office: Office, ada: Guest, ben: Guest) -> None:
    card = ada.says("new", game="qin", luck="three sparrows")
    [match_id] = text(card).split("`")[1:2]
    ben.says("join", luck="zwölf")
    match = office.annals.matches.latest(match_id)
    words = [sha256(words.encode()).hexdigest() for words in ("three sparrows", "zwölf")]
    assert list(match.nonces) == words
    assert [chair.commitment for chair in match.chairs] == [
        sha256(bytes.fromhex(nonce)).hexdigest() for nonce in words
    ]


def test_who_types_no_words_adds_nothing_to_the_dice(
    office: Office, ada: Guest, ben: Guest
) -> None:
    match = office.annals.matches.latest(text(opened(ada, ben)).split("`")[1])
    assert match.nonces == (None, None)


def test_text_instead_of_a_picture(ada: Guest, ben: Guest) -> None:
    opened(ada, ben)
    ada.says("settings", board="text", ping=False)
    hand = ada.says("hand")
    assert not hand["attachments"]
    assert "```" in text(hand)
    assert hand["only"] == ada.id


def test_a_channel_sees_only_its_own_matches_and_those_shared(
    office: Office, ada: Guest, ben: Guest
) -> None:
    card = opened(ada, ben)
    match = text(card).split("`")[1]
    elsewhere = guest(office, "103", "Cid", "600")
    there = guest(office, "101", "Ada", "600")
    hidden = elsewhere.says("board", match=match)
    assert hidden["only"] == "103"
    assert text(hidden) == text(elsewhere.says("board", match="nonsense"))
    assert elsewhere.types("board", "match", match="") == []
    mine = there.says("board", match=match)
    assert mine["only"] == "101"
    assert "Only who has a seat" in text(
        guest(office, "103", "Cid").says("board", match=match, share=True)
    )
    shared = there.says("board", match=match, share=True)
    assert shared["only"] is None
    assert elsewhere.says("board", match=match)["only"] is None


def test_whoever_installed_it_alone_plays_where_there_is_no_bot(
    office: Office, ada: Guest, ben: Guest
) -> None:
    office.discord.ask("without_bot", "500")
    ada.more = ben.more = {"user_only": True, "context": 2}
    card = opened(ada, ben)
    for _ in range(3):
        told = moved(mover_of(card, ada, ben), card)
        assert told["only"]
        assert newest(office)["id"] != card["id"]
        card = newest(office)


def test_a_private_match_is_seen_in_its_channel_alone(office: Office, ada: Guest) -> None:
    match = text(ada.says("new", game="qin", private=True)).split("`")[1]
    assert office.annals.matches.latest(match).visibility == "private"
    elsewhere = guest(office, "103", "Cid", "600")
    assert text(elsewhere.says("board", match=match)) == text(elsewhere.says("board", match="no"))


def test_names_do_nothing_and_call_nobody(office: Office, ada: Guest) -> None:
    eve = guest(office, "104", "@everyone **<@101>**")
    table = eve.says("new", game="qin", seats=2)
    assert "@everyone" not in text(table)
    assert "<@" not in text(table)
    assert table["users"] == []


def test_bots_take_seats(ada: Guest) -> None:
    card = ada.says("new", game="qin", seats=3, bots=2)
    assert "Move" in labels(card)


def test_all_of_help(ada: Guest) -> None:
    assert "`/annals undo`" in text(ada.says("help"))
    assert "Qin" in text(ada.says("games"))
    [rule] = ada.types("rules", "rule", game="qin", rule="QIN-4.3")
    assert rule["value"] in text(ada.says("rules", game="qin", rule=rule["value"]))
    assert "There are: " in text(ada.says("rules", game="chess"))


def test_marks_are_short_and_of_ours(ada: Guest, ben: Guest) -> None:
    card = opened(ada, ben, "hansa_teutonica")
    menu = mover_of(card, ada, ben).presses(card, "Move")
    assert all(len(one["custom_id"]) <= 100 for one in parts(menu) if "custom_id" in one)


@pytest.mark.parametrize("one", ALONE, ids=str)
def test_who_plays_alone_begins_at_once_and_is_told_that_it_is_lost(
    one: Seating, ada: Guest, office: Office
) -> None:
    """As many seats as the mode has, if no more is said."""
    chosen = " ".join(f"{name}={value}" for name, value in one.options.items())
    card = ada.says("new", game=one.game.key, options=chosen)
    assert labels(card) == ["Move", "My hand", "Board"]
    assert mover_of(card, ada) is ada
    for step in range(3):
        assert moved(ada, newest(office), step)["only"] == ada.id
    back = ada.says("undo")
    assert "Agree" not in labels(back)
    ada.presses(ada.says("resign"), "Resign")
    match_id = text(card).split("`")[1]
    carry_out(office.annals, match_id, Metadata("system"), lambda match, _: ending.score(match))
    shown = text(ada.says("board", match=match_id))
    assert "The game is lost: resignation." in shown
    scoring = office.annals.matches.latest(match_id).scoring
    assert scoring
    for rival in scoring.rivals:
        assert f"{one.game.words().texts[f'rival_{rival.key}']}: {rival.points}" in shown
