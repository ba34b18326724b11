"""Metrics of predictions, and the forgettings under which they are computed."""

from __future__ import annotations

import numpy.typing as npt

from prequential.arguments import checked_call
from prequential.metrics import (
    accuracy,
    auc,
    class_accuracy,
    kappa,
    matthews,
    precision_recall,
    probability,
    regression,
    window,
)
from prequential.metrics.counts import Counts
from prequential.metrics.forgetting import (
    AdaptiveWindow,
    Cumulative,
    ExponentialHistogram,
    Fading,
    Forgetting,
    Sliding,
    as_forgetting,
)
from prequential.metrics.grid import Checkpoints, Grid
from prequential.metrics.metric import REGISTRY, Metric, as_metric, names, resolve
from prequential.metrics.roc_curve import RocCurve

__all__ = [
    "REGISTRY",
    "AdaptiveWindow",
    "Checkpoints",
    "Counts",
    "Cumulative",
    "ExponentialHistogram",
    "Fading",
    "Forgetting",
    "Grid",
    "Metric",
    "RocCurve",
    "Sliding",
    "accuracy",
    "as_forgetting",
    "as_metric",
    "auc",
    "class_accuracy",
    "kappa",
    "matthews",
    "names",
    "of_confusion",
    "precision_recall",
    "probability",
    "regression",
    "resolve",
    "window",
]

DEFAULT_METRICS = {
    "classification": ("accuracy", "kappa", "kappa_m", "kappa_t"),
    "regression": ("mae", "rmse", "r2"),
}


@checked_call
def of_confusion(confusion: npt.ArrayLike) -> dict[str, float]:
    """Compute every metric that is defined by a confusion matrix alone (labels in rows).

    Examples
    --------
    >>> values = of_confusion([[40, 30], [5, 25]])
    >>> round(values["kappa"], 4), round(values["kappa_m"], 4)
    (0.3269, -0.1667)
    """
    counts = Counts.of_matrix(confusion)
    return {m.name: float(m(counts)) for m in REGISTRY.values() if m.needs == "labels" and not m.per_class}
