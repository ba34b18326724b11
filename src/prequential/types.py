"""Array types in the signatures of this package."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

FloatArray: TypeAlias = npt.NDArray[np.float64]
IntArray: TypeAlias = npt.NDArray[np.int64]
Labels: TypeAlias = npt.NDArray[Any]
"""int64 codes of classes, or float64 targets of a regression stream."""
Label: TypeAlias = Hashable
LabelsLike: TypeAlias = npt.ArrayLike | Sequence[Label | None]
"""Labels as callers pass them: an array, or a sequence in which None is an unknown label."""
