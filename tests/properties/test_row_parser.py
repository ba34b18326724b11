"""The native parser of rows against the careful one as oracle: the same records or the same refusal.

``PREQUENTIAL_FUZZ_ROWS=10000000`` reads as many files; ``PREQUENTIAL_FUZZ_SEED`` other ones.
"""

from __future__ import annotations

import os
import random
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from prequential.errors import DataError
from prequential.streams.readers import CsvStream
from prequential.streams.readers.arff import ArffStream
from prequential.streams.readers.rows import Rows
from prequential.streams.schema import Feature, Schema

N_FILES = int(os.environ.get("PREQUENTIAL_FUZZ_ROWS", "600"))
SEED = int(os.environ.get("PREQUENTIAL_FUZZ_SEED", "1"))

NUMBERS = ["0", "-0", "7", "1.5", "-2.25", "3e5", "1E-3", "12345678901234567890", "0.1234567890123456789", "?"]
ODD = [
    "+1",
    ".5",
    "1.",
    " 2",
    "3 ",
    "0x1",
    "inf",
    "nan",
    "NaN",
    "1e999",
    "1e-400",
    "",
    "-",
    "e5",
    "1_0",
    "1,5",
    "٣",
    "NA",
]
TEXTS = ["a", "b", "c", "?"]
ODD_TEXTS = ["", " a", "b ", "'a'", '"b"', "d", "a b", "%a", "{a}", "a\\'", "é", "NA", "\ta", "a,b", "\xa0"]
ENDS = ["\n", "\r\n"]
ODD_LINES = ["", " ", "% comment", "1", "{0 1}", "\x00", "1,1,a,", "1,1,a,a", "\r", "1,2,'a", '"1",2,a', ",,"]
SCHEMA = Schema((Feature("x"), Feature("z", ("a", "b", "c"))), ("a", "b"), target="y")


def body(rng: random.Random) -> bytes:
    """Return some rows; in half of the files, one place is odd."""
    comma = "," if rng.random() < 0.1 else ""
    lines = []
    for _ in range(rng.randrange(1, 12)):
        number = (
            rng.choice(NUMBERS) if rng.random() < 0.7 else repr(rng.uniform(-1, 1) * 10.0 ** rng.randrange(-20, 20))
        )
        lines.append(f"{number},{rng.choice(TEXTS)},{rng.choice(TEXTS[:2])}{comma}{rng.choice(ENDS)}")
    if rng.random() < 0.5:
        at, kind = rng.randrange(len(lines)), rng.randrange(5)
        cells = lines[at].split(",")
        if kind == 0:
            cells[0] = rng.choice(ODD)
        elif kind == 1:
            cells[rng.choice([1, 2])] = rng.choice(ODD_TEXTS) + ("" if rng.random() < 0.5 else "\n")
        elif kind == 2:
            lines.insert(at, rng.choice(ODD_LINES) + "\n")
        elif kind == 3:
            cells = cells[: rng.randrange(1, len(cells) + 1)]
        else:
            damaged = bytearray("".join(lines).encode())
            for _ in range(rng.randrange(1, 3)):
                damaged[rng.randrange(len(damaged))] = rng.randrange(256)
            return bytes(damaged)
        if kind != 2:
            lines[at] = ",".join(cells)
    text = "".join(lines)
    return (text.rstrip("\r\n") if rng.random() < 0.2 else text).encode()


def records(stream: Any) -> tuple[list[Any], str | None]:
    """Return all records, and the error that ends them."""
    found: list[Any] = []
    try:
        for chunk in stream.chunks(3):
            found += [(row.tobytes(), int(label)) for row, label in zip(chunk.X, chunk.y, strict=True)]
    except DataError as error:
        return found, str(error)
    return found, None


def same_with_and_without(make: Any, monkeypatch: pytest.MonkeyPatch, text: bytes) -> bool:
    """Compare both ways; return whether the native parser has read anything."""
    n_read = 0
    read = Rows.read

    def counting(self: Rows, block: bytes) -> Any:
        nonlocal n_read
        found = read(self, block)
        n_read += found is not None and found[0].num_rows > 0
        return found

    with monkeypatch.context() as patch:
        patch.setattr(Rows, "read", counting)
        native = records(make())
    with monkeypatch.context() as patch:
        patch.setattr(Rows, "read", lambda self, block: None)
        careful = records(make())
    assert native == careful, text
    return n_read > 0


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["arff", "csv"])
def test_files_have_the_same_records_or_the_same_refusal(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rng = random.Random(SEED)
    head = b"@relation r\n@attribute x numeric\n@attribute z {a,b,c}\n@attribute y {a,b}\n@data\n"
    path, n_native = tmp_path / f"file.{kind}", 0
    for _ in range(N_FILES):
        text = body(rng)
        path.write_bytes(head + text if kind == "arff" else b"x,z,y\n" + text)
        n_native += same_with_and_without(
            (lambda: ArffStream(path)) if kind == "arff" else lambda: CsvStream(path, schema=SCHEMA), monkeypatch, text
        )
    assert N_FILES / 4 < n_native < N_FILES


def test_numbers_are_rounded_as_python_rounds_them() -> None:
    rng = random.Random(SEED)
    texts = [repr(rng.uniform(-1, 1) * 10.0 ** rng.randrange(-25, 25)) for _ in range(20_000)]
    texts += [f"{rng.randrange(10 ** rng.randrange(1, 22))}.{rng.randrange(10**9)}" for _ in range(20_000)]
    texts += [f"{'-' if k % 2 else ''}0.{rng.randrange(10**18):0{rng.randrange(1, 22)}d}" for k in range(20_000)]
    texts += [f"{2**53 + k}.{'5' * (k % 4 + 1)}" for k in range(-50, 50)]
    # Halfway between two doubles, and next to it: the last digit decides.
    halves = [9007199254740993 + 2 * k for k in range(200)]
    texts += [f"{half}{rest}" for half in halves for rest in ("", ".0", ".001", ".000000001")]
    texts += [f"{half / 10**9:.0f}.{half % 10**9:09d}" for half in halves]
    found = Rows({"x": "number", "y": "skip"}, []).read("".join(f"{text},0\n" for text in texts).encode())
    assert found is not None
    np.testing.assert_array_equal(found[0].column("x").to_numpy().view(np.int64), np.array(texts, float).view(np.int64))


def test_many_texts_keep_their_order() -> None:
    texts = [f"v{k * 7 % 50}" for k in range(500)]
    found = Rows({"x": "number", "t": "category"}, [""]).read("".join(f"1,{t}\n" for t in texts).encode())
    assert found is not None
    assert found[0].column("t").to_pylist() == texts
    assert found[0].column("t").dictionary.to_pylist() == list(dict.fromkeys(texts))
