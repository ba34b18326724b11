"""Memory while reading a Parquet file."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet

from prequential.streams.readers import ParquetStream


def test_reading_keeps_only_a_few_row_groups_in_memory(tmp_path: Path) -> None:
    rng = np.random.default_rng(1)
    path = tmp_path / "data.parquet"
    rows, groups = 65_536, 24  # 1 MiB of noise per group
    schema = pa.schema([("x", pa.float64()), ("z", pa.float64()), ("class", pa.int64())])
    with pa.parquet.ParquetWriter(path, schema) as writer:
        for _ in range(groups):
            writer.write_table(pa.table([rng.random(rows), rng.random(rows), rng.integers(0, 2, rows)], schema=schema))
    stream = ParquetStream(path)
    before = pa.total_allocated_bytes()
    held = [pa.total_allocated_bytes() - before for _ in stream.raw(["x", "z", "class"])]
    assert len(held) == groups
    assert max(held) < path.stat().st_size / 4
