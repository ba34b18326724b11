"""Detections of MOA (in CapyMOA 0.15.1), River 0.26.1 and scikit-multiflow 0.5.3 on the same series.

The source is ``drift_detections.csv.gz``: the errors of MOA's Hoeffding tree on Electricity, and the series of
scikit-multiflow's own tests.
"""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

import numpy as np
import pyarrow.parquet
import pytest

import prequential as pq
from prequential.drift import as_detector

RIVER, MOA, MULTIFLOW = "river 0.26.1", "MOA via capymoa 0.15.1", "scikit-multiflow 0.5.3 test expectation"
DETECTORS = {
    (MOA, "ADWIN"): pq.drift.ADWIN(),
    (MOA, "PageHinkley"): pq.drift.PageHinkley(convention="moa"),
    (MOA, "DDM"): pq.drift.DDM(),
    (MOA, "EDDM"): pq.drift.EDDM(),
    (RIVER, "ADWIN"): pq.drift.ADWIN(convention="river"),
    (RIVER, "ADWIN_clock1"): pq.drift.ADWIN(convention="river", clock=1),
    (RIVER, "PageHinkley_up"): pq.drift.PageHinkley(convention="river"),
    (RIVER, "PageHinkley_both"): pq.drift.PageHinkley(convention="river", direction="both"),
    (RIVER, "DDM"): pq.drift.DDM(convention="river"),
    (RIVER, "EDDM"): pq.drift.EDDM(convention="river"),
    (MULTIFLOW, "ADWIN"): pq.drift.ADWIN(convention="multiflow"),
    (MULTIFLOW, "PageHinkley"): pq.drift.PageHinkley(convention="multiflow"),
}


@pytest.fixture(scope="module")
def reference(shared_data: Path) -> Path:
    folder = shared_data / "reference"
    if not (folder / "drift_detections.csv.gz").exists():
        pytest.skip(f"the reference detections are not in {folder}")
    return folder


@pytest.fixture(scope="module")
def series(reference: Path) -> dict[str, np.ndarray]:
    table = pyarrow.parquet.read_table(reference / "electricity_moa_predictions.parquet")
    wrong = table["y"].to_numpy() != table["HoeffdingTree_pred"].to_numpy()
    with gzip.open(reference / "skmultiflow_drift_stream.csv.gz", "rt") as file:
        values = [float(row["value"]) for row in csv.DictReader(file)]
    return {"electricity_HoeffdingTree_error": wrong.astype(np.float64), "skmultiflow_drift_stream": np.array(values)}


def expected(reference: Path) -> dict[tuple[str, str, str], list[int]]:
    with gzip.open(reference / "drift_detections.csv.gz", "rt") as file:
        return {
            (row["library"], row["detector"], row["sequence"]): [int(i) for i in row["indices0"].split()]
            for row in csv.DictReader(file)
        }


@pytest.mark.parametrize(("library", "detector"), DETECTORS)
def test_the_alarms_are_those_of_the_library_whose_convention_it_is(
    library: str, detector: str, reference: Path, series: dict[str, np.ndarray]
) -> None:
    rows = {key[2]: alarms for key, alarms in expected(reference).items() if key[:2] == (library, detector)}
    assert rows
    for sequence, alarms in rows.items():
        assert DETECTORS[library, detector].detect(series[sequence]).tolist() == alarms


def test_an_adapted_detector_of_river_gives_the_same_alarms_as_by_itself(
    reference: Path, series: dict[str, np.ndarray]
) -> None:
    drift = pytest.importorskip("river.drift")
    adapted = as_detector(drift.ADWIN())
    for sequence, values in series.items():
        assert adapted.detect(values).tolist() == expected(reference)[RIVER, "ADWIN", sequence]


def test_an_adapted_detector_of_capymoa_gives_the_same_alarms_as_by_itself(
    reference: Path, series: dict[str, np.ndarray]
) -> None:
    detectors = pytest.importorskip("capymoa.drift.detectors")
    for name in ("ADWIN", "PageHinkley"):
        adapted = as_detector(getattr(detectors, name)())
        values = series["skmultiflow_drift_stream"]
        assert adapted.detect(values).tolist() == expected(reference)[MOA, name, "skmultiflow_drift_stream"]


def test_the_running_minimum_finds_what_moa_finds_late(series: dict[str, np.ndarray]) -> None:
    """MOA has none: where the error first fell, its statistic has a long way up."""
    errors = series["electricity_HoeffdingTree_error"]
    moa = pq.drift.PageHinkley(convention="moa").detect(errors)
    river = pq.drift.PageHinkley(convention="river").detect(errors)
    assert len(moa) < len(river)
    assert moa[0] > river[0]


@pytest.mark.parametrize("learner", ["NoChange", "HoeffdingTree"])
def test_the_window_is_that_of_moas_adwin_evaluator(learner: str, reference: Path) -> None:
    """Accuracy over the ADWIN window (delta 0.002) every 1,000 records of Electricity, to the last digit."""
    table = pyarrow.parquet.read_table(reference / "electricity_moa_predictions.parquet")
    right = (table["y"].to_numpy() == table[f"{learner}_pred"].to_numpy()).astype(np.float64)
    with gzip.open(reference / "electricity_moa_evaluators.csv.gz", "rt") as file:
        accuracy = {
            int(n): float(value)
            for who, evaluator, n, metric, value in csv.reader(file)
            if (who, evaluator) == (learner, "ADWIN(delta=0.002)") and metric.startswith("classifications correct")
        }
    state, done = pq.drift.ADWIN().fresh(), 0
    for n, percent in sorted(accuracy.items()):
        state.update(right[done:n])
        done = n
        assert 100 * state._state.mean == pytest.approx(percent, abs=1e-12)  # type: ignore[attr-defined]
    assert len(accuracy) == 46
