"""Settings: read from `annals.conf` and the environment, and documented."""

import errno
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from service.runtime.config.sources import NEW_NAMES
from service.runtime.config.texts import MAX_CHARS
from service.runtime.redis_urls import MAX_SOCKET_PATH_BYTES, own_redis_url
from service.runtime.settings import BadSetting, read_settings


def test_without_any_setting_the_two_redis_of_the_data_folder_are_used(tmp_path):
    settings = read_settings({"ANNALS_DATA": str(tmp_path)})
    assert (settings.owns_redis, settings.owns_queue) == (True, True)
    assert settings.events_url == f"unix://{tmp_path}/redis/redis.sock"
    assert settings.queue_url == f"unix://{tmp_path}/queue/redis.sock"


def test_each_folder_has_a_separate_redis_however_long_its_path(tmp_path):
    deep = [tmp_path / name / ("deep" * 30) for name in ("original", "copy")]
    sockets = [urlsplit(own_redis_url(folder)).path for folder in (tmp_path, *deep)]
    assert len(set(sockets)) == 3
    assert all(len(socket) <= MAX_SOCKET_PATH_BYTES for socket in sockets)


def test_one_redis_serves_both_unless_they_are_named_apart():
    settings = read_settings({"REDIS_URL": "redis://a:1/0", "QUEUE_REDIS_URL": "redis://b:2/0"})
    assert (settings.events_url, settings.queue_url) == ("redis://a:1/0", "redis://b:2/0")
    assert (settings.owns_redis, settings.owns_queue) == (False, False)


def test_values_have_the_type_of_their_default():
    settings = read_settings(
        {"ANNALS_PORT": " 8001 ", "ANNALS_BOT_SECONDS": "0.5", "ANNALS_CORS_ORIGINS": "a, b"}
    )
    assert settings.port == 8001
    assert settings.bot_seconds == 0.5
    assert settings.cors_origins == ("a", "b")


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("ANNALS_PORT", "http", "must be a whole number, not 'http'"),
        ("ANNALS_PORT", "70000", "must be from 1 to 65535, not 70000"),
        ("ANNALS_RATE", "-1", "must be at least 0, not -1"),
        ("ANNALS_BOT_SECONDS", "nan", "must be from 0.05 to 60, not nan"),
        ("ANNALS_LOG_LEVEL", "loud", "must be one of debug, info, warning, error"),
        ("ANNALS_IDLE_SECONDS", "0", "must be from 0.1 to 3600, not 0"),
        ("EVENTS_REDIS_URL", "http://example.org", "is not the URL of a Redis"),
        ("QUEUE_REDIS_URL", "redis://a:1/0?cluster=true", "must name a single Redis, because"),
    ],
)
def test_a_bad_value_is_one_sentence(name, value, says):
    with pytest.raises(BadSetting, match=rf"^{name} {re.escape(says)}[^\n]*$"):
        read_settings({name: value})


def test_settings_load_no_framework():
    heavy = "import service.runtime.settings, sys; print({'flask', 'redis', 'rq'} & {*sys.modules})"
    said = subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True, check=True)
    assert said.stdout == "set()\n"


@pytest.mark.parametrize(
    ("named", "redis", "queue"),
    [
        ({"EVENTS_REDIS_URL": "redis://a"}, False, True),
        ({"QUEUE_REDIS_URL": "redis://b"}, True, False),
        ({"REDIS_URL": "redis://c"}, False, False),
        ({"EVENTS_REDIS_URL": "redis://a", "QUEUE_REDIS_URL": "redis://b"}, False, False),
    ],
)
def test_each_of_the_two_is_ours_unless_it_is_named(named, redis, queue):
    settings = read_settings(named)
    assert (settings.owns_redis, settings.owns_queue) == (redis, queue)


@pytest.mark.parametrize(
    ("named", "events", "queue"),
    [
        ({}, "", ""),
        ({"REDIS_URL": "redis://a"}, "REDIS_URL", "REDIS_URL"),
        ({"EVENTS_REDIS_URL": "redis://b"}, "EVENTS_REDIS_URL", ""),
        (
            {"REDIS_URL": "redis://a", "QUEUE_REDIS_URL": "redis://c"},
            "REDIS_URL",
            "QUEUE_REDIS_URL",
        ),
    ],
)
def test_it_is_known_which_setting_names_a_redis(named, events, queue):
    settings = read_settings(named)
    assert settings.setting_of(settings.events_url) == events
    assert settings.setting_of(settings.queue_url) == queue


def test_only_a_cluster_may_list_several_servers() -> None:
    several = "redis://:secret@one:7000,two,three:7002/0"
    assert read_settings({"EVENTS_REDIS_URL": f"{several}?cluster=true"}).events_url.count(",") == 2
    for wrong in (
        several,
        "redis://one:7000,,two:7000/0?cluster=true",
        "redis://a,b:x?cluster=true",
    ):
        with pytest.raises(BadSetting) as refused:
            read_settings({"EVENTS_REDIS_URL": wrong})
        assert str(refused.value).startswith("EVENTS_REDIS_URL is not the URL of a Redis")
        assert "secret" not in str(refused.value)


