"""Predictions in memory, made elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from prequential.arguments import checked_list
from prequential.errors import ParameterError
from prequential.scoring.learner_arrays import LearnerArrays, distinct, is_column
from prequential.scoring.predicted import Predicted
from prequential.scoring.predictions import Predictions, recoded, sorted_classes
from prequential.streams.digest import digest
from prequential.streams.readers import from_arrays
from prequential.streams.readers.frame import categories_of
from prequential.streams.readers.inference import looks_like_classes
from prequential.streams.spelling import Classes
from prequential.streams.stream import DEFAULT_CHUNK
from prequential.types import FloatArray, IntArray, Label, LabelsLike


class ArrayPredictions(Predictions):
    """Labels in memory, and the predictions and scores of one learner or several.

    Parameters
    ----------
    y_true
        The labels.
    given
        The predictions of each learner.
    classes, weight, time, id, task, name
        As in ``score``.
    """

    where_scores = "y_score=…"

    def __init__(
        self,
        y_true: LabelsLike,
        given: Mapping[str, LearnerArrays],
        *,
        classes: Sequence[Label] | None,
        weight: npt.ArrayLike | None,
        time: npt.ArrayLike | None,
        id: npt.ArrayLike | None,
        task: str,
        name: str,
    ) -> None:
        if not is_column(y_true):
            raise ParameterError("y_true", "score", "a list or array with one label per record", y_true)
        self.name = name
        self.learners = tuple(given)
        self.unscored = tuple(learner for learner, one in given.items() if one.y_score is None)
        self.n_records = n = len(y_true)  # type: ignore[arg-type]  # array-like includes scalars, refused above
        labels = distinct(y_true)
        if classes is None and task != "regression":
            classes = categories_of(y_true)
        if classes is not None:
            task = "classification"
        elif task == "auto":
            task = "regression" if _are_targets(labels, given) else "classification"
        self._labels = from_arrays(
            np.empty((n, 0)), y_true, classes=labels or classes, weight=weight, time=time, id=id, task=task, name=name
        )
        self._prediction: dict[str, IntArray] = {}
        if self._labels.schema.classes is None:
            self._schema = self._labels.schema
            self._scores = {key: one.numbers(n, f"{key} (prediction)") for key, one in given.items()}
            return
        known = self._classes(labels, given, classes)
        self._schema = self._labels.schema.with_classes(known.values)
        self._label_codes = known.codes(labels, name)
        self._scores = {}
        for learner, one in given.items():
            scores = one.scores(known, n, learner)
            if scores is not None:
                self._scores[learner] = scores
            codes = one.codes(known, n, f"{learner} (prediction)")
            if codes is not None:
                self._prediction[learner] = codes

    def _classes(
        self, labels: list[Label], given: Mapping[str, LearnerArrays], classes: Sequence[Label] | None
    ) -> Classes:
        """Return the classes of labels, predictions and columns of scores."""
        if classes is not None:
            return Classes(checked_list(classes, "classes", "score", "classes"), declared=True)
        known = Classes(labels)
        others: list[Label] = []
        for learner, one in given.items():
            known.check_common(one.predicted, learner)
            scored = one.score_columns(known) or []
            known.check_common(scored, learner)
            others += [*one.predicted, *scored]
        return Classes(sorted_classes([*known.values, *known.others(others)]))

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Predicted]:
        """Read from record ``start`` on, as views of the arrays."""
        for chunk in self._labels.chunks(size, start):
            part = slice(chunk.start, chunk.start + len(chunk))
            y = chunk.y if self.schema.classes is None else recoded(chunk.y, self._label_codes)
            scores = {learner: values[part] for learner, values in self._scores.items()}
            prediction = {learner: values[part] for learner, values in self._prediction.items()}
            yield self._predicted(chunk, y, scores, prediction)

    def descriptions(self) -> dict[str, dict[str, Any]]:
        """Return the entry of each learner in the manifest."""
        return {
            learner: {
                "learner": "predictions made elsewhere",
                "source": "arrays",
                "content": [
                    self._digest,
                    *(_checksum(values.get(learner)) for values in (self._scores, self._prediction)),
                ],
            }
            for learner in self.learners
        }

    @cached_property
    def _digest(self) -> str:
        return digest(self._labels.chunks())


def _checksum(values: FloatArray | IntArray | None) -> str:
    return "" if values is None else f"{crc32(np.ascontiguousarray(values).tobytes()):08x}"


def _are_targets(labels: Sequence[Label], given: Mapping[str, LearnerArrays]) -> bool:
    """Return whether labels are the targets of a regression, and not classes.

    Whole numbers are targets if the predictions of a learner are not whole.
    """
    if not _numeric(labels):
        return False
    predicted = [one.predicted for one in given.values() if one.y_pred is not None]
    return not looks_like_classes(labels) or any(_numeric(p) and not looks_like_classes(p) for p in predicted)


def _numeric(values: Sequence[Label]) -> bool:
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)
