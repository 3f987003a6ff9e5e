"""Files are written so that no other user can read a secret, or choose what is overwritten."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.runtime import atomic_write
from service.runtime.atomic_write import PRIVATE_MODE, PUBLIC_MODE, copy_durably, write_durably


@pytest.fixture
def open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


@pytest.mark.parametrize("mode", [PRIVATE_MODE, PUBLIC_MODE])
def test_a_file_never_has_more_rights_than_it_gets(
    mode: int, tmp_path: Path, open_umask: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, set_mode = list[int](), os.fchmod

    def note(file: int, wanted: int) -> None:
        before.append(stat.S_IMODE(os.fstat(file).st_mode))
        set_mode(file, wanted)

    monkeypatch.setattr(atomic_write.os, "fchmod", note)
    write_durably(tmp_path / "file", b"secret", mode)
    assert before == [mode]
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == mode


def test_a_link_in_the_place_of_the_new_file_is_not_followed(tmp_path: Path) -> None:
    (source := tmp_path / "source").write_bytes(b"new")
    (other := tmp_path / "other").write_bytes(b"precious")
    (tmp_path / atomic_write.temporary_name("file")).symlink_to(other)
    with pytest.raises(OSError, match="file"):
        copy_durably(source, tmp_path / "file", PRIVATE_MODE)
    assert other.read_bytes() == b"precious"
    copy_durably(source, tmp_path / "file", PRIVATE_MODE)  # the link is gone
    assert (tmp_path / "file").read_bytes() == b"new"
