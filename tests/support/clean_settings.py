"""Tests and recorded stores do not depend on the settings of the shell or of the checkout."""

from __future__ import annotations

import os

import msgspec

from service.runtime.config.sources import NAMES, PREFIX, SECRET_FILES, config_path
from service.runtime.config.texts import keep_texts


def forget_settings() -> None:
    """Take all settings out of the environment of this process, and pass over the `annals.conf` in
    the data folder of the checkout, also in the processes that it starts or forks.
    """
    for name in list(os.environ):
        if name.lstrip("_").startswith(PREFIX) or name in NAMES | SECRET_FILES:
            del os.environ[name]
    keep_texts(msgspec.json.encode({str(config_path({})): ""}))
