"""Draw how the ROC curve of a learner changes over time: one curve per window, before and after a drift.

Run it with ``python examples/roc_over_time.py``; it writes ``roc_over_time.png``.
"""

from __future__ import annotations

import numpy as np
from matplotlib import colormaps
from matplotlib.figure import Figure

import prequential as pq

W, EVERY = 1000, 2000


def main() -> None:
    """Test and train naive Bayes on a stream with a drift in the middle, and draw the curve every 2,000 records."""
    stream = pq.streams.SEA(seed=1).drift_to(pq.streams.SEA(concept=4, seed=2), at=6_000).take(12_000)
    learner = pq.learners.NaiveBayes().fresh(stream.schema, seed=1)
    names = np.array(stream.schema.classes)
    scorer = pq.Scorer("auc", pq.Sliding(W), classes=names.tolist())
    fig = Figure(figsize=(4.2, 4.2), layout="constrained")
    ax = fig.subplots()
    for chunk in stream.chunks(EVERY):
        scores = learner.test_then_train(chunk.X, chunk.y)
        scorer.update(names[chunk.y], scores=scores)
        curve, n = scorer.roc(), scorer.n
        colour = colormaps["viridis"](n / 13_000)
        ax.plot(curve.false_positive_rate, curve.true_positive_rate, color=colour, label=f"{n:,}: {scorer.value():.3f}")
    ax.plot([0, 1], [0, 1], color="0.7", linestyle=":")
    ax.set(xlabel="false positive rate", ylabel="true positive rate", title=f"ROC of the last {W:,} records")
    ax.legend(title="records: AUC", frameon=False)
    fig.savefig("roc_over_time.png", dpi=150)
    print("roc_over_time.png")


if __name__ == "__main__":
    main()
