"""The `annals` command."""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from types import TracebackType

import click

from service.runtime.config.sources import CONFIG
from service.runtime.config.texts import absolute_path
from service.runtime.settings import Settings, read_settings
from workers.host.children.handover import take_texts
from workers.host.errors import CannotRun, writable
from workers.host.exits import exit_on_error

# Commands that are imported on use: importing all of them would delay the start of `annals run`.
LAZY_COMMANDS = {
    "accept-loss": (
        "workers.tools.store.accept_loss",
        "Continue with a store that has lost entries.",
    ),
    "admin": ("workers.tools.admin.admin", "Manage players and matches."),
    "archive": ("workers.tools.store.archive", "Move finished matches to packed files."),
    "arena": ("workers.tools.bots.arena", "Let bots play each other and count who wins."),
    "backup": ("workers.tools.store.backup_command", "Write all matches and accounts to a file."),
    "calibrate": ("workers.tools.bots.calibrate", "Fit win probabilities to matches of bots."),
    "config": ("workers.tools.config", "List all settings, with values and their sources."),
    "discord": ("workers.tools.admin.discord", "Manage the application in Discord."),
    "doctor": ("workers.tools.doctor.command", "Look for faults, and say their cures."),
    "corpus": ("workers.tools.bots.corpus.command", "Let bots play many matches of all games."),
    "demo": ("workers.tools.bots.demo", "Play a whole match over REST against bots."),
    "draw": ("workers.tools.bots.draw", "Draw a game after some random moves."),
    "export": ("workers.tools.tables.export", "Write finished matches as tables."),
    "erase": ("workers.tools.admin.erase", "Erase a player for good."),
    "new-game": ("workers.tools.new_game", "Add a game to a checkout of Annals."),
    "rebuild": ("workers.tools.rebuild", "Rebuild the read models."),
    "replay": ("workers.tools.check.replay", "List who did what and when in a match."),
    "report": (
        "workers.tools.tables.report.command",
        "Write a page about a game from its matches.",
    ),
    "restore": ("workers.tools.store.restore", "Fill an empty store from a backup."),
    "sample": ("workers.tools.sample", "Print a sample for nginx, Caddy or systemd."),
    "show": ("workers.tools.check.show", "Show a match as it is or was."),
    "sql": ("workers.tools.tables.sql", "Query exported tables in SQL."),
    "tlog": ("workers.tools.check.tlog", "Manage the transparency log."),
    "upgrade": ("workers.tools.store.upgrade", "Check what an upgrade to this version changes."),
    "verify": ("workers.tools.check.verify", "Check bundles, matches or the whole store."),
}


class Commands(click.Group):
    """The commands of this module, and those that are imported on use."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of all commands."""
        return sorted([*super().list_commands(ctx), *LAZY_COMMANDS])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command of this name."""
        if cmd_name not in LAZY_COMMANDS:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(
            import_module(LAZY_COMMANDS[cmd_name][0]), cmd_name.replace("-", "_")
        )
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write one line for each command, without importing any."""
        here = {name: command.get_short_help_str(80) for name, command in self.commands.items()}
        lines = here | {name: line for name, (_, line) in LAZY_COMMANDS.items()}
        with formatter.section("Commands"):
            formatter.write_dl(sorted(lines.items()))


partitions_option = click.option(
    "--partitions", metavar="LIST", help="Work only on these partitions, such as 0-3,8."
)


@click.group(cls=Commands)
@click.version_option(package_name="annals", message="annals %(version)s")
@click.option("--config", metavar="FILE", help="Read settings from this file.")
def commands(config: str | None) -> None:
    """Board games with a complete record of every match."""
    if config:
        os.environ[CONFIG] = str(absolute_path(config))


@commands.command()
@click.option("--skip-sample", is_flag=True, help="Start even if some matches cannot be read.")
def run(skip_sample: bool) -> None:
    """Run everything on this machine until Ctrl-C."""
    take_texts()
    settings = read_settings(os.environ)
    with writable(settings.data):
        open_metrics(settings)
    from workers.host.run import run as run_all

    run_all(settings, skip_sample=skip_sample)


@commands.command()
def reload() -> None:
    """Replace the processes of a running service one after another, without a pause."""
    from workers.host.reload import ask_to_reload

    pid = ask_to_reload(read_settings(os.environ))
    click.echo(f"Process {pid} replaces its processes now; its console says how it goes.")


@commands.command()
def web() -> None:
    """Run only the web server."""
    settings = start_logging()
    open_metrics(settings)
    from workers.host.web import main as serve

    serve(settings)


