"""Packages of Debian that tests need."""

from __future__ import annotations

import os
import shutil
import subprocess


class CannotInstall(Exception):
    """This user may install no packages here, or it failed; the message says why."""


def install(*packages: str) -> None:
    """Install these packages. Raises CannotInstall."""
    if shutil.which("apt-get") is None or os.geteuid() != 0:
        raise CannotInstall("only root can, and only with apt-get")
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    for words in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        done = subprocess.run(["apt-get", "-qq", *words], env=quiet, capture_output=True, text=True)
        if done.returncode:
            raise CannotInstall(f"apt-get {words[0]} said: {done.stderr.strip()[-400:]}")
