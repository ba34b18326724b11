"""The results of a golden case as texts, one per expected file; and the first difference between two texts.

A float is written as its repr, the shortest text that reads back as the same bits. What depends on the clock, the
machine or the versions is left out, and so is prose: a better sentence is not another number.
"""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any

import pyarrow as pa

import prequential as pq

Texts = dict[str, str]
"""The texts of a case by the ending of the expected file, such as ``alarms.csv``."""

_LEFT_OUT = {
    *("reason", "reasons", "undefined", "conclusion", "warning", "title"),  # prose
    *("seconds", "records_per_second", "memory_bytes", "version", "description"),
}
_COUNTS = ("n_records", "n_unlabelled", "n_unpredicted", "n_abstained", "n_nonfinite")


def of_run(run: pq.Run, *, predictions: bool = False) -> Texts:
    """Return all that a run has: trace, manifest, and whichever other tables are not empty."""
    home = run.directory
    tables = {
        "summary": home.summary().to_pylist(),
        "pairs": _sorted(home.pairs(), "a", "b", "fold", "forgetting", "n"),
        "significance": _sorted(home.significance(), "learner_a", "learner_b", "test", "forgetting", "metric", "n"),
        "alarms": _sorted(run.alarms(), "learner", "fold", "detector", "record"),
        "bins": home.bins().to_pylist(),
        "irregular": home.irregular().to_pylist(),
    }
    if predictions:
        tables["predictions"] = [
            {"learner": name, **row} for name in run.learners for row in run.predictions(name).to_pylist()
        ]
    texts = {"csv": of_rows(run.to_arrow().to_pylist()), "manifest.json": of_json(_manifest(run))}
    return texts | {f"{name}.csv": of_rows(rows) for name, rows in tables.items() if rows}


def of_rows(rows: Sequence[Mapping[str, Any]]) -> str:
    """Return rows as CSV; a missing value is empty, NaN is ``nan``."""
    if not rows:
        return ""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(rows[0])
    for row in rows:
        writer.writerow([_cell(name, value) for name, value in row.items()])
    return out.getvalue()


def of_json(data: object) -> str:
    """Return the numbers of nested data as JSON."""
    return json.dumps(_numbers(data), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def of_table(table: pa.Table) -> str:
    """Return an Arrow table as CSV."""
    return of_rows(table.to_pylist())


def difference(expected: Texts, found: Texts, *, exact: bool = True) -> str:
    """Return the first difference, by file, row and column, with both values; empty if there is none.

    Unless ``exact``, floats may differ in their last bits.
    """
    if set(expected) != set(found):
        return f"the files should be {sorted(expected)}, but are {sorted(found)}"
    for ending in expected:
        cells = _json_cells if ending.endswith("json") else _csv_cells
        for one, other in zip_longest(cells(expected[ending]), cells(found[ending]), fillvalue=_END):
            if one.place != other.place or not _same(one.value, other.value, exact):
                place = one.place if one is not _END else other.place
                row = f" (rows: {one.row} and {other.row})" if one.row or other.row else ""
                return f"{ending}, {place}: expected {one.value}, found {other.value}{row}"
    return ""


@dataclass(frozen=True, slots=True)
class _Cell:
    """One value of a file, its place, and the row around it."""

    place: str
    value: str
    row: str = ""


_END = _Cell("the end", "nothing")


def _same(one: str, other: str, exact: bool) -> bool:
    if one == other:
        return True
    try:
        return not exact and math.isclose(float(one), float(other), rel_tol=1e-9, abs_tol=1e-12)
    except ValueError:
        return False


def _csv_cells(text: str) -> Iterator[_Cell]:
    header: list[str] = []
    for i, row in enumerate(csv.reader(io.StringIO(text)), start=1):
        header = header or row
        for name, value in zip_longest(header, row, fillvalue=""):
            yield _Cell(f"line {i}, column {name!r}", value, ",".join(row))


def _json_cells(text: str) -> Iterator[_Cell]:
    return _flat(json.loads(text), "")


def _flat(data: Any, path: str) -> Iterator[_Cell]:
    if isinstance(data, dict | list):
        items = data.items() if isinstance(data, dict) else enumerate(data)
        for key, value in items:
            yield from _flat(value, f"{path}/{key}")
    else:
        yield _Cell(path, repr(data))


def _sorted(table: pa.Table, *keys: str) -> list[dict[str, Any]]:
    """Return the rows of a table whose order depends on when its parts were written."""
    rows: list[dict[str, Any]] = table.to_pylist()
    return sorted(rows, key=lambda row: [row[key] for key in keys])


def _cell(name: str, value: object) -> object:
    if value is None:
        return ""
    if name == "reason":  # prose: whether there is one counts
        return "yes" if value else ""
    return repr(value) if isinstance(value, float) else value


def _numbers(data: Any) -> Any:
    if isinstance(data, Mapping):
        return {str(key): _numbers(value) for key, value in data.items() if key not in _LEFT_OUT}
    return [_numbers(value) for value in data] if isinstance(data, list | tuple) else data


def _manifest(run: pq.Run) -> dict[str, Any]:
    """Return what is deterministic in a manifest."""
    manifest = run.manifest
    names = ("status", "n_records", "metrics", "forgetting", "detectors", "drifts", "every", "seed", "abstain")
    return {
        **{name: getattr(manifest, name) for name in names},
        "classes": manifest.schema["classes"],
        "learners": {name: _entry(entry) for name, entry in manifest.learners.items()},
        "events": None if manifest.events is None else _events(manifest.events),
    }


def _entry(entry: Any) -> dict[str, Any]:
    failure = entry.failure
    return {
        "status": entry.status,
        **{name: getattr(entry, name) for name in _COUNTS},
        "failure": None if failure is None else {"record": failure.record, "message": failure.message},
    }


def _events(events: Mapping[str, Any]) -> dict[str, Any]:
    """Round the mean latency: the last bits of a sum depend on the size of the chunks."""
    latency = events["latency"]
    return {**events, "latency": latency and {**latency, "mean": float(f"{latency['mean']:.9g}")}}
