"""A small service under the real supervisor: the web server and the real Redis."""

import json
import os
import sys
import time
from functools import partial

from redis import Redis

from service.front.asgi_adapter import AsgiAdapter
from service.runtime.event_loop import pause
from service.runtime.settings import RUN_VARIABLE, read_settings
from workers.host import reload, run, supervisor
from workers.host.children.handover import take_texts
from workers.host.errors import CannotRun
from workers.host.redis.checks import await_both
from workers.host.supervisor import Heartbeat, Program
from workers.host.web import serve

REHEARSAL = """
import os
from service.runtime.config.sources import config_path
from service.runtime.config.texts import encode_texts
from service.runtime.settings import read_settings
read_settings(os.environ)
config_path(os.environ).write_text("an edit during the reload, which is no setting")
print(encode_texts().decode())
"""
NAME = "tests.workers.host.children.small_service"
RELOADED = reload.HANDOVER_VARIABLE in os.environ


def application(environ, start_response):
    path = environ["PATH_INFO"]
    start_response("200 OK", [("Content-Type", "text/event-stream")])
    if path == "/stream":
        return ticks()
    if path == "/readyz":
        return [json.dumps({"run": os.environ[RUN_VARIABLE]}).encode()]
    with Redis.from_url(read_settings(os.environ).events_url) as redis:
        count = redis.incr("count") if path == "/count" else redis.ping()
    return [str(int(count)).encode()]


def ticks():
    while True:
        yield b": still here\n\n"
        pause(0.2)


def load():
    settings = read_settings(os.environ)
    await_both(settings)
    return AsgiAdapter(application, settings)


def build_web(settings, listener):
    heartbeat = Heartbeat()
    main = partial(serve, settings, listener, heartbeat, load)
    if "broken" in (os.environ.get("WEB"), RELOADED and os.environ.get("NEW_WEB")):
        main = partial(sys.exit, "the web server has no idea what to do")
    yield Program("web", main, 3, heartbeat, serves=True)


def workers(settings):
    for number in range(2):
        yield Program(f"worker-{number}", partial(time.sleep, 3600), rank=2)


def main(_words=()):
    sys.orig_argv = [sys.executable, "-m", NAME]  # what a reload executes
    run.build_programs, run.build_web = workers, build_web
    run.warm_up = lambda settings: iter(())
    reload.REHEARSAL = (
        "import sys; sys.exit('it has a mistake')" if "NEW_CODE" in os.environ else REHEARSAL
    )
    supervisor.HANG_S = float(os.environ.get("HANG_S", supervisor.HANG_S))
    take_texts()
    try:
        run.run(read_settings(os.environ))
    except CannotRun as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
