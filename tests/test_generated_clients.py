"""Clients generated from the contract play all games, and linters accept it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from domain.games import GAMES
from service.http.contract import read_contract
from service.http.yaml_style import to_yaml
from tests.support.patience import PATIENCE_S
from tests.support.whole_service import ROOT, Service, whole_service

pytestmark = [pytest.mark.long, pytest.mark.no_cover]
CLIENTS = ROOT / "tests/clients"
TOOLS = ROOT / "build/clients"
"""The folder where `make clients` installs the generators."""
PATH = os.pathsep.join([str(TOOLS / "bin"), str(TOOLS / "node_modules/.bin"), os.environ["PATH"]])
TSC = (
    "tsc --strict --target es2022 --lib es2022,dom --module commonjs --moduleResolution node"
    " --skipLibCheck --esModuleInterop --types node --outDir js"
)
MADE_AND_PLAYED = {
    "openapi_python_client.py": [
        "openapi-python-client generate --path openapi.yaml --meta none"
        " --output-path annals_client",
        "python openapi_python_client.py",
    ],
    "openapi_generator.py": [
        "java -version",
        "openapi-generator-cli generate -i openapi.yaml -g python -o ."
        " --additional-properties useOneOfDiscriminatorLookup=true",
        "python openapi_generator.py",
    ],
    "typescript_fetch.ts": [
        "java -version",
        "openapi-generator-cli generate -i openapi.yaml -g typescript-fetch -o annals",
        f"{TSC} typescript_fetch.ts",
        "node js/typescript_fetch.js",
    ],
    "hey_api.ts": [
        "openapi-ts -i openapi.yaml -o hey_api_client",
        f"{TSC} hey_api.ts",
        "node js/hey_api.js",
    ],
    "openapi_fetch.ts": [
        "openapi-typescript openapi.yaml -o annals.d.ts",
        f"{TSC} openapi_fetch.ts",
        "node js/openapi_fetch.js",
    ],
}
"""The commands that make each client; URL, name, game and level are appended to the last one."""
TIMEOUT_S = 10 * PATIENCE_S
"""Of a command: Spectral takes many minutes of a processor that others use as well."""
LINTERS = [
    "redocly lint openapi.yaml",
    "spectral lint --fail-severity hint --ruleset spectral.yaml openapi.yaml",
]


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    with whole_service(tmp_path_factory.mktemp("clients")) as service:
        yield service


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the contract and the player scripts, as after `make clients`."""
    shutil.copytree(CLIENTS, tmp_path, dirs_exist_ok=True)
    (tmp_path / "openapi.yaml").write_text(to_yaml(read_contract().whole()))
    (tmp_path / "node_modules").symlink_to(TOOLS / "node_modules")
    return tmp_path


@pytest.mark.parametrize("client", MADE_AND_PLAYED)
def test_a_generated_client_plays_every_game(client: str, folder: Path, service: Service) -> None:
    *made, played = MADE_AND_PLAYED[client]
    skip_without([*made, played])
    for command in made:
        run(command, folder)
    for number, game in enumerate(GAMES.values()):
        name = f"{Path(client).stem.replace('_', '-')}-{number}"
        run(played, folder, service.url, name, game.key, game.levels[0].key)
        [player] = service.call("GET", f"/v1/players?name={name}")[1]["players"]
        [match] = service.call("GET", f"/v1/matches?player={player['id']}")[1]["matches"]
        assert (match["game"], match["status"]) == (game.key, "scored")


@pytest.mark.parametrize("command", LINTERS)
def test_the_contract_is_without_fault(command: str, folder: Path) -> None:
    skip_without([command])
    said = run(command, folder)
    assert not re.search(r"\d+ (warning|problem)", said), said


def test_every_client_is_played() -> None:
    clients = {path.name for path in CLIENTS.glob("*.[pt][ys]")} - {"__init__.py"}
    assert clients == MADE_AND_PLAYED.keys()


def skip_without(commands: list[str]) -> None:
    """Skip a test whose tools are not installed."""
    if not TOOLS.is_dir():
        pytest.skip("generators of clients are not here: `make clients` installs them")
    for program in {command.split()[0] for command in commands}:
        if not shutil.which(program, path=PATH):
            pytest.skip(f"{program} is not on this machine")


def run(command: str, folder: Path, *more: str) -> str:
    """The output of a successful command."""
    said = subprocess.run(
        [*command.split(), *more], cwd=folder, env={**os.environ, "PATH": PATH},
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, timeout=TIMEOUT_S,
    )  # fmt: skip
    assert said.returncode == 0, (command, said.stdout[-4000:])
    return said.stdout
