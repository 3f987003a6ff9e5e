"""A position of the toy with one defect."""

from __future__ import annotations

from tests.engine.toy.state.table import State


class Careless(State):
    """Its copies share the hands."""

    __slots__ = ()

    def copy(self):
        new = super().copy()
        new.hands = self.hands
        return new
