"""The stages of a metric with delayed labels: at arrival, while the record waits, just before the label."""

from __future__ import annotations

import re
from dataclasses import dataclass

from prequential.runs.manifest import Manifest

_STAGED = re.compile(r"(.+)_(initial|final|psi_[^_]+)")
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True, slots=True)
class Stage:
    """A column of a run with delayed labels: a metric, and the predictions it is computed from.

    Parameters
    ----------
    metric
        The name of the metric, with the class if it is per class (``recall[UP]``).
    name
        ``initial``, ``final``, or ``psi_2`` for Ψ with α = 2.

    Examples
    --------
    >>> Stage.of("accuracy_initial"), Stage.of("recall_psi_2[UP]")
    (Stage(metric='accuracy', name='initial'), Stage(metric='recall[UP]', name='psi_2'))
    >>> [Stage.of(f"kappa_{name}").title for name in ("initial", "psi_10", "psi_1.5", "final")]
    ['initial', 'Ψ₁₀', 'Ψ(1.5)', 'final']
    """

    metric: str
    name: str

    @classmethod
    def of(cls, column: str) -> Stage:
        """Parse the name of a column; ``name`` is empty if the column has no stage."""
        base, bracket, label = column.partition("[")
        found = _STAGED.fullmatch(base)
        return cls(column, "") if found is None else cls(f"{found[1]}{bracket}{label}", found[2])

    @property
    def title(self) -> str:
        """The display name of the stage: ``initial``, ``final``, ``Ψ₂`` for a whole α, ``Ψ(0.5)`` for any other."""
        kind, sign, alpha = self.name.partition("psi_")
        if not sign:
            return kind
        return f"Ψ{alpha.translate(_SUBSCRIPTS)}" if alpha.isdecimal() else f"Ψ({alpha})"


def is_delayed(manifest: Manifest) -> bool:
    """Return whether a run has delayed labels, so that its metrics have stages."""
    return manifest.events is not None or manifest.protocol.get("protocol") == "delayed"


def counted(manifest: Manifest) -> str:
    """Return the unit of a run's counts: ``records``, or ``events`` with delayed labels."""
    return "events" if is_delayed(manifest) else "records"
