"""The output of ``prequential generate``: a written stream and what was written, or its first printed records."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from prequential.cli.console import print_json, print_line
from prequential.evaluation.progress import Meter
from prequential.streams.chunk import Chunk
from prequential.streams.drift import Drift
from prequential.streams.stream import Stream
from prequential.streams.writers import Written, write
from prequential.wording import listing


def write_stream(
    stream: Stream, path: Path, notes: list[str], *, overwrite: bool, as_json: bool, progress: bool | None
) -> None:
    """Write a stream to a file and print what was written; ``notes`` go into the JSON."""
    began = time.perf_counter()
    with Meter(stream.name, stream.n_records, show=progress) as meter:
        written = write(stream, path, overwrite=overwrite, progress=meter.advance)
    seconds = time.perf_counter() - began
    if as_json:
        print_json(_data(stream, written, notes, seconds))
        return
    console = Console()
    for name, text in _lines(stream, written, seconds):
        print_line(f"{name:>11}  {text}", console)


def print_head(stream: Stream, n: int, *, as_json: bool) -> None:
    """Print the first records, with values and labels instead of codes."""
    rows = [row for chunk in stream.take(n).chunks() for row in _rows(chunk)]
    if as_json:
        print_json(rows)
        return
    table = Table(title=f"The first {len(rows):,} records of {stream.name}", title_justify="left")
    for name in rows[0] if rows else ():
        table.add_column(escape(name), overflow="fold")
    for row in rows:
        cells = ["?" if v is None else f"{v:.6g}" if isinstance(v, float) else str(v) for v in row.values()]
        table.add_row(*map(escape, cells))
    Console(emoji=False).print(table)


def _lines(stream: Stream, written: Written, seconds: float) -> Iterator[tuple[str, str]]:
    """Yield what was written: one name and one text per line."""
    schema = written.schema
    n_nominal = sum(feature.nominal for feature in schema.features)
    yield "records", f"{written.n_records:,}"
    yield "features", f"{schema.n_features - n_nominal:,} numeric, {n_nominal:,} nominal"
    labelled = written.n_records - written.n_unlabelled
    if schema.classes is None:
        yield "target", f"{schema.target}, numbers"
    elif labelled:
        pairs = zip(schema.classes, written.class_counts, strict=True)
        yield "classes", listing(f"{label} {count / labelled:.4f}" for label, count in pairs)
    if written.n_unlabelled:
        yield "unlabelled", f"{written.n_unlabelled:,}"
    yield "drifts", listing(map(_drift, written.drifts)) or "none known"
    yield "Bayes error", "not known" if stream.bayes_error is None else f"{stream.bayes_error:.4f}"
    yield "file", f"{written.path} ({written.size_bytes:,} bytes, {written.n_records / seconds:,.0f} records/s)"
    if written.sidecar is not None:
        yield "sidecar", f"{written.sidecar} (order of the classes, drifts: keep it next to the file)"


def _drift(drift: Drift) -> str:
    kind = " blip" if drift.temporary else "" if drift.real else " virtual"
    width = "" if drift.width == 1 else f" (width {drift.width:,})"
    return f"at {drift.at:,}{width}{kind}"


def _data(stream: Stream, written: Written, notes: list[str], seconds: float) -> dict[str, Any]:
    """Return what was written for JSON."""
    classes = written.schema.classes
    return {
        "path": str(written.path),
        "sidecar": None if written.sidecar is None else str(written.sidecar),
        "size_bytes": written.size_bytes,
        "n_records": written.n_records,
        "n_unlabelled": written.n_unlabelled,
        "classes": None
        if classes is None
        else [
            {"class": _cell(label), "n_records": count}
            for label, count in zip(classes, written.class_counts, strict=True)
        ],
        "drifts": [asdict(drift) for drift in written.drifts],
        "bayes_error": stream.bayes_error,
        "seconds": seconds,
        "warnings": notes,
        "stream": json.loads(json.dumps(stream.describe(), default=str)),
    }


def _rows(chunk: Chunk) -> Iterator[dict[str, Any]]:
    """Yield records as dictionaries of names and values."""
    labels = np.where(chunk.labelled, chunk.y, np.nan)
    columns = [(f.name, f.values, x) for f, x in zip(chunk.schema.features, chunk.X.T, strict=True)]
    columns.append((chunk.schema.target, chunk.schema.classes, labels))
    for i in range(len(chunk)):
        row = {name: None if np.isnan(x[i]) else float(x[i]) for name, _, x in columns}
        for name, values, _ in columns:
            if values is not None and row[name] is not None:
                row[name] = _cell(values[int(row[name] or 0)])
        yield row


def _cell(value: object) -> Any:
    return value if isinstance(value, str | int | float | bool) else str(value)
