"""Imports what the `annals` commands import: the processes that tests fork share it.

The library for metrics decides at its import whether values are in a folder. Each command then has
a folder of its own.
"""

from __future__ import annotations

import gc
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from setproctitle import getproctitle

from service.runtime.metrics_folder import share_metrics

with TemporaryDirectory() as folder:
    share_metrics(Path(folder))
    from workers.cli import LAZY_COMMANDS
    from workers.host.warm_up import import_all

    import_all()
    for name in ("workers.host.run", *(module for module, _ in LAZY_COMMANDS.values())):
        import_module(name)
getproctitle()  # finds where the kernel has it, before a command changes the environment
gc.collect()
gc.freeze()  # or the first collection in each process would copy the memory of all objects
