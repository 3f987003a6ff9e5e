"""Every kind of key in a store, and its treatment in a backup."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Literal

from service.store.store_format import STORE_ID_KEY
from service.store.uptime import UPTIME_KEY

Treatment = Literal["entries", "result", "account", "derived", "passing"]
"""How a backup treats a key:

`entries` are written one by one. A `result` is copied before them, an `account` before and after
them. A restore rebuilds `derived` keys. A backup leaves out `passing` keys.
"""

TREATMENTS: Mapping[str, Treatment] = {
    r"\{p\d+\}:(match:.+|feed)": "entries",
    r"\{p\d+\}:talk:.+|talk:reports|player:\w+:talk": "passing",  # so that what is erased stays so
    r"player:\w+:mail:.+": "passing",  # what is not confirmed, and what was seen or sent
    r"player:\w+:push:.+": "passing",  # how sending to a browser goes
    r"\{p\d+\}:(work(:\w+)?|leaves|rm:.+|outbox(:.+)?)": "derived",
    r"\{p\d+\}:plans:.+": "passing",  # so, too; accounts keep their settings
    r"\{ratings:\w+\}:(now|board|established|form|(of|met|against):.+)": "derived",
    r"\{ratings:\w+\}:(done|wins:\d+)": "result",
    r"discord:(user|player|channel|match|card):.+": "account",
    r"(player|token|name|look):.+|players|operators|house|admin|tlog:signed|tables:salt": "account",
    f"{UPTIME_KEY}|{STORE_ID_KEY}": "account",
    r"shared-network:.+|push:key": "account",
    r"\{webhook:\w+\}|webhooks:(key|failing|audience:.+)": "account",
    r"(annals|quota|network|rq|session:code|discord:(code|tries|unwritable)):.+": "passing",
    r"operators:code|webhooks:joining:.+": "passing",
    r"presence": "passing",  # after a restore it is hidden, until players show it again
    r"\{p\d+\}:(analysis|analyses):.+": "passing",  # computed again on request
    r"\{[^}]+\}:confirming": "passing",
    r"tlog:indexed|\{webhook:[^}]+\}:.+": "passing",
    r"seeds:key": "passing",  # a restore creates another, so that known seeds do not repeat
}


def treatment_of(name: str) -> Treatment | None:
    """Return the treatment of a key, or None if Annals does not know it."""
    for pattern, treatment in TREATMENTS.items():
        if re.fullmatch(pattern, name, re.DOTALL):
            return treatment
    return None
