"""The place of backups keeps those that it should, and no unfinished ones."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

from service.runtime.errors import StoreUnavailable
from service.runtime.settings import BadSetting
from service.store.archive.targets import FolderTarget, FsspecTarget
from tests.support.killing import killing, run_in_child
from workers.host.errors import CannotRun
from workers.tools.store.backup_place import (
    DAY_MS,
    FAULTY,
    BackupName,
    BackupPlace,
    choose_kept,
    open_place,
    parse_name,
)
from workers.tools.store.scheduled_backup import describe

HOUR_MS = DAY_MS // 24
NOON = 1_700_049_600_000
"""2023-11-15T12:00:00Z."""
OURS, OTHER = "0a1b2c3d", "99999999"


@pytest.fixture
def place(tmp_path: Path) -> Path:
    (folder := tmp_path / "place").mkdir()
    return folder


def at(hours: int, entries: int = 10, store: str = OURS, kind: str = "backup") -> BackupName:
    return BackupName(store, NOON + hours * HOUR_MS, entries, kind)


def put(place: Path, *names: object) -> None:
    for name in names:
        (place / str(name)).parent.mkdir(exist_ok=True)
        (place / str(name)).touch()


def files(place: Path) -> set[str]:
    return {str(one.relative_to(place)) for one in place.rglob("*") if one.is_file()}


def test_those_to_keep_are_the_newest_and_one_of_each_day_and_week() -> None:
    hourly = range(NOON - 60 * DAY_MS, NOON + 1, HOUR_MS)
    kept = sorted(choose_kept(hourly, 3))
    ages = [(NOON - at) // HOUR_MS for at in kept]
    assert len(kept) <= 9
    assert ages[-3:] == [2, 1, 0]
    assert {at // DAY_MS for at in kept} >= {NOON // DAY_MS - n for n in range(3)}
    assert len({at // (7 * DAY_MS) for at in kept}) == 3
    assert sorted(choose_kept(kept, 3)) == kept, "what was kept stays"


def test_a_name_says_what_the_backup_is() -> None:
    assert str(at(0)) == "annals-0a1b2c3d-20231115T120000Z-10.backup"
    assert parse_name(str(at(0, kind=FAULTY))) == at(0, kind=FAULTY)
    assert parse_name("annals-by-hand.backup") is None
    assert parse_name("annals-0a1b2c3d-20261131T000000Z-10.backup") is None, "no such day"


def test_only_own_files_of_this_store_are_deleted(place: Path) -> None:
    mine = {
        "by-hand", "annals-0a1b2c3d-20261131T000000Z-10.backup", f"{at(-9)}.gpg",
        f"pinned/{at(-3)}", f".{at(-3, store=OTHER)}.new", str(at(-9, store=OTHER)),
    }  # fmt: skip
    put(place, *mine, at(-3), at(-2, kind=FAULTY), at(0), f".{at(-1)}.new")
    here = BackupPlace(FolderTarget(place))
    here.delete_unfinished(OURS)
    here.prune(at(0), 1)
    assert files(place) == {*mine, str(at(0))}


def test_the_new_one_later_ones_and_larger_ones_stay(place: Path) -> None:
    later = [at(1000 * days) for days in range(1, 9)]
    put(place, at(-2), at(-1, entries=11), at(0), *later)
    here = BackupPlace(FolderTarget(place))
    here.prune(at(0), 1)
    assert files(place) == set(map(str, (at(-1, entries=11), at(0), *later)))
    assert f"{at(-1, entries=11)} has more entries" in here.describe_loss(at(0))


def test_faulty_ones_are_kept_as_long_as_good_ones_and_replace_none_of_them(place: Path) -> None:
    good, faulty = [at(-9), at(-8)], [at(hours, kind=FAULTY) for hours in (-2, -1, 0)]
    put(place, at(-10), *good, *faulty)
    here = BackupPlace(FolderTarget(place))
    here.prune(faulty[-1], 2)
    assert files(place) == set(map(str, (*good, *faulty[1:])))
    put(place, at(1))
    here.prune(at(1), 2)
    assert files(place) == set(map(str, (good[1], at(1)))), "a good one replaces the faulty ones"


@pytest.mark.parametrize("scheme", ["", "://", "file://", "local://"])
def test_a_folder_that_does_not_exist_is_not_created(tmp_path: Path, scheme: str) -> None:
    """On an unmounted disk it would fill the disk of the system."""
    with pytest.raises(CannotRun, match="create it, or mount its disk"):
        open_place(f"{scheme}{tmp_path / 'missing'}")
    open_place(f"{scheme}{tmp_path}").store(Path(__file__), "here")
    assert files(tmp_path) == {"here"}


@pytest.mark.parametrize("location", ["://", "file://", "local://"])
def test_a_url_that_names_no_folder_is_refused(location: str) -> None:
    with pytest.raises(BadSetting, match="ANNALS_BACKUP names no folder"):
        open_place(location)


def test_a_location_that_is_new_has_no_files() -> None:
    assert FsspecTarget("memory://never-written").names() == []
    open_place("memory://never-written").delete_unfinished(OURS)


@pytest.mark.parametrize("overwritten", [False, True])
def test_a_copy_that_is_killed_has_no_name(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, overwritten: bool
) -> None:
    """Also where a file system shows a file while it is written."""
    (source := tmp_path / "source").write_bytes(b"all of it")
    target = FsspecTarget(f"local://{place}")

    def put_file(_: str, path: str) -> None:
        Path(path).write_bytes(b"all")

    def work() -> None:
        monkeypatch.setattr(target._files, "put_file", put_file)
        killing(monkeypatch, target._files, "put_file", True, 1)
        target.copy_in("packs/a.pack", source)

    if overwritten:
        target.write("packs/a.pack", b"as it was")
    run_in_child(work)
    assert target.has("packs/a.pack") == overwritten
    target.copy_in("packs/a.pack", source)
    assert target.read("packs/a.pack") == b"all of it"
    assert files(place) == {"packs/a.pack"}


def test_a_place_that_is_full_is_named_and_gets_no_part(place: Path, tmp_path: Path) -> None:
    (source := tmp_path / "source").write_bytes(b"all of it")

    def work() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (3, 3))
        with pytest.raises(OSError, match="File too large") as failed:
            BackupPlace(FolderTarget(place)).store(source, "next")
        assert describe(failed.value) == f"{place / 'next'}: File too large."

    assert run_in_child(work) == 0
    assert files(place) == set()


def test_a_copy_with_other_bytes_is_deleted(place: Path, tmp_path: Path) -> None:
    (source := tmp_path / "source").write_bytes(b"all of it")

    class Cutting(FolderTarget):
        def copy_in(self, file: str, source: Path) -> None:
            self.write(file, source.read_bytes()[:3])

    with pytest.raises(StoreUnavailable, match="does not have the bytes"):
        BackupPlace(Cutting(place)).store_missing(source, "packs/a.pack")
    assert files(place) == set()
