"""The command ``prequential``: Ctrl-C ends it quietly, even while its libraries are imported.

This cannot be in the package itself, whose ``__init__`` imports them.
"""

from __future__ import annotations

import sys

INTERRUPTED = 130
"""The exit code after Ctrl-C."""


def main() -> None:
    """Run the command line."""
    try:
        from prequential.cli import main as command
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted.\n")
        raise SystemExit(INTERRUPTED) from None
    command()
