"""Which tests run, and the Redis of each worker."""

from __future__ import annotations

import gc
import os
import signal
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import cache
from pathlib import Path

import pytest
from redis import Redis

from domain.games import GAMES
from tests.support.clean_settings import forget_settings
from tests.support.examples import pytest_configure as pytest_configure
from tests.support.hanging import pytest_exception_interact as pytest_exception_interact
from tests.support.hanging import pytest_runtest_setup as pytest_runtest_setup
from tests.support.hanging import pytest_sessionfinish as pytest_sessionfinish
from tests.support.loops import pytest_runtest_teardown as pytest_runtest_teardown
from tests.support.packages import libraries as libraries
from tests.support.packages import wheel as wheel
from tests.support.plain_logs import errors_are_logged_plainly as errors_are_logged_plainly
from tests.support.scheduling import pytest_collection_finish as pytest_collection_finish
from tests.support.scheduling import pytest_xdist_make_scheduler as pytest_xdist_make_scheduler
from tests.support.warm_start import COVERAGE
from workers.host.redis.server import run_redis
from workers.jobs.hard_limit import HardLimit

forget_settings()
sys.dont_write_bytecode = False
"""As in the Makefile: without cached modules, each process compiles all tests and their assertions,
for 10 s of a processor.
"""
TESTS = Path(__file__).parent
WITH_FOLDER = (*GAMES, "toy")
"""The games that have a folder in tests/games/."""
NO_SKIPS = "NO_SKIPS"
LAST = "~"
"""Comes after the names of all groups."""
MAX_ID_LENGTH = 100
"""How much of a long text, such as a body beyond the limit, is in the id of its test; reports, the
environment and the names of processes have the id.
"""
COLLECTED_AFTER = 100_000
"""Number of new objects after which the garbage collector runs."""
SLOW = (
    "analysis/*.py",
    "bench/test_loads.py",
    "games/*/test_answers.py",
    "games/*/test_bot.py",
    "games/*/test_play.py",
    "games/*/test_play_outs.py",
    "games/*/test_properties.py",
    "games/*/test_render.py",
    "games/great_wall/test_mattering.py",
    "games/qin/test_views.py",
    "games/test_altered_positions.py",
    "games/tigris_euphrates/test_plainly.py",
    "match/test_length.py",
    "page/*.py",
    "projections/test_explorer.py",
    "projections/test_studies.py",
    "running/*.py",
    "service/api/test_archived.py",
    "service/api/test_bundles.py",
    "service/api/test_guide.py",
    "service/api/test_listeners.py",
    "service/api/test_names_in_caches.py",
    "service/api/test_pictures.py",
    "service/api/test_schemathesis.py",
    "service/api/test_streams_resume.py",
    "service/api/test_together.py",
    "service/api/test_visibility.py",
    "service/channels/discord/*.py",
    "service/channels/webhooks/*.py",
    "service/drawing/pictures/*.py",
    "service/front/*.py",
    "service/store/test_archived.py",
    "test_corruption.py",
    "test_hanging.py",
    "test_killed_masters.py",
    "test_left_out_cases.py",
    "test_loops.py",
    "test_receivers.py",
    "test_scheduling.py",
    "workers/dispatch/*.py",
    "workers/host/*.py",
    "workers/host/redis/*.py",
    "workers/jobs/*.py",
    "workers/processes/*.py",
    "workers/test_cli.py",
    "workers/tools/**/*.py",
)
"""Files with tests that search deeply, play whole games, draw or start processes."""
OF_NO_GAME = ("service/api/test_schemathesis.py", "workers/tools/report/*.py")
"""Files that a run for one game leaves out: the first imports much and has no case of a game, the
others first play all games.
"""
TOGETHER = {
    "failover": ("service/store/test_redis_client.py",),
    "forks": ("workers/host/test_forks.py",),
    "loads": ("bench/test_loads.py",),
    "pages a to n": ("page/test_[a-n]*.py",),
    "pages o to z": ("page/*.py",),
    "replicas": ("service/store/test_replicas.py",),
    "report": ("workers/tools/report/*.py",),
    "requests": ("service/api/test_schemathesis.py",),
    "running": ("running/*.py",),
}
"""Files whose tests share slow fixtures: those with one name run in one worker."""
WITHOUT_COVERAGE = (
    "discord/*.py",
    "games/*/test_bot.py",
    "games/*/test_play.py",
    "games/*/test_play_outs.py",
    "games/*/test_properties.py",
    "games/test_altered_positions.py",
    "games/test_any_input.py",
    "games/test_every_game.py",
    "games/test_pictures_on_a_telephone.py",
    "games/test_rules_versions.py",
    "match/test_walk.py",
    "page/test_accessible.py",
    "page/test_interruptions.py",
    "page/test_whole_matches.py",
    "running/test_examples.py",
    "running/test_hosting.py",
    "running/test_readme.py",
    "running/test_whole_matches.py",
    "service/api/test_every_game.py",
    "service/api/test_first_requests.py",
    "service/api/test_schemathesis.py",
    "service/api/test_visibility.py",
    "service/channels/discord/test_leaks.py",
    "service/front/test_connection.py",
    "service/front/test_fast_path.py",
    "service/live/test_change_streams.py",
    "test_backup_and_restore.py",
    "test_faults.py",
    "test_full_disk.py",
    "test_killed_masters.py",
    "test_kills_at_start.py",
    "test_logs.py",
    "test_wheel.py",
    "workers/host/redis/test_truncated_tail.py",
    "workers/processes/test_fair_service.py",
    "workers/processes/test_killed_senders.py",
    "workers/processes/test_lost_queue.py",
    "workers/tools/test_read_models.py",
)
"""Files with tests that repeat others, or test from outside: coverage would more than double their
time and find nothing new.
"""


