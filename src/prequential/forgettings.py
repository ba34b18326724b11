"""Forgettings: which records count in a metric, and with what weight.

>>> import prequential as pq
>>> pq.forgettings.names()
('cumulative', 'sliding', 'fading', 'adaptive', 'histogram')
>>> pq.forgettings.as_forgetting("sliding:12h")
Sliding(window_size=None, seconds=43200.0)
"""

from typing import TYPE_CHECKING

from prequential.metrics.forgetting import (
    AdaptiveWindow,
    Cumulative,
    ExponentialHistogram,
    Fading,
    Forgetting,
    Sliding,
    as_forgetting,
    names,
)
from prequential.namespace import namespace

__all__ = [
    "AdaptiveWindow",
    "Cumulative",
    "ExponentialHistogram",
    "Fading",
    "Forgetting",
    "Sliding",
    "as_forgetting",
    "names",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = namespace(__name__, __all__)