@commands.command()
@partitions_option
def projector(partitions: str | None) -> None:
    """Run only a projector. Several projectors can share the partitions."""
    from workers.dispatch.partitions import read_partitions
    from workers.host.redis.checks import await_both
    from workers.processes.projector import main as project

    settings = start_logging()
    some = read_partitions(partitions, settings.partitions)
    await_both(settings)
    project(settings, some)


@commands.command()
@click.option("--quick", is_flag=True, help="Leave bots that search to other workers.")
def worker(quick: bool) -> None:
    """Run only one worker: deadlines, scoring and bot turns."""
    settings = prepare_worker()
    from workers.jobs.match_jobs import open_store  # imports all jobs now
    from workers.processes.worker import ALL_QUEUES, NICE, QUICK_QUEUES
    from workers.processes.worker import main as work

    if not quick:
        os.nice(NICE)
    open_store()
    work(settings, QUICK_QUEUES if quick else ALL_QUEUES)


@commands.command()
def deliveries() -> None:
    """Run only one sender of webhooks, mail and push messages."""
    settings = prepare_worker()
    from workers.dispatch.delivery_work import MAIL_QUEUE, PUSH_QUEUE, QUEUE
    from workers.processes.deliveries import NICE, open_sender, pool
    from workers.processes.mailer import open_mailer, stop_mailer
    from workers.processes.pusher import open_pusher, stop_pusher
    from workers.processes.worker import main as work

    os.nice(NICE)
    open_sender()
    open_mailer()
    open_pusher()
    work(settings, [QUEUE, MAIL_QUEUE, PUSH_QUEUE])
    pool().stop()
    stop_mailer()
    stop_pusher()


@commands.command()
@partitions_option
def analyst(partitions: str | None) -> None:
    """Run only the analyst: statistics, and analyses of matches."""
    from workers.dispatch.partitions import read_partitions

    some = read_partitions(partitions, read_settings(os.environ).partitions)
    settings = prepare_worker()
    from workers.processes.analyst import main as study

    study(settings, some)


@commands.command()
def notary() -> None:
    """Run only the process that signs the transparency log."""
    settings = prepare_worker()
    if settings.tlog_folder is None:
        raise CannotRun("ANNALS_TLOG is off, so there is no log to sign.")
    from workers.processes.notary import main as notarize

    notarize(settings)


@commands.command("discord-worker")
def discord_worker() -> None:
    """Run only one process that answers in Discord."""
    settings = prepare_worker()
    from service.channels.discord.follow_up_jobs import QUEUE
    from service.store.redis_client import connect
    from workers.jobs.discord import open_renderer, requeue_unfinished
    from workers.processes.worker import main as work

    open_renderer()
    requeue_unfinished(connect(settings.queue_url))
    work(settings, [QUEUE])


@commands.command()
def metrics() -> None:
    """Run only the metrics endpoint of all processes."""
    from workers.host.metrics import main as serve
    from workers.host.redis.checks import await_both

    settings = start_logging()
    await_both(settings)
    serve(settings)


def prepare_worker() -> Settings:
    """Configure the logs and metrics of a process that runs jobs; returns its settings."""
    from workers.host.redis.checks import await_both

    settings = start_logging()
    await_both(settings)
    with suppress(OSError):  # the process works without metrics
        open_metrics(settings)
    return settings


def open_metrics(settings: Settings) -> None:
    """Make this process and its children share their metrics. Comes before most imports, because
    the library for metrics decides at its import where values are.
    """
    from service.runtime.metrics_folder import metrics_folder, share_metrics

    share_metrics(metrics_folder(settings.data))


def start_logging() -> Settings:
    """Configure the logs of this process; returns its settings."""
    from service.runtime.logs import configure_logs  # its libraries delay short commands

    settings = read_settings(os.environ)
    configure_logs(settings.log_level)
    return settings


def print_traceback(
    kind: type[BaseException], error: BaseException, trace: TracebackType | None
) -> None:
    """Print an error that no code has caught, without values of a match."""
    from service.runtime.logs import format_traceback

    click.echo(format_traceback((kind, error, trace)), err=True)


def call(name: str, **options: object) -> None:
    """Run a command of this module with all its options, in a child of a process that runs `main`.

    To read a command line, click would copy 2 MB of the parent's memory.
    """
    callback = commands.commands[name].callback
    assert callback
    with exit_on_error():
        callback(**options)


def main(command: Sequence[str] | None = None) -> None:
    """Run a command, by default that of the command line. If the operator can fix an error, print
    one sentence and exit with 1.

    Files that it creates are readable only by their owner.
    """
    os.umask(0o077)
    sys.excepthook = print_traceback
    with exit_on_error():
        commands(command, prog_name="annals")


if __name__ == "__main__":
    main()
