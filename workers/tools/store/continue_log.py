"""Lets the transparency log continue with a store that was restored or has lost entries."""

from __future__ import annotations

from service.runtime.settings import BadSetting, Settings
from service.store.event_store import EventStore
from service.tlog.errors import LogInconsistent
from service.tlog.folder import Folder
from service.tlog.signed_state import SignedStateStore
from service.tlog.state import load, save
from workers.processes.notary import open_signer


def continue_log(settings: Settings, store: EventStore) -> str:
    """Let the log read the feeds again from their start; return a sentence about the log, or empty
    if there is none.

    This contradicts no signature that this machine knows: the log keeps all its leaves, and the
    signer first compares the folder with the last signature in the store. If they disagree, the log
    signs nothing until the operator decides.
    """
    if settings.tlog_folder is None:
        return ""
    folder = Folder(settings.tlog_folder)
    try:
        state = load(folder.path)
        if state is None:
            return _describe_missing(folder, store)
        with folder.lock():
            save(folder.path, state.from_start())
            open_signer(settings, folder, store)
            folder.set_stop_reason(None)
    except (LogInconsistent, BadSetting) as reason:
        return f"The transparency log signs nothing: {reason}"
    return f"The transparency log continues and keeps its {state.size} leaves."


def _describe_missing(folder: Folder, store: EventStore) -> str:
    """Return a sentence about a log that the store knows and the folder does not have; empty if it
    has no leaf yet, since another can start in its place.
    """
    signed = SignedStateStore(store).latest()
    if signed is None or not signed.size:
        return ""
    return (
        f"The transparency log {signed.origin} with {signed.size} leaves is not in {folder.path}:"
        " copy its folder there and run `annals tlog resume` before you start the service, or start"
        " another log with `annals tlog restart`."
    )
