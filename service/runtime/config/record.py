"""The record of a setting."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

T = TypeVar("T")
UNLIMITED = 1_000_000_000


class BadSetting(ValueError):
    """A setting is invalid; the message is a sentence for the operator."""


@dataclass(frozen=True, kw_only=True)
class Setting:
    """All that is particular to a setting."""

    name: str
    """The environment variable."""
    about: str
    """What it does, for docs/settings.md."""
    default: Any
    """Its default, whose type its values have."""
    minimum: float
    maximum: float
    words: Sequence[str]
    """The allowed values; empty if there are others."""
    check: Callable[[Any], str | None]
    """What is wrong with a value, as the end of a sentence that begins with the name."""
    by_size: Mapping[str, Any]
    """Other defaults, by ANNALS_SIZE."""
    secret: bool
    """Whether its value may not be shown."""


def setting(
    name: str,
    default: T,
    minimum: float = 0,
    maximum: float = UNLIMITED,
    *,
    about: str,
    words: Sequence[str] = (),
    check: Callable[[T], str | None] = lambda _: None,
    small: T | None = None,
    large: T | None = None,
    secret: bool = False,
) -> T:
    """Return a dataclass field that is read from an environment variable; the `repr` of the
    settings omits a secret one.
    """
    sizes = {"small": small, "large": large}
    record = Setting(
        name=name,
        about=about,
        default=default,
        minimum=minimum,
        maximum=maximum,
        words=words,
        check=check,
        by_size={size: value for size, value in sizes.items() if value is not None},
        secret=secret,
    )
    read: T = field(default=default, metadata={"setting": record}, repr=not secret)
    return read
