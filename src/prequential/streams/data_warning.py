"""Warnings about data that can be read, but probably not as the user means it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

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
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?([ T]\d\d?:\d\d.*)?|\d\d?[./]\d\d?[./]\d{2,4}( .*)?")


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


def warn_of_columns(names: Sequence[str], source: str | Path) -> None:
    """Warn of a file with one column."""
    if len(names) == 1:
        _warn(source, names[0], "the file has only this column, so there are no features. Is the separator another "
              "one? Use separator= (--separator).")  # fmt: skip


def warn_of_classes(classes: Sequence[Label], n_records: int, target: str, source: str | Path, *, chosen: bool) -> None:
    """Warn of a target with one class or, unless classification was ``chosen``, with as many classes as records."""
    if n_records < FEWEST_RECORDS:
        return
    if len(classes) == 1:
        _warn(source, target, f"the target has one value, {classes[0]!r}, so there is nothing to learn. Is another "
              "column the target? Use target= (--target).")  # fmt: skip
    elif not chosen and len(classes) > UNIQUE_SHARE * n_records:
        _warn(source, target, f"the target has {len(classes):,} classes in {n_records:,} records. If they are numbers, "
              "use task='regression' (--task regression). Is another column the target? Use target=.")  # fmt: skip


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
