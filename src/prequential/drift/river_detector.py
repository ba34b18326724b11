"""A drift detector as a detector of River. Imported only by ``to_river``: it needs River."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from river import base

if TYPE_CHECKING:
    from prequential.drift.detector import Detector


class RiverDetector(base.DriftDetector):  # type: ignore[misc]  # River has no types
    """A drift detector of this package with River's interface: ``update`` and ``drift_detected``.

    It takes one value at a time; NaN is skipped. ``clone`` returns a detector in its initial state; ``copy.deepcopy``
    and ``pickle`` keep the state.

    Parameters
    ----------
    detector
        The detector. What it watches in a run (``on``) is not used: it gets the values as they are.

    Examples
    --------
    >>> from prequential.drift import ADWIN
    >>> detector = ADWIN().to_river()
    >>> for i, error in enumerate([0, 0, 0, 1] * 100 + [0, 1, 1, 1] * 100):
    ...     detector.update(error)
    ...     if detector.drift_detected:
    ...         print(i)
    447
    479
    """

    def __init__(self, detector: Detector) -> None:
        super().__init__()
        self.detector = detector
        self._state = detector._start()

    def update(self, x: float) -> None:
        """Process one value.

        Parameters
        ----------
        x
            The value; for a detector on the error, 1 (or True) for a wrong prediction and 0 for a right one.
        """
        self._drift_detected = self._state.update(float(x))

    def _reset(self) -> None:
        super()._reset()
        self._state.reset()

    def __str__(self) -> str:
        return type(self.detector).__name__

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_state": self._state.to_bytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._state = self.detector._start()
        self._state.load_bytes(state["_state"])
