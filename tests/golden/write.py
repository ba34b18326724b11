"""Write the expected files of the golden cases: all, or those of the cases named.

Run it only when a number is meant to change, and say why in the commit::

    .venv/bin/python tests/golden/write.py [CASE ...]
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
"""What wrote the files: it explains a difference, and other processors may differ in the last bits."""


def versions() -> dict[str, str]:
    """Return the versions that numbers may depend on."""
    packages = ("numpy", "scipy", "pyarrow", "river", "scikit-learn")
    found = {name: metadata.version(name) for name in packages}
    return {"python": platform.python_version(), "processor": processor(), **found}


def processor() -> str:
    """Return the machine, and its vector instructions: with others NumPy rounds the last bit differently."""
    simd = np.show_config(mode="dicts")["SIMD Extensions"]
    return " ".join([platform.machine(), *simd.get("found", ())])


def main(names: list[str]) -> None:
    """Run cases serially and write what they give."""
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from golden.cases import CASES
    from golden.ways import WAYS, Bench

    EXPECTED.mkdir(exist_ok=True)
    for name in names or CASES:
        with TemporaryDirectory() as folder:
            texts = CASES[name].make(Bench(WAYS["serial"], Path(folder)))
        for old in EXPECTED.glob(f"{name}.*"):
            old.unlink()
        for ending, text in texts.items():
            (EXPECTED / f"{name}.{ending}").write_text(text, encoding="utf-8", newline="\n")
        print(name, sum(map(len, texts.values())))
    if not names:
        VERSIONS.write_text(json.dumps(versions(), indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
