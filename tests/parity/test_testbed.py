"""The nine streams against the paper of the testbed: optimal errors, naive Bayes, nearest neighbours.

Cervantes, Gagné, Isasi and Parizeau, table 3, which is the mean of ten runs. Errors in percent.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

import prequential as pq
from prequential.learners import KNN, NaiveBayes
from prequential.testbed.published import PUBLISHED
from prequential.testbed.toml import nine

UNSCALED = {
    "NSGT": (25.2, 4.3, 6.5, 10.5),
    "NSGT-F": (41.8, 4.4, 11.8, 12.0),
    "NSGR": (49.8, 0.02, 0.02, 36.3),
    "NSLC": (6.2, 5.6, 6.0, 7.5),
    "NSGT-I": (25.3, 4.4, 9.5, 10.2),
    "NSPC": (5.8, 8.8, 8.4, 8.5),
    "NSPC-A": (6.1, 8.3, 8.0, 8.5),
    "NSGT-5D": (25.0, 10.1, 10.6, 11.4),
    "NSCX": (14.2, 6.4, 8.5, 9.8),
}
"""Recomputed apart from this code, by plain loops over the parameters of the paper's table 4 (variances where it prints
"stddev"), two or three seeds: naive Bayes, nearest neighbour of the last 100, 1500 and 6000 records. Features are not
scaled there; MOA's nearest neighbour, and ours, scale them by their ranges, which counts in five dimensions."""
SEEDS = (1, 2, 3)


def test_optimal_errors_are_within_a_fifth_of_a_point_of_the_paper() -> None:
    """Computed and measured, as ``prequential testbed show --errors`` prints them."""
    table = pq.testbed.optimal_errors()
    assert [row.stream for row in table.rows] == list(PUBLISHED) == list(pq.testbed.names())
    for row in table.rows:
        assert row.paper == PUBLISHED[row.stream]["optimal"]
        assert abs(row.computed - row.paper) < 0.002, row.stream
        assert abs(row.measured - row.paper) < 0.002, row.stream
        n = table.n_seeds * 10_001
        assert abs(row.measured - row.computed) <= 4 * np.sqrt(row.computed * (1 - row.computed) / n) + 1e-5, row.stream


def test_optimal_errors_with_a_closed_form() -> None:
    """NSGT-5D: unit Gaussians 3.15 apart."""
    assert PUBLISHED["NSGT-5D"]["optimal"] == pytest.approx(stats.norm.cdf(-3.15 / 2), abs=0.0005)


@pytest.mark.parametrize("name", nine())
def test_naive_bayes_and_nearest_neighbours_come_out(name: str) -> None:
    learners = {"NB": NaiveBayes(), **{f"NN{w}": KNN(n_neighbors=1, window_size=w) for w in (100, 1500, 6000)}}
    found = np.zeros(4)
    for seed in SEEDS:
        stream = pq.testbed.stream(name, seed=seed)
        run = pq.evaluate(stream, learners, metrics="accuracy", forgetting="cumulative", every=10_001, pairs=False)
        found += [100 * (1 - float(row["value"])) for row in run.table().to_dicts()]
    found /= len(SEEDS)
    paper = np.array([100 * PUBLISHED[name][learner] for learner in learners])
    np.testing.assert_array_less(np.abs(found - paper), [0.6, 0.8, 0.8, 0.8])
    if name != "NSGT-5D":
        np.testing.assert_array_less(np.abs(found - UNSCALED[name]), [0.6, 0.8, 0.8, 0.8])
    assert abs(found[0] - UNSCALED[name][0]) < 0.6
