"""The steps of a check: their outcomes, and how a step reads the texts of a bundle."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from domain.audit.bundle import Bundle
from domain.audit.errors import Unproven
from domain.audit.open_commitments import TextFields, read_text
from domain.engine.errors import Refusal
from domain.match.events import Aborted, Created, Scored
from domain.match.log import CorruptEntry
from domain.match.state import MatchEvent

Outcome = Literal["ok", "wrong", "open"]
"""The outcome of a step; "open" if it could not be checked, or not yet."""

_DATA_ERRORS = (ArithmeticError, AttributeError, LookupError, TypeError, ValueError)


class CheckStep(NamedTuple):
    """A step in the check of a bundle."""

    name: str
    outcome: Outcome
    message: str
    version: int | None = None  # the first wrong one


class End(NamedTuple):
    """The end of a match: its version, and the seed that it reveals, in hexadecimal."""

    version: int
    seed: Any


class WrongVersion(Exception):
    """A version is wrong; the message says why."""

    def __init__(self, version: int, reason: str) -> None:
        super().__init__(reason)
        self.version = version


class NotCheckable(Exception):
    """A step cannot be checked; the message says why."""


def run_step(name: str, step: Callable[[], str]) -> CheckStep:
    """Run a step, and return what it returned or raised."""
    try:
        return CheckStep(name, "ok", step())
    except NotCheckable as reason:
        return CheckStep(name, "open", str(reason))
    except WrongVersion as wrong:
        return CheckStep(name, "wrong", f"version {wrong.version}: {wrong}", wrong.version)
    except (Unproven, CorruptEntry) as reason:
        return CheckStep(name, "wrong", str(reason))
    except (Refusal, *_DATA_ERRORS) as error:
        return CheckStep(name, "wrong", f"this is invalid: {type(error).__name__}: {error}.")


def read_entry_text(number: int, text: str) -> TextFields:
    """The fields of the text of an entry. Raises WrongVersion with its number."""
    try:
        return read_text(text)
    except Unproven as reason:
        raise WrongVersion(number, str(reason)) from reason


def events_of(fields: TextFields, kind: type[MatchEvent]) -> list[TextFields]:
    """The events of a class in a text."""
    return [event for event in fields["events"] if event.get("type") == kind.__name__]


def creation_event(bundle: Bundle) -> TextFields:
    """The event that opened the table. Raises Unproven or WrongVersion if there is none."""
    if not bundle.entries:
        raise Unproven("There are no entries.")
    events = read_entry_text(1, bundle.entries[0].text)["events"]
    if not events or events[0].get("type") != Created.__name__:
        raise WrongVersion(1, "the first entry does not open a table.")
    return dict(events[0])


def find_end(bundle: Bundle) -> End | None:
    """The end of the match; None while it goes on. Raises WrongVersion."""
    for number, line in enumerate(bundle.entries, 1):
        fields = read_entry_text(number, line.text)
        for event in (*events_of(fields, Scored), *events_of(fields, Aborted)):
            return End(number, event.get("seed"))
    return None
