"""`python -m annals`, and the command `annals`."""

import sys


def main() -> None:
    """Run a command of `annals`."""
    from workers.cli import main as run  # once `annals` has made it importable

    run()


if __name__ == "__main__":
    sys.exit(main())
