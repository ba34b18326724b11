"""No number changes: every case gives what the expected files hold, to the last bit, however it is run."""

from __future__ import annotations

import json
import os
import platform
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from golden.cases import CASES, LIBRARIES
from golden.texts import difference
from golden.ways import WAYS, Bench
from golden.write import EXPECTED, VERSIONS, versions

RUNS = [(case, way) for case, one in CASES.items() for way in one.ways]
THEN, NOW = json.loads(VERSIONS.read_text(encoding="utf-8")), versions()
SAME_PROCESSOR = THEN["processor"] == NOW["processor"]
"""If not, other libraries may round differently: their cases are compared to nine digits instead of exactly."""


def written(case: str, folder: Path) -> dict[str, str]:
    """Return the texts of a case by their endings."""
    files = folder.glob(f"{case}.*")
    return {path.name.removeprefix(f"{case}."): path.read_text(encoding="utf-8") for path in files}


@pytest.mark.parametrize(("case", "way"), RUNS, ids=[f"{case}-{way}" for case, way in RUNS])
def test_a_case_gives_the_numbers_it_always_gave(case: str, way: str, tmp_path: Path) -> None:
    expected = written(case, EXPECTED)
    assert expected, f"{case} has no expected file: write them with tests/golden/write.py {case}"
    exact = SAME_PROCESSOR or case not in LIBRARIES
    fault = difference(expected, CASES[case].make(Bench(WAYS[way], tmp_path)), exact=exact)
    changed = [f"{name} was {THEN[name]} and is {NOW[name]}" for name in NOW if THEN.get(name) != NOW[name]]
    hint = f" (since the files were written: {', '.join(changed)})" if changed else ""
    assert not fault, f"{case}, run as {way}: {fault}{hint}"


def older_processor() -> dict[str, str]:
    """Return an environment in which libraries see a processor without FMA, AVX2 and AVX-512."""
    found = np.show_config(mode="dicts")["SIMD Extensions"].get("found", ())
    masked = {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-FMA4,-AVX512F", "OPENBLAS_CORETYPE": "Nehalem"}
    return os.environ | masked | ({"NPY_DISABLE_CPU_FEATURES": " ".join(found)} if found else {})


def test_an_older_processor_gives_the_same_numbers(tmp_path: Path) -> None:
    """Nothing that a record or a result is made of may depend on which variants the C library and NumPy choose."""
    script = Path(__file__).with_name("write.py")
    run = subprocess.run(
        [sys.executable, script, "--into", tmp_path], env=older_processor(), capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
    faults = {
        case: difference(written(case, EXPECTED), written(case, tmp_path), exact=case not in LIBRARIES)
        for case in CASES
    }
    assert not {case: fault for case, fault in faults.items() if fault}


@pytest.mark.skipif(platform.libc_ver()[0] != "glibc" or platform.machine() != "x86_64", reason="needs glibc on x86-64")
def test_the_older_processor_has_another_exp() -> None:
    """Otherwise the test above would show nothing."""
    if " fma " not in Path("/proc/cpuinfo").read_text():
        pytest.skip("this processor has no FMA")
    program = "import math; print([math.exp(k / 7919) for k in range(20000)])"
    newer, older = (
        subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, check=True).stdout
        for env in (dict(os.environ), older_processor())
    )
    assert newer != older


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
