"""What an actor of Ray does: what a worker process does, on any machine of a cluster."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Sequence

from prequential.engines.serving import Serving
from prequential.runs.manifest import versions


class Actor:
    """A worker, and the messages to it: bytes come, bytes go, so that Ray need not know what they are.

    Parameters
    ----------
    path
        Where the one who asks looks for modules; those places are tried after the ones of this machine.
    """

    def __init__(self, path: Sequence[str]) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the one who asks
        sys.path += [place for place in path if place not in sys.path]
        self._serving = Serving()

    def about(self) -> tuple[int, dict[str, str]]:
        """Return the process, and the versions of what numbers may depend on."""
        return os.getpid(), versions()

    def ask(self, message: bytes) -> bytes:
        """Answer a message."""
        return pickle.dumps(self._serving.answer(pickle.loads(message)), protocol=5)
