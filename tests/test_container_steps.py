"""The steps of the container file, without an engine: in an empty folder, with only what it copies.

Where no engine runs, an ordinary user has neither its base image nor another root folder. So `/` is
a folder here, the Python of the tests stands for that of the image, the libraries come from this
environment, and the step that creates a user is left out.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from uv import find_uv_bin

from tests.support.packages import installed, packed
from tests.support.patience import PATIENCE_S
from tests.support.whole_service import ROOT, started_service
from tests.test_wheel import check_service, environ

pytestmark = [pytest.mark.long, pytest.mark.xdist_group("wheel")]
INSTRUCTION = re.compile(r"^([A-Z]+) (.*)$", re.MULTILINE)
PYTHON = f"""#!/bin/sh
if [ "$1 $2" != "-m venv" ]; then exec {sys.executable} "$@"; fi
{sys.executable} -m venv --without-pip "$3"
printf '#!/bin/sh\\nVIRTUAL_ENV=%s exec {find_uv_bin()} pip "$@" --no-index\\n' "$3" >"$3/bin/pip"
chmod +x "$3/bin/pip"
"""
"""The Python of the image. What its environments call pip is that of uv, which takes half of the
time.
"""
HASHES = re.compile(r" \\\n    --hash=\S+")


def instructions() -> Iterator[tuple[str, str]]:
    """The steps of the file."""
    text = (ROOT / "examples/hosting/Containerfile").read_text()
    for found in INSTRUCTION.finditer(text):
        yield found[1], found[2]


def copy(names: list[str], folder: Path) -> None:
    """Copy files and folders of this checkout."""
    for name in names:
        if (ROOT / name).is_dir():
            shutil.copytree(
                ROOT / name, folder / name, symlinks=True,
                ignore=shutil.ignore_patterns("__pycache__"),
            )  # fmt: skip
        else:
            shutil.copy(ROOT / name, folder / name)


@pytest.fixture
def root(tmp_path: Path, libraries: Path) -> Path:
    """The root folder after all steps."""
    root, environ = tmp_path / "root", {"UV_NO_CONFIG": "1", "UV_FIND_LINKS": str(libraries)}
    (folder := root / "build").mkdir(parents=True)
    (root / "bin").mkdir()
    (root / "bin/python").write_text(PYTHON)
    (root / "bin/python").chmod(0o755)
    environ["PATH"] = f"{root}/bin:{os.environ['PATH']}"
    for word, rest in instructions():
        if word == "COPY" and not rest.startswith("--from="):
            *names, target = rest.split()
            assert target in ("./", *names), "a step that this test cannot take"
            copy(names, folder)
        if word == "RUN" and not rest.startswith("useradd "):
            forget_hashes(folder / "requirements.lock")
            step = rest.replace("/opt/", f"{root}/opt/").replace("--require-hashes", "")
            subprocess.run(
                ["sh", "-ec", step], cwd=folder, env=environ, check=True, timeout=PATIENCE_S,
            )  # fmt: skip
    shutil.rmtree(folder)
    return root


def forget_hashes(lock: Path) -> None:
    """Take the hashes out of a lock file: those of the packed libraries differ."""
    lock.write_text(HASHES.sub("", lock.read_text()))


def test_the_steps_of_the_container_file_make_a_service(
    root: Path, wheel: Path, tmp_path: Path
) -> None:
    """In an empty folder, which stays empty. The files are those of the wheel."""
    found = dict(instructions())
    [program, word] = [*json.loads(found["ENTRYPOINT"]), *json.loads(found["CMD"])]
    given = dict(pair.split("=") for pair in found["ENV"].split())
    data = root / given.pop("ANNALS_DATA").removeprefix("/")
    (empty := tmp_path / "empty").mkdir()

    def start(_words: Sequence[str], settings: dict[str, str]) -> subprocess.Popen[bytes]:
        own = {name: value for name, value in settings.items() if name.startswith("ANNALS_")}
        return subprocess.Popen(
            [f"{root}{program}", word], cwd=empty, env=environ(root / "opt/annals") | own,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    with started_service(start, data, {}) as service:
        check_service(service.url)
    assert list(empty.iterdir()) == []
    assert installed(root / "opt/annals") == packed(wheel)
