"""Jobs that continue a match, run by a real worker on a real Redis."""

from __future__ import annotations

from dataclasses import replace

import pytest
from prometheus_client import REGISTRY

from domain.engine.game import legal_moves
from domain.games import GAMES
from domain.match.decisions import lobby, playing, proposals, rematch, undo
from domain.match.decisions.pauses import MAX_PAUSE_MS
from domain.match.events import Rated
from domain.match.log import Draft, read_events
from domain.match.scheduled_work import QUEUE_OF, due_work, idle_step_ms
from domain.match.state import Chair, ClockRule, Match
from service.accounts.client_networks import (
    delete_network,
    find_shared_networks,
    players_sharing_networks,
    record_shared_network,
    store_network,
)
from tests.workers.office import ADA, BEN, WEAK, Office
from workers.jobs import match_jobs

DAY_MS = 86_400_000
ACCOUNT_MS = 14 * DAY_MS


def test_bots_play_a_match_to_its_end_and_it_is_scored_and_rated(office: Office) -> None:
    match_id = office.open(WEAK, Chair(bot="sun_bin"))
    office.work()
    match = office.match(match_id)
    assert (match.status, match.rated) == ("scored", True)
    assert office.kinds(match_id)[-2:] == ["Scored", "Rated"]
    assert min(line.rank for line in match.scoring.lines) == 1


def test_a_job_whose_match_has_moved_on_does_nothing(office: Office) -> None:
    match_id = office.open(WEAK, Chair(bot="sun_bin"))
    office.work()
    before = office.annals.store.read(match_id)
    for job in (getattr(match_jobs, work) for work in QUEUE_OF):
        job(match_id, 1)
        job(match_id, len(before))
    assert office.annals.store.read(match_id) == before


def test_a_bot_moves_only_when_its_seat_is_awaited(office: Office) -> None:
    match_id = office.open(ADA, WEAK, options={"first_player": "seat:1"})
    assert office.work() == 1
    assert office.match(match_id).seats_to_move == (0,)


@pytest.mark.parametrize("behind_ms", [20_000, 3_600_000], ids=["another machine", "put back"])
def test_bots_scoring_and_ratings_wait_for_no_clock(office: Office, behind_ms: int) -> None:
    match_id = office.open(WEAK, Chair(bot="sun_bin"))
    office.pass_time(-behind_ms)
    office.work()
    assert office.kinds(match_id)[-2:] == ["Scored", "Rated"]


def test_a_player_out_of_time_is_replaced_and_the_match_continues(office: Office) -> None:
    clock = ClockRule(per_move_s=60)
    match_id = office.open(ADA, BEN, clock=clock, options={"first_player": "seat:0"})
    office.pass_time(59_999)
    assert office.work() == 0
    office.pass_time(1)
    office.work()
    assert "TimedOut" in office.kinds(match_id)
    assert office.match(match_id).chairs[0].bot == "wu_qi"


def test_an_unanswered_request_lapses(office: Office) -> None:
    match_id = office.open(ADA, BEN, options={"first_player": "seat:0"})
    _make_first_move(office, match_id)
    office.do(match_id, lambda match, now: undo.undo(match, "ada", None, now))
    assert office.match(match_id).undo_request
    office.pass_time(undo.UNDO_ANSWER_MS)
    office.work()
    assert office.kinds(match_id)[-1] == "UndoLapsed"


def test_an_unanswered_proposal_lapses(office: Office) -> None:
    match_id = office.open(ADA, BEN)
    office.do(match_id, lambda match, now: proposals.propose(match, "ada", "end", now))
    office.pass_time(proposals.PROPOSAL_MS - 1)
    assert office.work() == 0
    office.pass_time(1)
    office.work()
    office.work()
    assert office.kinds(match_id).count("ProposalLapsed") == 1


def test_a_pause_ends_by_itself_once(office: Office) -> None:
    match_id = office.open(ADA, BEN, clock=ClockRule(per_move_s=60))
    for player in "ada", "ben":
        office.do(match_id, lambda match, now, who=player: pause(match, who, now))
    office.pass_time(MAX_PAUSE_MS - 1)
    assert office.work() == 0
    office.pass_time(1)
    office.work()
    office.work()
    assert office.kinds(match_id).count("Resumed") == 1
    office.pass_time(60_000)
    office.work()
    assert "TimedOut" in office.kinds(match_id)


