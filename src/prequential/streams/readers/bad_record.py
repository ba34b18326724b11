"""The error for a bad record, with its index: the records before it are still delivered."""

from __future__ import annotations

from pathlib import Path

from prequential.errors import DataError


class BadRecordError(DataError):
    """A bad value in a record whose index is known.

    Parameters
    ----------
    record
        The index of the record in its stream; the records before it are valid.
    problem, source, row, row_kind, column, value, accepted
        As for ``DataError``.
    """

    def __init__(
        self,
        record: int,
        problem: str,
        *,
        source: str | Path,
        row: int | None = None,
        row_kind: str = "line",
        column: str | None = None,
        value: object = None,
        accepted: str | None = None,
    ) -> None:
        super().__init__(
            problem, source=source, row=row, row_kind=row_kind, column=column, value=value, accepted=accepted
        )
        self.record = record
