"""Learners written in Python that another process can import: tests send them there."""

from __future__ import annotations

import os
import time


class Last:
    """Predicts the label it was told last."""

    label: object = None

    def predict_one(self, x: dict[str, float]) -> object:
        return self.label

    def learn_one(self, x: dict[str, float], y: object) -> None:
        self.label = y


class Failing(Last):
    """Fails at a record, known by its first feature."""

    def __init__(self, at: float) -> None:
        self.at = at

    def learn_one(self, x: dict[str, float], y: object) -> None:
        if x["x0"] == self.at:
            raise RuntimeError("the model broke")
        self.label = y


class Dying(Failing):
    """Takes its process with it."""

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
    """Can be sent as it is made, but not saved once it has learned."""

    def learn_one(self, x: dict[str, float], y: object) -> None:
        self.label = y
        self.held = lambda: y


class SlowToSave(Last):
    """Takes its time to be pickled, once it has learned."""

    def __getstate__(self) -> dict[str, object]:
        if self.label is not None:
            time.sleep(1.0)
        return vars(self)
