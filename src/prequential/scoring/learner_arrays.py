"""The predictions of one learner in memory, as a caller gives them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from prequential.errors import InputError, ParameterError
from prequential.scoring.predictions import recoded
from prequential.streams.readers import from_arrays
from prequential.streams.readers.arrays import NO_NUMBERS
from prequential.streams.readers.table import Frame, as_arrow, is_table
from prequential.streams.spelling import Classes
from prequential.types import FloatArray, IntArray, Label, Labels, LabelsLike
from prequential.wording import listing

ScoresLike: TypeAlias = npt.ArrayLike | Frame
"""Scores as callers pass them: a matrix, a data frame, or for two classes one probability per record."""


@dataclass(frozen=True, slots=True)
class LearnerArrays:
    """The predictions of one learner, its scores, or both.

    Parameters
    ----------
    y_pred, y_score
        As the caller gave them.
    key
        The name of the learner if they were given in mappings, for error messages.
    positive
        The class that one probability per record is of; by default the second.
    """

    y_pred: LabelsLike | None
    y_score: ScoresLike | None
    key: str | None = None
    positive: Label | None = None

    def __post_init__(self) -> None:
        if self.y_pred is None and self.y_score is None:
            raise ParameterError(self._named("y_pred"), "score", "given if 'y_score' is not", None)
        if self.y_pred is not None and not is_column(self.y_pred):
            expected = "a list or array with one label per record"
            raise ParameterError(self._named("y_pred"), "score", expected, self.y_pred)

    def _named(self, parameter: str) -> str:
        return parameter if self.key is None else f"{parameter}[{self.key!r}]"

    @property
    def predicted(self) -> list[Label]:
        """The distinct predictions."""
        return [] if self.y_pred is None else distinct(self.y_pred)

    def score_columns(self, labels: Classes) -> list[Label] | None:
        """Return the classes that a data frame of scores names in its columns; None if it names none.

        Columns that are only numbered 0, 1, … name classes if a label is among the numbers.
        """
        if not is_table(self.y_score):
            return None
        given: Any = self.y_score
        names: list[Label] = list(given.columns) if hasattr(given, "iloc") else as_arrow(given).column_names
        numbered = [str(name) for name in names] == [str(j) for j in range(len(names))]
        if numbered and all(labels.code(name) is None for name in names):
            return None
        return names

    def codes(self, classes: Classes, n: int, source: str) -> IntArray | None:
        """Return the codes of the predicted classes."""
        if self.y_pred is None:
            return None
        known = self.predicted
        codes = recoded(column(self.y_pred, known, "classification", source), classes.codes(known, source))
        self._check_length("y_pred", codes, n)
        return codes

    def scores(self, classes: Classes, n: int, source: str) -> FloatArray | None:
        """Return the matrix of scores, one column per class."""
        if self.y_score is None:
            return None
        names = self.score_columns(classes)
        matrix = self._matrix()
        self._check_length("y_score", matrix, n)
        n_classes = len(classes.values)
        if names is not None:
            return matrix[:, self._order(names, classes, source)]
        if matrix.ndim == 1 and n_classes == 2:
            return self._both(matrix, classes)
        if matrix.ndim != 2 or matrix.shape[1] != n_classes:
            one = "" if matrix.ndim == 2 else "; one probability per record is enough for two classes"
            raise ParameterError(
                self._named("y_score"),
                "score",
                f"a matrix with one column for each of the {n_classes} classes ({listing(classes.values)}){one}; "
                "set classes= if some of them do not appear in labels and predictions",
                matrix.shape,
            )
        return matrix

    def numbers(self, n: int, source: str) -> FloatArray:
        """Return the predicted numbers of a regression, as a matrix of one column."""
        name = "y_pred" if self.y_score is None else "y_score"
        if self.y_score is not None:
            values = self._matrix()
        else:
            assert self.y_pred is not None
            values = column(self.y_pred, [], "regression", source)
        if values.shape not in ((n,), (n, 1)):
            raise ParameterError(self._named(name), "score", f"one number for each of the {n} labels", values.shape)
        return values.reshape(-1, 1)

    def _matrix(self) -> FloatArray:
        given: Any = self.y_score
        try:
            if is_table(given):
                columns = [one.to_numpy() for one in as_arrow(given).columns]
                return np.ascontiguousarray(np.column_stack(columns), dtype=np.float64)
            return np.ascontiguousarray(given, dtype=np.float64)
        except NO_NUMBERS:
            expected = "numbers, with one row per record and one column per class"
            raise ParameterError(self._named("y_score"), "score", expected, given) from None

    def _order(self, names: Sequence[Label], classes: Classes, source: str) -> list[int]:
        """Return the column of each class in a data frame."""
        codes = classes.codes(names, f"{source} (columns of y_score)").tolist()
        absent = [value for code, value in enumerate(classes.values) if code not in codes]
        if absent or len(set(codes)) < len(codes):
            raise InputError(
                f"{source}: the columns of y_score are {listing(names)}, and the classes {listing(classes.values)}. "
                "Accepted: one column for each class."
            )
        return [codes.index(code) for code in range(len(codes))]

    def _both(self, probability: FloatArray, classes: Classes) -> FloatArray:
        """Return the scores of both classes from the probabilities of the positive one."""
        chosen = None if self.positive is None else classes.code(self.positive)
        code = 1 if chosen is None else chosen
        wrong = np.flatnonzero((probability < 0) | (probability > 1))
        if len(wrong):
            raise ParameterError(
                self._named("y_score"),
                "score",
                f"probabilities of the class {classes.values[code]!r}, from 0 to 1, or a matrix with one column for "
                f"each of the classes {listing(classes.values)}; record {wrong[0]} has a number outside 0 to 1",
                float(probability[wrong[0]]),
            )
        return np.column_stack([1 - probability, probability] if code else [probability, 1 - probability])

    def _check_length(self, name: str, array: Labels, n: int) -> None:
        if array.ndim == 0 or len(array) != n:
            raise ParameterError(self._named(name), "score", f"one row for each of the {n} labels", array.shape)


def by_learner(
    y_pred: LabelsLike | Mapping[str, LabelsLike] | None,
    y_score: ScoresLike | Mapping[str, ScoresLike] | None,
    name: str,
    positive: Label | None = None,
) -> dict[str, LearnerArrays]:
    """Return the predictions of each learner, from mappings, or from those of one learner."""
    if not isinstance(y_pred, Mapping) and not isinstance(y_score, Mapping):
        return {name: LearnerArrays(y_pred, y_score, positive=positive)}
    predictions: Any = {} if y_pred is None else y_pred
    scores: Any = {} if y_score is None else y_score
    for parameter, given in (("y_pred", predictions), ("y_score", scores)):
        if not isinstance(given, Mapping):
            raise ParameterError(parameter, "score", "a mapping from learners, like the other one", given)
    names = dict.fromkeys([*predictions, *scores])
    if not names:
        raise ParameterError("y_pred", "score", "the predictions of at least one learner", y_pred)
    return {str(one): LearnerArrays(predictions.get(one), scores.get(one), str(one), positive) for one in names}


def is_column(values: object) -> bool:
    """Return whether something is a one-dimensional list or array; text and dictionaries are not."""
    sized = hasattr(values, "__len__") and not isinstance(values, str | bytes | Mapping)
    return sized and getattr(values, "ndim", 1) == 1


def distinct(values: LabelsLike) -> list[Label]:
    """Return the distinct values, without None and NaN."""
    raw: npt.NDArray[Any] = np.asarray(values, dtype=object) if isinstance(values, list | tuple) else np.asarray(values)
    found = dict.fromkeys(raw.ravel().tolist()) if raw.dtype.kind == "O" else np.unique(raw).tolist()
    return [v for v in found if isinstance(v, str) or str(v) not in ("None", "nan", "<NA>", "NaT")]


def column(values: LabelsLike, classes: Sequence[Label], task: str, name: str) -> Labels:
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