def pause(match: Match, player: str, now: int) -> Draft:
    return proposals.propose(match, player, "pause", now)


def test_a_match_that_its_only_player_has_left_ends_once(office: Office) -> None:
    left, played, timed, met = (
        office.open(*chairs, **more)
        for chairs, more in (
            ((ADA, WEAK), {}),
            ((ADA, WEAK), {}),
            ((ADA, WEAK), {"clock": ClockRule(bank_s=9_000_000)}),
            ((ADA, BEN), {}),
        )
    )
    office.work()
    match = office.match(left)
    assert match.ends_at == office.now + ACCOUNT_MS
    due = due_work(match)["abandon"]
    assert 0 <= due - match.ends_at < idle_step_ms(match)
    office.pass_time(due - office.now - 1)
    _make_first_move(office, played)
    office.work()
    assert office.match(left).status == "active"
    office.pass_time(1)
    office.work()
    office.work()
    assert office.kinds(left).count("Aborted") == 1
    assert office.match(left).end_reason == "idle"
    assert [office.match(one).status for one in (played, timed, met)] == ["active"] * 3


def test_guests_have_less_time_until_they_keep_their_account(office: Office) -> None:
    players = office.annals.players
    guest, _ = players.register("Ada", office.now, guest=True)
    seat = Chair(player=guest.id)
    match_id = office.open(seat, WEAK, host=guest.id)
    assert office.match(match_id).ends_at == office.now + 3 * DAY_MS
    players.keep_account(guest.id)
    match_id = office.open(seat, WEAK, host=guest.id)
    assert office.match(match_id).ends_at == office.now + ACCOUNT_MS
    settings = replace(office.annals.settings, idle_days=0.0)
    office.annals = replace(office.annals, settings=settings)
    assert office.match(office.open(seat, WEAK, host=guest.id)).ends_at is None


def test_a_table_without_players_is_closed(office: Office) -> None:
    match_id = office.open(ADA, Chair(), expires=office.now + 1000)
    assert office.work() == 0
    office.pass_time(1000)
    office.work()
    assert office.match(match_id).status == "aborted"


def test_a_match_starts_without_an_unopened_nonce(office: Office) -> None:
    committed = Chair(player="ada", commitment="00" * 32)
    match_id = office.open(committed, Chair(bot="wu_qi"))
    assert office.match(match_id).status == "open"
    office.pass_time(lobby.NONCE_OPENING_MS)
    office.work()
    assert "Started" in office.kinds(match_id)
    assert office.match(match_id).nonces == (None, None)


def test_a_series_continues_and_totals_the_penalties(office: Office) -> None:
    first = office.open(WEAK, Chair(bot="sun_bin"), options={"series": ["bird", "lion"]})
    office.work()
    one, two = office.match(first), office.match(f"{first}-2")
    assert one.next_match == f"{first}-2"
    assert (two.status, two.setup.board) == ("scored", "lion")
    assert two.series_score
    assert two.series_score.over
    penalties = [one.series_score.penalties, two.series_score.penalties]
    assert two.series_score.totals == tuple(map(sum, zip(*penalties, strict=True)))


def test_an_offer_to_play_again_opens_its_table_once_and_lapses(office: Office) -> None:
    match_id = office.open(ADA, BEN)
    office.do(match_id, lambda match, now: playing.resign(match, "ben", now), "ben")
    office.work()
    office.do(match_id, lambda match, _: rematch.offer(match, "ada", None))
    office.work()  # the process that recorded the offer did not
    table = office.match(office.match(match_id).next_match or "")
    assert (table.status, table.host, table.previous_match) == ("open", "ada", match_id)
    assert office.kinds(match_id)[-2:] == ["RematchOffered", "Continued"]
    assert office.work() == 0
    office.pass_time(rematch.OFFER_MS)
    office.work()
    assert office.match(table.id).end_reason == "nobody_joined"


