"""A conclusion of a paper as a check on our results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Claim:
    """A conclusion, whether our results agree, and the numbers behind that.

    Parameters
    ----------
    text
        The conclusion, as a sentence.
    holds
        Whether it holds for our results.
    numbers
        What decides it.
    reason
        If it does not hold: the likely reason, and what was tried to find it.
    """

    text: str
    holds: bool
    numbers: str
    reason: str = ""

    def line(self) -> str:
        """Return the claim as one line.

        Examples
        --------
        >>> Claim("PH misses every drift.", False, "9 of 10 missed", "one seed drifts earlier").line()
        'does not hold: PH misses every drift. (9 of 10 missed) Likely reason: one seed drifts earlier.'
        """
        verdict = "holds" if self.holds else "does not hold"
        reason = f" Likely reason: {self.reason}." if self.reason and not self.holds else ""
        return f"{verdict}: {self.text} ({self.numbers}){reason}"

    def to_dict(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {name: getattr(self, name) for name in ("text", "holds", "numbers", "reason")}
