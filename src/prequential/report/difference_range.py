"""How much of the difference of two learners is drawn, in print and on the screen."""

from __future__ import annotations

import numpy as np

from prequential.comparisons.paired import PairedTrace


def difference_range(trace: PairedTrace) -> tuple[float, float]:
    """Return a range that holds 0, the differences and their confidence sequence.

    The first tenth of the sequence, which is as wide as can be, is left out: beside it the rest would be lost.
    """
    shown = [trace.series(f, trace.folds[0])["difference"] for f in trace.forgetting]
    if "cumulative" in trace.forgetting:
        series = trace.series("cumulative", trace.folds[0])
        shown += [series[name][len(series[name]) // 10 :] for name in ("sequence_low", "sequence_high")]
    finite = np.concatenate([[0.0], *(values[np.isfinite(values)] for values in shown)])
    air = 0.05 * (float(finite.max()) - float(finite.min())) + 1e-4
    return float(finite.min()) - air, float(finite.max()) + air
