"""How many records count at each checkpoint of a run, which the trace holds only if it was asked for ``width``."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from prequential.metrics.sizes import counted_records
from prequential.runs.manifest import Manifest
from prequential.runs.values import Values
from prequential.types import FloatArray

MOST_UNCOUNTED = 10
"""Records that need not count: regressors without a record abstain on the first."""


def counted_per_checkpoint(values: Values, learners: Sequence[str], forgetting: str) -> FloatArray:
    """Return the number of records that count for all of some learners, Σw under fading; NaN where it is not known.

    It is not known if records have weights, or if some do not count and the trace has no ``width``. Up to ten records,
    and up to one in a thousand, are taken for the first ones of the stream.
    """
    manifest = values.manifest
    n = values.checkpoints(learners[0]).astype(np.float64)
    if manifest.schema.get("weighted"):
        return np.full(len(n), np.nan)
    if "width" in values.metrics:
        widths = [values.curve(name, forgetting, "width") for name in learners]
        same = np.all([np.isclose(one, widths[0], rtol=1e-9) for one in widths], axis=0)
        return np.where(same, widths[0], np.nan)
    uncounted = {_n_uncounted(manifest, name) for name in learners}
    if len(uncounted) > 1 or max(uncounted) > min(MOST_UNCOUNTED, manifest.n_records / 1000):
        return np.full(len(n), np.nan)
    first = float(manifest.protocol.get("pretrain") or 0) + max(uncounted)
    return counted_records(forgetting, np.maximum(n - first, 0.0))


def _n_uncounted(manifest: Manifest, learner: str) -> int:
    """Return how many of the tested records do not count."""
    entry = manifest.learners[learner]
    skips = manifest.abstain == "skip" or manifest.schema.get("task") == "regression"
    late = manifest.protocol.get("protocol") == "delayed"  # there, checkpoints count labels
    return entry.n_unpredicted + (0 if late else entry.n_unlabelled) + (entry.n_abstained if skips else 0)
