"""The manifest as it is written and read."""

from __future__ import annotations

import json
import os
from dataclasses import fields, replace

import pytest

import prequential as pq
from prequential.errors import StorageError
from prequential.runs.failure import Failure
from prequential.runs.manifest import LearnerEntry, Manifest, Resources, describe_schema, machine, versions
from prequential.runs.positive import Positive


def manifest() -> Manifest:
    return pq.evaluate(pq.streams.SEA().take(100), "naive_bayes").manifest


def test_a_manifest_reads_back_as_it_was_written() -> None:
    resources = Resources(0.5, 1.5, 0.25, 50.0, 100, 1e-9)
    entry = LearnerEntry(
        {"name": "tree"}, "failed", 9, 1, 2, 3, 4, resources, Failure(9, "no", "Traceback"), {"1": resources}
    )
    one = replace(
        manifest(), learners={"tree": entry}, positive=Positive("UP", True, ["f1"], 0.25), resumed_at=[5], n_expected=7
    )
    assert Manifest.from_json(one.to_json(), "here") == one


def test_the_file_has_one_line_per_field() -> None:
    text = manifest().to_json()
    assert len(text.splitlines()) == len(fields(Manifest)) + 2
    assert json.loads(text)["format"] == 1


def test_a_manifest_of_a_newer_format_is_refused_and_one_with_unknown_fields_is_read() -> None:
    data = json.loads(manifest().to_json())
    with pytest.raises(StorageError, match=r"here was written by a newer version of prequential \(format 2\)"):
        Manifest.from_json(json.dumps({**data, "format": 2}), "here")
    assert Manifest.from_json(json.dumps({**data, "colour": "blue"}), "here").name == data["name"]


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"format": 1}'])
def test_another_file_is_not_a_manifest(text: str) -> None:
    with pytest.raises(StorageError, match="here is not the manifest of a run"):
        Manifest.from_json(text, "here")


def test_counts_and_times_are_0_unless_they_are_given() -> None:
    entry = LearnerEntry({})
    assert {entry.n_records, entry.n_unlabelled, entry.n_unpredicted, entry.n_abstained, entry.n_nonfinite} == {0}
    assert entry.resources == Resources(0.0, 0.0, 0.0, 0.0, 0, 0.0)
    bare = {f.name: getattr(manifest(), f.name) for f in fields(Manifest)[:12]}
    one = Manifest(**bare)
    assert (one.status, one.reason, one.n_records, one.n_expected, one.seconds) == ("running", "", 0, None, 0.0)


def test_a_run_has_ended_if_it_is_complete_or_a_learner_failed() -> None:
    ended = {"running": False, "complete": True, "failed": True, "partial": False, "interrupted": False}
    for status, finished in ended.items():
        assert replace(manifest(), status=status).finished == finished  # type: ignore[arg-type]  # a status as text


def test_a_schema_is_described_by_its_columns() -> None:
    schema = pq.Schema((pq.Feature("x"), pq.Feature("colour", ("red", "blue"))), classes=("a", 1), target="y")
    assert describe_schema(schema) == {
        "target": "y",
        "task": "classification",
        "classes": ["a", "1"],
        "n_features": 2,
        "features": [
            {"name": "x", "type": "numeric", "n_values": 0},
            {"name": "colour", "type": "nominal", "n_values": 2},
        ],
    }
    assert describe_schema(replace(schema, open=True))["open"] is True


def test_the_manifest_has_the_versions_of_all_packages_that_are_installed() -> None:
    found = versions()
    assert {"python", "prequential", "numpy", "scipy", "pyarrow", "scikit-learn"} <= found.keys()
    assert found["prequential"] == pq.__version__
    assert machine()["n_cores"] == os.cpu_count()
