"""Commands that read many matches go on at a damaged one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from structlog.testing import capture_logs

from service.accounts.players import Player
from service.channels.account_deletion import LEFT_UNTIL_THE_END, delete_account, remaining_data
from service.matches.container import Annals
from tests.projections.recorded import RecordedMatch, fold_all
from tests.support.archived import annals, in_archive, run_command, settings
from tests.support.damage import damage, put_nonsense, rewrite
from workers.cli import LAZY_COMMANDS
from workers.tools.store.backup import write_backup

__all__ = ["annals", "settings"]
DAMAGED, SOUND = "a-damaged", "b-sound"
"""Two finished matches of Ann; the damaged one comes first in lists."""
OTHERS = {
    "accept-loss", "arena", "calibrate", "config", "corpus", "demo", "discord", "doctor", "draw",
    "new-game", "replay", "sample", "show", "sql", "tlog",
}  # fmt: skip
"""Commands that read no match, one that they name, or matches that they have played; the check of
the log is a part of `verify`.
"""
Run = Callable[[Annals, Player, Path], Result]
DAMAGES: dict[str, Callable[[Annals], None]] = {
    "corrupt": lambda annals: damage(annals.store, DAMAGED, 2),
    "missing": lambda annals: rewrite(annals.store, DAMAGED, 2, lambda _: None),
    "unreadable": lambda annals: put_nonsense(annals.store, DAMAGED, 2),
}


def archive(annals: Annals, ann: Player, folder: Path) -> Result:
    result = run_command("archive", "--days", "0")
    assert SOUND in in_archive(annals.store)
    return result


def ban(annals: Annals, ann: Player, folder: Path) -> Result:
    result = run_command("admin", "ban", ann.id, "--reason", "Swears", "--yes")
    assert annals.matches.latest("c-running").chairs[0].resigned
    return result


def back_up(annals: Annals, ann: Player, folder: Path) -> Result:
    result = run_command("backup", folder / "b")
    assert run_command("backup", "--check", folder / "b").exit_code == 0
    return result


def erase(annals: Annals, ann: Player, folder: Path) -> Result:
    result = run_command("erase", ann.id, "--yes")
    assert annals.matches.latest("c-running").chairs[0].resigned
    assert remaining_data(annals, ann.id).keys() <= LEFT_UNTIL_THE_END
    return result


def export(annals: Annals, ann: Player, folder: Path) -> Result:
    result = run_command(
        "export", folder / "tables", "--format", "csv", "--processes", "1", "--private"
    )
    assert SOUND in "".join(one.read_text() for one in folder.rglob("*.csv"))
    return result


def rebuild(annals: Annals, ann: Player, folder: Path) -> Result:
    return run_command("rebuild")


def report(annals: Annals, ann: Player, folder: Path) -> Result:
    return run_command("report", "qin", "--out", folder / "page.html", "--processes", "1")


def restore(annals: Annals, ann: Player, folder: Path) -> Result:
    """A backup of before the player was erased: the restore erases them again."""
    write_backup(annals.store, folder / "b")
    with capture_logs():
        delete_account(annals, ann, wait_s=0)
    annals.store.redis.flushdb()
    result = run_command("restore", folder / "b")
    assert f"{ann.id} was erased before the restore" in result.output
    assert annals.players.by_name("Ann") is None
    return result


def upgrade(annals: Annals, ann: Player, folder: Path) -> Result:
    return run_command("upgrade", "--check")


def verify(annals: Annals, ann: Player, folder: Path) -> Result:
    return run_command("verify", "--all")


WHOLE: dict[str, tuple[Run, int, bool]] = {
    "archive": (archive, 0, True),
    "admin": (ban, 0, False),
    "backup": (back_up, 0, True),
    "erase": (erase, 0, False),
    "export": (export, 0, True),
    "rebuild": (rebuild, 0, True),
    "report": (report, 1, False),
    "restore": (restore, 1, True),
    "upgrade": (upgrade, 1, True),
    "verify": (verify, 1, True),
}
"""Commands that read many matches: how to run them, how they end, and whether they name a match
that is damaged.
"""


def test_each_command_is_here() -> None:
    assert WHOLE.keys() | OTHERS == LAZY_COMMANDS.keys()


@pytest.fixture
def ann(annals: Annals) -> Player:
    """A player with matches."""
    ann, _ = annals.players.register("Ann", 0)
    for match in (DAMAGED, SOUND):
        RecordedMatch(annals.store, f"{ann.id} bob", match=match).play_out().settle()
        annals.store.redis.set(f"shared-network:{match}", f"{ann.id} bob")
    RecordedMatch(annals.store, f"{ann.id} bob cid", match="c-running").play(2)
    fold_all(annals.store)
    return ann


@pytest.mark.parametrize(
    ("command", "kind"),
    [
        pytest.param(command, kind, marks=[pytest.mark.long] * (place % len(DAMAGES) != turn))
        for place, command in enumerate(WHOLE)
        for turn, kind in enumerate(DAMAGES)
    ],
)
def test_a_command_goes_on_at_a_damaged_match(
    annals: Annals, ann: Player, tmp_path: Path, command: str, kind: str
) -> None:
    run, code, names = WHOLE[command]
    DAMAGES[kind](annals)
    with capture_logs():
        result = run(annals, ann, tmp_path)
    assert result.exit_code == code, result.output
    if names and (kind, command) != ("unreadable", "backup"):  # a backup only copies it
        assert f"{DAMAGED}: " in result.output


@pytest.mark.parametrize("kind", DAMAGES)
def test_an_account_is_deleted_although_a_match_is_damaged(
    annals: Annals, ann: Player, kind: str
) -> None:
    """Nor does its network stay: without the entry, no rating will need it."""
    DAMAGES[kind](annals)
    with capture_logs() as logs:
        delete_account(annals, ann, wait_s=0)
    assert annals.players.by_name("Ann") is None
    assert not annals.store.redis.keys("shared-network:*")
    assert [one["match"] for one in logs if one["event"] == "match_not_read"] == [DAMAGED]