@pytest.mark.parametrize(("old", "new"), NEW_NAMES.items())
def test_an_old_name_is_refused_with_the_new_one(old, new):
    with pytest.raises(BadSetting, match=rf"^{old} is now called {new}\.$"):
        read_settings({old: "1"})


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("ANNALS_WEBHOOK", "did you mean ANNALS_WEBHOOKS?"),
        ("ANNALS_TLOG_KEY", "did you mean ANNALS_TLOG_KEYS?"),
        ("ANNALS_XYZZY", "`annals config` lists all."),
    ],
)
def test_an_unknown_name_is_refused_with_the_nearest_one(name, says):
    with pytest.raises(BadSetting) as refused:
        read_settings({name: ""})
    assert str(refused.value) == f"{name} is not a setting: {says}"
    assert read_settings({name.removeprefix("ANNALS_"): "1"})


@pytest.mark.parametrize("name", ["annals_port", "Annals_Port", "redis_url"])
def test_a_setting_in_small_letters_is_refused(name):
    with pytest.raises(BadSetting) as refused:
        read_settings({name: "1"})
    assert str(refused.value) == f"{name} is not a setting: did you mean {name.upper()}?"


@pytest.mark.parametrize(
    "name",
    [
        "ANNALS_SERVICE_HOST",
        "ANNALS_SERVICE_PORT_HTTP",
        "ANNALS_PORT_8000_TCP",
        "ANNALS_PORT_8000_TCP_ADDR",
        "ANNALS_WEB_SERVICE_HOST",
    ],
)
def test_a_name_that_kubernetes_adds_is_refused_with_what_helps(name):
    with pytest.raises(BadSetting, match="`enableServiceLinks: false`"):
        read_settings({"ANNALS_PORT": "tcp://10.0.0.1:8000", name: "10.0.0.1"})


def test_the_text_of_the_settings_has_no_secrets():
    secrets = {"REDIS_URL": "redis://:hush@a/0", "ANNALS_DISCORD_TOKEN": "hush"}
    assert "hush" not in repr(read_settings(secrets))


def configured(folder, text, **environ):
    """The settings of a data folder whose `annals.conf` has this text."""
    (folder / "annals.conf").write_text(text)
    return read_settings({"ANNALS_DATA": str(folder), **environ})


def test_the_file_in_the_data_folder_is_read_and_the_environment_counts_more(tmp_path):
    text = "# ours\n\n ANNALS_PORT = 9000\nANNALS_RATE='7'\nANNALS_SIZE=small\nANNALS_WORKERS=\n"
    settings = configured(tmp_path, text, ANNALS_RATE="8", ANNALS_PORT="")
    assert (settings.port, settings.rate, settings.workers) == (9000, 8, 1)


@pytest.mark.parametrize(
    "url",
    [
        "https://[::1",
        "https://x:abc",
        "https://a..b",
        *(f"https://a{one}b" for one in " \"'<>()\\`|"),
    ],
)
def test_a_public_address_that_cannot_be_is_refused(url):
    with pytest.raises(BadSetting, match="ANNALS_PUBLIC_URL must be http"):
        read_settings({"ANNALS_PUBLIC_URL": url})
    assert read_settings({"ANNALS_PUBLIC_URL": "http://[::1]:8000/play/"}).public_url


def test_a_file_of_an_editor_of_windows_is_read(tmp_path):
    settings = configured(tmp_path, "\ufeffANNALS_PORT=9000\r\nANNALS_RATE=7\r\n")
    assert (settings.port, settings.rate) == (9000, 7)


def test_a_named_file_takes_the_place_of_that_in_the_data_folder(tmp_path):
    (tmp_path / "annals.conf").write_text("ANNALS_RATE=1")
    named = tmp_path / "named.conf"
    named.write_text(f"ANNALS_DATA={tmp_path}\nANNALS_PORT=9000")
    settings = read_settings({"ANNALS_CONFIG": str(named)})
    assert (settings.data, settings.port, settings.rate) == (tmp_path, 9000, 6000)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("ANNALS_PORT", "{}, line 1 is not NAME=VALUE."),
        ("ANNALS_PORTS=1", "{}, line 1: ANNALS_PORTS is not a setting: did you mean ANNALS_PORT?"),
        ("annals_port=1", "{}, line 1: annals_port is not a setting: did you mean ANNALS_PORT?"),
        ("export REDIS_URL=a", "{}, line 1: leave out `export`; a line is NAME=VALUE."),
        ("ANNALS_TLOG_KEYS=a,\nhush2=", "{}, line 2 does not begin with the name of a setting."),
        ("PORT=1", "{}, line 1: PORT is not a setting: did you mean ANNALS_PORT?"),
        ("ANNALS_PORT=1\nANNALS_PORT=2", "{}, line 2: ANNALS_PORT is in this file twice."),
        ("ANNALS_PORT=zero", "ANNALS_PORT must be a whole number, not 'zero'."),
        (
            "\nANNALS_DATA=/srv",
            "{}, line 2: ANNALS_DATA can't be in this file; set it in the environment.",
        ),
    ],
)
def test_a_wrong_line_is_one_sentence(tmp_path, text, says):
    with pytest.raises(BadSetting) as refused:
        configured(tmp_path, text)
    assert str(refused.value) == says.format(tmp_path / "annals.conf")


