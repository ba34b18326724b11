"""The choice of an engine for a run."""

from __future__ import annotations

from collections.abc import Sequence

from prequential.arguments import is_whole
from prequential.engines.cluster import checked_address, n_cores
from prequential.engines.engine import Engine
from prequential.engines.job import Job
from prequential.engines.own_reading import own_stream
from prequential.engines.processes import Processes
from prequential.engines.ray_actors import RayActors
from prequential.engines.sending import why_not_sendable
from prequential.engines.serial import Serial
from prequential.engines.threads import Threads
from prequential.errors import InputError, ParameterError
from prequential.streams.stream import Stream

NAMES = ("auto", "serial", "threads", "processes", "ray")
SMALL_NATIVE, SMALL_PYTHON = 100_000, 200_000
"""Number of records, counted once per replica, below which threads or processes cost more than they save."""


def check_engine(engine: str, workers: int | None, address: str | None, caller: str) -> None:
    """Raise an error for an unknown engine, a bad number of workers, or an address that is malformed or not needed."""
    if engine not in NAMES:
        raise ParameterError("engine", caller, " or ".join(map(repr, NAMES)), engine)
    if workers is not None and not is_whole(workers, 1):
        raise ParameterError("workers", caller, "a whole number of at least 1, or None", workers)
    if address is not None:
        checked_address(address, caller)
        if engine != "ray":
            raise InputError(
                f"The 'address' parameter of {caller} (--address) may only be given with engine='ray' (--engine ray). "
                f"Got {address} with engine={engine!r}."
            )


def chosen_engine(name: str, jobs: Sequence[Job], *, workers: int | None = None, n_records: int | None = None) -> str:
    """Return the name of the engine, chosen by these rules if it is ``auto``.

    - ``serial`` for one replica or one core;
    - ``threads`` if all learners are native, unless all replicas together process fewer than 100,000 records;
    - ``processes`` if replicas written in Python together process at least 200,000 records, and all learners can be
      sent to a process;
    - ``serial`` otherwise. ``ray`` is never chosen automatically.
    """
    if name != "auto":
        return name
    slow = [job for job in jobs if not job.native]
    if min(len(jobs), n_cores() if workers is None else workers) < 2:
        return "serial"
    if not slow:
        return "serial" if n_records is not None and n_records * len(jobs) < SMALL_NATIVE else "threads"
    if n_records is None or len(slow) < 2 or n_records * len(slow) < SMALL_PYTHON:
        return "serial"
    by_learner = {job.name: job for job in jobs}
    return "serial" if any(why_not_sendable(job) for job in by_learner.values()) else "processes"


def make_engine(
    name: str,
    jobs: Sequence[Job],
    *,
    workers: int | None = None,
    n_records: int | None = None,
    stream: Stream | None = None,
    address: str | None = None,
) -> Engine:
    """Create the engine and its replicas; by default with one worker per core of the machine or cluster.

    Workers in other processes read a ``stream`` themselves if they can; otherwise its chunks are sent to them.
    """
    if name == "ray":
        return RayActors(jobs, workers, own_stream(stream), address=address)
    n_workers = min(len(jobs), n_cores() if workers is None else int(workers))
    kind = chosen_engine(name, jobs, workers=workers, n_records=n_records)
    if kind == "serial":
        return Serial(jobs)
    return Threads(jobs, n_workers) if kind == "threads" else Processes(jobs, n_workers, own_stream(stream))
