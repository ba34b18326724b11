"""The optimal errors of mixtures: computed from the model, and measured on its records."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from prequential.arguments import checked_call, checked_whole
from prequential.evaluation.evaluate import evaluate
from prequential.evaluation.progress import Meter
from prequential.testbed.mixture import Mixture
from prequential.testbed.mixture_stream import MixtureStream
from prequential.testbed.optimal import Optimal
from prequential.testbed.optimal_error import optimal_error
from prequential.testbed.optimal_error_table import OptimalErrorRow, OptimalErrorTable
from prequential.testbed.published import PUBLISHED
from prequential.testbed.toml import nine


@checked_call
def optimal_errors(
    mixtures: Iterable[Mixture] | None = None, *, n_seeds: int = 10, progress: bool | None = None
) -> OptimalErrorTable:
    """Compute and measure the optimal error of mixtures, the nine of the testbed by default.

    Parameters
    ----------
    mixtures
        The models.
    n_seeds
        Seeds on which ``Optimal`` is evaluated: 1, 2 and so on.
    progress
        Whether to show a progress bar; by default if standard error is a terminal.

    Examples
    --------
    >>> from prequential.testbed import mixture
    >>> found = optimal_errors([mixture("NSCX")], n_seeds=1, progress=False)
    >>> len(found.to_dicts()) > 0
    True
    """
    chosen = list(nine().values() if mixtures is None else mixtures)
    n_seeds = checked_whole(n_seeds, "n_seeds", "optimal_errors", least=1)
    rows = []
    with Meter("optimal errors", sum(one.n_records for one in chosen), show=progress) as meter:
        for one in chosen:
            rows.append(_row(one, n_seeds))
            meter.advance(one.n_records)
    return OptimalErrorTable(tuple(rows), n_seeds)


def _row(mixture: Mixture, n_seeds: int) -> OptimalErrorRow:
    computed = optimal_error(mixture)
    measured = np.array([_measured(mixture, seed) for seed in range(1, n_seeds + 1)])
    spread = float(measured.std(ddof=1)) / math.sqrt(n_seeds) if n_seeds > 1 else math.nan
    known = nine().get(mixture.name) == mixture
    return OptimalErrorRow(
        stream=mixture.name,
        computed=computed.mean,
        computed_standard_error=computed.mean_standard_error,
        method=computed.method,
        measured=float(measured.mean()),
        measured_standard_error=spread,
        paper=PUBLISHED[mixture.name]["optimal"] if known else None,
    )


def _measured(mixture: Mixture, seed: int) -> float:
    stream = MixtureStream(mixture, seed=seed)
    run = evaluate(
        stream,
        Optimal(),
        metrics="accuracy",
        forgetting="cumulative",
        every=mixture.n_records,
        seed=seed,
        progress=False,
    )
    return 1 - float(run.to_arrow()["value"][-1].as_py())
