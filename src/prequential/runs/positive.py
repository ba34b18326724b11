"""The positive class of a run: what it is, whether it was chosen, and how tables and figures name it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from prequential.wording import listing


@dataclass(frozen=True, slots=True)
class Positive:
    """The positive class of a run.

    Parameters
    ----------
    label
        The class.
    given
        Whether the caller chose it; otherwise it is the second of two classes.
    metrics
        The metrics of the run whose value depends on it.
    share
        Its share of the labels at the last checkpoint; None if it is not known.
    """

    label: str
    given: bool
    metrics: list[str]
    share: float | None = None

    def remark(self, columns: Collection[str]) -> str:
        """Return the remark on metrics of the majority class that nobody chose; empty if none is among ``columns``.

        Examples
        --------
        >>> print(Positive("ok", False, ["f1", "auc"], 0.97).remark(["accuracy", "f1"]))
        f1 is for ok, the majority class (97 % of the labels): choose another with positive= (--positive).
        """
        named = [name for name in self.metrics if name in columns]
        if self.given or not named or self.share is None or self.share <= 0.5:
            return ""
        verb = "is" if len(named) == 1 else "are"
        return (
            f"{listing(named)} {verb} for {self.label}, the majority class ({100 * self.share:.0f} % of the labels): "
            "choose another with positive= (--positive)."
        )


def positive_of(positive: Positive | None, column: str) -> str | None:
    """Return the positive class of a column, if its value depends on it."""
    return positive.label if positive is not None and column in positive.metrics else None


def titled(column: str, positive: str | None) -> str:
    """Return the display name of a column: with its positive class, if it has one.

    Examples
    --------
    >>> titled("average_precision", "ok"), titled("accuracy", None)
    ('average_precision of ok', 'accuracy')
    """
    return column if positive is None else f"{column} of {positive}"
