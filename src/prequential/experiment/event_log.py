"""What is known of the events of a run with delayed labels, whatever the learners predict.

Labels that are late, missing, doubled or contradictory are counted by kind and listed with their ids; how long labels
took is kept as a histogram. None of it depends on a learner, so it is found once for all of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from prequential._native import Waiting
from prequential.errors import InputError
from prequential.protocols.delayed import Delayed
from prequential.runs.events import KINDS, SCHEMA, Latencies
from prequential.streams.chunk import Chunk
from prequential.types import FloatArray, IntArray


class EventLog:
    """Follows the events of a stream, and gives their ids the codes by which native code knows them.

    Parameters
    ----------
    protocol
        How long records may wait, and how far back ids are known again.
    rooms
        Where else records wait under the same codes, which are kept as long as one of the rooms knows them. A single
        one through which all events go is the log's own: nothing waits twice, and ``note`` is told what comes out.
    """

    def __init__(self, protocol: Delayed, *rooms: Waiting) -> None:
        self._waiting = rooms[0] if len(rooms) == 1 else protocol.waiting(0, bins=1)
        self._rooms = tuple(dict.fromkeys((self._waiting, *rooms)))
        self.shares = len(rooms) == 1
        self._codes = IdCodes()
        self._counts = np.zeros(len(KINDS), dtype=np.int64)
        self._rows: list[pa.Table] = []
        self.latencies = Latencies()

    def step(self, chunk: Chunk) -> Chunk:
        """Take note of some events; return them with ids that are whole numbers, and with a time."""
        if chunk.id is None:
            raise InputError(
                "Delayed needs events, tied together by ids. Name the columns with id= and time= (--id, --time) where "
                "rows are events; where every row has its label, let labels come late with stream.delayed(100) "
                "(--delay 100)."
            )
        ids = self.codes(chunk.id)
        time = np.arange(chunk.start, chunk.start + len(chunk), dtype=np.float64) if chunk.time is None else chunk.time
        chunk = replace(chunk, id=ids, time=time)
        self.follow(chunk.labelled.astype(np.uint8), ids, time, np.maximum(chunk.y, 0))
        self.prune()
        return chunk

    def codes(self, ids: npt.NDArray[Any]) -> IntArray:
        """Return whole numbers for ids of any kind."""
        return self._codes.of(ids)

    def follow(self, known: npt.NDArray[np.uint8], ids: IntArray, time: FloatArray, label: IntArray) -> None:
        """Take note of records (``known`` 0) and labels (1)."""
        self._waiting.replay(known, ids, time, label)
        self.note(*self._waiting.take(1)[2:])

    def note(
        self,
        latency: FloatArray,
        kind: npt.NDArray[np.uint8],
        irregular_id: IntArray,
        event: IntArray,
        when: FloatArray,
    ) -> None:
        """Take note of what became of some events: the latencies of labels, and which events are irregular."""
        self.latencies.add(latency)
        if len(kind):
            self._counts += np.bincount(kind, minlength=len(KINDS))
            names = pa.DictionaryArray.from_arrays(pa.array(kind.astype(np.int32)), pa.array(KINDS))
            shown = pa.array([str(self._codes.named(code)) for code in irregular_id], pa.string())
            self._rows.append(pa.table([names, shown, pa.array(event), pa.array(when)], schema=SCHEMA))

    def prune(self) -> None:
        """Forget ids that will not be known again; to be called when all that were given codes have gone through."""
        self._codes.prune(*self._rooms)

    @property
    def n_waiting_rows(self) -> int:
        """How many numbers wait to be written."""
        return sum(4 * table.num_rows for table in self._rows)

    @property
    def n_events(self) -> int:
        """Events so far."""
        return self._waiting.n_events

    @property
    def n_labels(self) -> int:
        """Labels that came for a record that waited."""
        return self._waiting.n_labels

    @property
    def n_unlabelled(self) -> int:
        """Records whose label has not come."""
        return self._waiting.n_waiting + self._waiting.n_expired

    def drain(self) -> pa.Table | None:
        """Take away the irregular events since the last call."""
        rows, self._rows = self._rows, []
        return pa.concat_tables(rows).unify_dictionaries() if rows else None

    def state(self) -> dict[str, Any]:
        """Return the whole state; the irregular events have been taken away."""
        return {
            "waiting": self._waiting.to_bytes(),
            "codes": self._codes.state(),
            "counts": self._counts,
            "latencies": self.latencies.state(),
        }

    def restore(self, state: dict[str, Any]) -> None:
        """Go on where the log of the same stream was."""
        self._waiting.load_bytes(state["waiting"])
        self._codes.restore(state["codes"])
        self._counts = state["counts"]
        self.latencies.restore(state["latencies"])

    def describe(self) -> dict[str, Any]:
        """Return what a manifest says of the events."""
        waiting = self._waiting
        return {
            "n_events": waiting.n_events,
            "n_records": waiting.n_records,
            # Of predictions made elsewhere no more is known than that there were several.
            "n_versions": waiting.n_versions if len(self._rooms) == 1 and not self.shares else 0,
            "n_labels": waiting.n_labels,
            "n_waiting": waiting.n_waiting,
            "n_expired": waiting.n_expired,
            "irregular": {name: int(n) for name, n in zip(KINDS, self._counts, strict=True) if n},
            "latency": self.latencies.describe(),
        }


class IdCodes:
    """Whole numbers for ids of any kind; ids that are whole numbers stand for themselves."""

    def __init__(self) -> None:
        self._codes: dict[object, int] = {}
        self._names: dict[int, object] = {}
        self._next = 0
        self._wide = False

    def of(self, ids: npt.NDArray[Any]) -> IntArray:
        """Return the codes of some ids."""
        if ids.dtype == np.uint64:  # beyond 2^63 their codes are below 0
            self._wide = True
            return np.ascontiguousarray(ids).view(np.int64)
        if ids.dtype.kind in "iu":
            return np.ascontiguousarray(ids, dtype=np.int64)
        codes, names = self._codes, self._names
        out = np.empty(len(ids), dtype=np.int64)
        for i, name in enumerate(ids.tolist()):
            code = codes.get(name)
            if code is None:
                code = self._next
                codes[name], names[code] = code, name
                self._next += 1
            out[i] = code
        return out

    def named(self, code: int) -> object:
        """Return the id that has a code."""
        return self._names.get(int(code), int(code) % 2**64 if self._wide else int(code))

    def state(self) -> list[Any]:
        """Return the whole state."""
        return [self._next, self._wide, list(self._names), list(self._names.values())]

    def restore(self, state: list[Any]) -> None:
        """Give the same codes as another has given."""
        self._next, self._wide, codes, names = state
        self._names = dict(zip(codes, names, strict=True))
        self._codes = {name: code for code, name in self._names.items()}

    def prune(self, *rooms: Any) -> None:
        """Forget the ids that no room of waiting records knows any more, once they are the most."""
        n_known = sum(room.n_known for room in rooms)
        if len(self._codes) > 2 * n_known + 100_000:
            alive = {int(code) for room in rooms for code in room.known()}
            self._names = {code: name for code, name in self._names.items() if code in alive}
            self._codes = {name: code for code, name in self._names.items()}
