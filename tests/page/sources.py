"""Our scripts as they are written: browsers load them minified."""

from __future__ import annotations

from pathlib import Path

import service.page

STATIC = Path(service.page.__file__).parent / "static"
SCRIPTS = {
    path.relative_to(STATIC).as_posix(): path.read_text(encoding="utf-8")
    for path in sorted(STATIC.rglob("*.js"))
    if path.parent.name != "vendor"
}
"""The text of each by its name, without those of others."""
