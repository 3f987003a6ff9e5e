"""Each commit that recorded stores reads those of all earlier ones, and no store is misread by a
commit that is older than it: the table in docs/upgrading.md.
"""

from __future__ import annotations

import io
import shutil
import tarfile
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.stored.record import ARCHIVE, BACKUP, LOG, ORIGIN, STORED
from tests.support.documented import DOCS, check_file, with_table
from tests.support.whole_service import ROOT
from tests.test_upgrades import SETTINGS, header_of
from tests.test_upgrades_of_old_code import Program, git

pytestmark = pytest.mark.long
PAGE = DOCS / "upgrading.md"
VERSIONS = sorted(
    (file.parent for file in STORED.glob(f"*/{BACKUP}")),
    key=lambda folder: header_of(folder / BACKUP).at,
)
"""The folders of the recorded stores, the oldest first."""
NOW = "this version"
HEADER = "| the store of | is read by | is refused by |"
REFUSALS = ("this older release cannot read it", "use Annals", "later commit")
READ, REFUSED = "read", "refused"


def check_out(folder: Path, version: Path) -> Path:
    """The code of the commit that recorded the stores of a version."""
    [*_, commit] = git("log", "--diff-filter=A", "--format=%H", "--", str(version / BACKUP)).split()
    with tarfile.open(fileobj=io.BytesIO(git("archive", commit.decode()))) as archive:
        archive.extractall(folder / version.name, filter="data")
    return folder / version.name


def read_store(code: Path, version: Path, data: Path) -> str:
    """What a commit does with a recorded store: it finds no fault in all of it, or it refuses it in
    words.
    """
    for name in (LOG, ARCHIVE):
        shutil.copytree(version / name, data / name)
    program = Program(code, {**SETTINGS, "ANNALS_DATA": str(data), "ANNALS_TLOG_ORIGIN": ORIGIN})
    said = program.run("restore", str(version / BACKUP), codes=(0, 1))
    if ", 0 faults found." in said:
        assert program.run("verify", "--all").endswith(" 0 faults found.\n")
        return READ
    [sentence] = said.splitlines()[-1:]
    assert any(one in sentence for one in REFUSALS), said
    return REFUSED


def describe_row(version: Path, found: Sequence[str]) -> str:
    """The row of a stored version, by what each commit does with it."""
    names = [*(one.name for one in VERSIONS), NOW]
    cells = [
        ", ".join(name for name, what in zip(names, found, strict=True) if what == wanted)
        for wanted in (READ, REFUSED)
    ]
    return f"| {version.name} | {cells[0] if cells[1] else 'all of them'} | {cells[1] or 'none'} |"


def test_the_table_of_versions_and_commits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, update_tables: bool
) -> None:
    """A shallow clone does not have the commits: there, only this version reads the stores."""
    is_whole = git("rev-parse", "--is-shallow-repository").strip() == b"false"
    monkeypatch.delenv("REDIS_URL", raising=False)
    codes = [*(check_out(tmp_path, version) for version in VERSIONS if is_whole), ROOT]
    rows = []
    for age, version in enumerate(VERSIONS):
        found = [
            read_store(code, version, tmp_path / f"{version.name} by {number}")
            for number, code in enumerate(codes)
        ]
        assert set(found[min(age, len(found) - 1) :]) == {READ}, f"{version.name}: {found}"
        rows += [describe_row(version, found)] if is_whole else []
    if is_whole:
        check_file(PAGE, with_table(PAGE.read_text(), HEADER, rows), update_tables)
