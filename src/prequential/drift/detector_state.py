"""The state of a detector while it runs over a series: what `Detector.fresh` returns."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, overload

import numpy as np

from prequential.errors import InputError, ParameterError
from prequential.namespace import Suggesting
from prequential.types import FloatArray, IntArray

if TYPE_CHECKING:
    from prequential.drift.detector import Detector, State


class DetectorState(Suggesting):
    """A detector that runs over a series: ``update`` feeds it, ``drift_detected`` tells about the last value.

    It can be copied and pickled in the middle of a series.

    Parameters
    ----------
    detector
        The parameters.
    state
        Its state, in C++ or in another library.

    Examples
    --------
    >>> from prequential.drift import PageHinkley
    >>> state = PageHinkley(threshold=2, min_records=1).fresh()
    >>> [state.update(error) for error in (0, 0, 0, 0, 1, 1, 1)]
    [False, False, False, False, False, False, True]
    >>> state.drift_detected, state.update([0, 1, 1]).tolist(), state
    (True, [], PageHinkley(threshold=2, min_records=1).fresh())
    """

    __slots__ = ("_detector", "_state")

    def __init__(self, detector: Detector, state: State) -> None:
        self._detector, self._state = detector, state

    @property
    def drift_detected(self) -> bool:
        """Whether the last value raised an alarm."""
        return self._state.drift_detected

    @overload
    def update(self, values: FloatArray) -> IntArray: ...
    @overload
    def update(self, values: Sequence[float]) -> IntArray: ...
    @overload
    def update(self, values: float) -> bool: ...
    def update(self, values: Any) -> IntArray | bool:
        """Feed one value or several, NaN for none.

        Returns
        -------
        IntArray | bool
            The positions in ``values`` at which there was an alarm; for a single value, whether there was one.

        Raises
        ------
        InputError
            If a value cannot be used; the values before it have been fed.
        """
        try:
            return self._state.update(values if isinstance(values, float) else _numbers(values))
        except ValueError as error:
            raise InputError(f"{type(self._detector).__name__}: {error}.") from None
        except TypeError:
            raise self._not_numbers(values) from None

    def until_alarm(self, values: FloatArray) -> int:
        """Feed values up to and including the first alarm; return its position, or their number if there is none."""
        return self._state.until_alarm(values)

    def reset(self) -> None:
        """Return to the initial state."""
        self._state.reset()

    def to_bytes(self) -> bytes:
        """Return the whole state, to be restored by ``load_bytes``."""
        return self._state.to_bytes()

    def load_bytes(self, state: bytes) -> None:
        """Restore the state of a detector with the same parameters."""
        self._state.load_bytes(state)

    def __repr__(self) -> str:
        return f"{self._detector!r}.fresh()"

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._detector, self.to_bytes())

    def _not_numbers(self, values: object) -> ParameterError:
        caller = f"{type(self._detector).__name__} state"
        return ParameterError("values", caller, "a number, or a series of numbers", values)


def _restored(detector: Detector, state: bytes) -> DetectorState:
    """Return a state that continues from its bytes."""
    made = detector.fresh()
    made.load_bytes(state)
    return made


def _numbers(values: Any) -> float | FloatArray:
    """Return one number, or an array of numbers."""
    if isinstance(values, str | bytes):
        raise TypeError
    try:
        array = np.ascontiguousarray(np.asarray(values, dtype=np.float64))
    except ValueError:
        raise TypeError from None
    if np.ndim(values) > 1:
        raise TypeError
    return float(array[0]) if np.ndim(values) == 0 else array
