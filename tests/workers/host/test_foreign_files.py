"""Files of the data that another user has made are named at the start, with the cure."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workers.host.errors import CannotRun
from workers.host.folder_lock import NEEDED, find_foreign, refuse_foreign


@pytest.mark.parametrize("name", ["", *NEEDED, "redis/appendonlydir/part", "tlog/state", "log/web"])
def test_a_file_of_another_user_is_refused_with_its_cure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """Root may write everything, so the right of one file is taken away here."""
    for folder in NEEDED:
        (tmp_path / folder).mkdir(parents=True, exist_ok=True)
    path = tmp_path / name
    if not path.is_dir():
        path.touch()
    assert find_foreign(tmp_path) is None
    monkeypatch.setattr("os.access", lambda asked, _: asked != path)
    with pytest.raises(CannotRun) as refused:
        refuse_foreign(tmp_path)
    assert str(refused.value) == (
        f"This user can't read and write {path}. Run Annals as the owner of {tmp_path}, or give it"
        f" to this user: chown -R {os.getuid()} {tmp_path}"
    )


def test_settings_may_belong_to_another_user(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = tmp_path / "annals.conf"
    config.touch()
    monkeypatch.setattr("os.access", lambda asked, _: asked != config)
    assert find_foreign(tmp_path) is None
