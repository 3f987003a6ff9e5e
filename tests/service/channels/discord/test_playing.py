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
from service.channels.chat.markup import escape_outside_code
from service.channels.discord.components import BLUE
from service.channels.discord.follow_up_jobs import QUEUE, FollowUpJob
from service.channels.discord.moves.move_menus import MAX_BUTTONS
from service.matches import queries
from service.matches.commands import Metadata, execute
from tests.discord.people import labels, options, parts, text
from tests.engine.toy import GAME as TOY
from tests.games.modes import Seating, seatings
from tests.service.api.conftest import fold_lists
from tests.service.channels.discord.conftest import DiscordHarness, Guest, guest

ALONE = [one for one in seatings(GAMES.values()) if one.seats == 1]


def newest(harness: DiscordHarness, channel: str = "500") -> Any:
    return harness.discord.newest(channel)


def open_card(ada: Guest, ben: Guest, game: str = "qin", **more: Any) -> Any:
    """The message that shows a match of two that has started."""
    return ben.presses(ada.says("new", game=game, seats=2, **more), "Join")


def next_touches(message: Any) -> list[Any]:
    """The choices of a step, without the likely moves."""
    return [one for one in options(message) if one.get("style") != BLUE]


def deadline(card: Any) -> int:
    """When the time of the player to move runs out, in seconds since the epoch."""
    [found] = re.findall(r"<t:(\d+):R>", text(card))
    return int(found)


def mover_of(card: Any, *people: Guest) -> Guest:
    """The player to move: named in the message, and mentioned when their turn starts."""
    return next(person for person in people if f"<@{person.id}>" in text(card))


def make_random_move(person: Guest, card: Any, seed: int = 1) -> Any:
    """Make a random move; returns the answer to the player."""
    chance, shown = Random(seed), person.presses(card, "Move")
    while choices := options(shown):
        shown = person.chooses(shown, chance.choice(choices)["value"])
    return shown


def test_a_table_is_opened_and_joined_and_starts(ada: Guest, ben: Guest) -> None:
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
    game: str, harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    card = open_card(ada, ben, game)
    for step in range(2):
        mover = mover_of(card, ada, ben)
        received = make_random_move(mover, card, step)
        assert received["only"] == mover.id
        assert not options(received)
        after = newest(harness)
        assert after["only"] is None
        assert after["id"] != card["id"]
        card = after


