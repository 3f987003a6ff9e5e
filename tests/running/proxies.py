"""The proxies for the tests of the samples for operators, of this machine.

`python -m tests.running.proxies` installs Debian's packages of those that are missing, where this
user may; elsewhere these tests skip, and say so.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping

from tests.support.debian import CannotInstall, install

PROGRAMS = "/usr/sbin:/usr/bin:/usr/local/bin"
PACKAGES: Mapping[str, str] = {"nginx": "nginx-light", "caddy": "caddy"}
"""By program, the package."""


def find_proxy(name: str) -> str | None:
    """The path of a proxy; None if it is not installed."""
    return shutil.which(name) or shutil.which(name, path=PROGRAMS)


def main() -> None:
    """Install what is missing."""
    missing = [package for name, package in PACKAGES.items() if find_proxy(name) is None]
    if not missing:
        return
    sys.stderr.write(f"Installing {' and '.join(missing)}, with which the samples are tested ...\n")
    try:
        install(*missing)
    except CannotInstall as reason:
        sys.stderr.write(f"They are not installed, and their tests skip: {reason}\n")


if __name__ == "__main__":
    main()
