"""A worker in a Ray actor, on any machine of a cluster."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Sequence

from prequential.engines.serving import Serving
from prequential.runs.manifest import versions


class Actor:
    """Answers the messages to a worker; messages and answers are bytes, so Ray need not serialise them.

    Parameters
    ----------
    path
        Search path of the main process for modules, tried after that of this machine.
    """

    def __init__(self, path: Sequence[str]) -> None:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is handled by the main process
        sys.path += [place for place in path if place not in sys.path]
        self._serving = Serving()

    def about(self) -> tuple[int, dict[str, str]]:
        """Return the process id, and the versions of the packages that numbers may depend on."""
        return os.getpid(), versions()

    def ask(self, message: bytes) -> bytes:
        """Process a message, and return the answer."""
        return pickle.dumps(self._serving.answer(pickle.loads(message)), protocol=5)
