"""The job that erases talk about matches that ended some time ago."""

from __future__ import annotations

from functools import cache
from os import environ

import structlog

from service.matches.container import Annals, open_annals
from service.runtime.settings import read_settings
from service.talk.erasing import erase_old_talk

log = structlog.get_logger()


def erase(partition: int) -> None:
    """Erase the talk of a partition that is due; what is left is handed out again."""
    erased = erase_old_talk(_annals(), partition)
    if erased:
        log.info("talk_erased", partition=partition, matches=erased)


@cache
def _annals() -> Annals:
    return open_annals(read_settings(environ))
