"""How many records lie between checkpoints if the caller does not say: about 200 checkpoints, at round numbers."""

from __future__ import annotations

from prequential.protocols.protocol import Protocol
from prequential.streams.stream import Stream

WITHOUT_LENGTH = 1000
"""Records between checkpoints of a stream whose length is not known, and of protocols that test apart."""
CHECKPOINTS = 200
_ROUND = (1, 2, 5, 10)


def chosen_every(stream: Stream | None, protocol: Protocol) -> int:
    """Return the number of records between checkpoints for a stream and a protocol.

    A protocol that tests apart tests at checkpoints only, on as many records as it says; more checkpoints would be
    another experiment, so their number does not depend on the length.
    """
    n_records = None if stream is None or protocol.tests_apart else stream.n_counted
    return WITHOUT_LENGTH if n_records is None else round_number(n_records / CHECKPOINTS)


def round_number(x: float) -> int:
    """Return the whole number of the form 1, 2 or 5 times a power of ten that is nearest by ratio.

    Examples
    --------
    >>> [round_number(n / 200) for n in (10, 1000, 45_312, 100_000, 1_000_000, 581_012)]
    [1, 5, 200, 500, 5000, 2000]
    """
    if x <= 1:
        return 1
    power = 1
    while 10 * power <= x:
        power *= 10
    return min((k * power for k in _ROUND), key=lambda one: (max(one / x, x / one), one))
