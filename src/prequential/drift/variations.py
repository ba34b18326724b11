"""The same detector with several values of its parameters."""

from __future__ import annotations

from itertools import product
from typing import Any

from prequential.arguments import checked_call
from prequential.drift.adapted import DetectorLike, as_detector
from prequential.drift.detector import Detector
from prequential.errors import ParameterError


@checked_call
def sweep(detector: DetectorLike, **parameters: Any) -> list[Detector]:
    """Return the detector with each combination of some values of its parameters, to be run side by side.

    Parameters
    ----------
    detector
        The detector; its other parameters stay as they are.
    parameters
        A list of values per parameter.

    Raises
    ------
    InputError
        If a parameter is unknown, has no values, or a value cannot be used.

    Examples
    --------
    >>> import prequential as pq
    >>> pq.drift.sweep("page_hinkley", threshold=[25, 100])
    [PageHinkley(threshold=25), PageHinkley(threshold=100)]
    """
    base = as_detector(detector)
    if not parameters:
        raise ParameterError("parameters", "sweep", "a list of values per parameter, such as threshold=[25, 50]", None)
    for name, values in parameters.items():
        base.with_params({name: base.get_params().get(name)})  # refuses an unknown parameter
        if isinstance(values, str) or not hasattr(values, "__len__") or not len(values):
            raise ParameterError(name, "sweep", "a list of values, such as [25, 50]", values)
    found = [base.with_params(dict(zip(parameters, values, strict=True))) for values in product(*parameters.values())]
    return list({one.label: one for one in found}.values())
