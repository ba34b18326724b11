"""No number changes: every case gives what the expected files hold, to the last bit, however it is run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from golden.cases import CASES
from golden.texts import difference
from golden.ways import WAYS, Bench
from golden.write import EXPECTED, VERSIONS, versions

RUNS = [(case, way) for case, one in CASES.items() for way in one.ways]
THEN, NOW = json.loads(VERSIONS.read_text(encoding="utf-8")), versions()
SAME_PROCESSOR = THEN["processor"] == NOW["processor"]
"""If not, NumPy may round differently, and floats are compared to nine digits instead of exactly."""


@pytest.mark.parametrize(("case", "way"), RUNS, ids=[f"{case}-{way}" for case, way in RUNS])
def test_a_case_gives_the_numbers_it_always_gave(case: str, way: str, tmp_path: Path) -> None:
    files = EXPECTED.glob(f"{case}.*")
    expected = {path.name.removeprefix(f"{case}."): path.read_text(encoding="utf-8") for path in files}
    assert expected, f"{case} has no expected file: write them with tests/golden/write.py {case}"
    fault = difference(expected, CASES[case].make(Bench(WAYS[way], tmp_path)), exact=SAME_PROCESSOR)
    changed = [f"{name} was {THEN[name]} and is {NOW[name]}" for name in NOW if THEN.get(name) != NOW[name]]
    hint = f" (since the files were written: {', '.join(changed)})" if changed else ""
    assert not fault, f"{case}, run as {way}: {fault}{hint}"


def test_every_expected_file_belongs_to_a_case() -> None:
    names = {path.name.partition(".")[0] for path in EXPECTED.iterdir() if path != VERSIONS}
    assert names == set(CASES)


def test_a_difference_of_one_bit_is_reported_with_its_place() -> None:
    expected, found = {"csv": "n,value\n1,0.5\n2,0.3\n"}, {"csv": "n,value\n1,0.5\n2,0.30000000000000004\n"}
    assert difference(expected, expected) == ""
    assert difference(expected, found, exact=False) == ""
    place = "csv, line 3, column 'value': expected 0.3, found 0.30000000000000004"
    assert difference(expected, found) == f"{place} (rows: 2,0.3 and 2,0.30000000000000004)"
    assert difference({"json": '{"a": [1, NaN]}'}, {"json": '{"a": [1, 2]}'}) == "json, /a/1: expected nan, found 2"
    short = difference(expected, {"csv": "n,value\n1,0.5\n"})
    assert short.startswith("csv, line 3, column 'n': expected 2, found nothing")
