"""`annals doctor` says whether mail can be sent, and sends a trial mail."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from service.accounts.house import House
from service.runtime.settings import BadSetting, Settings, read_settings
from tests.support.mail_server import mail_server
from workers.tools.doctor.command import doctor
from workers.tools.doctor.finding import Finding, Patient
from workers.tools.doctor.mail import check_mail

SENDER, ADA = "annals@example.com", "ada@example.org"
PLAIN = {
    "ANNALS_SMTP_HOST": "localhost",
    "ANNALS_SMTP_SECURITY": "none",
    "ANNALS_MAIL_FROM": SENDER,
    "ANNALS_PUBLIC_URL": "https://annals.example",
}
NO_MAILBOXES = ("ada", "a@b@c", "Ada <ada@example.org>", "a@x\nb@y", "\u4f60@x.org")


def check(settings: Settings) -> Finding:
    [found] = check_mail(Patient(settings, None, House()))
    assert (found.level == "ok") == (found.cure == "")
    return found


def test_a_check_sends_no_mail() -> None:
    assert check(Settings()).text == "E-mail is off."
    with mail_server() as (mail, port):
        settings = read_settings({**PLAIN, "ANNALS_SMTP_PORT": str(port)})
        assert check(settings).text == f"localhost takes mail from {SENDER}."
        assert check(replace(settings, smtp_host="127.1")).level == "warn"
        assert "need the public address" in check(replace(settings, public_url="")).text
        mail.refused = {SENDER: "553 Not yours"}
        assert check(settings).level == "fail"
    assert not mail.taken


def test_a_trial_mail_is_sent(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ANNALS_DATA", str(tmp_path))
    off = CliRunner().invoke(doctor, ["--mail", ADA])
    assert (off.exit_code, "Cure: Set ANNALS_SMTP_HOST" in off.stdout) == (1, True)
    with mail_server() as (mail, port):
        for name, value in {**PLAIN, "ANNALS_SMTP_PORT": str(port)}.items():
            monkeypatch.setenv(name, value)
        said = CliRunner().invoke(doctor, ["--mail", ADA])
        mail.refused = {ADA: "550 Unknown"}
        refused = CliRunner().invoke(doctor, ["--mail", ADA])
    assert (said.exit_code, refused.exit_code) == (0, 1)
    [(sender, to, message)] = mail.taken
    assert (sender, to, message["To"]) == (SENDER, [ADA], ADA)
    assert "550 Unknown" in refused.stdout


@pytest.mark.parametrize("address", NO_MAILBOXES)
def test_only_a_mailbox_is_an_address(address: str) -> None:
    assert CliRunner().invoke(doctor, ["--mail", address]).exit_code == 2
    with pytest.raises(BadSetting, match="ANNALS_MAIL_FROM must be an address"):
        read_settings({**PLAIN, "ANNALS_MAIL_FROM": address})


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"ANNALS_MAIL_FROM": ""}, "mail needs a sender"),
        ({"ANNALS_SMTP_USER": "annals"}, "or neither"),
        ({"ANNALS_SMTP_USER": "a", "ANNALS_SMTP_PASSWORD": "\u4f60"}, "must be in ASCII"),
    ],
)
def test_settings_that_send_no_mail_are_refused(changes: dict[str, str], reason: str) -> None:
    with pytest.raises(BadSetting, match=reason) as caught:
        read_settings({**PLAIN, **changes})
    assert "\u4f60" not in str(caught.value)


def test_no_address_is_no_address() -> None:
    assert CliRunner().invoke(doctor, ["--mail", ""]).exit_code == 2
