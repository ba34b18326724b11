"""Why a learner stopped before the end of the stream."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Failure:
    """The record at which a learner failed, the message of its error, and the traceback."""

    record: int
    message: str
    traceback: str
