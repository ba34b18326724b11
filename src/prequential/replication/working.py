"""A process that makes runs: each message is a seed and its options, each answer the warnings of its run.

Ctrl-C is left to the main process. When the input ends, because of an interrupt or because the main process has been
killed, the run under way is saved at its next step, to be resumed.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
from typing import Any

from prequential.engines.sending import packed_error
from prequential.engines.serving import ByFile
from prequential.replication.experiment import Experiment, noted


def work() -> None:
    """Answer messages from standard input on standard output, until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    out = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # what a learner prints must not mix with the answers
    messages: queue.Queue[Any] = queue.Queue()
    busy = threading.Event()
    threading.Thread(target=_read, args=(messages, busy), daemon=True).start()
    experiment: Experiment | None = None
    while (message := messages.get()) is not None:
        answer: tuple[str, Any]
        try:
            if experiment is None:
                content, files = message
                sys.meta_path.append(ByFile(files))
                experiment = pickle.loads(content)
                answer = "answer", None
            else:
                busy.set()
                answer = "answer", noted(experiment, *message)
        except KeyboardInterrupt as error:
            answer = "interrupted", str(error)
        except BaseException as error:  # the user's code may raise anything
            answer = packed_error(error)
        busy.clear()
        try:
            out.write(pickle.dumps(answer, protocol=5))
            out.flush()
        except OSError:
            return  # the main process has ended


def _read(messages: queue.Queue[Any], busy: threading.Event) -> None:
    """Read messages; at the end of the input, stop the run."""
    while True:
        try:
            messages.put(pickle.load(sys.stdin.buffer))
        except (EOFError, OSError):
            messages.put(None)
            if busy.is_set():
                os.kill(os.getpid(), signal.SIGTERM)
            return
