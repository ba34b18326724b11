"""Forgettings: which records count in a metric, and with what weight.

>>> import prequential as pq
>>> pq.forgettings.names()
('cumulative', 'sliding', 'fading', 'adaptive', 'histogram')
>>> pq.forgettings.as_forgetting("sliding:12h")
Sliding(window_size=None, seconds=43200.0)
"""

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
