"""The browser for the tests of the page: a Chromium of this machine.

`python -m tests.page.chromium` finds it, or installs Debian's package where it may; tests name what
is missing.
"""

from __future__ import annotations

import os
import shutil
import sys

from tests.support.debian import CannotInstall, install

NAMES = (
    *("chromium-headless-shell", "chromium", "chromium-browser"),
    *("google-chrome", "google-chrome-stable"),
)
"""The first one found is used: the one without windows takes a third less processor time."""
PACKAGES = ("chromium-headless-shell", "fonts-noto-cjk")
"""Debian packages: the browser, and a font for Chinese."""
MISSING = (
    "The page is tested in a real browser, and there is none here: install Chromium (Debian: apt"
    f" install {' '.join(PACKAGES)}), or set CHROMIUM to the path of one."
)


class NoBrowser(Exception):
    """No browser is installed for the tests of the page."""


def chromium() -> str:
    """The path of the browser; raises NoBrowser if there is none."""
    named = os.environ.get("CHROMIUM", "")
    found = shutil.which(named) if named else next(filter(None, map(shutil.which, NAMES)), None)
    if found is None:
        raise NoBrowser(MISSING)
    return found


def install_chromium() -> None:
    """Install the browser from Debian's packages. Raises NoBrowser."""
    try:
        install(*PACKAGES)
    except CannotInstall as reason:
        raise NoBrowser(f"{MISSING}\nIt was not installed: {reason}") from None


def main() -> int:
    """Find or install it."""
    try:
        chromium()
    except NoBrowser:
        sys.stderr.write("Installing Chromium, in which the page is tested ...\n")
        try:
            install_chromium()
            chromium()
        except NoBrowser as reason:
            sys.stderr.write(f"{reason}\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
