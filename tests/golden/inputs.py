"""The streams and tables of the golden cases. ``RandomState`` draws the same numbers in every version of NumPy."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet

import prequential as pq

Floats = npt.NDArray[np.float64]


def drifting(n: int = 1200) -> pq.Stream:
    """Return a SEA stream with a gradual drift in the middle."""
    first, second = pq.streams.SEA(seed=3), pq.streams.SEA(concept=4, seed=4)
    return first.drift_to(second, at=n // 2, width=100).take(n)


def abrupt(n: int = 2000) -> pq.Stream:
    """Return a Sine stream whose labels are reversed twice, for detectors to find."""
    first, second = pq.streams.Sine(seed=5), pq.streams.Sine(concept=2, seed=6)
    return first.recurring(second, every=n // 3).take(n)


def records(n: int = 600, *, n_classes: int = 2) -> tuple[Floats, list[str]]:
    """Return features and labels: the first feature says which, with noise, and from 60 % on the other way round."""
    draw = np.random.RandomState(11)
    X = draw.normal(size=(n, 3))
    side = np.where(np.arange(n) < 0.6 * n, 1.0, -1.0)
    codes = np.digitize(side * X[:, 0] + 0.5 * draw.normal(size=n), np.linspace(-0.5, 0.5, n_classes - 1))
    return X, ["abcdef"[code] for code in codes]


def times(n: int) -> Floats:
    """Return times that stand still and jump."""
    steps: Floats = np.random.RandomState(12).choice([0.0, 0.5, 1.0, 7.0], size=n).cumsum()
    return steps


def weights(n: int) -> Floats:
    """Return weights, some of them 0, whose sums are not exact."""
    drawn: Floats = np.random.RandomState(13).choice([0.0, 0.1, 0.5, 1.0, 1.0, 3.7], size=n)
    return drawn


def timed(n: int = 600, *, weighted: bool = False, n_classes: int = 2) -> pq.Stream:
    """Return records with times and ids, and with weights if asked for."""
    X, y = records(n, n_classes=n_classes)
    return pq.from_arrays(X, y, time=times(n), weight=weights(n) if weighted else None, id=np.arange(1000, 1000 + n))


def regression(n: int = 600) -> pq.Stream:
    """Return a regression stream with a shift in the middle and some unknown targets."""
    X, _ = records(n)
    y = 2 * X[:, 0] - X[:, 1] + np.where(np.arange(n) > n // 2, 3.0, 0.0) + np.sin(np.arange(n) / 9)
    y[5::50] = np.nan
    return pq.from_arrays(X, y, time=times(n), target="y", task="regression")


def pairs() -> Iterator[tuple[dict[str, object], object]]:
    """Give records whose classes and nominal values appear late, with missing values and labels."""
    X, y = records(600, n_classes=4)
    for i, (row, label) in enumerate(zip(X.tolist(), y, strict=True)):
        seen = 2 if i < 150 else 3 if i < 330 else 4
        x: dict[str, object] = {"x0": row[0], "x1": row[1], "day": ["mon", "tue", "wed", "thu"][i % seen]}
        if i % 23 == 0:
            del x["x1"]
        yield x, None if i % 31 == 30 else "abcd"[min("abcd".index(label), seen - 1)]


def late_classes() -> pq.Stream:
    """Return a stream whose schema grows."""
    return pq.from_iterable(pairs, name="late")


def mixed_features(n: int = 600) -> pq.Stream:
    """Return a stream with nominal features, noise, and missing values and labels."""
    stream = pq.streams.Agrawal(concept=2, seed=7).label_noise(0.05, seed=8).missing(0.05, seed=9)
    return stream.sparse_labels(0.8, seed=10).take(n)


def events(folder: Path) -> pq.Stream:
    """Return delayed labels from two files, with every kind of irregular event and new versions of records."""
    draw = np.random.RandomState(14)
    n = 300
    arrival = 3.0 * np.arange(n)
    names = [f"r{i}" for i in range(n)]
    x = draw.normal(size=(n, 2))
    label = np.where(x[:, 0] + 0.3 * draw.normal(size=n) > 0, "yes", "no")
    due = arrival + draw.randint(10, 200, size=n)
    instances = [(float(t), name, *row) for t, name, row in zip(arrival, names, x.tolist(), strict=True)]
    instances += [(float(arrival[i]) + 5, names[i], 0.5, -0.5) for i in range(0, n, 17)]  # new versions
    instances += [(float(due[i]) + 1, names[i], 0.1, 0.1) for i in range(3, n, 60)]  # again after the label
    instances.append((90.0, "late", 0.2, 0.2))
    labels = [(float(t), names[i], str(label[i])) for i, t in enumerate(due) if i % 13 and i != 200]
    labels += [(float(due[i]) + 4, names[i], "yes") for i in range(1, n, 40)]  # second labels
    labels += [(float(t), f"unknown{t}", "no") for t in (50, 400, 700)] + [(30.0, "late", "no")]
    instances.sort(key=lambda row: row[0])
    labels.sort(key=lambda row: row[0])
    after = next(i for i, row in enumerate(labels) if row[0] > arrival[200])
    labels.insert(after + 1, (float(arrival[200]) - 10, names[200], "no"))  # runs backwards, to before its record
    columns = zip(*instances, strict=True)
    instance_table = pa.table({k: list(v) for k, v in zip(("time", "id", "x0", "x1"), columns, strict=True)})
    label_table = pa.table(
        {k: list(v) for k, v in zip(("time", "id", "class"), zip(*labels, strict=True), strict=True)}
    )
    pyarrow.csv.write_csv(instance_table, folder / "instances.csv")
    pyarrow.parquet.write_table(label_table, folder / "labels.parquet")
    return pq.from_events(
        folder / "instances.csv", folder / "labels.parquet", id="id", time="time", target="class", name="events"
    )


def probabilities(n: int, n_classes: int) -> Floats:
    """Return scores that add up to 1, some with ties; a few rows are NaN or 0, which abstain."""
    draw = np.random.RandomState(15)
    scores = np.round(draw.dirichlet(np.ones(n_classes), size=n), 2)
    scores[::37] = np.nan
    scores[5::41] = 0.0
    return scores


def logs(n: int = 250) -> tuple[pa.Table, pa.Table]:
    """Return logs of two models' predictions and of labels, out of order and with irregular events."""
    draw = np.random.RandomState(16)
    label = draw.choice(["up", "down", "flat"], size=n)
    arrival = 2 * np.arange(n)
    due = arrival + draw.randint(5, 80, size=n)
    predictions = [
        (int(t) + k, f"id{i}", model, str(label[i]) if draw.uniform() < 0.5 + k / 100 else "flat")
        for i, t in enumerate(arrival)
        for model in ("forest", "rules")
        for k in (0, 4, 15)[: 1 + i % 3]
        if model == "forest" or i % 5
    ]
    predictions += [(int(due[i]) + 3, f"id{i}", "rules", "up") for i in range(2, n, 50)]  # after the label
    labels = [(int(t), f"id{i}", str(label[i])) for i, t in enumerate(due) if i % 19]
    labels += [(int(due[i]) + 2, f"id{i}", "down") for i in range(1, n, 45)] + [(33, "stranger", "up")]
    predictions.sort(key=lambda row: row[0] + draw.uniform(0, 6))
    labels.sort(key=lambda row: row[0] + draw.uniform(0, 9))
    first = dict(zip(("time", "id", "model", "prediction"), map(list, zip(*predictions, strict=True)), strict=True))
    second = dict(zip(("time", "id", "label"), map(list, zip(*labels, strict=True)), strict=True))
    return pa.table(first), pa.table(second)
