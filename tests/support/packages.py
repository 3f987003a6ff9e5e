"""Annals and its libraries as packages, made from this checkout and this environment."""

from __future__ import annotations

import csv
import re
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.metadata import Distribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built only from files in git."""
    folder = tmp_path_factory.mktemp("wheel")
    source = folder / "source"
    known = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "-z"],
        cwd=ROOT, capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    for name in filter(None, known.split("\0")):
        if (ROOT / name).is_file() or (ROOT / name).is_symlink():
            (source / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, source / name, follow_symlinks=False)
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-index",
         "--no-build-isolation", "-w", str(folder), str(source)],
        check=True, timeout=PATIENCE_S,
    )  # fmt: skip
    [built] = folder.glob("*.whl")
    return built


@pytest.fixture(scope="session")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the libraries of the runtime lock as wheels.

    They are packed from this environment, so that nothing has to be downloaded.
    """
    folder = tmp_path_factory.mktemp("libraries")
    for library in libraries_of_the_lock():
        pack(library, folder)
    return folder


def libraries_of_the_lock() -> Iterator[Distribution]:
    """The packages in requirements.lock for this platform."""
    lock = (ROOT / "requirements.lock").read_text()
    for line in re.findall(r"^[a-z][^\\\n]*", lock, re.MULTILINE):
        wanted = Requirement(line.strip())
        if wanted.marker is None or wanted.marker.evaluate():
            found = distribution(wanted.name)
            assert found.version in wanted.specifier, wanted
            yield found


def pack(library: Distribution, folder: Path) -> None:
    """Write an installed package as a wheel again."""
    tag = re.findall("^Tag: (.+)$", library.read_text("WHEEL") or "", re.MULTILINE)[-1]
    name = canonicalize_name(library.name).replace("-", "_")
    with zipfile.ZipFile(folder / f"{name}-{library.version}-{tag}.whl", "w") as archive:
        for file in library.files or ():
            path = Path(str(library.locate_file(file)))
            if ".." not in file.parts and "__pycache__" not in file.parts and path.is_file():
                archive.write(path, str(file))


def installed(environment: Path) -> dict[str, str]:
    """The files of Annals in an environment, with their hashes as its installer has recorded them,
    without those that it has compiled.
    """
    [record] = environment.glob("lib/python*/site-packages/annals-*.dist-info/RECORD")
    return of_package(record.read_text())


def packed(wheel: Path) -> dict[str, str]:
    """The files of a wheel with their hashes, likewise."""
    with zipfile.ZipFile(wheel) as archive:
        [record] = [name for name in archive.namelist() if name.endswith(".dist-info/RECORD")]
        return of_package(archive.read(record).decode())


def of_package(record: str) -> dict[str, str]:
    rows = csv.reader(record.splitlines())
    return {
        name: digest
        for name, digest, _ in rows
        if name.startswith("annals/") and not name.endswith(".pyc")
    }
