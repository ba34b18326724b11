"""What is sent to and from workers in other processes: jobs, the modules that they need, and errors."""

from __future__ import annotations

import pickle
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from prequential.engines.job import Job
from prequential.errors import DataError, InputError, LearnerError, PrequentialError, StorageError
from prequential.saved import UnsavableError

_ERRORS: tuple[type[PrequentialError], ...] = (UnsavableError, DataError, InputError, LearnerError, StorageError)
"""Errors that keep their class when a worker sends them back."""


def check_sendable(jobs: Sequence[Job]) -> None:
    """Raise an error for a job that cannot be sent or made; a worker would give a worse message."""
    for name, job in {job.name: job for job in jobs}.items():
        reason = why_not_sendable(job)
        if reason:
            raise InputError(f"{name}: {reason}")
        job.make()


def why_not_sendable(job: object) -> str:
    """Return why a job, or something else, cannot be sent to another process; empty if it can."""
    try:
        content = pickle.dumps(job, protocol=5)
    except Exception as error:  # objects of other libraries may raise anything
        return (
            f"it cannot be sent to another process: {type(error).__name__}: {error}. Define its classes and functions "
            "in a module, or use engine='serial' (--engine serial)."
        )
    if b"__main__" in content:
        return (
            "it uses something that is defined in the script itself (__main__), which a worker process does not run. "
            "Move it to a separate module, or use engine='serial' (--engine serial)."
        )
    return ""


def modules_by_file() -> dict[str, str]:
    """Return the modules that were loaded from a file that is not on the search path, as plans do, and their files."""
    return {
        name: str(module.__file__)
        for name, module in list(sys.modules.items())
        if "." not in name
        and name != "__main__"
        and str(getattr(module, "__file__", None) or "").endswith(".py")
        and not hasattr(module, "__path__")
        and str(Path(str(module.__file__)).parent) not in sys.path
    }


def packed_error(error: BaseException) -> tuple[str, Any]:
    """Return an error as the name of its class, its message and its attributes."""
    for kind in _ERRORS:
        if isinstance(error, kind):
            return kind.__name__, (str(error), vars(error))
    return "Exception", f"{type(error).__name__}: {error}"


def unpacked_error(name: str, content: Any) -> Exception:
    """Return the error whose class, message and attributes a worker has sent."""
    kind = next((one for one in _ERRORS if one.__name__ == name), None)
    if kind is None:
        return RuntimeError(content)
    message, attributes = content
    error = kind.__new__(kind, message)
    error.args = (message,)
    vars(error).update(attributes)
    return error
