"""Every kind of key that a store holds, and what a backup makes of it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

Treatment = Literal["entries", "result", "account", "derived", "passing"]
"""What a backup makes of a key:

`entries` are written down one by one; a `result` is copied before them
and an `account` before and after them; what is `derived` from them is made anew by a restore;
what is `passing` is of no use to anybody later.
"""

TREATMENTS: Mapping[str, Treatment] = {
    r"\{p\d+\}:(match:.+|feed)": "entries",
    r"\{p\d+\}:(work(:\w+)?|leaves|rm:.+|outbox(:.+)?)": "derived",
    r"\{ratings:\w+\}:(now|board|established|form|(of|met|against):.+)": "derived",
    r"\{ratings:\w+\}:(done|wins:\d+)": "result",
    r"discord:(user|player|channel|match|card):.+": "account",
    r"(player|token|name):.+|players|admin|\{hook:\w+\}|webhooks:key|tlog:signed": "account",
    r"tables:salt": "account",
    r"(annals|allowance|origin|rq|discord:code|discord:tries|session:code):.+": "passing",
    r"\{p\d+\}:(analysis|analyses):.+": "passing",  # each can be made again
    r"\{[^}]+\}:confirming": "passing",
    r"tlog:indexed|\{hook:[^}]+\}:.+": "passing",
    r"seeds:key": "passing",  # another one after a restore, lest seeds that are known come again
}


def treatment_of(name: str) -> Treatment | None:
    """What a backup makes of the key of this name; None if it is none of ours."""
    for pattern, treatment in TREATMENTS.items():
        if re.fullmatch(pattern, name, re.DOTALL):
            return treatment
    return None
