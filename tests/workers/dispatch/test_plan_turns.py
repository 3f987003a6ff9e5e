"""Work for plans is handed out a little at a time: networks get the same, and none is lost."""

from __future__ import annotations

from rq import Queue

from domain.match.decisions import absence, proposals
from domain.match.decisions.absence import DAY_MS
from service.accounts.client_networks import store_network
from service.store.planning.plans import Plan, Plans
from tests.workers.office import ADA, BEN, Office
from workers.dispatch.due_work import Dispatcher
from workers.dispatch.payers import Payers
from workers.dispatch.plan_turns import MAX_PER_NETWORK, MAX_QUEUED, PERIOD_S

TABLES = 12


def plan(office: Office, host: str) -> str:
    """A plan at a new table of a host, which a worker has to look at."""
    match = office.open(ADA, BEN, host=host)
    Plans(office.annals.store).change(match, "ada", lambda _: Plan(True), office.now)
    return match


def take_all(office: Office) -> list[str]:
    """The matches of the waiting jobs, which are taken out and never done."""
    queue = Queue("plans", connection=office.queue)
    found = [name.split("-")[1] for name in queue.job_ids]
    office.queue.delete(queue.key)
    return found


def test_networks_get_the_same_of_each_period_and_no_plan_is_lost(office: Office) -> None:
    """One network has all tables but one, whose plan comes in the first period."""
    passed = 0.0
    hands = Dispatcher(
        office.annals.settings, office.annals.store, office.queue, clock=lambda: passed
    )
    for host in "cid", "dan":
        store_network(office.queue, host, "192.0.2.7")
    store_network(office.queue, "eve", "192.0.2.8")
    flood = [plan(office, host) for host in ["cid", "dan"] * (TABLES // 2)]
    mine = plan(office, "eve")
    periods = list[list[str]]()
    while sum(map(len, periods)) <= TABLES:
        hands.scan(office.now)
        assert len(Queue("plans", connection=office.queue)) <= MAX_QUEUED
        periods.append(take_all(office))
        assert hands.scan(office.now) == 0, "a network gets no more in one period"
        assert (hands.max_wait_s <= PERIOD_S) == (sum(map(len, periods)) <= TABLES)
        passed += PERIOD_S
    assert mine in periods[0]
    assert sorted(match for some in periods for match in some) == sorted([*flood, mine])
    assert {len([one for one in some if one != mine]) for some in periods} == {MAX_PER_NETWORK}


def test_plans_wait_in_the_index_while_the_queue_is_full(office: Office) -> None:
    for number in range(TABLES):
        store_network(office.queue, f"u{number}", f"192.0.{number}.1")
        plan(office, f"u{number}")
    passed = 0.0
    hands = Dispatcher(
        office.annals.settings, office.annals.store, office.queue, clock=lambda: passed
    )
    for _ in range(3):
        hands.scan(office.now)
        passed += PERIOD_S
        assert len(Queue("plans", connection=office.queue)) == MAX_QUEUED


def test_a_plan_that_changes_again_and_again_waits_once(office: Office) -> None:
    hands = Dispatcher(office.annals.settings, office.annals.store, office.queue, clock=lambda: 0.0)
    match, plans = plan(office, "cid"), Plans(office.annals.store)
    for later in range(5):
        plans.change(match, "ada", lambda _: Plan(True), office.now - later)
        hands.scan(office.now)
    assert take_all(office) == [match]


def test_the_new_host_pays_once_a_player_has_replaced_the_first(office: Office) -> None:
    match = office.open(ADA, BEN, patience_ms=DAY_MS, options={"first_player": "seat:0"})
    payers = Payers(office.annals.store, max_entries=10)
    assert payers.of_match(match).owner == "ada"
    office.pass_time(DAY_MS)
    office.do(match, absence.end_patience, "system")
    office.do(match, lambda now, at: proposals.propose(now, "ben", "replacement", at), "ben")
    office.do(match, lambda now, _: absence.replace_player(now, "cid", 0), "cid")
    assert payers.of_match(match).owner == office.match(match).host == "ben"
