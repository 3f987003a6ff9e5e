"""A small service under the real supervisor: the web server and the real Redis."""

import os
import sys
import time
from pathlib import Path

from redis import Redis

from service.front.asgi_adapter import AsgiAdapter
from service.runtime.event_loop import pause
from service.runtime.settings import read_settings
from workers.host.errors import CannotRun
from workers.host.redis_check import await_both
from workers.host.run import build_redis, hold_folder, refuse_taken_port
from workers.host.supervisor import Program, supervise
from workers.host.web import die_with_server, serve


def application(environ, start_response):
    path = environ["PATH_INFO"]
    start_response("200 OK", [("Content-Type", "text/event-stream")])
    if path == "/stream":
        return ticks()
    with Redis.from_url(read_settings(os.environ).events_url) as redis:
        count = redis.incr("count") if path == "/count" else redis.ping()
    return [str(int(count)).encode()]


def ticks():
    while True:
        yield b": still here\n\n"
        pause(0.2)


def load():
    die_with_server()
    return AsgiAdapter(application, read_settings(os.environ))


def run(settings):
    me = [sys.executable, __file__]
    with hold_folder(settings.data):
        refuse_taken_port(settings.host, settings.port)
        programs = [*build_redis(settings)]
        programs.append(Program("worker", [*me, "worker"], rank=2, count=2))
        programs.append(Program("web", [*me, os.environ.get("WEB", "web")], rank=3))
        supervise(settings, programs, os.environ)


if __name__ == "__main__":
    settings = read_settings(os.environ)
    match sys.argv[1:]:
        case ["web"]:
            await_both(settings)
            serve(settings, f"{Path(__file__).stem}:load")
        case ["worker"]:
            time.sleep(3600)
        case ["broken"]:
            sys.exit("the web server has no idea what to do")
        case _:
            try:
                run(settings)
            except CannotRun as error:
                sys.exit(str(error))
