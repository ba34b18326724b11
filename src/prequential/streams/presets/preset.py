"""A stream of a paper: how it is made, where the paper describes it, and what of it is a guess."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from prequential.streams.stream import Stream


@dataclass(frozen=True, slots=True)
class Preset:
    """A stream of a paper.

    Parameters
    ----------
    summary
        What it is, in one line.
    source
        The place in the paper.
    n
        Number of records.
    make
        Makes the endless stream; None for a data set.
    guesses
        What the paper does not say, and what is used instead.
    finish
        What comes after the stream is cut to its length, such as late labels.
    data
        For a data set: its name, as in ``pq.data``.
    """

    summary: str
    source: str
    n: int
    make: Callable[[], Stream] | None = None
    guesses: tuple[str, ...] = ()
    finish: Callable[[Stream], Stream] = field(default=lambda stream: stream)
    data: str = ""

    @property
    def text(self) -> str:
        """The description, for a list."""
        guesses = "\n".join(f"- {one}" for one in self.guesses) or "- nothing"
        return f"{self.summary}\n\nSource: {self.source}.\n\nGuesses:\n{guesses}"
