"""Warnings about data that can be read, but probably not as the user means it."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from prequential.streams.schema import Schema
from prequential.types import Label
from prequential.user_warning import warn_user
from prequential.wording import listing

FEWEST_RECORDS = 100
"""Number of records from which on the number of distinct values says something about a column."""
UNIQUE_SHARE = 0.9
"""A nominal feature with more distinct values than this share of the records is probably an identifier or text."""
MOST_WHOLE_LABELS = 500
"""Up to this number of distinct whole numbers, a target may be meant to have classes."""
FEWEST_NUMBERS, FEW_TEXTS = 20, 5
"""From how many distinct numbers on a few texts among them may be marks of missing values or mistakes."""
MOST_NUMBERS = 100
"""More distinct values of text that are all numbers are probably measurements."""
USUAL_TARGETS = ("class", "target", "label", "y")
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?([ T]\d\d?:\d\d.*)?|\d\d?[./]\d\d?[./]\d{2,4}( .*)?")
_MISSING = {"none", "null", "na", "n/a", "nan", "<na>", "nil", "missing", "-", "--", "?", "", "#n/a"}


class DataWarning(UserWarning):
    """Data that can be read, but probably not as it is meant: the file, the column, why, and what to do.

    Examples
    --------
    >>> import warnings
    >>> import prequential as pq
    >>> with warnings.catch_warnings():
    ...     warnings.simplefilter("error", pq.DataWarning)  # an error instead of a warning
    """


def warn_of_features(schema: Schema, chosen: Iterable[str], n_records: int, source: str | Path) -> None:
    """Warn of nominal features that look like identifiers, text or dates; ``chosen`` were declared nominal."""
    chosen = set(chosen)
    for feature in schema.features:
        if feature.values is None or feature.name in chosen:
            continue
        name = feature.name
        if feature.values and all(isinstance(v, str) and _DATE.fullmatch(v) for v in feature.values[:100]):
            _warn(
                source,
                name,
                f"dates such as {feature.values[0]} are read as a nominal feature with {len(feature.values):,} values. "
                f"Use time={name!r} (--time {name}), or leave the column out: ignore={name!r} (--ignore {name}).",
            )
        elif n_records >= FEWEST_RECORDS and len(feature.values) > UNIQUE_SHARE * n_records:
            _warn(
                source,
                name,
                f"{len(feature.values):,} distinct values in {n_records:,} records are read as a nominal feature. If "
                f"they are identifiers or text, leave the column out: ignore={name!r} (--ignore {name}); if they are "
                f"numbers, use numeric={name!r} (--numeric {name}) or decimal=',' (--decimal ,); if they are "
                f"categories, nominal={name!r} (--nominal {name}).",
            )
        else:
            _warn_of_numbers(name, feature.values, f"nominal={name!r} (--nominal {name})", source)


def _warn_of_numbers(name: str, values: Sequence[Label], chosen: str, source: str | Path) -> None:
    """Warn of nominal values that are numbers, all of them or all except a few; ``chosen`` is how to accept them."""
    texts = [value for value in values if not _is_number(value)]
    n_numbers = len(values) - len(texts)
    if not all(isinstance(value, str) for value in values):
        return
    if not texts and n_numbers > MOST_NUMBERS:
        _warn(source, name, f"{n_numbers:,} distinct numbers that are stored as text are read as categories. If they "
              f"are measurements, use numeric={name!r} (--numeric {name}); else {chosen}.")  # fmt: skip
    elif n_numbers >= FEWEST_NUMBERS and 0 < len(texts) <= FEW_TEXTS:
        shown = listing(map(repr, texts))
        _warn(source, name, f"{n_numbers:,} distinct numbers and {shown} are read as categories. If {shown} marks a "
              f"missing value, use missing= (--missing-value); if all are categories, {chosen}.")  # fmt: skip


def _is_number(value: Label) -> bool:
    try:
        return math.isfinite(float(value))  # type: ignore[arg-type]  # labels are text or numbers
    except (TypeError, ValueError):
        return False


def warn_of_times(names: Iterable[str], source: str | Path) -> None:
    """Warn of dates and times that are read as numeric features."""
    for name in names:
        _warn(source, name, f"dates or times are read as a numeric feature. Use time={name!r} (--time {name}), or "
              f"ignore={name!r} (--ignore {name}); numeric={name!r} (--numeric {name}) if it is meant so.")  # fmt: skip


def warn_of_wide_numbers(name: str, value: str, source: str | Path) -> None:
    """Warn of whole numbers with more digits than a float has."""
    _warn(source, name, f"whole numbers such as {value} have more digits than a number of this package (2^53 is the "
          f"largest that is exact), so different ones may become equal. If they are identifiers, leave the column out: "
          f"ignore={name!r} (--ignore {name}).")  # fmt: skip


def warn_of_index(name: str, source: str | Path) -> None:
    """Warn of a column without a name that counts the records, such as the index of a data frame."""
    _warn(source, name, f"a column without a name counts the records, and is read as a feature. Leave it out: "
          f"ignore={name!r} (--ignore {name!r}).")  # fmt: skip


def warn_of_target(names: Sequence[str], target: str, source: str | Path) -> None:
    """Warn of a target that is the last column only by default, if another column is called class, target, label or y.

    ``names`` are the columns without another role.
    """
    usual = [name for name in names if name.strip().casefold() in USUAL_TARGETS]
    if usual and target not in usual:
        _warn(source, target, f"the target is the last column, {target!r}, but there is a column {usual[0]!r}. Use "
              f"target={usual[0]!r} or target={target!r} (--target).")  # fmt: skip


def warn_of_columns(names: Sequence[str], source: str | Path) -> None:
    """Warn about a file with one column."""
    if len(names) == 1:
        _warn(source, names[0], "the file has only this column, so there are no features. Is the separator another "
              "one? Use separator= (--separator).")  # fmt: skip


def warn_of_classes(classes: Sequence[Label], n_records: int, target: str, source: str | Path, *, chosen: bool) -> None:
    """Warn of a target with one class, with classes that are probably one class or none, or with very many.

    The last is not said if classification was ``chosen``.
    """
    _warn_of_names(classes, target, source)
    if n_records < FEWEST_RECORDS:
        return
    if len(classes) == 1:
        _warn(source, target, f"the target has one value, {classes[0]!r}, so there is nothing to learn. Is another "
              "column the target? Use target= (--target).")  # fmt: skip
    elif not chosen and len(classes) > UNIQUE_SHARE * n_records:
        _warn(source, target, f"the target has {len(classes):,} classes in {n_records:,} records. If they are numbers, "
              "use task='regression' (--task regression). Is another column the target? Use target=.")  # fmt: skip
    elif not chosen:
        _warn_of_numbers(target, classes, "task='classification' (--task classification)", source)


def _warn_of_names(classes: Sequence[Label], target: str, source: str | Path) -> None:
    """Warn of classes whose names differ only in case or spaces, and of names that mark a missing value elsewhere."""
    first: dict[str, Label] = {}
    for label in classes:
        same = first.setdefault(str(label).strip().casefold(), label)
        if same is not label:
            _warn(source, target, f"the classes {same!r} and {label!r} are different only in case, spaces or type. If "
                  "they are one class, write them alike.")  # fmt: skip
            break
    empty = [label for label in classes if isinstance(label, str) and label.strip().casefold() in _MISSING]
    if empty and len(classes) > 2:
        _warn(source, target, f"{empty[0]!r} is read as a class. If it marks a missing label, use missing={empty[0]!r} "
              f"(--missing-value {empty[0]}); if it is a class, name all with classes= (--class-label).")  # fmt: skip


def warn_of_whole_labels(labels: Sequence[float], n_records: int, target: str, source: str | Path) -> None:
    """Warn of a target that is read as numbers, but has a few hundred distinct whole ones that occur repeatedly."""
    if len(labels) > UNIQUE_SHARE * n_records:
        return
    if len(labels) <= MOST_WHOLE_LABELS and all(label.is_integer() for label in labels):
        shown = listing([int(label) for label in sorted(labels)], 5)
        _warn(source, target, f"the target is read as numbers (regression), but has few distinct ones, all of them "
              f"whole: {shown}. If they are classes, use task='classification' (--task classification); if they are "
              "numbers, task='regression' (--task regression).")  # fmt: skip


def _warn(source: str | Path, column: str, problem: str) -> None:
    warn_user(f"{source}, column {column!r}: {problem}", DataWarning)


def warn_of_order(what: str, first: Any, other: Any, source: str | Path) -> None:
    """Warn of two objects of pandas whose rows have different indices: they are paired by position."""
    if not (_is_pandas(first) and _is_pandas(other)) or len(first) != len(other) or first.index.equals(other.index):
        return
    warn_user(
        f"{source}: {what} have different indices. Their rows are paired by position, not by index; sort one like the "
        "other (y.loc[X.index]), or reset both indices.",
        DataWarning,
    )


def _is_pandas(data: object) -> bool:
    return type(data).__module__.partition(".")[0] == "pandas" and hasattr(data, "index")
