"""The driver: it passes the records of a source to the learners of a run once, and records the results."""

from typing import TYPE_CHECKING

from prequential.namespace import namespace

if not TYPE_CHECKING:
    __getattr__, __dir__ = namespace(__name__, ())
