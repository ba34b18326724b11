"""The kinds of irregular events in a run with delayed labels, and the table that lists them."""

from __future__ import annotations

import pyarrow as pa

KINDS = (
    "label without a record",
    "second label, the same",
    "second label, another one",
    "record after its label",
    "record again after its label",
    "label before its record's time",
    "time runs backwards",
    "expired record",
    "label of an expired record",
    "expired record again",
)
"""In the order of the native codes."""

MEANINGS = {
    "label without a record": "no record with this id is waiting; the label is not scored",
    "second label, the same": "the record already has this label; it is not scored again",
    "second label, another one": "the record already has another label; the first one counts",
    "record after its label": "its label came first; the record is not scored",
    "record again after its label": "the record already has its label; it is not scored again",
    "label before its record's time": "its time is before that of its record; it is scored as if it came at once",
    "time runs backwards": "the event is processed in its place in the stream",
    "expired record": "the record waited longer than the horizon; it is not scored",
    "label of an expired record": "the label came after the horizon; it is not scored",
    "expired record again": "the record has already expired; it is not scored",
}
"""What each kind means for the results."""

SCHEMA = pa.schema(
    [
        ("kind", pa.dictionary(pa.int32(), pa.string())),
        ("id", pa.string()),
        ("event", pa.int64()),
        ("time", pa.float64()),
    ]
)
"""``event`` is the number of the event in its stream, from 0."""
