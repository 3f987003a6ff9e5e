"""Whether the service can write at the places outside its data that settings name."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from service.admin.data_folder import cure_unwritable, describe_unwritable, find_write_error
from service.admin.setting_rows import hide_secrets
from service.runtime.config.checks import OFF
from service.runtime.config.fields import SETTINGS
from service.runtime.errors import StoreUnavailable
from service.runtime.settings import Settings
from service.store.archive.targets import FolderTarget, Target, open_target

WRITTEN = ("backup", "archive", "export", "tlog")
"""The settings, by field, that name a place at which the service writes."""
MUST_EXIST = ("backup",)
"""Those whose folder the service does not create: its disk may not be mounted."""


class PlaceFault(NamedTuple):
    """Why nothing can be written at a place, and the cure; both fit into one sentence."""

    text: str
    cure: str


def find_place_faults(settings: Settings) -> Iterator[PlaceFault]:
    """Yield what is wrong with the folders that settings name. Raises BadSetting."""
    for field, name, target in _places(settings):
        if isinstance(target, FolderTarget):
            yield from _folder_faults(name, target.path, must_exist=field in MUST_EXIST)


def find_unreachable_places(settings: Settings) -> Iterator[PlaceFault]:
    """Yield which places do not answer that are URLs; that can take long. Raises BadSetting."""
    for field, name, target in _places(settings):
        if isinstance(target, FolderTarget):
            continue
        try:
            target.names()
        except StoreUnavailable as error:
            where = hide_secrets(getattr(settings, field))
            cause = str(error.__cause__).partition("\n")[0].rstrip(".")
            yield PlaceFault(
                f"{name}: {where} does not answer ({hide_secrets(cause)})",
                f"mend the network, or the name and key of the place, or change {name}.",
            )


def _places(settings: Settings) -> Iterator[tuple[str, str, Target]]:
    """Yield the places at which the service writes: field, name of the setting, target."""
    for field in WRITTEN:
        location, name = getattr(settings, field), SETTINGS[field].name
        is_used = settings.archive_days if field == "archive" else location != OFF
        if location and is_used:
            yield field, name, open_target(location, name)


def _folder_faults(name: str, folder: Path, *, must_exist: bool) -> Iterator[PlaceFault]:
    """Yield what is wrong with a folder, or with the one in which it has to be created."""
    nearest = next(one for one in (folder, *folder.parents) if one.exists())
    other = f"choose another folder with {name}."
    if not nearest.is_dir():
        yield PlaceFault(f"{name}: {nearest} is no folder", f"move that file away, or {other}")
    elif folder != nearest and must_exist:
        cure = f"create it, mount its disk, or {other}"
        yield PlaceFault(f"{name}: {folder} does not exist", cure)
    elif error := find_write_error(nearest):
        text = f"{name}: {describe_unwritable(nearest, error)}"
        if folder == nearest:
            yield PlaceFault(text, cure_unwritable(folder, error, name))
        else:
            made = f"sudo install -d -o {os.getuid()} {folder}"
            yield PlaceFault(f"{text}, so {folder} can't be created", f"run `{made}`, or {other}")
