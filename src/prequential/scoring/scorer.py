"""The live scorer: every metric under every forgetting, for your own loop.

The file is long because of the docstrings of its public methods.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Literal
from zlib import crc32

import numpy as np
import pyarrow as pa

from prequential.arguments import check_choice, check_whole, checked_list
from prequential.errors import InputError, ParameterError
from prequential.evaluation.settings import UncheckedSettings, several
from prequential.metrics.auc import scored_names
from prequential.metrics.calibration import CalibrationError
from prequential.metrics.forgetting import Forgetting, Sliding, as_forgetting
from prequential.metrics.grid import Checkpoints
from prequential.metrics.metric import Metric, canonical, resolve, split_class
from prequential.metrics.positive import positive_class
from prequential.metrics.reliability import Reliability
from prequential.metrics.roc_curve import RocCurve
from prequential.number import finite_or_none
from prequential.runs.trace import Measured, measured, rows
from prequential.saved import UnsavableError, pack, unpack
from prequential.scoring.live_records import LiveRecords
from prequential.scoring.scorer_table import scorer_table
from prequential.sheets.printable import Printable
from prequential.sheets.sheet import Sheet
from prequential.sheets.text_table import TextTable
from prequential.streams.schema import Schema
from prequential.types import Label
from prequential.wording import listing, suggestion


class Scorer(Printable):
    """Metrics for your own loop: give it labels and predictions, and read the metrics at any moment.

    It counts as ``evaluate`` and ``score`` do, with the same conventions and the same numbers, in constant time per
    record and constant memory.

    Parameters
    ----------
    metrics, forgetting, positive, abstain
        As in ``evaluate``.
    classes
        All classes, in the order of the columns of scores. By default, classes get their codes as they appear.
    task
        ``"classification"`` or ``"regression"``; ``"auto"`` is regression if there are metrics of regression.
    ties
        How a tied pair counts in the AUC: ``"half"`` (Mann and Whitney), or ``"paper"``: of two records with the same
        score, the first one is ranked higher, as in the pseudo-code of Brzezinski and Stefanowski (2014).

    Examples
    --------
    >>> import prequential as pq
    >>> scorer = pq.Scorer(["accuracy", "kappa"], [pq.Cumulative(), pq.Sliding(2)])
    >>> for label, prediction in [("up", "up"), ("down", "up"), ("down", "down")]:
    ...     scorer.update(label, prediction)
    >>> round(scorer.value("accuracy"), 4), scorer.value("accuracy", "sliding:2")
    (0.6667, 0.5)
    >>> print(scorer)
    scorer · 3 records
    <BLANKLINE>
              cumulative  sliding:2
    accuracy      0.6667     0.5000
    kappa         0.4000     0.0000
    """

    def __init__(
        self,
        metrics: str | Metric | Sequence[str | Metric] | None = None,
        forgetting: str | Forgetting | Sequence[Forgetting | str] | None = None,
        *,
        classes: Sequence[Label] | None = None,
        positive: Label | None = None,
        task: Literal["auto", "classification", "regression"] = "auto",
        abstain: Literal["wrong", "skip"] = "wrong",
        ties: Literal["half", "paper"] = "half",
    ) -> None:
        check_choice(task, "task", "Scorer", ("auto", "classification", "regression"))
        check_choice(ties, "ties", "Scorer", ("half", "paper"))
        given = UncheckedSettings(
            caller="Scorer", metrics=metrics, forgetting=forgetting, abstain=abstain, positive=positive
        )
        schema = _schema(classes, regression=_is_regression(task, metrics, classes))
        self._arguments = {
            "metrics": metrics,
            "forgetting": forgetting,
            "classes": classes,
            "positive": positive,
            "task": task,
            "abstain": abstain,
            "ties": ties,
        }
        self._settings = given.of_schema(schema)
        self._setting = replace(self._settings.setting(), ties=ties)
        needs = {one.needs for one in self._settings.metrics}
        self._need_scores = scored_names(self._settings.metrics)
        only_order = needs <= {"scores", "nothing"} and "auc_hand_till" not in self._setting.ranks
        positive_code = schema.code_of(self._settings.positive) if self._settings.positive is not None else None
        self._records = LiveRecords(
            schema, positive_code=1 if positive_code is None else positive_code, margins=only_order
        )
        self._grid = self._setting.grid()

    def update(
        self, y: Any, prediction: Any = None, *, scores: Any = None, weight: Any = None, time: Any = None
    ) -> None:
        """Count one record, or several.

        Parameters
        ----------
        y
            The label; a list, tuple or array has one label per record. None or NaN if it is unknown.
        prediction
            The predicted label, or one per record; None or NaN for an abstention. Without it, the class with the
            highest score is predicted. A mapping, or one row of numbers per record, is taken as ``scores``.
        scores
            A score for each class, at least 0: a mapping from class to score, or numbers in the order of ``classes``;
            for several records a list of mappings, or a matrix. With two declared classes, also one number per record:
            the probability of the positive class; if all metrics are of the order of scores, any number. Scores that
            are all zero or not finite are an abstention.
        weight
            Weight of the record, at least 0, or one per record.
        time
            Time of the record in seconds (or ``datetime64``), or one per record; it never decreases.

        Raises
        ------
        InputError
            For a bad argument; then no record of this call has been counted.

        Examples
        --------
        >>> import prequential as pq
        >>> scorer = pq.Scorer("log_loss", pq.Cumulative())
        >>> scorer.update(True, scores={False: 0.5, True: 0.5})
        >>> round(scorer.value(), 4)
        0.6931
        """
        if scores is None and _are_scores(y, prediction):
            prediction, scores = None, prediction
        if not self._count_at_once(y, prediction, scores, weight, time):
            self._count(y, prediction, scores, weight, time, every=0)

    def trace(
        self,
        y: Any,
        prediction: Any = None,
        *,
        scores: Any = None,
        weight: Any = None,
        time: Any = None,
        every: int = 1,
    ) -> pa.Table:
        """Count several records, and return the values after every ``every`` records since the first.

        Parameters
        ----------
        y, prediction, scores, weight, time
            As in ``update``.
        every
            Number of records between two checkpoints.

        Returns
        -------
        A tidy table: n, time, forgetting, metric, value.

        Examples
        --------
        >>> import prequential as pq
        >>> scorer = pq.Scorer("auc", pq.Sliding(3), classes=["ham", "spam"])
        >>> scorer.trace(["ham", "spam", "ham", "spam"], scores=[0.2, 0.6, 0.7, 0.7])["value"].to_pylist()
        [nan, 1.0, 0.5, 0.25]
        """
        check_whole(every, "every", "Scorer.trace", least=1)
        passed = self._count(y, prediction, scores, weight, time, every=int(every))
        parts = [self._measured(one) for one in passed or [self._grid.checkpoint().until(-1)]]
        tables = [rows(one, learner="", fold=0, forgetting=self.forgetting) for one in parts]
        return pa.concat_tables(tables).drop_columns(["learner", "fold"])

    def value(self, metric: str | Metric | None = None, forgetting: str | Forgetting | None = None) -> float:
        """Return the current value of a metric; NaN if it is undefined.

        Parameters
        ----------
        metric
            The metric, ``"recall[UP]"`` for that of one class; not needed if there is only one.
        forgetting
            The forgetting; by default the first.

        Examples
        --------
        >>> import prequential as pq
        >>> scorer = pq.Scorer(["recall", "accuracy"], "fading:0.9")
        >>> scorer.update(["up", "down", "up"], ["up", "up", "up"])
        >>> scorer.value("recall[up]"), scorer.value("recall[down]")
        (1.0, 0.0)
        """
        name = metric.column if isinstance(metric, Metric) else metric
        base = None if name is None else split_class(name)[0]
        found = self._measured(only=[one for one in self._settings.metrics if base in (None, one.name)])
        columns = [one for one in found.names if name in (None, one, split_class(one)[0])]
        if len(columns) != 1:
            raise self._no_such_value(name, columns, self.metrics)
        return float(found.values[0, self._place(forgetting), found.names.index(columns[0])])

    def values(self, forgetting: str | Forgetting | None = None) -> dict[str, float]:
        """Return the current value of every metric under one forgetting, by default the first."""
        found = self._measured()
        return dict(zip(found.names, found.values[0, self._place(forgetting)].tolist(), strict=True))

    def to_dict(self) -> dict[str, dict[str, float | None]]:
        """Return the current value of every metric under every forgetting, for JSON: undefined values are None.

        Examples
        --------
        >>> import prequential as pq
        >>> scorer = pq.Scorer(["accuracy", "kappa"], ["cumulative", "sliding:10"])
        >>> scorer.update("up", "up")
        >>> scorer.to_dict()
        {'cumulative': {'accuracy': 1.0, 'kappa': None}, 'sliding:10': {'accuracy': 1.0, 'kappa': None}}
        """
        found = self._measured()
        return {
            label: {name: finite_or_none(value) for name, value in zip(found.names, values, strict=True)}
            for label, values in zip(self.forgetting, found.values[0].tolist(), strict=True)
        }

    def table(self) -> TextTable:
        """Return the current values as a table: one row per metric, one column per forgetting."""
        checkpoint = self._grid.checkpoint()
        return scorer_table(checkpoint, self._measured(checkpoint), self._settings, self._records.schema)

    def sheet(self) -> Sheet:
        """Return the current values as text."""
        return self.table().sheet()

    def to_arrow(self) -> pa.Table:
        """Return the current values as a tidy table: forgetting, metric, value."""
        rows = [(label, name, value) for label, row in self.to_dict().items() for name, value in row.items()]
        forgetting, metric, value = zip(*rows, strict=True)
        return pa.table({"forgetting": forgetting, "metric": metric, "value": pa.array(value, pa.float64())})

    def roc(self, label: Label | None = None, forgetting: str | Forgetting | None = None) -> RocCurve:
        """Return the current ROC curve of the records in a sliding window.

        Parameters
        ----------
        label
            The positive class; needed with more than two classes, unless the scorer has one.
        forgetting
            The sliding window; by default the first one.
        """
        sliding = [i for i, one in enumerate(self._settings.forgetting) if isinstance(one, Sliding)]
        place = self._place(forgetting) if forgetting is not None or not sliding else sliding[0]
        if not self._setting.ranks or place not in sliding:
            raise InputError(
                "Scorer.roc needs a metric of the order of scores under a sliding window, such as "
                "Scorer('auc', pq.Sliding(1000))."
            )
        schema = self._records.schema
        default = positive_class(schema, self._settings.positive)
        ranked = (schema.classes or ()) if default is None else (default,)
        code = schema.code_of(default if label is None else label)
        if code is None or (schema.classes or ())[code] not in ranked:
            raise ParameterError("label", "Scorer.roc", f"one of {listing(ranked)}", label)
        return RocCurve.of_groups(self._grid.roc_groups(place, code))

    def reliability(self, metric: str = "ece", forgetting: str | Forgetting | None = None) -> Reliability:
        """Return the current reliability diagram: accuracy against mean confidence, bin by bin.

        Parameters
        ----------
        metric
            The calibration error whose bins to return, such as ``"ece:20"``.
        forgetting
            The forgetting; by default the first one.
        """
        by_name = {one.name: one.compute for one in self._settings.metrics}
        error = by_name.get(canonical(metric))
        if not isinstance(error, CalibrationError):
            kept = listing([name for name, one in by_name.items() if isinstance(one, CalibrationError)]) or "none"
            raise InputError(
                f"Scorer.reliability needs a calibration error, such as the metric 'ece'. The scorer has: {kept}."
            )
        binned = error.binned(self._grid.checkpoint().counts)
        return Reliability.of_bins(binned[0, self._place(forgetting)])

    @property
    def n(self) -> int:
        """Number of records so far, labelled or not."""
        return self._grid.n_seen

    @property
    def n_unlabelled(self) -> int:
        """Number of records without a label."""
        return int(self._grid.checkpoint().n_unlabelled[0])

    @property
    def n_abstained(self) -> int:
        """Number of labelled records without a prediction."""
        return int(self._grid.checkpoint().n_abstained[0])

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes so far, in the order of their codes; none for regression."""
        return self._records.schema.classes or ()

    @property
    def metrics(self) -> list[str]:
        """The names of the metrics."""
        return [one.column for one in self._settings.metrics]

    @property
    def forgetting(self) -> list[str]:
        """The forgettings, in their textual form."""
        return [one.label for one in self._settings.forgetting]

    @property
    def nbytes(self) -> int:
        """Bytes held by the counts; they do not grow with the number of records."""
        return self._grid.nbytes

    def to_bytes(self) -> bytes:
        """Return the whole state, to be restored by ``load_bytes``.

        Raises
        ------
        UnsavableError
            If a class is not text, a number or a boolean; such scorers can be pickled.
        """
        classes, last_time, grid = self._state()
        if not all(isinstance(one, str | int | float) for one in classes):
            raise UnsavableError(f"classes other than text, numbers and booleans cannot be saved: {listing(classes)}")
        state = pack({"classes": classes, "time": finite_or_none(last_time), "grid": grid})
        return crc32(state).to_bytes(4, "little") + state

    def load_bytes(self, state: bytes) -> None:
        """Restore from ``to_bytes`` of a scorer with the same parameters; if they do not fit, nothing is changed."""
        if crc32(state[4:]) != int.from_bytes(state[:4], "little"):
            raise ValueError("damaged state: its checksum is wrong")
        saved = unpack(state[4:])
        last_time = saved["time"]
        self._restore((saved["classes"], -math.inf if last_time is None else last_time, saved["grid"]))

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._arguments, self._state())

    def _state(self) -> tuple[list[Label], float, bytes]:
        return list(self.classes), self._records.last_time, self._grid.to_bytes()

    def _restore(self, state: tuple[Sequence[Label], float, bytes]) -> None:
        classes, last_time, grid = state
        declared = self._settings.schema
        if not declared.open and list(classes) != list(declared.classes or ()):
            raise ValueError(f"these bytes are the state of a scorer with other classes: {listing(classes)}")
        self._grid.load_bytes(grid)
        self._records.restore(classes, last_time)

    def _count(self, y: Any, prediction: Any, scores: Any, weight: Any, time: Any, *, every: int) -> list[Checkpoints]:
        """Count the records of a call; return the checkpoints passed."""
        if scores is None and prediction is not None and self._need_scores:
            raise InputError(
                f"Scorer.update: {listing(self._need_scores)} needs one score per class: scores=…, such as "
                "scores={'up': 0.8, 'down': 0.2}."
            )
        passed: list[Checkpoints] = []
        for chunk in self._records.chunks(y, prediction, scores, weight, time):
            passed += self._grid.update(
                chunk.records,
                chunk.scores,
                chunk.prediction,
                margin=chunk.margins,
                margin_of=self._records.positive_code,
                every=every,
            )
        return passed

    def _count_at_once(self, y: Any, prediction: Any, scores: Any, weight: Any, time: Any) -> bool:
        """Count a single record of the usual kind, without arrays; for anything else count nothing and return False."""
        w, t = 1.0 if weight is None else weight, math.nan
        if time is not None:
            if type(time) not in (int, float) or not self._records.last_time <= time < math.inf:
                return False
            t = time
        try:
            if self._settings.schema.classes is None:
                if not math.isfinite(y) or scores is not None:
                    return False
                self._grid.native.update_number(y, prediction, w, t)
            else:
                self._count_class(y, prediction, scores, w, t)
        except (KeyError, TypeError, ValueError):
            return False  # several records, a new label or a bad argument
        if time is not None:
            self._records.last_time = t
        return True

    def _count_class(self, y: Any, prediction: Any, scores: Any, weight: float, time: float) -> None:
        """Count a single record; raise KeyError, TypeError or ValueError if it has a new or invalid label."""
        known, native = self._records.labels.known, self._grid.native
        if scores is None:
            if self._need_scores and prediction is not None:
                raise TypeError
            native.update_one(known[y], None, known[prediction], weight, time)
            return
        said = None if prediction is None else known[prediction]
        if type(scores) is dict:
            row = [0.0] * len(self._records.labels.classes)
            for label, score in scores.items():
                row[known[label]] = score
            native.update_one(known[y], row, said, weight, time)
        elif type(scores) is float and said is None:
            self._records.check_one_score(scores)
            if self._records.margins:
                native.update_margin(known[y], scores, self._records.positive_code, weight, time)
            else:
                row = [1 - scores, scores] if self._records.positive_code == 1 else [scores, 1 - scores]
                native.update_one(known[y], row, None, weight, time)
        else:
            raise TypeError

    def _measured(self, at: Checkpoints | None = None, only: Sequence[Metric] | None = None) -> Measured:
        """Compute metrics, at the current moment unless another one is given."""
        return measured(
            self._grid.checkpoint() if at is None else at,
            metrics=self._settings.metrics if only is None else only,
            classes=self.classes,
            n_declared=self._settings.schema.n_classes,
        )

    def _place(self, forgetting: str | Forgetting | None) -> int:
        """Return the position of a forgetting; by default the first."""
        if forgetting is None:
            return 0
        label = as_forgetting(forgetting).label
        if label not in self.forgetting:
            raise InputError(f"The scorer has no forgetting {label!r}. It has: {listing(self.forgetting, 40)}.")
        return self.forgetting.index(label)

    def _no_such_value(self, name: str | None, columns: Sequence[str], known: Sequence[str]) -> InputError:
        """Return the error for a metric that is not there, or that has several values."""
        if columns:
            what = "there are several metrics" if name is None else f"{name!r} has one value per class"
            return InputError(f"Scorer.value: {what}. Choose one of: {listing(columns, 40)}.")
        return InputError(f"The scorer has no metric {name!r}.{suggestion(name, known)} It has: {listing(known, 40)}.")