def test_a_secret_is_read_from_a_file(tmp_path):
    secret = tmp_path / "token"
    secret.write_text("hush\n")
    by_file = f"ANNALS_DISCORD_TOKEN_FILE={secret}"
    assert configured(tmp_path, by_file).discord_token == "hush"
    name, value = by_file.split("=")
    assert read_settings({name: value}).discord_token == "hush"
    assert configured(tmp_path, by_file, ANNALS_DISCORD_TOKEN="mine").discord_token == "mine"


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"ANNALS_CONFIG": "/none"}, "Cannot read /none (No such file or directory)."),
        ({"REDIS_URL_FILE": "/none"}, "Cannot read /none (No such file or directory)."),
        ({"REDIS_URL_FILE": "/dev/null"}, "REDIS_URL_FILE names an empty file, /dev/null."),
        ({"ANNALS_CONFIG": "~none/c"}, "~none/c is in a home folder that does not exist."),
        ({"ANNALS_DATA": "~none"}, "~none/annals.conf is in a home folder that does not exist."),
        ({"REDIS_URL_FILE": "~none/c"}, "~none/c is in a home folder that does not exist."),
        (
            {"REDIS_URL_FILE": "/x", "REDIS_URL": "redis://a"},
            "Set REDIS_URL or REDIS_URL_FILE, not both.",
        ),
        (
            {"ANNALS_PORT_FILE": "/x"},
            "ANNALS_PORT_FILE is not a setting: only secrets are read from files of their own.",
        ),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence(given, says):
    with pytest.raises(BadSetting) as refused:
        read_settings(given)
    assert str(refused.value) == says


@pytest.mark.parametrize(
    ("target", "says"),
    [("/none", "No such file or directory"), ("annals.conf", "Too many levels of symbolic links")],
)
def test_a_link_to_the_file_that_leads_nowhere_is_refused(tmp_path, target, says):
    (link := tmp_path / "annals.conf").symlink_to(target)
    with pytest.raises(BadSetting, match=re.escape(f"Cannot read {link} ({says}).")):
        read_settings({"ANNALS_DATA": str(tmp_path)})


def test_a_data_folder_that_may_not_be_read_is_refused(tmp_path, monkeypatch):
    def refuse(*_, **__):
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    with pytest.raises(BadSetting, match="Permission denied"):
        read_settings({"ANNALS_DATA": str(tmp_path)})


@pytest.mark.parametrize("text", ["ANNALS_TLOG=/a\0b", "REDIS_URL_FILE=/a\0b"])
def test_a_file_with_nul_is_refused(tmp_path, text):
    with pytest.raises(BadSetting, match="is not a text in UTF-8"):
        configured(tmp_path, text)


def test_a_file_that_does_not_end_is_refused(tmp_path):
    with pytest.raises(BadSetting, match="/dev/zero is not a text in UTF-8"):
        configured(tmp_path, "REDIS_URL_FILE=/dev/zero")


def test_a_file_that_is_too_large_is_refused(tmp_path):
    (large := tmp_path / "large").write_text("x" * (MAX_CHARS + 1))
    with pytest.raises(BadSetting, match=f"{large} is too large for settings"):
        configured(tmp_path, f"REDIS_URL_FILE={large}")


@pytest.mark.parametrize("mark", "\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")
def test_a_line_ends_where_editors_end_it(tmp_path, mark):
    settings = configured(tmp_path, f"ANNALS_TLOG=/a{mark}ANNALS_PORT=9000")
    assert (settings.tlog, settings.port) == (f"/a{mark}ANNALS_PORT=9000", 8000)


def test_whole_paths_are_made_in_one_place():
    root = Path(__file__).parents[3]
    files = [one for top in ("service", "workers") for one in (root / top).rglob("*.py")]
    found = [one.name for one in files if ".expanduser()" in one.read_text()]
    assert found == ["texts.py"]


def test_a_running_process_keeps_the_settings_of_its_start(tmp_path):
    assert configured(tmp_path, "ANNALS_PORT=9000").port == 9000
    assert configured(tmp_path, "ANNALS_PORT=none").port == 9000


@pytest.mark.parametrize(
    ("given", "says"),
    [
        ({"ANNALS_PORT": "65535"}, "Set ANNALS_METRICS: there is no port after 65535."),
        (
            {"ANNALS_METRICS": "127.0.0.1:8000"},
            "ANNALS_METRICS needs another port than ANNALS_PORT.",
        ),
    ],
)
def test_settings_that_cannot_be_together_are_one_sentence(given, says):
    with pytest.raises(BadSetting) as refused:
        read_settings(given)
    assert str(refused.value) == says
