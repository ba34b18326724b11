"""Errors in the words of the command line: ``--every must be …`` where Python says ``The 'every' parameter of …``."""

from __future__ import annotations

from collections.abc import Callable
from typing import get_type_hints

from typer.models import OptionInfo

from prequential.cli.given import option_name
from prequential.errors import ParameterError
from prequential.plans.parameter_names import plan_key, renamed

_OPTIONS = {
    "metrics": "metric",
    "detectors": "detector",
    "missing": "missing_value",
    "classes": "class_label",
    "k": "folds",
    "test": "test_data",
    "tests": "test_on",
    **{f"delay.{key}": f"delay_{key}" for key in ("clock", "first", "rest", "seed")},
}
"""Keys of a plan whose option has another name."""
_PARAMETERS: dict[str, dict[str, str]] = {
    "score": {"scores": "score"},
    "score_delayed": {"scores": "score"},
    "compare": {},
    "power": {"schemes": "scheme", "tests": "test_on"},
    "detect": {},
    "read": {"missing": "missing_value", "classes": "class_label"},
    "score_alarms": {},
    "generate": {},
    "card": {"streams": "stream"},
    "testbed show": {},
    "optimal_errors": {"n_seeds": "seeds"},
    "take": {"n": "take"},
    "skip": {"n": "skip"},
    "class_ratio": {"changes": "ratio_change", "width": "ratio_width", "scale": "ratio_scale"},
    "feature_noise": {"deviation": "feature_noise"},
    **{op: {"share": op} for op in ("label_noise", "missing", "sparse_labels")},
}
"""By caller that no plan has: the parameters whose option has another name."""


def message_of(error: BaseException, command: Callable[..., None]) -> str:
    """Return the message of an error, with the options of a command for the parameters that they set."""
    hints = get_type_hints(command, include_extras=True)
    options = {
        name
        for name, hint in hints.items()
        if any(isinstance(m, OptionInfo) for m in getattr(hint, "__metadata__", ()))
    }

    def name_of(one: ParameterError) -> str | None:
        key = plan_key(one)
        if key is not None:
            name = _OPTIONS.get(key, key)
        elif one.caller in _PARAMETERS:
            name = _PARAMETERS[one.caller].get(one.name, one.name)
        else:
            return None
        return option_name(name) if name in options else None

    return renamed(error, name_of)
