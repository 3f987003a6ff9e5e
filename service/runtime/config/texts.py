"""The texts of the files with settings. A process and its forks read each file once, so that
an edit counts for all of them from the next start or reload, and for none before.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from service.runtime.config.record import BadSetting

MAX_CHARS = 1_000_000
"""A file that ends is read whole; one that does not, such as `/dev/zero`, is refused."""
_TEXTS: dict[str, str] = {}
"""What has been read, by path; empty for files that need not exist."""


def absolute_path(named: str) -> Path:
    """Return the whole path of a file or folder as an operator names it, such as `~/annals`. Raises
    BadSetting if there is no such home folder.
    """
    try:
        return Path(named).expanduser().absolute()
    except RuntimeError:
        raise BadSetting(f"{named} is in a home folder that does not exist.") from None


def read_once(path: Path, must_exist: bool) -> str:
    """Return the text of a file; empty if it need not exist. Raises BadSetting."""
    if str(path) not in _TEXTS:
        _TEXTS[str(path)] = _read(path, must_exist)
    return _TEXTS[str(path)]


def encode_texts() -> bytes:
    """Return all texts that this process has read, secrets included, in one line."""
    return msgspec.json.encode(_TEXTS)


def keep_texts(encoded: bytes) -> None:
    """Take the texts that another process has read, instead of reading these files."""
    _TEXTS.update(msgspec.json.decode(encoded, type=dict[str, str]))


def _read(path: Path, must_exist: bool) -> str:
    try:
        # Some editors of Windows begin a text with a byte order mark.
        with path.open(encoding="utf-8-sig", newline="") as file:
            text = file.read(MAX_CHARS + 1)
    except OSError as error:
        # Nothing may start without the settings behind a link that leads nowhere.
        is_missing = isinstance(error, FileNotFoundError | NotADirectoryError)
        if is_missing and not (must_exist or path.is_symlink()):
            return ""
        denied = isinstance(error, PermissionError)
        cure = ": run Annals as its owner, or let this user read it" if denied else ""
        raise BadSetting(f"Cannot read {path} ({error.strerror}){cure}.") from None
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        raise BadSetting(f"{path} is not a text in UTF-8.")
    if len(text) > MAX_CHARS:
        raise BadSetting(f"{path} is too large for settings.")
    return text
