"""Reasons why the log does not grow."""

from __future__ import annotations


class LogInconsistent(Exception):
    """Signing could contradict an earlier signature, or hide that the event store lost data.

    The message is one sentence that says what to do.
    """


class LogBusy(LogInconsistent):
    """Another process has locked the folder of the log."""
