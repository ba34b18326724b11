"""The Ray engine, as an object: with the address of its cluster."""

from __future__ import annotations

from dataclasses import dataclass

from prequential.arguments import checked_call
from prequential.engines.cluster import checked_address
from prequential.namespace import Suggesting


@checked_call
@dataclass(frozen=True, slots=True)
class Ray(Suggesting):
    """Compute the replicas of a run in actors of a Ray cluster; actors that die are replaced.

    ``engine="ray"`` is the same as ``engine=pq.engines.Ray()``: a private cluster on this machine, for the run.

    Parameters
    ----------
    address
        ``HOST:PORT`` of a cluster; by default one is started on this machine for the run.

    Examples
    --------
    >>> import prequential as pq
    >>> engine = pq.engines.Ray(address="127.0.0.1:6379")  # pq.evaluate(stream, learners, engine=engine)
    >>> engine
    Ray(address='127.0.0.1:6379')
    """

    address: str | None = None

    def __post_init__(self) -> None:
        if self.address is not None:
            checked_address(self.address, "Ray")
