"""The events of a run with late labels, which are the same for all learners.

Late, missing, second and contradictory labels are counted by kind and listed with their ids. The latencies of the
labels are collected in a histogram.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from prequential._native import Waiting
from prequential.errors import InputError
from prequential.evaluation.id_codes import IdCodes
from prequential.number import FIRST_DATE, LAST_DATE
from prequential.runs.events import KINDS, SCHEMA
from prequential.runs.latencies import Latencies
from prequential.streams.chunk import Chunk


class EventLog:
    """Checks the events of a source, and replaces ids by the codes that native code uses.

    Parameters
    ----------
    waiting
        An empty store of waiting records, with the parameters of the protocol.
    versions
        Whether a second row of a waiting record is a new version of it; otherwise it is another prediction.
    """

    def __init__(self, waiting: Waiting, *, versions: bool = True) -> None:
        self._waiting, self._versions = waiting, versions
        self._codes = IdCodes()
        self._counts = np.zeros(len(KINDS), dtype=np.int64)
        self._rows: list[pa.Table] = []
        self.latencies = Latencies()
        self._is_dated: bool | None = None
        """Whether times are dates, so that latencies are in seconds; None before the first event."""

    def step(self, chunk: Chunk) -> Chunk:
        """Check the events of a chunk; return them with whole numbers as ids, and with times."""
        if chunk.id is None:
            raise InputError(
                "Delayed needs events, in which the rows of a record share an id. If rows are events, name their "
                "columns with id= and time= (--id, --time). If every row has its label, delay the labels with "
                "stream.delayed(100) (--delay 100)."
            )
        ids = self._codes.encode(chunk.id)
        time = np.arange(chunk.start, chunk.start + len(chunk), dtype=np.float64) if chunk.time is None else chunk.time
        self._waiting.replay(chunk.labelled.astype(np.uint8), ids, time, np.maximum(chunk.y, 0))
        taken = self._waiting.take(1)
        if chunk.time is not None and len(time) and self._is_dated is None:
            self._is_dated = bool(FIRST_DATE <= time[0] <= LAST_DATE)
        self.latencies.add(taken.latency)
        if len(taken.kind):
            self._counts += np.bincount(taken.kind, minlength=len(KINDS))
            names = pa.DictionaryArray.from_arrays(pa.array(taken.kind.astype(np.int32)), pa.array(KINDS))
            shown = pa.array([str(self._codes.decode(code)) for code in taken.id], pa.string())
            self._rows.append(pa.table([names, shown, pa.array(taken.at), pa.array(taken.time)], schema=SCHEMA))
        self._codes.prune(self._waiting)
        return replace(chunk, id=ids, time=time)

    @property
    def n_waiting_rows(self) -> int:
        """Number of values in irregular events that are not written yet."""
        return sum(4 * table.num_rows for table in self._rows)

    @property
    def n_labels(self) -> int:
        """Number of labels that arrived for a waiting record."""
        return self._waiting.n_labels

    @property
    def n_unlabelled(self) -> int:
        """Number of records whose label has not arrived."""
        return self._waiting.n_waiting + self._waiting.n_expired

    @property
    def summary(self) -> str:
        """A sentence with the number of events and of irregular ones by kind; empty if none is irregular."""
        counts = ", ".join(f"{kind}: {n:,}" for kind, n in zip(KINDS, self._counts, strict=True) if n)
        return f"There were {self._waiting.n_events:,} events ({counts})." if counts else ""

    def drain(self) -> pa.Table | None:
        """Return and remove the irregular events since the last call."""
        rows, self._rows = self._rows, []
        return pa.concat_tables(rows).unify_dictionaries() if rows else None

    def state(self) -> dict[str, Any]:
        """Return the whole state, without irregular events, which must be drained before."""
        return {
            "waiting": self._waiting.to_bytes(),
            "codes": self._codes.state(),
            "counts": self._counts,
            "latencies": self.latencies.state(),
            "is_dated": self._is_dated,
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Restore from ``state()``."""
        self._waiting.load_bytes(state["waiting"])
        self._codes.restore(state["codes"])
        self._counts = state["counts"]
        self.latencies.restore(state["latencies"])
        self._is_dated = state.get("is_dated")

    def describe(self) -> dict[str, Any]:
        """Return the entry of the manifest."""
        waiting, latency = self._waiting, self.latencies.describe()
        if latency is not None and self._is_dated:
            latency = {**latency, "unit": "seconds"}
        return {
            "n_events": waiting.n_events,
            "n_records": waiting.n_records,
            "n_versions": waiting.n_versions if self._versions else 0,
            "n_labels": waiting.n_labels,
            "n_waiting": waiting.n_waiting,
            "n_expired": waiting.n_expired,
            "irregular": {name: int(n) for name, n in zip(KINDS, self._counts, strict=True) if n},
            "latency": latency,
        }
