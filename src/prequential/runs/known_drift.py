"""Known drifts as figures show them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from prequential.runs.manifest import Manifest


@dataclass(frozen=True, slots=True)
class KnownDrift:
    """A known change of the stream, from its first record to its last."""

    begin: float
    end: float
    real: bool
    temporary: bool = False

    @property
    def abrupt(self) -> bool:
        """Whether it is drawn as a line."""
        return self.end - self.begin <= 1

    @property
    def name(self) -> str:
        """Its name in a legend."""
        kind = "blip" if self.temporary else f"{'abrupt' if self.abrupt else 'gradual'} drift"
        return kind if self.real else kind.replace("drift", "virtual drift").replace("blip", "virtual blip")


def known_drifts(manifest: Manifest, last: float) -> tuple[KnownDrift, ...]:
    """Return the known drifts of a run up to the record ``last``."""
    return tuple(_known_drift(drift) for drift in manifest.drifts if drift["at"] <= last)


def _known_drift(drift: Mapping[str, Any]) -> KnownDrift:
    half = drift["width"] / 2 if drift["width"] > 1 else 0.0
    return KnownDrift(drift["at"] - half, drift["at"] + half, drift["real"], drift.get("temporary", False))
