"""The tidy table of tests over folds: one row a pair of learners, checkpoint, forgetting, measure and test."""

from __future__ import annotations

import pyarrow as pa

_NAME = pa.dictionary(pa.int32(), pa.string())
SCHEMA = pa.schema(
    [
        ("learner_a", _NAME),
        ("learner_b", _NAME),
        ("n", pa.int64()),
        ("t", pa.float64()),
        ("forgetting", _NAME),
        ("measure", _NAME),
        ("test", _NAME),
        ("statistic", pa.float64()),
        ("p", pa.float64()),
        ("reason", _NAME),
    ]
)
"""``test`` is ``sign`` (its statistic: the folds in which A's value is higher), ``wilcoxon`` (the smaller rank sum) or
``mcnemar`` (signed, negative where A is better, of the records that all folds tested, taken together). ``reason`` says
why p is undefined; it is empty otherwise."""
