"""Metrics of predictions: look-ups by name, and what a metric of your own is made of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from prequential.metrics.catalogue import names, of_confusion
from prequential.metrics.counts import Counts
from prequential.metrics.metric import Metric, as_metric
from prequential.metrics.reliability import Reliability
from prequential.metrics.roc_curve import RocCurve
from prequential.namespace import namespace

__all__ = [
    "Counts",
    "Metric",
    "Reliability",
    "RocCurve",
    "as_metric",
    "names",
    "of_confusion",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = namespace(__name__, __all__)