def test_ratings_follow_and_count_each_match_once(office: Office) -> None:
    office.open(WEAK, Chair(bot="sun_bin"))
    office.open(WEAK, Chair(bot="sun_bin"))
    office.work()
    ratings = office.queue.hgetall("{ratings:qin}:now")
    assert set(ratings) == {b"bot:li_mu", b"bot:sun_bin"}
    assert all(b'"played":2' in rating for rating in ratings.values())


def test_an_early_resignation_is_unrated(office: Office) -> None:
    early = office.open(ADA, BEN, options={"first_player": "seat:0"})
    _make_first_move(office, early)
    office.do(early, lambda match, now: playing.resign(match, "ben", now), "ben")
    office.work()
    assert office.kinds(early)[-2:] == ["Scored", "Unrated"]
    assert office.match(early).unrated == "early_resignation"
    late = office.open(ADA, BEN, options={"first_player": "seat:0"})
    _make_first_move(office, late)
    office.do(late, lambda match, now: playing.resign(match, "ada", now))
    office.work()
    assert office.kinds(late)[-1] == "Rated"


@pytest.mark.parametrize(
    ("addresses", "last"),
    [
        (("1.1.1.1", "1.1.1.1"), "Unrated"),
        (("2606:4700::/64", "2606:4700::/64"), "Unrated"),
        (("1.1.1.1", "1.1.1.2"), "Rated"),
        (("192.168.1.1", "192.168.1.1"), "Rated"),  # a proxy may hide the addresses of all
        (("1.1.1.1",), "Rated"),
    ],
)
def test_accounts_of_one_address_do_not_rate_one_another(
    office: Office, addresses: tuple[str, ...], last: str
) -> None:
    for player, address in zip(("ada", "ben"), addresses, strict=False):
        store_network(office.queue, player, address)
    match_id = office.open(ADA, BEN, options={"first_player": "seat:0"})
    record_shared_network(office.queue, office.match(match_id))
    _make_first_move(office, match_id)
    office.do(match_id, lambda match, now: playing.resign(match, "ada", now))
    assert bool(find_shared_networks(office.queue, [match_id])) == (last == "Unrated")
    office.work()
    assert office.kinds(match_id)[-1] == last
    assert not find_shared_networks(office.queue, [match_id])
    assert office.match(match_id).unrated == ("one_address" if last == "Unrated" else None)


@pytest.mark.parametrize("game", GAMES)
def test_of_several_players_only_who_leaves_early_is_unrated(office: Office, game: str) -> None:
    """Given a table for three or more, when some leave before their first move, then the others are
    rated among themselves, if two or more are left.
    """
    for seats in range(3, max(GAMES[game].seats) + 1):
        for early in range(1, seats):
            players, match_id = open_for(office, seats, game)
            for player in players[:early]:
                resign(office, match_id, player)
            play_to_end(office, match_id, rest := players[early:])
            is_rated = len(rest) > 1
            assert rated_players(office, match_id) == (rest if is_rated else [])
            unrated = None if is_rated else "early_resignation"
            assert office.match(match_id).unrated == unrated


@pytest.mark.parametrize(
    ("addresses", "rated"),
    [
        (("1.1.1.1", "1.1.1.1"), ["p2", "p3"]),
        (("1.1.1.1", "1.1.1.1", "1.1.1.2", "1.1.1.2"), []),
        (("1.1.1.1", "1.1.1.1", "1.1.1.1"), []),
        (("1.1.1.1", "1.1.1.2"), ["p0", "p1", "p2", "p3"]),
    ],
)
def test_of_several_players_only_those_who_share_an_address_are_unrated(
    office: Office, addresses: tuple[str, ...], rated: list[str]
) -> None:
    players, match_id = open_for(office, 4)
    for player, address in zip(players, addresses, strict=False):
        store_network(office.queue, player, address)
    record_shared_network(office.queue, office.match(match_id))
    for player in players:
        delete_network(office.queue, player)  # as after a week
    play_to_end(office, match_id, players)
    assert rated_players(office, match_id) == rated
    assert office.match(match_id).unrated == (None if rated else "one_address")


