"""The scale of the times in two logs: seconds, milliseconds or dates, the same in both."""

from __future__ import annotations

import pyarrow as pa

from prequential.streams.readers.csv_layout import is_number
from prequential.streams.readers.number import first, is_text
from prequential.streams.readers.table_stream import TableStream
from prequential.types import FloatArray

_CALENDAR, _SCALE = 1e8, 100
"""A time above 1e8 seconds, which is in 1973, is probably a date; a time 100 times as large is in another unit."""


class TimeScale:
    """Remembers the first time of both logs, and refuses times on another scale."""

    def __init__(self) -> None:
        self._first: tuple[float, bool] | None = None

    def check(self, log: TableStream, name: str, values: FloatArray, column: pa.Array, start: int) -> None:
        """Raise an error for times on a different scale than the first one, such as milliseconds among seconds.

        Parameters
        ----------
        log
            The log that the times are from.
        name
            The name of their column.
        values, column
            The times in seconds, and as they are in the log.
        start
            The row of the first one.
        """
        if not len(values):
            return
        dates = not is_text(column.type) and pa.types.is_temporal(column.type)
        if is_text(column.type):
            dates = not is_number(column[0].as_py())
        if self._first is None:
            self._first = float(values[0]), dates
        begin, began_with_dates = self._first
        wrong = None
        if begin >= _CALENDAR:
            wrong = first((values >= _SCALE * begin) | (values * _SCALE <= begin))
        elif dates != began_with_dates:
            wrong = 0
        if wrong is not None:
            raise log.fault(
                "a time on another scale",
                start + wrong,
                name,
                column[wrong].as_py(),
                f"times in one unit in both logs, seconds or dates; the first one is {begin:.17g} seconds",
            )
