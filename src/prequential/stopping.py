"""Stopping a run: Ctrl-C and SIGTERM end it at the next step, with a save point; a second signal ends it at once.

A signal is not the same as a learner that raises ``KeyboardInterrupt`` or calls ``sys.exit()``: the signal stops the
run, the learner only fails itself.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

PATIENCE_SECONDS = 5.0
"""How long a run may take to finish its step after a signal; then it is interrupted where it is."""


class Terminated(KeyboardInterrupt):
    """The process received SIGTERM; it is handled like Ctrl-C."""


class _Stop:
    """Which signal has asked the run to stop."""

    def __init__(self) -> None:
        self.number: int | None = None
        self.n_waiting = 0
        """Number of runs that look for a signal between their steps."""
        self.timer: threading.Timer | None = None
        """Interrupts the step during which the signal came, if that takes too long."""

    def error(self) -> KeyboardInterrupt:
        if self.number == signal.SIGTERM:
            return Terminated("terminated (SIGTERM)")
        return KeyboardInterrupt("interrupted (Ctrl-C)")


_STOP = _Stop()


def learner_faults() -> tuple[type[BaseException], ...]:
    """Return the exceptions that count as a failure of the learner that raised them.

    These are all exceptions; after a signal, all except ``KeyboardInterrupt``.

    Examples
    --------
    >>> issubclass(KeyboardInterrupt, learner_faults())
    True
    """
    return (BaseException,) if _STOP.number is None else (Exception, SystemExit, GeneratorExit)


def raise_if_stopped() -> None:
    """Raise ``KeyboardInterrupt`` or ``Terminated`` if there was a signal."""
    if _STOP.number is not None:
        raise _STOP.error()


def was_stopped() -> bool:
    """Return whether there was a signal."""
    return _STOP.number is not None


@contextmanager
def steps() -> Iterator[None]:
    """Let the first signal within the block wait until the code calls ``raise_if_stopped``."""
    _STOP.n_waiting += 1
    try:
        yield
    finally:
        _STOP.n_waiting -= 1
        if _STOP.timer is not None and not _STOP.n_waiting:  # saving what was computed may take its time
            _STOP.timer.cancel()
            _STOP.timer = None


@contextmanager
def stoppable() -> Iterator[None]:
    """Handle SIGINT and SIGTERM within the block, in the main thread; handlers that others have set stay."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    replaced: dict[int, Any] = {}
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        replaced[signal.SIGINT] = signal.signal(signal.SIGINT, _handle)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        replaced[signal.SIGTERM] = signal.signal(signal.SIGTERM, _handle)
    try:
        yield
    finally:
        for number, handler in replaced.items():
            signal.signal(number, handler)
        if replaced:
            _STOP.number = None


def _handle(number: int, frame: FrameType | None) -> None:  # noqa: ARG001  # the signature of a handler
    again = _STOP.number is not None
    _STOP.number = number if not again or number == signal.SIGTERM else _STOP.number
    if again or not _STOP.n_waiting:
        raise _STOP.error()
    _STOP.timer = threading.Timer(PATIENCE_SECONDS, _lose_patience)
    _STOP.timer.daemon = True
    _STOP.timer.start()


def _lose_patience() -> None:
    if _STOP.number is not None and _STOP.n_waiting:
        main = threading.main_thread().ident
        if sys.platform == "win32" or main is None:
            signal.raise_signal(_STOP.number)
        else:
            signal.pthread_kill(main, _STOP.number)  # the main thread may be waiting in the system
