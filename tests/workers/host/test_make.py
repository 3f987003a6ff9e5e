"""`make` on a bare machine: one sentence says what is missing."""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import pip
import pytest

from tests.support.patience import PATIENCE_S

ROOT = Path(__file__).resolve().parents[3]
TOOLS = ["sh", "make", "test", "touch", "grep", "tail", "sed", "expand", "rm", "mkdir", "uname"]
NEEDS_A_COMPILER = """
import subprocess

def build_wheel(*_):
    print("compiling")
    subprocess.run(["cc", "box.c"], check=True)
"""


@pytest.fixture
def bare(tmp_path):
    """A checkout on a machine with make and little else."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "bin").mkdir()
    for tool in filter(shutil.which, TOOLS):
        (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
    return tmp_path


def make(bare: Path, target: str) -> subprocess.CompletedProcess[str]:
    environ = {"PATH": str(bare / "bin"), "HOME": str(bare), "PIP_NO_INDEX": "1"}
    return subprocess.run(
        ["make", target], cwd=bare, env=environ, capture_output=True, text=True, timeout=PATIENCE_S
    )


def add_python(bare: Path, script: str) -> None:
    python = bare / "bin" / "python3"
    python.write_text(f"#!/bin/sh\n{script}\n")
    python.chmod(0o755)


def test_make_without_a_target_lists_all_targets(bare):
    said = make(bare, "help").stdout
    for target in ("run", "test", "check", "fix", "bench", "demo", "clean"):
        assert f"make {target} " in said


def test_a_python_too_old_is_one_sentence(bare):
    add_python(bare, 'test "$1" = --version && echo Python 3.9.2')
    said = make(bare, "run")
    assert said.returncode != 0
    assert said.stderr.startswith(
        "Annals needs Python 3.11 or newer on the PATH; found Python 3.9.2.\n"
    )


def test_no_python_at_all_is_one_sentence(bare):
    assert "Python 3.11 or newer on the PATH; found none.\n" in make(bare, "run").stderr


def test_a_python_without_venv_is_one_sentence(bare):
    add_python(bare, f'case "$*" in *ensurepip*) exit 1;; esac; exec {sys.executable} "$@"')
    assert "install its venv package" in make(bare, "run").stderr


def test_a_missing_compiler_is_one_sentence(bare):
    python = os.path.realpath(sys.executable)
    link = f"{shutil.which('ln')} -s {Path(pip.__file__).parent} $3/lib/python*/site-packages/"
    quick = f"{python} -m venv --without-pip $3 && {link}"  # most of the time is for its own pip
    add_python(bare, f'case "$2" in venv) {quick};; *) exec {python} "$@";; esac')
    (bare / "requirements.lock").write_text(must_be_built(bare))
    said = make(bare, "run").stderr
    assert said.startswith("A package has to be built on this machine, and there is no C compiler")
    assert "Traceback" not in said


def must_be_built(folder: Path) -> str:
    """The lock line of a package that has only a source distribution."""
    source = folder / "box-1.0"
    source.mkdir()
    (source / "backend.py").write_text(NEEDS_A_COMPILER)
    (source / "pyproject.toml").write_text(
        '[build-system]\nrequires = []\nbuild-backend = "backend"\nbackend-path = ["."]\n'
        '[project]\nname = "box"\nversion = "1.0"\n'
    )
    (source / "PKG-INFO").write_text("Metadata-Version: 2.1\nName: box\nVersion: 1.0\n")
    with tarfile.open(folder / "box-1.0.tar.gz", "w:gz") as archive:
        archive.add(source, "box-1.0")
    packed = folder / "box-1.0.tar.gz"
    digest = hashlib.sha256(packed.read_bytes()).hexdigest()
    return f"box @ {packed.as_uri()} --hash=sha256:{digest}\n"
