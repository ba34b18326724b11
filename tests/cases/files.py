"""The files that the cases name: good ones, damaged ones, and models that misbehave."""

from __future__ import annotations

from pathlib import Path

_N = 240
_MODELS = """
import sys

number = 3


def leaving():
    sys.exit(0)


class Good:
    label = None

    def predict_one(self, x):
        return self.label

    def learn_one(self, x, y):
        self.label = y


class Needs(Good):
    def __init__(self, needed):
        self.needed = needed


class NoPrediction(Good):
    def predict_one(self, x):
        return None


class Exit(Good):
    def learn_one(self, x, y):
        sys.exit()


class Interrupt(Good):
    def learn_one(self, x, y):
        raise KeyboardInterrupt


class Memory(Good):
    def predict_one(self, x):
        raise MemoryError


class Recursion(Good):
    def predict_one(self, x):
        return self.predict_one(x)


class Garbage(Good):
    def predict_one(self, x):
        return {"not": ["a", "label"]}


class Unknown(Good):
    def predict_one(self, x):
        return "groupA"


class Changes(Good):
    def learn_one(self, x, y):
        x.clear()


class HangsOnCopy(Good):
    def __deepcopy__(self, memo):
        raise TimeoutError("never copied")
"""


def write_files(folder: Path) -> None:
    """Write all files into a folder."""
    amounts = [(7 * i % 23) / 2 for i in range(_N)]
    labels = ["fraud" if i % 10 == 3 else "ok" for i in range(_N)]
    rows = [f"{amount},{i % 5},{label}" for i, (amount, label) in enumerate(zip(amounts, labels, strict=True))]
    table = "price,day,label\n"
    data = table + "\n".join(rows) + "\n"
    late = [*rows * 8, "oops,1,ok", *rows]
    guesses = ["fraud" if amount > 10 else "ok" for amount in amounts]
    scored = [
        f"{label},{guess},{amount / 12:.3f},{1 - amount / 12:.3f}"
        for label, guess, amount in zip(labels, guesses, amounts, strict=True)
    ]
    texts = {
        "data.csv": data,
        "empty.csv": "",
        "header_only.csv": table,
        "one_column.csv": "label\n" + "\n".join(labels) + "\n",
        "late_word.csv": table + "\n".join(late) + "\n",
        "ragged.csv": table + "1,2,ok\n1,2\n3,4,ok\n",
        "twice.csv": "a,a,label\n" + "\n".join(rows) + "\n",
        "gaps.csv": table + "\n".join(row if i % 7 else f",{i % 5},ok" for i, row in enumerate(rows)) + "\n",
        "integers.csv": "x,label\n" + "\n".join(f"{a},{i % 2}" for i, a in enumerate(amounts)) + "\n",
        "booleans.csv": "x,label\n" + "\n".join(f"{a},{i % 3 == 0}" for i, a in enumerate(amounts)) + "\n",
        "odd_names.csv": "x,label\n"
        + "\n".join(f"{a},{'a[0]' if i % 2 else chr(34) + 'b c, d' + chr(34)}" for i, a in enumerate(amounts))
        + "\n",
        "emoji.csv": "x,label\n" + "\n".join(f"{a},{('[b]', ':a:')[i % 2]}" for i, a in enumerate(amounts)) + "\n",
        "numbers.csv": "x,y\n" + "\n".join(f"{a},{a * 2 + 0.25}" for a in amounts) + "\n",
        "predictions.csv": "label,prediction,score_fraud,score_ok\n" + "\n".join(scored) + "\n",
        "no_scores.csv": "label,prediction\n" + "\n".join(",".join(one.split(",")[:2]) for one in scored) + "\n",
        "predictions_log.csv": "id,time,prediction\n"
        + "\n".join(f"{i},{i},{guess}" for i, guess in enumerate(guesses))
        + "\n",
        "labels_log.csv": "id,time,label\n"
        + "\n".join(f"{i},{i + 5},{label}" for i, label in enumerate(labels))
        + "\n",
        "notes.txt": "hello\n",
        "bad.parquet": "PAR1 not a parquet file",
        "bad.arff": "@relation x\n@attribute a numeric\n@data\n1,2,3\n",
        "models.py": _MODELS,
        "broken.py": "class Model(:\n",
        "exits.py": "import sys\nsys.exit(0)\n",
        "broken.toml": "stream = [\n",
        "empty.toml": "",
        "wrong.toml": 'evry = 3\n[stream]\npath = "data.csv"\n[[learner]]\ntype = "nope"\n',
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "binary.csv").write_bytes(bytes(range(256)) * 40)
    for name in ("folder", "taken"):
        (folder / name).mkdir()
    (folder / "taken" / "keep.txt").write_text("mine", encoding="utf-8")
