"""Settings: read from the environment, and documented."""

import re
import subprocess
import sys
from urllib.parse import urlsplit

import pytest

from service.runtime.redis_urls import MAX_SOCKET_PATH_BYTES, own_redis_url
from service.runtime.settings import NEW_NAMES, BadSetting, Settings, read_settings


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


def test_the_page_of_a_match_is_known_if_the_service_is_known_from_outside():
    assert Settings().match_url("m") is None
    shown = Settings(public_url="https://annals.example/play/")
    assert shown.match_url("m") == "https://annals.example/play/matches/m"


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
        ("ANNALS_XYZZY", "`annals settings` lists all."),
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
