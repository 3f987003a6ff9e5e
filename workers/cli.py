"""The `annals` command."""

import os
import sys
from contextlib import suppress
from importlib import import_module
from typing import NoReturn

import click
from structlog import get_logger, is_configured

from service.runtime.logs import told, write_logs
from service.runtime.settings import BadSetting, Settings, read_settings
from workers.host.errors import CannotRun

# Loading these takes longer than `annals run` should need to say something.
ELSEWHERE = {
    "accept": ("workers.tools.store.accept_loss", "Go on with a store that has lost something."),
    "admin": ("workers.tools.admin.admin", "Look after players and matches."),
    "archive": ("workers.tools.store.archive", "Move matches that are over to packed files."),
    "arena": ("workers.tools.bots.arena", "Let bots play one another and count who wins."),
    "backup": ("workers.tools.store.backup", "Write all matches and accounts to a file."),
    "calibrate": ("workers.tools.bots.calibrate", "Fit chances to win to matches of bots."),
    "discord": ("workers.tools.admin.discord", "Look after the application in Discord."),
    "demo-corpus": ("workers.tools.bots.corpus.command", "Let bots play a corpus of all games."),
    "demo": ("workers.tools.bots.demo", "Play a whole match over REST against bots."),
    "export": ("workers.tools.tables.export", "Write matches that are over as tables."),
    "forget": ("workers.tools.admin.erase", "Forget a player for good."),
    "rebuild": ("workers.tools.rebuild", "Rebuild the read models."),
    "replay": ("workers.tools.check.replay", "Show who did what when."),
    "report": (
        "workers.tools.tables.report.command",
        "Write a page about a game from its matches.",
    ),
    "restore": ("workers.tools.store.restore", "Fill an empty store from a backup."),
    "show": ("workers.tools.check.show", "Show how a match stands, or stood."),
    "sql": ("workers.tools.tables.sql", "Ask exported tables by SQL."),
    "tlog": ("workers.tools.check.tlog", "Look after the transparency log."),
    "verify": ("workers.tools.check.verify", "Check that what is served is what was recorded."),
}


class Commands(click.Group):
    """The commands here, and those elsewhere, loaded when they are wanted."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names."""
        return sorted([*super().list_commands(ctx), *ELSEWHERE])

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of this name."""
        if cmd_name not in ELSEWHERE:
            return super().get_command(ctx, cmd_name)
        command: click.Command = getattr(
            import_module(ELSEWHERE[cmd_name][0]), cmd_name.replace("-", "_")
        )
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One line for each, loading none."""
        here = {name: command.get_short_help_str(80) for name, command in self.commands.items()}
        lines = here | {name: line for name, (_, line) in ELSEWHERE.items()}
        with formatter.section("Commands"):
            formatter.write_dl(sorted(lines.items()))


of_some_partitions = click.option(
    "--partitions", metavar="LIST", help="Work on these partitions alone, as 0-3,8."
)


@click.group(cls=Commands)
@click.version_option(package_name="annals", message="annals %(version)s")
def commands() -> None:
    """Board games that keep the annals of every match."""


@commands.command()
def run() -> None:
    """Run everything on this machine until Ctrl-C."""
    from workers.host.run import run as run_all

    run_all(read_settings(os.environ))


@commands.command()
def web() -> None:
    """Run the web server alone."""
    from workers.host.web import main as serve

    serve(logging())


@commands.command()
@of_some_partitions
def projector(partitions: str | None) -> None:
    """Run the projector alone, or one of several that share the partitions."""
    from workers.dispatch.partitions import read_partitions
    from workers.host.redis_check import await_both
    from workers.processes.projector import main as project

    settings = logging()
    some = read_partitions(partitions, settings.partitions)
    await_both(settings)
    project(settings, some)


@commands.command()
@click.option("--quick", is_flag=True, help="Leave bots that search to other workers.")
def worker(quick: bool) -> None:
    """Run one worker alone: deadlines, scoring and bot turns."""
    settings = ready_to_work()
    from workers.jobs.match_jobs import open_store  # also so that the first job finds all loaded
    from workers.processes.worker import ALL, QUICK
    from workers.processes.worker import main as work

    open_store()
    work(settings, QUICK if quick else ALL)


@commands.command("deliveries")
def send() -> None:
    """Run one sender of webhooks alone."""
    settings = ready_to_work()
    from workers.dispatch.delivery_work import QUEUE
    from workers.processes.deliveries import NICE, open_sender, threads
    from workers.processes.worker import main as work

    os.nice(NICE)
    open_sender()
    work(settings, [QUEUE])
    threads().stop()


@commands.command()
@of_some_partitions
def analyst(partitions: str | None) -> None:
    """Run the analyst alone: statistics, and analyses of matches."""
    from workers.dispatch.partitions import read_partitions

    some = read_partitions(partitions, read_settings(os.environ).partitions)
    settings = ready_to_work()
    from workers.processes.analyst import main as study

    study(settings, some)


@commands.command()
def notary() -> None:
    """Run the notary of the transparency log alone."""
    settings = ready_to_work()
    if settings.tlog_folder is None:
        raise CannotRun("ANNALS_TLOG is off: there is no log to continue.")
    from workers.processes.notary import main as notarize

    notarize(settings)


@commands.command()
def answers() -> None:
    """Run one sender of answers to Discord alone."""
    settings = ready_to_work()
    from service.channels.discord.follow_up_jobs import QUEUE
    from service.store.redis_client import connect
    from workers.jobs.discord import open_desk, take_up
    from workers.processes.worker import main as work

    open_desk()
    take_up(connect(settings.queue_url))
    work(settings, [QUEUE])


@commands.command()
def metrics() -> None:
    """Serve the metrics of all processes alone."""
    from workers.host.metrics import main as serve
    from workers.host.redis_check import await_both

    settings = logging()
    await_both(settings)
    serve(settings)


def ready_to_work() -> Settings:
    """The settings of a process that works off queues, and is counted."""
    from service.runtime.metrics_folder import metrics_folder, share_metrics
    from workers.host.redis_check import await_both

    settings = logging()
    await_both(settings)
    with suppress(OSError):  # it works without; but nobody is told its metrics
        share_metrics(metrics_folder(settings.data))
    return settings


def logging() -> Settings:
    """The settings of a process that logs from now on, whatever it has to say."""
    settings = read_settings(os.environ)
    write_logs(settings.log_level)
    return settings


def main() -> None:
    """Run a command; what the caller can put right is one sentence and exit code 1.

    Whatever it writes is for its owner alone.
    """
    os.umask(0o077)
    sys.excepthook = lambda *fault: click.echo(told(fault), err=True)
    try:
        commands(prog_name="annals")
    except (BadSetting, CannotRun) as error:
        give_up(str(error))
    except Exception as error:
        if not (sentence := about_stores(error)):
            raise
        give_up(sentence)


def give_up(sentence: str) -> NoReturn:
    """End this process with a sentence: in the log if it has one, on the terminal otherwise."""
    if not is_configured():
        sys.exit(sentence)
    get_logger().critical(sentence)
    sys.exit(1)


def about_stores(error: Exception) -> str:
    """What to say if a Redis is the trouble, directly or behind the event store; or the archive."""
    from redis import RedisError

    from service.runtime.errors import StoreUnavailable
    from workers.host.redis_check import complaint

    cause = error.__cause__ or error
    if not isinstance(cause, RedisError):
        return error.reason if isinstance(error, StoreUnavailable) else ""
    settings = read_settings(os.environ)
    url = settings.events_url
    return complaint(settings.named_by(url), cause, url)


if __name__ == "__main__":
    main()
