"""A stream with another class ratio."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from prequential import _native
from prequential.arguments import checked_whole
from prequential.errors import InputError
from prequential.streams.chunk import Chunk, rechunk
from prequential.streams.compositions.alteration import check_classes
from prequential.streams.compositions.class_shares import ClassShares, Ratio, Scale
from prequential.streams.compositions.composed import Composed, check_closed, until_fault
from prequential.streams.data_warning import DataWarning
from prequential.streams.drift import Drift, warn_beyond, within
from prequential.streams.seed import checked_seed
from prequential.streams.stream import DEFAULT_CHUNK, Stream
from prequential.types import IntArray
from prequential.user_warning import warn_user

PATIENCE = 1_000_000
"""Number of source records within which a drawn class must occur."""
_DRAW_KEY = 0x52415449 << 32  # "RATI"


class ClassRatio(Composed):
    """A stream with a given class ratio, fixed or changing.

    The class of each record is drawn by the shares at that record; then the source is read up to its next record of
    that class. Records of other classes and without a label are skipped. Distribution and order of the records within a
    class stay the same; time, weight and identifier are kept. To start at a later record, all records before it are
    read. It ends with the source.

    Each change of the ratio is a virtual drift; changes that follow one another without a pause are one. If the source
    has drifts, its labels are read to find their new positions; if it has an end, to find which of the changes come
    before it.

    Parameters
    ----------
    source
        The stream.
    ratio, changes, width
        The ratio, later ratios by record index, and the length of a change in records.
    seed
        Seed of the draws.
    scale
        What moves linearly during a change: ``"shares"``, ``"ratio"`` or ``"logarithmic"``.
    """

    method = "class_ratio"
    parameters = ("ratio", "changes", "width", "seed", "scale")

    def __init__(
        self,
        source: Stream,
        ratio: Ratio,
        *,
        changes: Mapping[int, Ratio] | None = None,
        width: int = 1,
        seed: int = 1,
        scale: Scale = "shares",
    ) -> None:
        check_classes(source, self.method)
        self._shares = ClassShares(ratio, changes, width, source.schema.classes or (), self.method, scale)
        super().__init__(source)
        if source._noisy_labels:
            warn_user(
                f"{self.method}: {source.name} has wrong labels already, and the ratio chooses among them: of a rare "
                "class, most records would be wrong labels of a common one. Add the noise after the ratio: "
                "stream.class_ratio(…).label_noise(…) (--ratio … --label-noise …), with noise=0 in the generator.",
                DataWarning,
            )
        self.ratio, self.width, self.scale = ratio, self._shares.width, scale
        self.changes = None if changes is None else dict(changes)
        self.seed = checked_seed(seed, "seed", self.method)
        self._draws = self._draw_key(_DRAW_KEY)
        self.endless = source.endless
        self._drifts_forever = source._drifts_forever
        self._drifts_read = source._drifts_forever or source._drifts_read or bool(source.drifts)
        if self._drifts_read and not source.restartable:
            raise InputError(
                f"{self.method}: {source.name} has drifts and can be read only once, so their new positions cannot be "
                "determined. Accepted: a stream that can be read again, or one without drifts."
            )
        self._drifts_read |= bool(self._shares.changes) and not source.endless and source.restartable
        if source.n_records is not None:
            warn_beyond(self._own_drifts, source.n_records, self.method)

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Chunk]:
        """Read from record ``start`` on."""
        start = checked_whole(start, "start", "chunks")
        pieces = (replace(chunk.select(taken), start=first) for chunk, taken, first in self._taken(size) if len(taken))
        return rechunk(pieces, size, start)

    def describe(self) -> dict[str, object]:
        """Return the description of this stream for a manifest; the scale is listed if it is not the default."""
        found = super().describe()
        if self.scale == "shares":
            del found["scale"]
        return found

    @property
    def _own_drifts(self) -> list[Drift]:
        found: list[Drift] = []
        for drift in (Drift(at, self.width, real=False) for at in self._shares.changes):
            if found and drift.begin <= found[-1].end:
                found[-1] = drift.spanning(found[-1].begin, drift.end)
            else:
                found.append(drift)
        return found

    def drifts_before(self, n: int | None) -> tuple[Drift, ...]:
        """Return the drifts of the first ``n`` records (None: all records)."""
        found = self._own_drifts
        if self._drifts_read and n != 0:
            if n is None and self._drifts_forever:
                raise self._endless_drifts()
            found = self._found(n)
        return within(found, 0, n)

    def _taken(self, size: int) -> Iterator[tuple[Chunk, IntArray, int]]:
        """Yield chunks of the source, which of their records are taken, and the new index of the first of them."""
        source = self.sources[0]
        n, last, seen = 0, -1, np.zeros(source.schema.n_classes, dtype=bool)
        for chunk in source.chunks(checked_whole(size, "size", "chunks", least=1)):
            check_closed(chunk, source, self.method)
            # One class more than there are labels, so that there is always a next one to wait for.
            wanted = self._wanted(n, len(chunk) + 1)
            taken = _native.next_of_class(wanted, np.ascontiguousarray(chunk.y))
            waits = np.diff(np.concatenate([[last], chunk.start + taken, [chunk.start + len(chunk)]]))
            late = np.flatnonzero(waits > PATIENCE)
            if len(late):
                yield chunk, taken[: late[0]], n
                last = chunk.start + int(taken[late[0] - 1]) if late[0] else last
                raise self._class_is_absent(wanted[late[0]], last)
            yield chunk, taken, n
            n += len(taken)
            last = chunk.start + int(taken[-1]) if len(taken) else last
            seen[chunk.y[chunk.labelled]] = True
        awaited = self._wanted(n, 1)[0]
        if not seen[awaited]:
            raise InputError(
                f"{self.method}: {source.name} has no record of class {self._label(awaited)!r}, which the ratio needs "
                f"for record {n:,}."
            )

    def _wanted(self, start: int, n: int) -> IntArray:
        """Draw the class of each record."""
        records = np.arange(start, start + n, dtype=np.int64)
        return self._shares.drawn(records, _native.uniforms(self.seed, self._draws, start, n))

    def _class_is_absent(self, code: int, last: int) -> InputError:
        """Return the error for a class that does not occur for very long after the last record taken."""
        return InputError(
            f"{self.method}: no record of class {self._label(code)!r} in {PATIENCE:,} records of "
            f"{self.sources[0].name}, from its record {last + 1:,} on. Accepted: a ratio of classes that occur."
        )

    def _label(self, code: int) -> object:
        return (self.schema.classes or ())[int(code)]

    def _found(self, n: int | None) -> list[Drift]:
        """Find the drifts by reading: a drift of the source moves to the new index of its records."""
        source = self.sources[0]
        known = () if self._drifts_forever else source.drifts_before(None)
        horizon = 0 if self._drifts_forever else None
        outs: dict[int, int] = {}
        n_out = 0
        for chunk, taken, first in until_fault(self._taken(DEFAULT_CHUNK)):
            end, n_out = chunk.start + len(chunk), first + len(taken)
            if horizon is not None and end >= horizon:
                horizon = 2 * end  # double it each time, so that drifts are not listed for every chunk
                known = source.drifts_before(horizon)
            marks = [k for drift in known for k in _marks(drift) if chunk.start <= k < end]
            outs |= {k: first + int(np.searchsorted(taken, k - chunk.start)) for k in marks}
            if n is not None and n_out >= n and all(d.end in outs for d in known if outs.get(_marks(d)[0], n) < n):
                break
            changed = not self._shares.changes or self._shares.changes[-1] + self.width < n_out
            if horizon is None and changed and all(d.end in outs and outs[d.at] < n_out for d in known):
                break
        found = list(within(self._own_drifts, 0, n_out))
        for drift in known:
            begin, at, end = (outs.get(k, n_out) for k in _marks(drift))
            if drift.temporary and begin < end:
                found.append(drift.spanning(begin, end))
            elif not drift.temporary and at < n_out:
                found.append(replace(drift, at=at, width=1 if drift.width == 1 else max(1, end - begin)))
        return found


def _marks(drift: Drift) -> tuple[int, int, int]:
    """Return the records of a drift whose new index is needed: its first, its middle, the first after it."""
    return max(0, drift.begin), drift.at, drift.end
