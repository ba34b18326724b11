"""Which engine a run gets."""

from __future__ import annotations

from collections.abc import Sequence

from prequential.engines.cluster import checked_address, n_cores
from prequential.engines.engine import Engine
from prequential.engines.job import Job
from prequential.engines.own_reading import own_stream
from prequential.engines.processes import Processes, why_not_sent
from prequential.engines.ray import Ray
from prequential.engines.serial import Serial
from prequential.engines.threads import Threads
from prequential.errors import ParameterError, is_whole
from prequential.streams.stream import Stream

NAMES = ("auto", "serial", "threads", "processes", "ray")
SMALL_NATIVE, SMALL_PYTHON = 100_000, 200_000
"""Records, counted once for each replica, below which threads or processes cost more than they save."""


def check_engine(engine: str, workers: int | None, address: str | None = None) -> None:
    """Refuse an engine that is none, a number of workers that is none, and an address that is none or not needed."""
    if engine not in NAMES:
        raise ParameterError("engine", "evaluate", " or ".join(map(repr, NAMES)), engine)
    if workers is not None and not is_whole(workers, 1):
        raise ParameterError("workers", "evaluate", "a whole number of at least 1, or None", workers)
    if address is not None:
        checked_address(address)
        if engine != "ray":
            raise ParameterError("address", "evaluate", "left out, but with engine='ray'", address)


def chosen_engine(name: str, jobs: Sequence[Job], *, workers: int | None = None, n_records: int | None = None) -> str:
    """Return the name of the engine, chosen if it is ``auto``.

    One replica, or one core: serial. Learners that are all native: threads, unless it is known that all replicas
    together take fewer than 100,000 records. With learners written in Python: processes, if it is known that those
    together take at least 200,000 records, and all learners can be sent to a process. Otherwise serial. Ray is never
    chosen by itself.
    """
    if name != "auto":
        return name
    slow = [job for job in jobs if not job.learner.native]
    if min(len(jobs), n_cores() if workers is None else workers) < 2:
        return "serial"
    if not slow:
        return "serial" if n_records is not None and n_records * len(jobs) < SMALL_NATIVE else "threads"
    if n_records is None or len(slow) < 2 or n_records * len(slow) < SMALL_PYTHON:
        return "serial"
    firsts = {job.name: job for job in jobs}
    return "serial" if any(why_not_sent(job) for job in firsts.values()) else "processes"


def make_engine(
    name: str,
    jobs: Sequence[Job],
    *,
    workers: int | None = None,
    n_records: int | None = None,
    stream: Stream | None = None,
    address: str | None = None,
) -> Engine:
    """Make the engine, with the replicas in it; as many workers as cores by default, of the machine or the cluster.

    Workers in other processes read a ``stream`` by themselves, if they can; else its chunks are sent to them.
    """
    if name == "ray":
        return Ray(jobs, workers, own_stream(stream), address=address)
    n_workers = min(len(jobs), n_cores() if workers is None else int(workers))
    kind = chosen_engine(name, jobs, workers=workers, n_records=n_records)
    if kind == "serial":
        return Serial(jobs)
    return Threads(jobs, n_workers) if kind == "threads" else Processes(jobs, n_workers, own_stream(stream))
