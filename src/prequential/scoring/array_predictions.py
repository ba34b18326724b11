"""Predictions in memory, made elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from prequential.arguments import checked_list
from prequential.errors import ParameterError
from prequential.scoring.predicted import Predicted
from prequential.scoring.predictions import Predictions, recoded, sorted_classes
from prequential.streams.digest import digest
from prequential.streams.readers import from_arrays
from prequential.streams.readers.arrays import NO_NUMBERS
from prequential.streams.readers.inference import looks_like_classes
from prequential.streams.spelling import Classes
from prequential.streams.stream import DEFAULT_CHUNK
from prequential.types import FloatArray, IntArray, Label, Labels, LabelsLike
from prequential.wording import listing


class ArrayPredictions(Predictions):
    """Labels, predictions and scores in memory."""

    def __init__(
        self,
        y: LabelsLike,
        prediction: LabelsLike | None,
        scores: npt.ArrayLike | None,
        *,
        classes: Sequence[Label] | None,
        weight: npt.ArrayLike | None,
        time: npt.ArrayLike | None,
        id: npt.ArrayLike | None,
        task: str,
        name: str,
    ) -> None:
        if prediction is None and scores is None:
            raise ParameterError("prediction", "score", "given if 'scores' is not", None)
        for what, values in (("y", y), ("prediction", prediction)):
            if (what == "y" or values is not None) and not _is_column(values):
                raise ParameterError(what, "score", "a list or array with one label per record", values)
        self.name = str(name)
        self.n_records = len(y)  # type: ignore[arg-type]  # array-like includes scalars, which _is_column refuses
        self.has_scores = scores is not None
        self._scores = None if scores is None else _matrix(scores)
        self._prediction: IntArray | None = None
        labels = _distinct(y)
        if classes is not None:
            task = "classification"
        elif task == "auto":
            fractions = prediction is not None and _are_targets(_distinct(prediction)) and _numeric(labels)
            task = "regression" if fractions or _are_targets(labels) else "classification"
        no_features = np.empty((self.n_records, 0))
        self._labels = from_arrays(
            no_features, y, classes=labels or classes, weight=weight, time=time, id=id, task=task, name=name
        )
        if self._labels.schema.classes is None:
            self._schema = self._labels.schema
            if prediction is not None and self._scores is None:
                self._scores = _column(prediction, [], "regression", f"{name} (prediction)")
            self._check_numbers()
            return
        predicted = [] if prediction is None else _distinct(prediction)
        known = Classes(labels)
        if classes is None:
            known.check_common(predicted, name)
            known = Classes(sorted_classes([*known.values, *known.others(predicted)]))
        else:
            known = Classes(checked_list(classes, "classes", "score", "classes"), declared=True)
        self._schema = self._labels.schema.with_classes(known.values)
        self._label_codes = known.codes(labels, name)
        if prediction is not None:
            given = _column(prediction, predicted, task, f"{name} (prediction)")
            self._prediction = recoded(given, known.codes(predicted, f"{name} (prediction)"))
        self._check()

    def _check_numbers(self) -> None:
        """Check that there is one predicted number per record, and make them a column of scores."""
        assert self._scores is not None
        if self._scores.shape not in ((self.n_records,), (self.n_records, 1)):
            what = "scores" if self.has_scores else "prediction"
            expected = f"one number for each of the {self.n_records} labels"
            raise ParameterError(what, "score", expected, self._scores.shape)
        self._scores = self._scores.reshape(-1, 1)

    def _check(self) -> None:
        for what, array in (("scores", self._scores), ("prediction", self._prediction)):
            if array is not None and len(array) != self.n_records:
                raise ParameterError(what, "score", f"one row for each of the {self.n_records} labels", array.shape)
        if self._scores is not None and self.schema.classes is not None:
            n_classes = self.schema.n_classes
            if self._scores.ndim != 2 or self._scores.shape[1] != n_classes:
                raise ParameterError(
                    "scores",
                    "score",
                    f"a matrix with one column for each of the {n_classes} classes ({listing(self.schema.classes)}); "
                    "set classes= if some of them do not appear in labels and predictions",
                    self._scores.shape,
                )

    def chunks(self, size: int = DEFAULT_CHUNK, start: int = 0) -> Iterator[Predicted]:
        """Read from record ``start`` on, as views of the arrays."""
        for chunk in self._labels.chunks(size, start):
            part = slice(chunk.start, chunk.start + len(chunk))
            y = chunk.y if self.schema.classes is None else recoded(chunk.y, self._label_codes)
            scores = None if self._scores is None else self._scores[part]
            prediction = None if self._prediction is None else self._prediction[part]
            yield self._predicted(chunk, y, scores, prediction)

    def describe(self) -> dict[str, Any]:
        """Return the entry of the manifest."""
        arrays = (self._scores, self._prediction)
        found = [
            digest(self._labels.chunks()),
            *("" if one is None else f"{crc32(one.tobytes()):08x}" for one in arrays),
        ]
        return {"learner": "predictions made elsewhere", "source": "arrays", "content": found}


def _is_column(values: object) -> bool:
    """Return whether something is a one-dimensional list or array; text and dictionaries are not."""
    sized = hasattr(values, "__len__") and not isinstance(values, str | bytes | Mapping)
    return sized and getattr(values, "ndim", 1) == 1


def _matrix(scores: npt.ArrayLike) -> FloatArray:
    try:
        return np.ascontiguousarray(scores, dtype=np.float64)
    except NO_NUMBERS:
        raise ParameterError(
            "scores", "score", "numbers, with one row per record and one column per class", scores
        ) from None


def _distinct(values: LabelsLike) -> list[Label]:
    """Return the distinct values, without None and NaN."""
    raw: npt.NDArray[Any] = np.asarray(values, dtype=object) if isinstance(values, list | tuple) else np.asarray(values)
    found = dict.fromkeys(raw.ravel().tolist()) if raw.dtype.kind == "O" else np.unique(raw).tolist()
    return [v for v in found if isinstance(v, str) or str(v) not in ("None", "nan", "<NA>", "NaT")]


def _are_targets(values: Sequence[Label]) -> bool:
    """Return whether labels are the targets of a regression, and not classes."""
    return _numeric(values) and not looks_like_classes(values)


def _numeric(values: Sequence[Label]) -> bool:
    return all(isinstance(v, int | float) and not isinstance(v, bool) for v in values)


def _column(values: LabelsLike, classes: Sequence[Label], task: str, name: str) -> Labels:
    """Return the codes of values among their classes, or the numbers of a regression."""
    n = len(values)  # type: ignore[arg-type]  # a column
    # If all values are missing, there are no classes, and an arbitrary one is declared.
    stream = from_arrays(np.empty((n, 0)), values, classes=classes or ("",), task=task, name=name)
    return np.concatenate(
        [
            np.empty(0, dtype=np.int64 if task == "classification" else np.float64),
            *(chunk.y for chunk in stream.chunks(max(1, n))),
        ]
    )