def test_all_moves_are_shown_as_soon_as_they_fit(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    card = open_card(ada, ben)
    mover = mover_of(card, ada, ben)
    match = harness.annals.matches.latest(text(card).split("`")[1])
    moves = queries.moves_of(match, match.seats_to_move[0])
    shown, presses = mover.presses(card, "Move"), 1
    touches = [one["label"] for one in next_touches(shown)]
    assert labels(shown)[MAX_BUTTONS:] == (touches if len(touches) <= MAX_BUTTONS else [])
    while len(options(shown)) > len(next_touches(shown)):
        shown, presses = mover.chooses(shown, next_touches(shown)[0]["value"]), presses + 1
    assert presses <= 3
    assert 1 < len(options(shown)) <= min(25, len(moves))
    done = mover.chooses(shown, options(shown)[-1]["value"])
    assert "places a tile" in text(done)
    assert [label for label in options(shown)[-1]["label"].split() if label in text(done)]


def test_a_player_lists_the_matches_that_wait_for_them(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    card = open_card(ada, ben, clock="1d")
    mover = mover_of(card, ada, ben)
    fold_lists(harness.annals)
    elsewhere = guest(harness, mover.id, mover.user["global_name"], "600")
    listed = elsewhere.says("turns")
    [match_id] = labels(listed)
    assert listed["only"] == mover.id
    assert f"Qin \u00b7 Ada, Ben \u00b7 {match_id} \u00b7 <t:" in text(listed)
    assert "Move" in labels(elsewhere.presses(listed, match_id))
    other = ben if mover is ada else ada
    assert text(other.says("turns")) == "No match waits for you."


def test_the_reason_says_whether_there_is_a_match_or_a_seat(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    open_card(ada, ben)
    here, elsewhere = guest(harness, "103", "Cid"), guest(harness, "103", "Cid", "600")
    for command in ("hand", "move", "undo", "resign", "join"):
        reasons = [text(one.says(command)).splitlines()[0] for one in (here, elsewhere)]
        assert reasons[1].startswith("This channel shows no such match.")
        assert not reasons[0].startswith("This channel shows no such match.")


def test_the_back_button_removes_a_choice(ada: Guest, ben: Guest) -> None:
    card = open_card(ada, ben)
    mover = mover_of(card, ada, ben)
    first = mover.presses(card, "Move")
    choices = next_touches(first)
    second = mover.chooses(first, choices[0]["value"])
    again = mover.presses(second, "Back")
    assert next_touches(again) == choices
    assert again["id"] == first["id"]


def test_a_player_who_is_not_to_move_gets_a_private_answer(ada: Guest, ben: Guest) -> None:
    card = open_card(ada, ben)
    other = ben if mover_of(card, ada, ben) is ada else ada
    received = other.presses(card, "Move")
    assert received["only"] == other.id
    assert "not your turn" in text(received)


def test_a_prompt_addresses_only_the_player_who_must_move(ada: Guest, ben: Guest) -> None:
    card = open_card(ada, ben)
    mover = mover_of(card, ada, ben)
    other = ben if mover is ada else ada
    assert f"**<@{mover.id}>** is placing a tile (" in text(card)
    assert "is placing a tile (" in text(other.presses(card, "Move"))
    assert "Your turn: place a tile to win provinces and villages" in text(
        mover.presses(card, "Move")
    )


def test_an_old_button_says_so_and_shows_the_current_state(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    card = open_card(ada, ben)
    mover = mover_of(card, ada, ben)
    menu = mover.presses(card, "Move")
    make_random_move(mover, card)
    received = mover.chooses(menu, options(menu)[0]["value"])
    assert "the match is at version 3 now." in text(received)
    assert received["only"] == mover.id
    assert received["attachments"]
    assert "Move" in labels(received)


def test_the_previous_message_loses_its_buttons(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    card = open_card(ada, ben)
    make_random_move(mover_of(card, ada, ben), card)
    [before] = [one for one in harness.discord.messages("500") if one["id"] == card["id"]]
    assert labels(before) == []
    assert before["attachments"]


def test_a_late_message_loses_its_buttons_to_the_newer_one(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    open_card(ada, ben)
    above, below = (one.uses(2, one._command("board", {}))["message"] for one in (ada, ben))
    queue = Queue(QUEUE, connection=harness.redis)
    jobs = queue.get_jobs()
    for job in reversed(jobs):
        job.perform()
    assert len(jobs) == 2
    assert "Move" in labels(harness.discord.message(below))
    assert labels(harness.discord.message(above)) == []


def test_a_typed_move_is_suggested_and_made(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    card = open_card(ada, ben)
    mover = mover_of(card, ada, ben)
    offered = mover.types("move", "move", move="tile")
    assert 0 < len(offered) <= 25
    received = mover.says("move", move=offered[0]["value"])
    assert "places a tile" in text(received)
    late = mover.says("move", move=offered[1]["value"])
    assert "places a tile" not in text(late)


def test_an_undo_is_requested_and_accepted_with_buttons(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    card = open_card(ada, ben)
    mover = mover_of(card, ada, ben)
    other = ben if mover is ada else ada
    make_random_move(mover, card)
    asked = mover.says("undo")
    assert labels(asked)[-2:] == ["Agree", "Decline"]
    assert "not for you" in text(mover.presses(asked, "Agree"))
    undone = other.presses(asked, "Agree")
    assert undone["users"] == [mover.id]
    assert "Agree" not in labels(undone)


def test_time_is_given_to_the_other(harness: DiscordHarness, ada: Guest, ben: Guest) -> None:
    card = open_card(ada, ben, clock="10m")
    mover = mover_of(card, ada, ben)
    other = ben if mover is ada else ada
    assert "thinking" in text(mover.says("time"))
    given = other.says("time", seconds=90)
    assert deadline(given) == deadline(card) + 90


def test_resigning_asks_for_confirmation(ada: Guest, ben: Guest, harness: DiscordHarness) -> None:
    open_card(ada, ben)
    asked = ada.says("resign")
    assert asked["only"] == ada.id
    assert "resigned" in text(ada.presses(asked, "Resign"))
    assert "Move" not in labels(newest(harness))


def test_the_same_click_twice_is_one_move(harness: DiscordHarness, ada: Guest, ben: Guest) -> None:
    """An interaction that Discord sends twice opens one table."""
    done = ada.uses(2, ada._command("new", {"game": "qin"}))
    harness.discord.ask("again", done["token"])
    harness.work()
    [match] = ada.types("board", "match", match="")
    assert "Qin" in match["name"]


def test_a_card_repeats_no_events(harness: DiscordHarness, ada: Guest, ben: Guest) -> None:
    """A job interrupted after its work runs again."""
    card = open_card(ada, ben)
    make_random_move(mover_of(card, ada, ben), card)
    match, shown = text(card).split("`")[1], harness.discord.messages("500")
    harness.renderer.show(FollowUpJob(match, shown[-1]["id"], original=False, channel="500"))
    assert harness.discord.messages("500") == shown


def test_typed_words_become_a_nonce_for_the_dice(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    card = ada.says("new", game="qin", luck="three sparrows")
    [match_id] = text(card).split("`")[1:2]
    ben.says("join", luck="zwölf")
    match = harness.annals.matches.latest(match_id)
    words = [sha256(words.encode()).hexdigest() for words in ("three sparrows", "zwölf")]
    assert list(match.nonces) == words
    assert [chair.commitment for chair in match.chairs] == [
        sha256(bytes.fromhex(nonce)).hexdigest() for nonce in words
    ]


def test_without_typed_words_there_is_no_nonce(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    match = harness.annals.matches.latest(text(open_card(ada, ben)).split("`")[1])
    assert match.nonces == (None, None)


def test_text_instead_of_a_picture(ada: Guest, ben: Guest) -> None:
    open_card(ada, ben)
    ada.says("settings", board="text", ping=False)
    hand = ada.says("hand")
    assert not hand["attachments"]
    assert "```" in text(hand)
    assert hand["only"] == ada.id


def test_a_channel_shows_only_its_own_and_shared_matches(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    card = open_card(ada, ben)
    match = text(card).split("`")[1]
    elsewhere = guest(harness, "103", "Cid", "600")
    there = guest(harness, "101", "Ada", "600")
    hidden = elsewhere.says("board", match=match)
    assert hidden["only"] == "103"
    assert text(hidden) == text(elsewhere.says("board", match="nonsense"))
    assert elsewhere.types("board", "match", match="") == []
    mine = there.says("board", match=match)
    assert mine["only"] == "101"
    assert "only matches in which you have a seat" in text(
        guest(harness, "103", "Cid").says("board", match=match, share=True)
    )
    shared = there.says("board", match=match, share=True)
    assert shared["only"] is None
    assert elsewhere.says("board", match=match)["only"] is None


def test_a_user_installation_works_without_a_bot(
    harness: DiscordHarness, ada: Guest, ben: Guest
) -> None:
    harness.discord.ask("without_bot", "500")
    ada.more = ben.more = {"user_only": True, "context": 2}
    card = open_card(ada, ben)
    for _ in range(2):
        received = make_random_move(mover_of(card, ada, ben), card)
        assert received["only"]
        assert newest(harness)["id"] != card["id"]
        card = newest(harness)


def test_a_private_match_is_visible_in_its_channel_only(
    harness: DiscordHarness, ada: Guest
) -> None:
    match = text(ada.says("new", game="qin", private=True)).split("`")[1]
    assert harness.annals.matches.latest(match).visibility == "private"
    elsewhere = guest(harness, "103", "Cid", "600")
    assert text(elsewhere.says("board", match=match)) == text(elsewhere.says("board", match="no"))


def test_names_cause_no_markdown_and_no_mentions(harness: DiscordHarness, ada: Guest) -> None:
    eve = guest(harness, "104", "@everyone **<@101>**")
    table = eve.says("new", game="qin", seats=2)
    assert "@everyone" not in text(table)
    assert "<@" not in text(table)
    assert table["users"] == []


def test_a_refusal_shows_code_as_code_and_quotes_nothing_as_markdown(ada: Guest) -> None:
    said = text(ada.says("resign"))
    assert said == "This channel shows no such match. `/annals new` opens one."
    foreign = "- No `a*b` (Qin-2) for **Eve** and ` <@101>\n# now"
    escaped = r"\- No `a*b` (Qin-2) for \*\*Eve\*\* and \` \<\@101\> \# now"
    assert escape_outside_code(foreign) == escaped


def test_bots_take_seats(ada: Guest) -> None:
    card = ada.says("new", game="qin", seats=3, bots=2)
    assert "Move" in labels(card)


def test_every_command_of_help_works(ada: Guest) -> None:
    assert "`/annals undo`" in text(ada.says("help"))
    assert "Qin" in text(ada.says("games"))
    [rule] = ada.types("rules", "rule", game="qin", rule="QIN-4.3")
    assert rule["value"] in text(ada.says("rules", game="qin", rule=rule["value"]))
    assert "The games are: " in text(ada.says("rules", game="chess"))


def test_custom_ids_are_short(ada: Guest, ben: Guest) -> None:
    card = open_card(ada, ben, "hansa_teutonica")
    menu = mover_of(card, ada, ben).presses(card, "Move")
    assert all(len(one["custom_id"]) <= 100 for one in parts(menu) if "custom_id" in one)


@pytest.mark.parametrize("one", ALONE, ids=str)
def test_a_solo_match_starts_at_once_and_shows_its_loss(
    one: Seating, ada: Guest, harness: DiscordHarness
) -> None:
    """The table has as many seats as the mode unless the command says otherwise."""
    chosen = " ".join(f"{name}={value}" for name, value in one.options.items())
    card = ada.says("new", game=one.game.key, options=chosen)
    assert labels(card) == ["Move", "My hand", "Board"]
    assert mover_of(card, ada) is ada
    for step in range(2):
        assert make_random_move(ada, newest(harness), step)["only"] == ada.id
    back = ada.says("undo")
    assert "Agree" not in labels(back)
    ada.presses(ada.says("resign"), "Resign")
    match_id = text(card).split("`")[1]
    execute(harness.annals, match_id, Metadata("system"), lambda match, _: ending.score(match))
    shown = text(ada.says("board", match=match_id))
    assert "Game lost: Ada resigned." in shown
    scoring = harness.annals.matches.latest(match_id).scoring
    assert scoring
    for rival in scoring.rivals:
        assert f"{one.game.words().texts[f'rival_{rival.key}']}: {rival.points}" in shown
    [line] = scoring.lines
    for part, points in line.breakdown.items():
        assert (f"{one.game.words().texts[f'score_{part}']} {points}" in shown) == bool(points)
