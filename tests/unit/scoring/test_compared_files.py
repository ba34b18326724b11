"""Learners whose predictions of the same records are in files are compared as those in arrays are."""

from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pytest

import prequential as pq

RNG = np.random.default_rng(6)
N = 500
LABELS = RNG.choice(["a", "b"], N)
SAID = {name: np.where(RNG.random(N) < share, LABELS, "a") for name, share in (("good", 0.8), ("poor", 0.4))}


def written(folder: Path, name: str, labels: np.ndarray, said: np.ndarray, **more: np.ndarray) -> Path:
    path = folder / f"{name}.csv"
    pyarrow.csv.write_csv(pa.table({"label": labels, "prediction": said, **more}), path)
    return path


def test_pairs_of_files_are_those_of_arrays(tmp_path: Path) -> None:
    paths = [written(tmp_path, name, LABELS, said) for name, said in SAID.items()]
    files = pq.score(paths, every=100, chunk_size=64)
    arrays = pq.score(LABELS, SAID, every=100)
    assert files.to_arrow()["value"].to_pylist() == arrays.to_arrow()["value"].to_pylist()
    one, other = (pq.compare(run, "good", "poor") for run in (files, arrays))
    assert one.conclusion == other.conclusion
    assert one.to_dicts() == other.to_dicts()


@pytest.mark.parametrize("differing", ["label", "length", "time"])
def test_files_of_other_records_are_scored_apart(tmp_path: Path, differing: str) -> None:
    n = 400 if differing == "length" else N
    labels = LABELS[:n].copy()
    if differing == "label":
        labels[300] = "b" if labels[300] == "a" else "a"
    more = {"time": np.arange(n, dtype=float)} if differing == "time" else {}
    paths = [
        written(tmp_path, "good", LABELS, SAID["good"]),
        written(tmp_path, "poor", labels, SAID["poor"][:n], **more),
    ]
    run = pq.score(paths)
    assert run.learners == ["good", "poor"]
    with pytest.raises(pq.InputError, match="in one run, from files or arrays with the same records"):
        pq.compare(run, "good", "poor")
    with pytest.raises(pq.InputError, match="pairs=True needs files with the same records"):
        pq.score(paths, pairs=True)
