"""The wheel is complete, and can be installed into an empty environment."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from importlib.metadata import distributions
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest
from packaging.utils import canonicalize_name
from uv import find_uv_bin

from domain.games import GAMES
from tests.architecture.layout import CODE, ROOT
from tests.support.packages import libraries_of_the_lock
from tests.support.patience import PATIENCE_S
from tests.test_release import VERSION

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("wheel")]
SHIPPED_FILES = (
    "README.md",
    "CHANGELOG.md",
    "CODE_OF_CONDUCT.md",
    "CONTRIBUTING.md",
    "SECURITY.md",
    "openapi.yaml",
)
PAGES = (
    *("/docs", "/openapi.yaml", "/v1/games"),
    *("/guide", "/guide/readme", "/guide/dice", "/guide/code_of_conduct"),
)
CLIENT = """
from annals.domain.engine.dice import Luck
from annals.service.runtime.settings import read_settings
from annals.workers.host.errors import CannotRun

number: int = Luck("seed").below(6)
port: int = read_settings({}).port
wrong: str = port
"""


def test_the_wheel_holds_every_file_of_the_packages(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        held = {name: archive.read(name) for name in archive.namelist()}
    for package in CODE:
        for path in (ROOT / package).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                assert held[f"annals/{path.relative_to(ROOT)}"] == path.read_bytes()
    assert "annals/py.typed" in held
    folders = (*(ROOT / "docs").rglob("*.md"), *(ROOT / "openapi").rglob("*.yaml"))
    for path in (*(ROOT / name for name in SHIPPED_FILES), *folders):
        assert held[f"annals/service/shipped/{path.relative_to(ROOT)}"] == path.read_bytes()
    for path in (ROOT / "examples/hosting").iterdir():
        assert held[f"annals/service/shipped/hosting/{path.name}"] == path.read_bytes()
    assert {name.split("/")[0] for name in held if ".dist-info" not in name} == {"annals"}


@pytest.fixture(scope="session")
def bare(wheel: Path, libraries: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environment that `uv tool install WHEEL` makes."""
    folder = tmp_path_factory.mktemp("bare")
    places = {
        f"UV_{name}": str(folder / name) for name in ("CACHE_DIR", "TOOL_DIR", "TOOL_BIN_DIR")
    }
    subprocess.run(
        [find_uv_bin(), "tool", "install", "-q", "--no-config", "--no-index", "--find-links",
         str(libraries), "--python", sys.executable, str(wheel)],
        env={"PATH": os.environ["PATH"]} | places, check=True, timeout=PATIENCE_S,
    )  # fmt: skip
    assert (folder / "TOOL_BIN_DIR/annals").resolve() == folder / "TOOL_DIR/annals/bin/annals"
    return folder / "TOOL_DIR/annals"


def test_uv_installs_with_the_wheel_all_that_it_needs_and_no_more(bare: Path) -> None:
    [packages] = bare.glob("lib/python*/site-packages")
    found = {canonicalize_name(one.name) for one in distributions(path=[str(packages)])}
    locked = {canonicalize_name(library.name) for library in libraries_of_the_lock()}
    assert found == {"annals", *locked} - {"setuptools"}  # which only builds it


@pytest.mark.long
def test_types_come_with_the_wheel(bare: Path, tmp_path: Path) -> None:
    (tmp_path / "client.py").write_text(CLIENT)
    said = subprocess.run(
        [sys.executable, "-m", "mypy", "--strict", "--python-executable", str(bare / "bin/python"),
         "--cache-dir", os.devnull, "client.py"],
        cwd=tmp_path, capture_output=True, text=True, timeout=PATIENCE_S,
    ).stdout  # fmt: skip
    assert "import-untyped" not in said, said
    assert 'client.py:8: error: Incompatible types in assignment (expression has type "int"' in said
    assert "Found 1 error in 1 file" in said, said


def test_its_command_has_the_shipped_files(bare: Path, tmp_path: Path) -> None:
    """test_container_steps runs the service of the same files."""
    assert annals(bare, tmp_path, "--version").stdout == f"annals {VERSION}\n"
    sample = (ROOT / "examples/hosting/Caddyfile").read_text()
    assert annals(bare, tmp_path, "sample", "Caddyfile").stdout == sample


def annals(bare: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [bare / "bin/annals", *words],
        cwd=folder, env=environ(bare), capture_output=True, text=True, timeout=PATIENCE_S,
    )  # fmt: skip


def environ(bare: Path) -> dict[str, str]:
    """An environment without this one's folder and packages."""
    return {"PATH": f"{bare / 'bin'}:/usr/bin:/bin", "HOME": os.environ.get("HOME", "/")}


def check_service(url: str) -> None:
    """The service has all its pages and games, and draws a match of each."""
    for path in PAGES:
        assert fetch(url + path)
    for key in GAMES:
        assert json.loads(fetch(f"{url}/v1/games/{key}"))["rules"]
        assert b"<h1" in fetch(f"{url}/guide/{key}-rules")
        match = open_table(url, key)
        assert b"<svg" in fetch(f"{url}/v1/matches/{match}/board.svg")[:200]
        assert fetch(f"{url}/v1/matches/{match}/board.png").startswith(b"\x89PNG")


def fetch(url: str) -> bytes:
    with urlopen(url, timeout=30) as answer:
        body: bytes = answer.read()
        return body


def open_table(url: str, key: str) -> str:
    """The id of a match of this game between a new player and its weakest bot."""
    level = GAMES[key].levels[0].key
    token = send(f"{url}/v1/players", {"name": key})["token"]
    plan = {"game": key, "seats": [{"me": True}, {"bot": level}]}
    match: str = send(f"{url}/v1/matches", plan, Authorization=f"Bearer {token}")["id"]
    return match


def send(url: str, body: Any, **headers: str) -> Any:
    data, headers = json.dumps(body).encode(), {"Content-Type": "application/json", **headers}
    with urlopen(Request(url, data, headers), timeout=30) as answer:
        return json.load(answer)
