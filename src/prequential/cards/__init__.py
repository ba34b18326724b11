"""The learner's card: what the nine streams of the testbed say of a learner, as plain data.

How it is computed is in ``prequential.experiment.card``, how it is shown in ``prequential.report.card``.
"""

from __future__ import annotations

from prequential.cards.error_counts import ErrorCounts
from prequential.cards.property import PROPERTIES, Measured, Property, Reading
from prequential.cards.results import LearnerEntry, Results, StreamEntry

__all__ = [
    "PROPERTIES",
    "ErrorCounts",
    "LearnerEntry",
    "Measured",
    "Property",
    "Reading",
    "Results",
    "StreamEntry",
]
