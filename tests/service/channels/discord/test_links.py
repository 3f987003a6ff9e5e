"""Who in Discord is which player."""

from __future__ import annotations

import pytest

from service.channels.chat.preferences import users_of
from service.channels.discord.account_links import TRIES, Links, fitting
from service.channels.discord.payloads import User
from service.runtime.errors import Banned, NotFound, TooManyRequests
from tests.discord.people import text
from tests.discord.state import APP
from tests.service.channels.discord.conftest import Guest, Office

ADA = User("101", "ada", "Ada")


@pytest.fixture
def links(office: Office) -> Links:
    return office.showing.desk.links


def test_the_first_command_makes_a_player_and_the_next_finds_it(
    office: Office, links: Links
) -> None:
    player = links.player_of(ADA, office.now)
    assert player.name == "Ada"
    assert links.player_of(ADA, office.now) == player
    assert office.annals.players.tokens.of(player.id) == []


def test_a_name_that_is_taken_is_varied(office: Office, links: Links) -> None:
    office.annals.players.register("ADA", office.now)
    assert links.player_of(ADA, office.now).name.startswith("Ada ")


@pytest.mark.parametrize(
    ("name", "fits"),
    [
        ("Ada", "Ada"),
        ("**x** @everyone", "x everyone"),
        ("\U0001f600", "Player"),
        ("a" * 40, "a" * 24),
    ],
)
def test_names_are_made_to_fit(name: str, fits: str) -> None:
    assert fitting(name) == fits


def test_a_code_makes_somebody_another_player_until_it_ends(office: Office, links: Links) -> None:
    own = links.player_of(ADA, office.now)
    other, _ = office.annals.players.register("Zheng", office.now)
    links.link(other.id, links.offer(ADA.id).lower())
    assert links.player_of(ADA, office.now) == other
    links.unlink_player(other.id)
    assert links.player_of(ADA, office.now) == own
    with pytest.raises(NotFound):
        links.unlink_player(other.id)


def test_nobody_else_is_a_player_who_is_linked_with_another(office: Office, links: Links) -> None:
    """Or else the owner of an account could not end what an old link lets somebody do."""
    own = links.player_of(ADA, office.now)
    other, _ = office.annals.players.register("Zheng", office.now)
    links.link(other.id, links.offer(ADA.id))
    links.link(other.id, links.offer("102"))
    assert links.known("102") == other.id
    assert links.player_of(ADA, office.now) == own
    links.unlink_player(other.id)
    assert links.known("102") is None
    assert set(users_of(office.redis, {own.id, other.id})) == {own.id}


def test_an_unlinked_player_is_their_own_again(office: Office, links: Links, ada: Guest) -> None:
    own = links.player_of(ADA, office.now)
    other, _ = office.annals.players.register("Zheng", office.now)
    links.link(other.id, text(ada.says("link")).split("`")[1])
    assert "your own player again" in text(ada.says("link", unlink=True))
    assert links.player_of(ADA, office.now) == own
    assert "were not linked" in text(ada.says("link", unlink=True))


def test_a_code_is_good_once(office: Office, links: Links) -> None:
    code = links.offer(ADA.id)
    links.link("u1", code)
    with pytest.raises(NotFound):
        links.link("u2", code)


def test_a_code_ends_by_itself(office: Office, links: Links) -> None:
    links.offer(ADA.id)
    [key] = office.redis.keys("discord:code:*")
    assert 0 < office.redis.ttl(key) <= 600


def test_after_five_wrong_codes_the_right_one_is_refused(office: Office, links: Links) -> None:
    code = links.offer(ADA.id)
    for _ in range(TRIES):
        with pytest.raises(NotFound):
            links.link("u1", "wrong")
    with pytest.raises(TooManyRequests):
        links.link("u1", code)
    links.link("u2", code)


def test_who_removes_the_application_is_forgotten(office: Office, ada: Guest) -> None:
    ada.says("new", game="qin")
    gone = {"type": "APPLICATION_DEAUTHORIZED", "data": {"user": {"id": "101"}}}
    call = {"application_id": APP, "type": 1, "event": gone}
    assert office.discord.ask("event", call) == 204
    assert office.redis.keys("discord:user:*") == []
    assert office.redis.keys("discord:player:*") == []


def test_who_is_banned_may_not_play_here_either(office: Office, links: Links, ada: Guest) -> None:
    player = links.player_of(ADA, office.now)
    office.annals.players.ban(player.id, "rude")
    with pytest.raises(Banned):
        links.player_of(ADA, office.now)
    assert "You may not play here" in text(ada.says("new", game="qin"))


def test_who_has_left_begins_anew(office: Office, links: Links) -> None:
    player = links.player_of(ADA, office.now)
    office.annals.players.delete(player, office.now)
    assert links.player_of(ADA, office.now) != player
