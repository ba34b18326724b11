"""The losses of saved predictions, record by record."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from prequential.elementary import log
from prequential.runs.manifest import Manifest
from prequential.types import FloatArray


def losses_of(table: pa.Table, loss: str, manifest: Manifest) -> FloatArray:
    """Return the loss of each saved prediction; NaN where there is no label, or where the prediction does not count."""
    return PREDICTED[loss](table, manifest)


def _absolute(table: pa.Table, manifest: Manifest) -> FloatArray:  # noqa: ARG001  # one signature
    label, predicted = (table[name].cast(pa.float64()).to_numpy() for name in ("label", "prediction"))
    found: FloatArray = np.where(np.isfinite(predicted), np.abs(predicted - label), np.nan)
    return found


def _squared(table: pa.Table, manifest: Manifest) -> FloatArray:
    return _absolute(table, manifest) ** 2


def _log_loss(table: pa.Table, manifest: Manifest) -> FloatArray:
    p, right, counts = _probabilities(table, manifest)
    epsilon = np.finfo(np.float64).eps
    return np.where(counts, -log(np.clip((p * right).sum(axis=1), epsilon, 1 - epsilon)), np.nan)


def _brier(table: pa.Table, manifest: Manifest) -> FloatArray:
    p, right, counts = _probabilities(table, manifest)
    return np.where(counts, ((p - right) ** 2).sum(axis=1), np.nan)


PREDICTED: dict[str, Callable[[pa.Table, Manifest], FloatArray]] = {
    "mae": _absolute,
    "mse": _squared,
    "log_loss": _log_loss,
    "brier": _brier,
}
"""The losses that can be computed from saved predictions."""


def _probabilities(table: pa.Table, manifest: Manifest) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return the probabilities, 1 for the class of the label, and which records count; as the native grid."""
    classes = list(manifest.schema["classes"])
    columns = [
        table[f"score_{one}"].to_numpy() if f"score_{one}" in table.column_names else np.zeros(len(table))
        for one in classes
    ]
    scores = np.column_stack(columns) if columns else np.zeros((len(table), 0))
    given = pc.is_valid(table["prediction"]).to_numpy(zero_copy_only=False)
    with np.errstate(invalid="ignore", divide="ignore"):
        p = np.where(given[:, None], scores / scores.sum(axis=1, keepdims=True), 0.0)
    label = table["label"].cast(pa.string())
    right = np.column_stack(
        [pc.fill_null(pc.equal(label, one), False).to_numpy(zero_copy_only=False) for one in classes]
    )
    counts = pc.is_valid(label).to_numpy(zero_copy_only=False)
    if manifest.abstain == "skip":
        counts = counts & given
    return p, right.astype(np.float64), counts
