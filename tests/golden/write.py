"""Write the expected files of the golden cases: all, or those of the cases named.

Run it only when a number is meant to change, and say why in the commit::

    .venv/bin/python tests/golden/write.py [CASE ...]

With ``--into FOLDER`` first, all files go to that folder instead.
"""

from __future__ import annotations

import json
import platform
import sys
from importlib import metadata
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

EXPECTED = Path(__file__).parent / "expected"
VERSIONS = EXPECTED / "versions.json"
"""What wrote the files: it explains a difference. On other processors, River and scikit-learn round differently."""


def versions() -> dict[str, str]:
    """Return the versions that numbers may depend on."""
    packages = ("numpy", "scipy", "pyarrow", "river", "scikit-learn")
    found = {name: metadata.version(name) for name in packages}
    return {"python": platform.python_version(), "processor": processor(), **found}


def processor() -> str:
    """Return the machine, its vector instructions and its model: NumPy and OpenBLAS choose their variants by them."""
    simd = np.show_config(mode="dicts")["SIMD Extensions"]
    info = Path("/proc/cpuinfo")
    lines = info.read_text().splitlines() if info.exists() else []
    model = {key: value for key, _, value in (line.partition(":") for line in lines)}
    parts = (model.get(key, "").strip() for key in ("vendor_id", "cpu family\t", "model\t\t"))
    return " ".join([platform.machine(), *simd.get("found", ()), *filter(None, parts)])


def write(names: list[str], folder: Path) -> None:
    """Run cases serially and write what they give."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from golden.cases import CASES
    from golden.ways import WAYS, Bench

    folder.mkdir(exist_ok=True)
    for name in names or CASES:
        with TemporaryDirectory() as room:
            texts = CASES[name].make(Bench(WAYS["serial"], Path(room)))
        for old in folder.glob(f"{name}.*"):
            old.unlink()
        for ending, text in texts.items():
            (folder / f"{name}.{ending}").write_text(text, encoding="utf-8", newline="\n")
        print(name, sum(map(len, texts.values())))


def main(arguments: list[str]) -> None:
    """Write to the folder that is given, or replace expected files."""
    if arguments[:1] == ["--into"]:
        write([], Path(arguments[1]))
        return
    write(arguments, EXPECTED)
    if not arguments:
        VERSIONS.write_text(json.dumps(versions(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
