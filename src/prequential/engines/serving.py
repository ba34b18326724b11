"""What a worker does in another process: makes replicas of the first message, and answers the others."""

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

from prequential.engines.worker import Worker
from prequential.errors import InputError, LearnerError, StorageError
from prequential.saved import UnsavableError


class Serving:
    """A worker, and the messages to it."""

    def __init__(self) -> None:
        self._worker: Worker | None = None

    def answer(self, message: Any) -> tuple[str, Any]:
        """Do what a message says; an error is told, to be raised again by the one who asked."""
        try:
            if self._worker is None:
                jobs, files = message
                sys.meta_path.append(_ByFile(files))
                self._worker = Worker(*pickle.loads(jobs))
                return "answer", None
            return "answer", getattr(self._worker, message[0])(*message[1:])
        except Exception as error:  # of code that we do not know
            return _told(error)


def serve() -> None:
    """Answer the messages on the input until it ends, on the output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C goes to the one who asks, who then says what is to be done
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a learner prints must not get among the answers
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
            return  # nobody listens any more


class _ByFile(MetaPathFinder):
    """Finds modules that the other process has loaded by the name of their file."""

    def __init__(self, files: Mapping[str, str]) -> None:
        self._files = files

    def find_spec(
        self,
        fullname: str,
        path: Sequence[str] | None,  # noqa: ARG002  # the role asks for it
        target: ModuleType | None = None,  # noqa: ARG002  # and for this
    ) -> ModuleSpec | None:
        """Return where the module is."""
        return spec_from_file_location(fullname, self._files[fullname]) if fullname in self._files else None


def _told(error: Exception) -> tuple[str, str]:
    for kind in (UnsavableError, InputError, LearnerError, StorageError):
        if isinstance(error, kind):
            return kind.__name__, str(error)
    return "Exception", f"{type(error).__name__}: {error}"
