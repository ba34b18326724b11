"""Compare our learners with River's and scikit-learn's on one stream: python examples/compare_libraries.py."""

from river import preprocessing, tree
from sklearn.linear_model import SGDClassifier

import prequential as pq

stream = pq.streams.SEA(concept=1, seed=1).drift_to(pq.streams.SEA(concept=4, seed=2), at=2_500).take(5_000)
run = pq.evaluate(
    stream,
    {
        "native": pq.learners.NaiveBayes(),
        "river": preprocessing.StandardScaler() | tree.HoeffdingTreeClassifier(),
        "sklearn": SGDClassifier(loss="log_loss"),
        "baseline": "majority_class:window_size=1000",
    },
    forgetting=[pq.Cumulative(), pq.Sliding(1000)],
)
print(run.table())
print(run.save_report("comparison.html"))
