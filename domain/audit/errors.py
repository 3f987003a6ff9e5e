"""The error of failed checks."""

from __future__ import annotations


class Unproven(ValueError):
    """The data does not prove what it should, or is not in the required form. The message is a
    sentence.
    """
