"""A worker in another process: the first message has its jobs; it answers each further message with a result."""

from __future__ import annotations

import os
import pickle
import signal
import sys
from collections.abc import Mapping, Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_file_location
from types import ModuleType
from typing import Any

from prequential.engines.sending import packed_error
from prequential.engines.worker import Worker
from prequential.stopping import learner_faults


class Serving:
    """Answers the messages to a worker."""

    def __init__(self) -> None:
        self._worker: Worker | None = None

    def answer(self, message: Any) -> tuple[str, Any]:
        """Make the call in a message; return ``"answer"`` and its result, or the class and message of an error."""
        try:
            if self._worker is None:
                jobs, files = message
                sys.meta_path.append(ByFile(files))
                self._worker = Worker(*pickle.loads(jobs))
                return "answer", None
            return "answer", getattr(self._worker, message[0])(*message[1:])
        except learner_faults() as error:  # learners may raise anything
            return packed_error(error)


def serve() -> None:
    """Answer messages from standard input on standard output, until the input ends."""
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)  # the main process handles them, and ends this one
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a learner prints must not mix with the answers
    serving = Serving()
    while True:
        try:
            message = pickle.load(sys.stdin.buffer)
        except EOFError:
            return
        try:
            out.write(pickle.dumps(serving.answer(message), protocol=5))
            out.flush()
        except OSError:
            return  # the main process has ended


class ByFile(MetaPathFinder):
    """Finds modules that the main process has loaded from files outside its search path."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  # required by the interface
        target: ModuleType | None = None,  # noqa: ARG002  # required by the interface
    ) -> ModuleSpec | None:
        """Return the location of the module."""
        return spec_from_file_location(fullname, self._files[fullname]) if fullname in self._files else None
