"""The share of each class at each record."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, Literal, TypeAlias

import numpy as np

from prequential.arguments import check_choice, checked_list, checked_whole, is_number
from prequential.elementary import exp, log
from prequential.errors import InputError, ParameterError
from prequential.types import FloatArray, IntArray, Label
from prequential.wording import listing, suggestion

Scale: TypeAlias = Literal["shares", "ratio", "logarithmic"]
SCALES = ("shares", "ratio", "logarithmic")
Ratio: TypeAlias = str | Sequence[float] | Mapping[Any, float]


class ClassShares:
    """The share of each class at each record, from a ratio and later ratios.

    Parameters
    ----------
    ratio
        The ratio at the beginning.
    changes
        Later ratios, by the record index of the middle of the change.
    width
        Length of a change in records.
    classes
        The classes, in the order of their codes.
    caller
        The name of the calling method, for error messages.
    scale
        What moves linearly during a change: the shares, the numbers of the ratio with the smallest as 1 (the r of 1:r),
        or their logarithms.

    Examples
    --------
    >>> shares = ClassShares("1:1", {100: "1:3"}, 10, ("no", "yes"), "class_ratio")
    >>> shares.at(np.array([0, 95, 100, 105]))[:, 0].tolist()
    [0.5, 0.5, 0.375, 0.25]

    Halfway from 1:1 to 1:3, r is 2.

    >>> shares = ClassShares("1:1", {100: "1:3"}, 10, ("no", "yes"), "class_ratio", "ratio")
    >>> shares.at(np.array([100]))[0].round(4).tolist()
    [0.3333, 0.6667]
    """

    def __init__(
        self,
        ratio: Ratio,
        changes: Mapping[int, Ratio] | None,
        width: int,
        classes: tuple[Label, ...],
        caller: str,
        scale: Scale = "shares",
    ) -> None:
        check_choice(scale, "scale", caller, SCALES)
        self.scale = scale
        self.width = checked_whole(width, "width", caller, least=1)
        if changes is not None and not isinstance(changes, Mapping):
            raise ParameterError("changes", caller, "a mapping from record index to ratio", changes)
        given = {checked_whole(at, "changes", caller): one for at, one in (changes or {}).items()}
        self.changes = sorted(given)
        for before, after in pairwise(self.changes):
            if after - before < self.width:
                raise ParameterError("changes", caller, f"at least {self.width:,} records (the width) apart", after)
        ratios = [("ratio", ratio), *(("changes", given[at]) for at in self.changes)]
        self.levels = np.array([_shares(one, classes, name, caller) for name, one in ratios])
        """The shares between changes, one row per ratio."""
        numbers = self.levels / np.where(self.levels > 0, self.levels, np.inf).min(axis=1, keepdims=True)
        if scale == "logarithmic" and not (numbers > 0).all():
            raise ParameterError("scale", caller, "'shares' or 'ratio' if a class has the share 0", scale)
        self._moving = {"shares": self.levels, "ratio": numbers}.get(scale, self.levels)
        if scale == "logarithmic":
            self._moving = log(numbers.ravel()).reshape(numbers.shape)

    def at(self, records: IntArray) -> FloatArray:
        """Return the shares at these records, one row per record."""
        if self.width == 1:
            steady: FloatArray = self.levels[np.searchsorted(self.changes, records, side="right")]
            return steady
        # The last change that has begun, and its progress.
        begins = np.array(self.changes, dtype=np.float64) - self.width / 2
        which = np.searchsorted(begins, records, side="right")
        begun = np.concatenate([[-np.inf], begins])[which]
        far = np.minimum((records - begun) / self.width, 1)[:, np.newaxis]
        before = self._moving[np.maximum(which - 1, 0)]
        moving: FloatArray = before + far * (self._moving[which] - before)
        if self.scale == "shares":
            return moving
        numbers = moving if self.scale == "ratio" else exp(moving.ravel()).reshape(moving.shape)
        shares: FloatArray = numbers / numbers.sum(axis=1, keepdims=True)
        return shares

    def drawn(self, records: IntArray, draws: FloatArray) -> IntArray:
        """Return the classes of consecutive records, given a draw in [0, 1) for each."""
        ends = records[[0, -1]]
        if not any(at - self.width < ends[1] and at + self.width > ends[0] for at in self.changes):
            bounds = np.cumsum(self.at(ends[:1])[0])
            return np.searchsorted(bounds[:-1] / bounds[-1], draws, side="right").astype(np.int64)
        moving = np.cumsum(self.at(records), axis=1)
        classes: IntArray = (moving[:, :-1] / moving[:, -1:] <= draws[:, np.newaxis]).sum(axis=1)
        return classes


def _shares(ratio: Ratio, classes: tuple[Label, ...], name: str, caller: str) -> list[float]:
    if isinstance(ratio, Mapping):
        weights = _by_class(ratio, classes, caller)
    elif isinstance(ratio, str):
        weights = _parsed(ratio, name, caller)
    else:
        what = "weights, text such as '1:100', or a mapping from class to weight"
        weights = list(checked_list(ratio, name, caller, what))
    if len(weights) != len(classes):
        constraint = f"a ratio of {len(classes):,} parts, one per class ({listing(classes)})"
        raise ParameterError(name, caller, constraint, ratio)
    if not all(is_number(weight) and 0 <= weight < math.inf for weight in weights) or not sum(weights) > 0:
        raise ParameterError(name, caller, "a ratio of numbers of at least 0, not all of them 0", ratio)
    return [float(weight) / sum(weights) for weight in weights]


def _parsed(text: str, name: str, caller: str) -> list[float]:
    try:
        return [float(part) for part in text.split(":")]
    except ValueError:
        raise ParameterError(name, caller, "numbers separated by colons, such as '1:100'", text) from None


def _by_class(weights: Mapping[Any, float], classes: tuple[Label, ...], caller: str) -> list[float]:
    """Return the weights in the order of the classes; a key is a class or its text."""
    codes: dict[Label, int] = {str(label): code for code, label in enumerate(classes)}
    codes |= {label: code for code, label in enumerate(classes)}
    found = [0.0] * len(classes)
    for label, weight in weights.items():
        if label not in codes:
            near = suggestion(label, map(str, classes))
            raise InputError(f"{caller}: unknown class {label!r}.{near} Accepted: {listing(classes)}.")
        found[codes[label]] = weight
    return found