def test_a_shared_address_of_who_left_their_seat_again_leaves_no_other_out(office: Office) -> None:
    for player in ("ada", "ben"):
        store_network(office.queue, player, "1.1.1.1")
    match_id = office.open(ADA, BEN, Chair())
    record_shared_network(office.queue, office.match(match_id))
    delete_network(office.queue, "ben")
    assert players_sharing_networks(office.queue, office.match(match_id)) == {"ada", "ben"}
    office.do(match_id, lambda match, _: lobby.leave_seat(match, "ben", 1), "ben")
    assert players_sharing_networks(office.queue, office.match(match_id)) == set()


def test_what_0_4_0_recorded_about_a_match_leaves_all_its_players_out(office: Office) -> None:
    players, match_id = open_for(office, 3)
    office.queue.set(f"shared-network:{match_id}", "1")
    play_to_end(office, match_id, players)
    assert office.match(match_id).unrated == "one_address"


def open_for(office: Office, seats: int, game: str = "qin") -> tuple[list[str], str]:
    """New players, and the id of a match between them."""
    players = [f"p{n}" for n in range(seats)]
    chairs = [Chair(player=player) for player in players]
    return players, office.open(*chairs, game=game, host=players[0])


def play_to_end(office: Office, match_id: str, players: list[str]) -> None:
    """Let each of these players make a move, and all but the last resign then."""
    office.work()
    while {*players} - {point.player for point in office.match(match_id).line if point.move}:
        match = office.match(match_id)
        if match.status != "active":
            break
        chair = match.chairs[match.seats_to_move[0]]
        _make_first_move(office, match_id, chair.player or "")
        office.work()
    for player in players[:-1]:
        resign(office, match_id, player)
    office.work()


def resign(office: Office, match_id: str, player: str) -> None:
    if office.match(match_id).status == "active":
        office.do(match_id, lambda match, now: playing.resign(match, player, now), player)


def rated_players(office: Office, match_id: str) -> list[str]:
    """The competitors whose ratings a match changed."""
    match = office.match(match_id)
    entries = office.annals.store.read(match_id)
    events = [one for entry in entries for one in read_events(match.game, entry.events)]
    changes = [change for one in events if isinstance(one, Rated) for change in one.changes]
    return sorted(change.competitor for change in changes)


def test_a_win_beyond_the_daily_limit_is_recorded_once(office: Office) -> None:
    for n in range(6):
        match_id = office.open(ADA, BEN, options={"first_player": "seat:1"})
        _make_first_move(office, match_id, "ben")
        office.do(match_id, lambda match, now: playing.resign(match, "ben", now), "ben")
        office.work()
        office.work()
        assert office.kinds(match_id)[-1] == ("Rated" if n < 4 else "Unrated")
    assert office.match(match_id).unrated == "repeated"


def test_an_unrated_match_changes_no_rating(office: Office) -> None:
    match_id = office.open(WEAK, Chair(bot="sun_bin"), seed_given=True)
    office.work()
    assert office.kinds(match_id)[-1] == "Scored"
    assert not office.queue.exists("{ratings:qin}:now")


def _make_first_move(office: Office, match_id: str, actor: str = "ada") -> None:
    """Make the first legal move."""
    match = office.match(match_id)
    move = legal_moves(match.game, match.state, match.seats_to_move[0])[0]
    office.do(match_id, lambda match, now: playing.move(match, move, now), actor)


@match_jobs.measure
def breaks(match_id: str, version: int) -> None:
    raise ValueError(match_id)


def test_a_failed_job_is_counted_and_raised() -> None:
    before = counts("annals_job_failures_total"), counts("annals_job_seconds_count")
    with pytest.raises(match_jobs.JobFailed, match="breaks"):
        breaks("m", 1)
    after = counts("annals_job_failures_total"), counts("annals_job_seconds_count")
    assert after == (before[0] + 1, before[1] + 1)


def counts(name: str) -> float:
    return REGISTRY.get_sample_value(name, {"kind": "breaks"}) or 0
