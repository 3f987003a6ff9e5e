"""Links between Discord users and players."""

from __future__ import annotations

import pytest

from service.channels.chat.preferences import users_of
from service.channels.discord.account_links import MAX_CODE_TRIES, AccountLinks, to_player_name
from service.channels.discord.payloads import User
from service.runtime.errors import BannedPlayer, NotFound, TooManyRequests
from tests.discord.people import text
from tests.discord.state import APP
from tests.service.channels.discord.conftest import DiscordHarness, Guest

ADA = User("101", "ada", "Ada")


@pytest.fixture
def links(harness: DiscordHarness) -> AccountLinks:
    return harness.renderer.discord.links


def test_first_command_creates_a_player_and_next_one_finds_it(
    harness: DiscordHarness, links: AccountLinks
) -> None:
    player = links.get_or_create_player(ADA, harness.now)
    assert player.name == "Ada"
    assert links.get_or_create_player(ADA, harness.now) == player
    assert harness.annals.players.tokens.of_player(player.id) == []


def test_a_taken_name_gets_a_number(harness: DiscordHarness, links: AccountLinks) -> None:
    harness.annals.players.register("ADA", harness.now)
    assert links.get_or_create_player(ADA, harness.now).name.startswith("Ada ")


def test_a_user_whose_name_is_reserved_for_operators_gets_another(
    harness: DiscordHarness, links: AccountLinks
) -> None:
    user = User("101", "admin", "Annals Admin")
    assert links.get_or_create_player(user, harness.now).name == "Player"


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("Ada", "Ada"),
        ("**x** @everyone", "x everyone"),
        ("\U0001f600", "Player"),
        ("a" * 40, "a" * 24),
    ],
)
def test_forbidden_characters_are_removed_from_names(name: str, fits: str) -> None:
    assert to_player_name(name) == fits


def test_a_code_links_a_user_until_they_unlink(
    harness: DiscordHarness, links: AccountLinks
) -> None:
    own = links.get_or_create_player(ADA, harness.now)
    other, _ = harness.annals.players.register("Zheng", harness.now)
    links.link(other.id, links.create_code(ADA.id).lower())
    assert links.get_or_create_player(ADA, harness.now) == other
    links.unlink_player(other.id)
    assert links.get_or_create_player(ADA, harness.now) == own
    with pytest.raises(NotFound):
        links.unlink_player(other.id)


def test_a_player_is_linked_to_one_user_only(harness: DiscordHarness, links: AccountLinks) -> None:
    """Otherwise the owner of an account could not revoke an old link."""
    own = links.get_or_create_player(ADA, harness.now)
    other, _ = harness.annals.players.register("Zheng", harness.now)
    links.link(other.id, links.create_code(ADA.id))
    links.link(other.id, links.create_code("102"))
    assert links.player_id_of("102") == other.id
    assert links.get_or_create_player(ADA, harness.now) == own
    links.unlink_player(other.id)
    assert links.player_id_of("102") is None
    assert set(users_of(harness.redis, {own.id, other.id})) == {own.id}


def test_unlinking_restores_the_first_player(
    harness: DiscordHarness, links: AccountLinks, ada: Guest
) -> None:
    own = links.get_or_create_player(ADA, harness.now)
    other, _ = harness.annals.players.register("Zheng", harness.now)
    links.link(other.id, text(ada.says("link")).split("`")[1])
    assert "no longer linked" in text(ada.says("link", unlink=True))
    assert links.get_or_create_player(ADA, harness.now) == own
    assert "was not linked" in text(ada.says("link", unlink=True))


def test_a_code_works_once(harness: DiscordHarness, links: AccountLinks) -> None:
    code = links.create_code(ADA.id)
    links.link("u1", code)
    with pytest.raises(NotFound):
        links.link("u2", code)


def test_a_code_expires(harness: DiscordHarness, links: AccountLinks) -> None:
    links.create_code(ADA.id)
    [key] = harness.redis.keys("discord:code:*")
    assert 0 < harness.redis.ttl(key) <= 600


def test_after_five_wrong_codes_the_right_one_is_refused(
    harness: DiscordHarness, links: AccountLinks
) -> None:
    code = links.create_code(ADA.id)
    for _ in range(MAX_CODE_TRIES):
        with pytest.raises(NotFound):
            links.link("u1", "wrong")
    with pytest.raises(TooManyRequests):
        links.link("u1", code)
    links.link("u2", code)


def test_a_user_who_removes_the_application_is_erased(harness: DiscordHarness, ada: Guest) -> None:
    ada.says("new", game="qin")
    gone = {"type": "APPLICATION_DEAUTHORIZED", "data": {"user": {"id": "101"}}}
    call = {"application_id": APP, "type": 1, "event": gone}
    assert harness.discord.ask("event", call) == 204
    assert harness.redis.keys("discord:user:*") == []
    assert harness.redis.keys("discord:player:*") == []


def test_a_banned_player_cannot_play_in_discord(
    harness: DiscordHarness, links: AccountLinks, ada: Guest
) -> None:
    player = links.get_or_create_player(ADA, harness.now)
    harness.annals.players.ban(player.id, "rude")
    with pytest.raises(BannedPlayer):
        links.get_or_create_player(ADA, harness.now)
    assert "You cannot play here" in text(ada.says("new", game="qin"))


def test_a_user_whose_account_was_deleted_gets_a_new_player(
    harness: DiscordHarness, links: AccountLinks
) -> None:
    player = links.get_or_create_player(ADA, harness.now)
    harness.annals.players.delete(player, harness.now)
    assert links.get_or_create_player(ADA, harness.now) != player
