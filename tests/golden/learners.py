"""Python learners of the golden cases, in a module that worker processes can import."""

from __future__ import annotations

import signal
from types import SimpleNamespace
from typing import ClassVar

Record = dict[str, float]


class LastLabel:
    """Predicts the previous label."""

    def __init__(self) -> None:
        self.label: object = None

    def predict_one(self, x: Record) -> object:
        return self.label

    def learn_one(self, x: Record, y: object, w: float = 1.0) -> None:
        self.label = y


class Shares:
    """Predicts the share of each class so far, and abstains where the first feature is above a limit."""

    def __init__(self, limit: float) -> None:
        self.limit = limit
        self.counts: dict[object, float] = {}

    def predict_proba_one(self, x: Record) -> dict[object, float]:
        total = sum(self.counts.values())
        if x.get("x0", 0.0) > self.limit or not total:
            return {}
        return {label: count / total for label, count in self.counts.items()}

    def predict_one(self, x: Record) -> object:
        shares = self.predict_proba_one(x)
        return max(shares, key=lambda label: shares[label]) if shares else None

    def learn_one(self, x: Record, y: object, w: float = 1.0) -> None:
        self.counts[y] = self.counts.get(y, 0.0) + w


class Failing(LastLabel):
    """Fails when it has learned a number of records."""

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after
        self.n_learned = 0

    def learn_one(self, x: Record, y: object, w: float = 1.0) -> None:
        if self.n_learned == self.after:
            raise RuntimeError("the model broke")
        self.n_learned += 1
        super().learn_one(x, y, w)


class Interrupting(LastLabel):
    """Sends SIGINT to its process once, after a number of records, if the class is armed."""

    switch: ClassVar[SimpleNamespace] = SimpleNamespace(armed=False)  # state of the test, not code of the learner

    def __init__(self, after: int) -> None:
        super().__init__()
        self.after = after
        self.n_learned = 0

    def learn_one(self, x: Record, y: object, w: float = 1.0) -> None:
        if self.n_learned == self.after and Interrupting.switch.armed:
            Interrupting.switch.armed = False
            signal.raise_signal(signal.SIGINT)
        self.n_learned += 1
        super().learn_one(x, y, w)


class RunningMean:
    """Predicts the mean target of records whose first feature has the same sign."""

    def __init__(self) -> None:
        self.sums: dict[bool, tuple[int, float]] = {}

    def predict_one(self, x: Record) -> float | None:
        n, total = self.sums.get(x["x0"] > 0, (0, 0.0))
        return total / n if n else None

    def learn_one(self, x: Record, y: float) -> None:
        n, total = self.sums.get(x["x0"] > 0, (0, 0.0))
        self.sums[x["x0"] > 0] = n + 1, total + y
