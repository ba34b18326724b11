"""Learners written in Python that tests send to another process, which can import them."""

from __future__ import annotations

import os
import time


class Last:
    """Predicts the last label."""

    label: object = None

    def predict_one(self, x: dict[str, float]) -> object:
        return self.label

    def learn_one(self, x: dict[str, float], y: object) -> None:
        self.label = y


class Failing(Last):
    """Fails at the record whose first feature is ``at``."""

    def __init__(self, at: float) -> None:
        self.at = at

    def learn_one(self, x: dict[str, float], y: object) -> None:
        if x["x0"] == self.at:
            raise RuntimeError("the model broke")
        self.label = y


class Dying(Failing):
    """Ends its process at the record whose first feature is ``at``."""

    def learn_one(self, x: dict[str, float], y: object) -> None:
        if x["x0"] == self.at:
            os._exit(7)


class Slow(Last):
    def learn_one(self, x: dict[str, float], y: object) -> None:
        time.sleep(0.002)
        self.label = y


class Chatty(Last):
    def learn_one(self, x: dict[str, float], y: object) -> None:
        print("what a learner prints is not an answer")
        self.label = y


class Unsavable(Last):
    """Can be pickled when it is new, but not after it has learned."""

    def learn_one(self, x: dict[str, float], y: object) -> None:
        self.label = y
        self.held = lambda: y


class SlowToSave(Last):
    """Is slow to pickle after it has learned."""

    def __getstate__(self) -> dict[str, object]:
        if self.label is not None:
            time.sleep(1.0)
        return vars(self)
