"""The web application as a WSGI server loads it, set up from the environment."""

from __future__ import annotations

from os import environ

from service.annals import open_annals
from service.app import create_app
from service.logs import write_logs
from service.settings import read_settings

settings = read_settings(environ)
write_logs(settings.log_level)
app = create_app(open_annals(settings))