def _are_scores(y: Any, prediction: Any) -> bool:
    """Return whether what was given as predictions has more values than one label per record."""
    kind = type(prediction)
    if kind in _LABELS:
        return False
    if isinstance(prediction, Mapping):
        return True
    if not isinstance(prediction, list | tuple | np.ndarray) or len(prediction) == 0:
        return False
    return np.ndim(y) == 0 or isinstance(prediction[0], Mapping | list | tuple | np.ndarray)


def _restored(arguments: dict[str, Any], state: tuple[Sequence[Label], float, bytes]) -> Scorer:
    """Return a scorer that continues from a state."""
    scorer = Scorer(**arguments)
    scorer._restore(state)
    return scorer


_LABELS = (str, int, float, bool, type(None))
"""The usual types of a single label."""


def _schema(classes: Sequence[Label] | None, *, regression: bool) -> Schema:
    if regression:
        return Schema((), None)
    if classes is None:
        return Schema((), (), open=True)
    return Schema((), tuple(checked_list(classes, "classes", "Scorer", "classes")))


def _is_regression(task: str, metrics: object, classes: object) -> bool:
    """Return whether targets are numbers; without a task, whether a metric needs numbers."""
    if classes is not None and task == "regression":
        raise ParameterError("classes", "Scorer", "left out for regression", classes)
    if task != "auto" or classes is not None:
        return task == "regression"
    found = [] if metrics is None else resolve(several(metrics), None)
    return any(one.needs == "targets" for one in found)
