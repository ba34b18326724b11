"""Which tests of a holdout on a share of the stream are complete, and how many records they have.

The last test of a run may have only the few records set aside since the one before. It is in the trace under its own
name, ``holdout:partial``, and tables and figures show the last complete test.
"""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from prequential.number import count
from prequential.protocols.holdout import n_set_aside
from prequential.runs.manifest import Manifest
from prequential.types import IntArray

COMPLETE, PARTIAL = "holdout", "holdout:partial"
"""The forgettings of the trace that stand for tests."""


def partial_tests(manifest: Manifest, n: IntArray) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    """Return which checkpoints are tests on the records of less than a whole period."""
    if manifest.protocol.get("protocol") != "holdout" or manifest.protocol.get("share") is None:
        return np.zeros(len(n), np.bool_)
    return np.asarray(n % manifest.every != 0)


def complete_pairs(pairs: pa.Table, manifest: Manifest) -> pa.Table:
    """Leave out the counts of pairs in a partial test, unless it is the only one."""
    partial = partial_tests(manifest, pairs["n"].to_numpy())
    return pairs.filter(pa.array(~partial)) if partial.any() and not partial.all() else pairs


def size_of_test(manifest: Manifest, n: int) -> int | None:
    """Return the number of records of the test at checkpoint ``n``; None if there is no such test, or it is unknown."""
    if manifest.protocol.get("protocol") != "holdout" or not n:
        return None
    share = manifest.protocol.get("share")
    if share is None:
        size = (manifest.protocol.get("test") or {}).get("n_records")
        return None if size is None else int(size)
    before = (n - 1) // manifest.every * manifest.every
    return int(n_set_aside(n, share) - n_set_aside(before, share))


def remark(manifest: Manifest, n: int, last: int) -> str:
    """Return a sentence on the test that is shown, at checkpoint ``n``; the run has a test at ``last``."""
    size = size_of_test(manifest, n)
    if size is None:
        return ""
    at = f"at record {count(n)}" if last == n else f"at record {count(n)}, the last complete one"
    text = f"Test on {_records(size)} {at}."
    if last != n:
        text += f" The trace also has a partial test, on {_records(size_of_test(manifest, last) or 0)}."
    elif partial_tests(manifest, np.array([n])).any():
        text += " It is partial: the run is shorter than one period."
    return text


def _records(n: int) -> str:
    return f"{count(n)} record{'' if n == 1 else 's'}"
