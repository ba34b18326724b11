"""All metrics: importing their modules registers them, in the order in which listings show them."""

from __future__ import annotations

import numpy.typing as npt

from prequential.arguments import checked_call

# isort: off
from prequential.metrics import accuracy, auc, class_accuracy, kappa, matthews, normalised, precision_recall  # noqa: F401
from prequential.metrics import calibration, probability, regression, window  # noqa: F401

# isort: on
from prequential.metrics.counts import Counts
from prequential.metrics.metric import REGISTRY, names

__all__ = ["DEFAULT_METRICS", "names", "of_confusion"]

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
