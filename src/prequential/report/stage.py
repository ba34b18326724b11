"""The stages of a measure where labels come late: at arrival, over the time of waiting, just before the label."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prequential.runs.manifest import Manifest

_STAGED = re.compile(r"(.+)_(initial|final|psi_[^_]+)")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True, slots=True)
class Stage:
    """What a column of a run with delayed labels says: a measure, and of which predictions.

    Parameters
    ----------
    measure
        The measure itself; of one by class, with the class (``recall[UP]``).
    name
        ``initial``, ``final``, or ``psi_2`` for Ψ with α = 2.

    Examples
    --------
    >>> Stage.of("accuracy_initial"), Stage.of("recall_psi_2[UP]")
    (Stage(measure='accuracy', name='initial'), Stage(measure='recall[UP]', name='psi_2'))
    >>> [Stage.of(f"kappa_{name}").title for name in ("initial", "psi_10", "psi_1.5", "final")]
    ['initial', 'Ψ₁₀', 'Ψ(1.5)', 'final']
    """

    measure: str
    name: str

    @classmethod
    def of(cls, column: str) -> Stage:
        """Read the name of a column; one that names no stage is a measure without any."""
        base, bracket, label = column.partition("[")
        found = _STAGED.fullmatch(base)
        return cls(column, "") if found is None else cls(f"{found[1]}{bracket}{label}", found[2])

    @property
    def title(self) -> str:
        """How the stage is written for a reader; a whole α stands below its Ψ."""
        kind, sign, alpha = self.name.partition("psi_")
        if not sign:
            return kind
        return f"Ψ{alpha.translate(_LOWERED)}" if alpha.isdecimal() else f"Ψ({alpha})"


def is_delayed(manifest: Manifest) -> bool:
    """Tell whether labels came late in a run, so that its measures have stages and its records waited."""
    return manifest.events is not None or manifest.protocol.get("protocol") == "delayed"


def counted(manifest: Manifest) -> str:
    """Return what the numbers of a run count: its records, or events where labels come late."""
    return "events" if is_delayed(manifest) else "records"