pytest.register_assert_rewrite(
    *(f"tests.games.{path.stem}" for path in TESTS.glob("games/every_*.py"))
)
"""So that a failing check of every game shows what it compared."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--game", choices=WITH_FOLDER, help="the tests of this game alone")
    parser.addoption(
        "--quick", action="store_true", help="of the fast tests, the first and last case of each"
    )
    parser.addoption("--update-tables", action="store_true", help="write the tables of the docs")


def pytest_make_parametrize_id(val: object) -> str | None:
    """Shorten the id of a long text; others have the usual one."""
    if isinstance(val, str | bytes) and len(val) > MAX_ID_LENGTH:
        return f"{val[:MAX_ID_LENGTH]!r}..."
    return None


def pytest_xdist_setupnodes() -> None:
    """Let each worker measure its coverage only in its own way."""
    os.environ.pop(COVERAGE, None)


@pytest.hookimpl(tryfirst=True)
def pytest_sessionstart(session: pytest.Session) -> None:
    """Start coverage once: pytest-cov would start it a second time, and could pause only that.

    What coverage has measured so far is kept: the lines that ran during imports.
    """
    measuring = session.config.pluginmanager.getplugin("_cov")
    if "PYTEST_XDIST_WORKER" in os.environ and measuring and measuring.cov_controller:
        measuring.cov_controller.cov.stop()
        measuring.cov_controller.cov.save()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Measure no process that an unmeasured test starts, either."""
    measured = os.environ.get(COVERAGE)
    if measured and item.get_closest_marker("no_cover"):
        del os.environ[COVERAGE]
    try:
        return (yield)
    finally:
        if measured:
            os.environ[COVERAGE] = measured


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import what is left out anyway: if a game is named, the folders of others and the
    files of none, such as those that say nothing of games; of a cross-section, the files with slow
    tests.
    """
    named, unwanted = config.option.game, config.option.quick and collection_path in _find(SLOW)
    if named:
        of_game = collection_path.parent == TESTS / "games" and collection_path.name in WITH_FOLDER
        unwanted |= of_game and collection_path.name != named
        unwanted |= collection_path in _find(OF_NO_GAME)
        unwanted |= collection_path.match("test_*.py") and not speaks_of_games(collection_path)
    return True if unwanted else None


@pytest.hookimpl(wrapper=True)
def pytest_generate_tests(metafunc: pytest.Metafunc) -> Generator[None, object, object]:
    """Make no tests of cases that are left out anyway, a third of all: it takes as long to collect
    them as others. One stays to be left out, because pytest makes a test of a function without
    cases, too.
    """
    result = yield
    config, of_function = metafunc.config, metafunc.definition
    if config.option.markexpr or not metafunc._calls:
        return result
    left_out = {"long", "slow"} if config.option.quick else {"long"}
    is_left_out = not left_out.isdisjoint(mark.name for mark in of_function.iter_markers())
    cases = [
        case
        for case in metafunc._calls
        if not is_left_out and left_out.isdisjoint(mark.name for mark in case.marks)
        if not config.option.game or _is_about(of_function.path, case.id, config.option.game)
    ]
    if config.option.quick:
        cases = cases[:1] + cases[1:][-1:]
    metafunc._calls = cases or metafunc._calls[:1]
    return result


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out long tests unless `-m` asks for something, and other games if one is named.

    What takes longest comes first, so that no process is left with it at the end: the groups, and
    then the slow tests. The tests of a group follow one another also in a single process, so that
    what they share need not be kept for long.
    """
    for item in items:
        if " at 0x" in item.nodeid:  # a different one in each process, so that they do not share
            raise pytest.UsageError(f"{item.path}: give `ids`, a test is named by an address.")
        for mark in _marks_of(item.path):
            item.add_marker(mark)
        if group := _group_of(item.path):
            item.add_marker(pytest.mark.xdist_group(group))
    if game := config.option.game:
        _keep(config, items, lambda item: _is_of(item, game))
    if not config.option.markexpr:
        _keep(config, items, lambda item: not item.get_closest_marker("long"))
    if config.option.quick:
        _keep(config, items, lambda item: not item.get_closest_marker("slow"))
        ends = {place for case in _by_function(items) for place in (case[0], case[-1])}
        _keep(config, items, ends.__contains__)
    items.sort(key=_order)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Let the garbage collector rest meanwhile, later pass over the tests themselves, and run less
    often: a fifth of the time of the collection, and a tenth of that of the tests.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(COLLECTED_AFTER, 20, 20)
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Fail instead of skipping if the environment has NO_SKIPS, as in CI: there, all that a test
    needs must be installed.
    """
    report = yield
    if report.skipped and NO_SKIPS in os.environ:
        report.outcome = "failed"
    return report


@cache
def _marks_of(path: Path) -> tuple[str, ...]:
    marked = {"slow": SLOW, "no_cover": WITHOUT_COVERAGE}
    return tuple(mark for mark, files in marked.items() if path in _find(files))


@cache
def _group_of(path: Path) -> str | None:
    return next((name for name, files in TOGETHER.items() if path in _find(files)), None)


def _order(item: pytest.Item) -> tuple[bool, bool, str]:
    marks = {mark.name: mark for mark in reversed(tuple(item.iter_markers()))}  # the closest counts
    group = None if (of_files := _group_of(item.path)) else marks.get("xdist_group")
    return not of_files, "slow" not in marks, group.args[0] if group else LAST


def speaks_of_games(path: Path) -> bool:
    """Whether a file may have cases of games: it then imports from a folder of games, at least."""
    return TESTS / "games" in path.parents or b"game" in path.read_bytes().lower()


@cache
def _find(files: tuple[str, ...]) -> frozenset[Path]:
    return frozenset(path for pattern in files for path in TESTS.glob(pattern))


def _is_of(item: pytest.Item, game: str) -> bool:
    """Whether a test is in the folder of this game, or is a test of all games with its id."""
    called = getattr(item, "callspec", None)
    return _is_about(item.path, called.id if called else "", game)


def _is_about(path: Path, case: str, game: str) -> bool:
    """Whether a case of a test in this file is one of this game."""
    return TESTS / "games" / game in path.parents or game in case.split("-")


def _keep(
    config: pytest.Config, items: list[pytest.Item], wanted: Callable[[pytest.Item], bool]
) -> None:
    judged = [(item, wanted(item)) for item in items]
    config.hook.pytest_deselected(items=[item for item, is_wanted in judged if not is_wanted])
    items[:] = [item for item, is_wanted in judged if is_wanted]


def _by_function(items: list[pytest.Item]) -> Iterable[list[pytest.Item]]:
    """The cases of each test function."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    return cases.values()


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One more than there are cores: many slow tests wait for processes, or for a browser. Each
    process collects all tests, which takes seconds, so that a part of the tests is faster with as
    many as there are cores.
    """
    is_part = config.option.quick or config.option.game
    return (os.cpu_count() or 1) + (0 if is_part else 1)


@pytest.fixture(scope="session", autouse=True)
def no_clock_ends_what_runs_tests() -> Iterator[None]:
    """A job that a test runs in its own process may take as long as the machine needs: the timeout
    of a worker would end the process, and all its tests.
    """

    def listen(limit: HardLimit) -> None:
        signal.signal(signal.SIGALRM, limit.handle_death_penalty)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(HardLimit, "setup_death_penalty", listen)
        yield


@pytest.fixture
def update_tables(request: pytest.FixtureRequest) -> bool:
    """Whether to write the tables of the docs that follow from records."""
    return bool(request.config.option.update_tables)


@pytest.fixture(scope="session")
def redis_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A real Redis for this worker; it need not survive a power cut."""
    with run_redis(tmp_path_factory.mktemp("redis"), fsync="no") as url:
        yield url


@pytest.fixture
def redis_client(redis_url: str) -> Iterator[Redis]:
    """The Redis of this worker, empty."""
    with Redis.from_url(redis_url, driver_info=None) as client:
        client.flushdb()
        yield client
