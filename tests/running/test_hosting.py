"""The samples for operators: a proxy with TLS and streams, systemd units, a container file."""

from __future__ import annotations

import json
import re
import shutil
import ssl
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.request import HTTPSHandler, Request, build_opener

import pytest

from service.accounts.house import House, HouseRecord
from service.runtime.config.fields import SETTINGS
from service.runtime.redis_urls import own_redis_url
from service.store.redis_client import connect
from tests.running.proxies import find_proxy
from tests.support.patience import PATIENCE_S, eventually
from tests.support.ports import free_port
from tests.support.warm_start import run_command
from tests.support.whole_service import ROOT, Service

SAMPLES = ROOT / "examples" / "hosting"
HOST = "annals.example.org"
Findings = dict[str, dict[str, str]]
"""Those of `annals doctor`, by check."""
HOTSEAT = {"game": "qin", "seats": [{"me": True}, {"me": True}]}


@pytest.fixture
def certificate(tmp_path: Path) -> Path:
    """The folder of a self-signed certificate and its key."""
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1",
         "-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST},DNS:localhost",
         "-keyout", tmp_path / "privkey.pem", "-out", tmp_path / "fullchain.pem"],
        check=True, capture_output=True,
    )  # fmt: skip
    return tmp_path


class ProxiedService:
    """The service behind a proxy with TLS."""

    def __init__(self, port: int, certificate: Path) -> None:
        self.url = f"https://localhost:{port}"
        context = ssl.create_default_context(cafile=str(certificate / "fullchain.pem"))
        self._opener = build_opener(HTTPSHandler(context=context))
        self.token = ""

    def open(self, method: str, path: str, body: Any = None) -> Any:
        """An open response."""
        headers = {"Content-Type": "application/json", "Authorization": f"Bearer {self.token}"}
        headers = headers if self.token else {"Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        sent = Request(self.url + path, data, headers, method=method)
        return self._opener.open(sent, timeout=PATIENCE_S)

    def call(self, method: str, path: str, body: Any = None) -> Any:
        """The JSON of an answer."""
        with self.open(method, path, body) as answer:
            return json.load(answer)


@contextmanager
def nginx(
    service: Service, certificate: Path, changes: Mapping[str, str] | None = None
) -> Iterator[int]:
    """A running nginx with our sample, changed; its port."""
    program, port = find_proxy("nginx"), free_port()
    if program is None:
        pytest.skip("there is no nginx on this machine")
    sample = (SAMPLES / "nginx.conf").read_text()
    for word, ours in {
        "listen 80;": f"listen 127.0.0.1:{free_port()};",
        "listen 443 ssl http2;": f"listen 127.0.0.1:{port} ssl http2;",
        f"server_name {HOST};": f"server_name {HOST} localhost;",
        "127.0.0.1:8000": service.url.removeprefix("http://"),
        "/etc/ssl/annals": str(certificate),
        "/var/log/nginx": str(certificate),
        **(changes or {}),
    }.items():
        assert word in sample
        sample = sample.replace(word, ours)
    folders = "".join(
        f"{name}_temp_path {certificate}/{name};"
        for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    config = certificate / "nginx.conf"
    config.write_text(
        f"daemon off; pid {certificate}/pid; error_log {certificate}/error.log;"
        f"events {{}} http {{ access_log off; {folders} {sample} }}"
    )
    words = [program, "-e", f"{certificate}/error.log", "-c", str(config)]
    subprocess.run([*words, "-t"], check=True, capture_output=True)
    with running(words):
        yield port


@contextmanager
def caddy(service: Service, certificate: Path) -> Iterator[int]:
    """A running Caddy with our sample; its port."""
    program, port = find_proxy("caddy"), free_port()
    if program is None:
        pytest.skip("there is no Caddy on this machine")
    sample = (SAMPLES / "Caddyfile").read_text()
    keys = f"tls {certificate}/fullchain.pem {certificate}/privkey.pem"
    for word, ours in {
        f"\n{HOST} {{\n": f"\nhttps://localhost:{port} {{\n{keys}\n",
        "\n{\n": "\n{\nadmin off\nauto_https disable_redirects\n",
        "grace_period 10s": "grace_period 1s",
        "127.0.0.1:8000": service.url.removeprefix("http://"),
    }.items():
        assert word in sample
        sample = sample.replace(word, ours)
    config = certificate / "Caddyfile"
    config.write_text(sample)
    with running([program, "run", "--adapter", "caddyfile", "--config", str(config)]):
        yield port


@contextmanager
def running(words: list[str]) -> Iterator[None]:
    with subprocess.Popen(words, stderr=subprocess.DEVNULL) as process:
        try:
            yield
        finally:
            process.terminate()


@pytest.mark.parametrize("proxy", [nginx, caddy])
def test_a_match_and_its_stream_come_through_the_proxy_at_once(
    service: Service, certificate: Path, proxy: Any
) -> None:
    with proxy(service, certificate) as port:
        player = ProxiedService(port, certificate)
        eventually(lambda: player.call("GET", "/healthz"))
        player.token = player.call("POST", "/v1/players", {"name": proxy.__name__})["token"]
        path = f"/v1/matches/{player.call('POST', '/v1/matches', HOTSEAT)['id']}"
        with player.open("GET", f"{path}/stream?after=0") as stream:
            assert next_event(stream)["version"] == 1
            move = player.call("GET", f"{path}/legal-moves")["moves"][0]
            made = player.call("POST", f"{path}/moves", {"move": move})
            while (event := next_event(stream))["version"] < made["version"]:
                pass
            assert event["move"] == move
        with pytest.raises(HTTPError) as nowhere:
            player.open("GET", "/metrics")
        with nowhere.value as answer:
            assert answer.code == 404
        with public_url(service, player.url):
            all_ok = dict.fromkeys(("service", "address", "tls", "proxy", "streams"), "ok").items()
            trusted = {"SSL_CERT_FILE": f"{certificate}/fullchain.pem"}
            eventually(lambda: all_ok <= examine(service, **trusted).items())
            sample = run_command(["sample", "nginx.conf"], service.environ).stdout
        assert "server_name localhost;" in sample


@contextmanager
def public_url(service: Service, url: str) -> Iterator[None]:
    """The public address, as the page /setup sets it."""
    with closing(connect(own_redis_url(service.data))) as redis:
        house = HouseRecord(redis, 0)
        house.write(House("", url))
        yield
        house.write(House())


def examine(service: Service, **environ: str) -> dict[str, str]:
    """The findings of `annals doctor`: the level of each check."""
    return {name: one["level"] for name, one in find(service, **environ).items()}


def find(service: Service, **environ: str) -> Findings:
    """The findings of `annals doctor`, by check; of several the last. It waits for an answer only
    for seconds, so tests try again: a busy machine may need longer.
    """
    said = run_command(["doctor", "--json"], service.environ | environ)
    return {one["check"]: one for one in map(json.loads, said.stdout.splitlines())}


def other_values() -> Iterator[tuple[str, str]]:
    """Another value of each setting that a shell may have, by which a check could go wrong."""
    for one in SETTINGS.values():
        if isinstance(one.default, int | float):
            other = one.minimum if one.minimum != one.default else one.maximum
            yield one.name, f"{other:g}" if isinstance(one.default, float) else f"{other}"
        elif one.words:
            yield one.name, next(word for word in one.words if word != one.default)
    yield from {
        "ANNALS_BACKUP": "/no/such/folder", "ANNALS_ARCHIVE": "none://x", "ANNALS_EXPORT": "none://y",
        "ANNALS_TLOG": "off", "ANNALS_PUBLIC_URL": "http://nowhere.invalid", "ANNALS_HOST": "::",
    }.items()  # fmt: skip


def test_doctor_examines_a_service_by_the_settings_that_it_runs_with(service: Service) -> None:
    others = dict(other_values())
    del others["ANNALS_ACKNOWLEDGE"]  # its other value needs a Redis with replicas
    checks = {"service", "proxy", "disk", "memory", "backup", "log"}

    def agree() -> bool:
        found = examine(service)
        return checks <= found.keys() and examine(service, **others) == found

    with public_url(service, service.url):
        eventually(agree)


def next_event(stream: Any) -> Any:
    """The next event of a stream that is no heartbeat."""
    name = b""
    while not (line := stream.readline()).startswith(b"data: ") or name == b"beat":
        assert line, "the stream has ended"
        name = line.removeprefix(b"event: ").strip() if line.startswith(b"event: ") else name
    return json.loads(line.removeprefix(b"data: "))


@pytest.mark.skipif(not shutil.which("systemd-analyze"), reason="there is no systemd here")
@pytest.mark.parametrize("unit", ["annals.service", "annals@.service"])
def test_systemd_finds_nothing_wrong_with_our_units(tmp_path: Path, unit: str) -> None:
    text = (SAMPLES / unit).read_text()
    program = "/opt/annals/.venv/bin/annals"
    assert f"ExecStart={program} " in text
    unit = unit.replace("@", "@web")
    (tmp_path / unit).write_text(text.replace(program, "/bin/true"))
    said = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", str(tmp_path / unit)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (said.returncode, unit in said.stderr) == (0, False), said.stderr


def instructions() -> list[tuple[str, str]]:
    text = (SAMPLES / "Containerfile").read_text()
    return re.findall(r"^([A-Z]+) (.*)$", text, re.MULTILINE)


def test_the_container_file_names_what_is_there() -> None:
    found = instructions()
    settings = {one.name for one in SETTINGS.values()}
    for word, rest in found:
        if word == "ENV":
            assert {pair.partition("=")[0] for pair in rest.split()} <= settings
        if word == "USER":
            assert any(f"useradd --system --uid {rest} " in run for _, run in found)
    assert ("ENTRYPOINT", '["/opt/annals/bin/annals"]') in found


def test_the_container_file_copies_all_that_the_package_has() -> None:
    copied = [
        name
        for word, rest in instructions()
        if word == "COPY" and not rest.startswith("--from")
        for name in rest.split()[:-1]
    ]
    for file in (ROOT / "annals").iterdir():
        assert str(file.resolve().relative_to(ROOT)).split("/")[0] in (*copied, "__pycache__"), file
    for file in (ROOT / "service/shipped").iterdir():
        assert str(file.resolve().relative_to(ROOT)) in copied, file
    assert {"pyproject.toml", "LICENSE", "requirements.lock"} <= set(copied)
