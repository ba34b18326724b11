"""The result of a replication: means, standard deviations and tests over seeds."""

from __future__ import annotations

import weakref
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Literal

import pyarrow as pa

from prequential.arguments import check_choice, checked_call
from prequential.data_frame import data_frame
from prequential.errors import InputError
from prequential.evaluation.run import Run
from prequential.figures.pictured import Pictured
from prequential.figures.timeline import Timeline, timeline
from prequential.replication.design import ReplicationDirectory
from prequential.runs.seed_values import SeedValues
from prequential.runs.status import one_line
from prequential.runs.values import ForgettingChoice, LearnerChoice, MetricChoice
from prequential.streams.drift import Drift
from prequential.sweeps.trade_off import TradeOff
from prequential.tables.detection_table import DetectionTable
from prequential.tables.rank_table import RankTable
from prequential.tables.repeated import repeated_ranks, repeated_tests
from prequential.tables.result_rows import At
from prequential.tables.result_table import ResultTable, result_table
from prequential.tables.run_detections import run_detections
from prequential.tables.seed_detections import SeedDetectionTable, seed_detections
from prequential.tables.significance_table import SignificanceTable

if TYPE_CHECKING:
    import pandas as pd
    import plotly.graph_objects as go

    from prequential.figures.matplotlib_style import PaperFigure


class Replication(Pictured):
    """An experiment with several seeds, as ``pq.replicate`` returns it; ``pq.Replication(path)`` opens a saved one.

    Each seed has an ordinary run, in ``runs``. Results over seeds are those of the finished runs; a table says if some
    are missing.

    Parameters
    ----------
    path
        The directory.
    keep
        The temporary directory around it, if there is one. It is deleted when this object is not in use.

    Examples
    --------
    >>> import prequential as pq
    >>> def experiment(seed, **options):
    ...     stream = pq.streams.SEA(seed=seed).take(1000)
    ...     return pq.evaluate(stream, "naive_bayes", seed=seed, metrics="accuracy", **options)
    >>> found = pq.replicate(experiment, seeds=3)
    >>> found.seeds, found.status, [run.status for run in found.runs.values()]
    ((1, 2, 3), 'complete', ['complete', 'complete', 'complete'])
    """

    def __init__(self, path: str | Path, keep: TemporaryDirectory[str] | None = None) -> None:
        self._home = ReplicationDirectory(path)
        self._design = self._home.design
        if keep is not None:
            weakref.finalize(self._home, keep.cleanup)

    @property
    def path(self) -> Path:
        """Path of the directory."""
        return self._home.path

    @property
    def seeds(self) -> tuple[int, ...]:
        """The seeds, also those whose runs are not finished."""
        return self._design.seeds

    @property
    def runs(self) -> dict[int, Run]:
        """The finished runs by seed."""
        found = {seed: self._home.run(seed) for seed in self.seeds}
        return {seed: Run(run) for seed, run in found.items() if run is not None}

    @property
    def status(self) -> str:
        """``complete``, ``failed`` (a learner failed with some seed), or ``partial`` (some runs are not finished)."""
        runs = self.runs
        if len(runs) < len(self.seeds):
            return "partial"
        return "failed" if any(run.status == "failed" for run in runs.values()) else "complete"

    @property
    def learners(self) -> list[str]:
        """The names of the learners."""
        return self._values().learners

    def to_arrow(self) -> pa.Table:
        """Return the traces of all runs: seed, then the columns of ``run.to_arrow()``."""
        tables = []
        for seed, run in self.runs.items():
            trace = run.to_arrow()
            tables.append(trace.add_column(0, "seed", pa.array([seed] * len(trace), pa.int64())))
        return pa.concat_tables(tables).unify_dictionaries() if tables else pa.table({})

    def to_pandas(self) -> pd.DataFrame:
        """Return the traces of all runs as a pandas DataFrame."""
        return data_frame(self.to_arrow(), "replication.to_pandas()")

    @checked_call
    def table(
        self,
        *,
        metrics: MetricChoice = None,
        forgetting: ForgettingChoice = None,
        learners: LearnerChoice = None,
        at: At = "end",
    ) -> ResultTable:
        """Return the mean ± standard deviation (n − 1) over the seeds; parameters as in ``run.table``."""
        values = self._values()
        return result_table(
            next(iter(self.runs.values())).directory,
            metrics=metrics,
            forgetting=forgetting,
            learners=learners,
            at=at,
            values=values,
            spreads=values,
        )

    @checked_call
    def tests(
        self,
        a: str | None = None,
        b: str | None = None,
        *,
        metrics: MetricChoice = None,
        forgetting: ForgettingChoice = None,
        at: Literal["end", "mean"] = "end",
        alpha: float = 0.05,
    ) -> SignificanceTable:
        """Return the paired tests over seeds, for all pairs of learners or for one: the sign test and Wilcoxon's test.

        The runs of two learners with one seed are a pair: they have the same records. Runs with different seeds are
        independent draws, so the tests hold for streams of this kind.
        """
        if (a is None) != (b is None):
            raise InputError(f"{a or b!r} needs a second learner to compare with: name two learners, or none.")
        mean, values = _is_mean(at), self._values()
        return repeated_tests(
            values,
            partial(values.results, mean=mean),
            values.n,
            over="seeds",
            mean=mean,
            pair=None if a is None or b is None else (a, b),
            metrics=metrics,
            forgetting=forgetting,
            alpha=alpha,
        )

    @checked_call
    def ranks(
        self,
        metric: str | None = None,
        *,
        forgetting: ForgettingChoice = None,
        learners: LearnerChoice = None,
        at: Literal["end", "mean"] = "end",
        alpha: float = 0.05,
    ) -> RankTable:
        """Return the learners ranked over the seeds: Friedman, Nemenyi, and Wilcoxon with Holm's correction.

        By default by the first metric over all history.
        """
        values = self._values()
        return repeated_ranks(
            values,
            partial(values.results, mean=_is_mean(at)),
            [f"seed {seed}" for seed in values.each],
            over="seeds",
            metric=metric,
            forgetting=forgetting,
            learners=learners,
            alpha=alpha,
        )

    @checked_call
    def detections(
        self, *, drifts: Sequence[Drift | int] | None = None, tolerance: float | None = None
    ) -> SeedDetectionTable:
        """Return the delays of drift detectors: mean ± standard deviation over seeds (missed drifts; false alarms).

        Parameters
        ----------
        drifts
            The known drifts, or record indices of abrupt ones; by default those that the stream of each run knows.
        tolerance
            Records after a drift in which an alarm detects it; the default is that of ``score_alarms``.
        """
        return seed_detections(self.detection_tables(drifts), tolerance)

    @checked_call
    def trade_off(self, *, drifts: Sequence[Drift | int] | None = None, tolerance: float | None = None) -> TradeOff:
        """Return the delay of each detector against its false alarms, with the Pareto set; see ``pq.drift.sweep``.

        Parameters
        ----------
        drifts, tolerance
            As in ``detections``.
        """
        return TradeOff(seed_detections(self.detection_tables(drifts), tolerance))

    def timeline(self, *, drifts: Sequence[Drift | int] | None = None, tolerance: float | None = None) -> Timeline:
        """Return the alarms over the records to draw: one row per detector and seed."""
        tables = self.detection_tables(drifts)
        named = [
            (f"seed {seed}: {name}", one)
            for seed, table in tables.items()
            for name, one in zip(table.names(), table.detections, strict=True)
        ]
        first = next(iter(tables.values()))
        return timeline(first.name, named, first.drifts, first.tolerance if tolerance is None else tolerance)

    def detection_tables(self, drifts: Sequence[Drift | int] | None = None) -> dict[int, DetectionTable]:
        """Return the alarms of each run, by seed."""
        found = {}
        for seed, run in self._finished().items():
            table = run_detections(run.directory)
            if table is None:
                raise InputError(f"{self.path}: the runs have no detectors. Give them with detectors=… (--detector).")
            if drifts is not None:
                known = tuple(one if isinstance(one, Drift) else Drift(int(one)) for one in drifts)
                table = replace(table, drifts=known)
            found[seed] = table
        return found

    @checked_call
    def plot(
        self,
        metrics: MetricChoice = None,
        *,
        forgetting: ForgettingChoice = None,
        learners: LearnerChoice = None,
    ) -> go.Figure:
        """Return an interactive figure of the means over seeds, with bands of ± one standard deviation."""
        from prequential.figures.curves import panels_of
        from prequential.figures.curves_plotly import draw

        return draw(panels_of(self._values(), metrics, forgetting, learners))

    @checked_call
    def figure(
        self,
        metrics: MetricChoice = None,
        *,
        forgetting: ForgettingChoice = None,
        learners: LearnerChoice = None,
    ) -> PaperFigure:
        """Draw the means over seeds for print, with bands of ± one standard deviation."""
        from prequential.figures.curves import panels_of
        from prequential.figures.curves_matplotlib import printed_panels

        return printed_panels(panels_of(self._values(), metrics, forgetting, learners))

    @checked_call
    def save_figure(
        self,
        path: str | Path,
        metrics: MetricChoice = None,
        *,
        forgetting: ForgettingChoice = None,
        learners: LearnerChoice = None,
    ) -> Path:
        """Write the figure for print: ``.png``, ``.svg`` or ``.pdf``."""
        return self._written(path, lambda: self.figure(metrics, forgetting=forgetting, learners=learners))

    @checked_call
    def save_report(self, path: str | Path) -> Path:
        """Write the report: results over seeds, curves with bands, tests and detections, in one HTML file."""
        from prequential.figures.curves import panels_of
        from prequential.replication.page import write_page

        values = self._values()
        columns = [one for one in self.table().columns if one.better is not None]
        first = None if not columns else (columns[0].metric, columns[0].forgetting)
        compared = first is not None and values.n > 1 and len(values.learners) > 1
        plan = self.path / "plan.toml"
        has_detections = bool(values.manifest.detectors and values.manifest.drifts)
        return write_page(
            path,
            title=self._design.name,
            manifest=values.manifest,
            seeds=list(values.each),
            tables=(self.table(), self.table(at="mean")),
            panels=[] if values.is_empty else panels_of(values),
            tests=self.tests(metrics=first[0], forgetting=first[1]) if first and compared else None,
            ranks=self._ranks_or_none(*first) if first and compared and len(values.learners) > 2 else None,
            detections=self.detections() if has_detections else None,
            plan=plan.read_text(encoding="utf-8") if plan.is_file() else "",
        )

    def _ranks_or_none(self, metric: str, forgetting: str) -> RankTable | None:
        """Return the ranks; None if a result is undefined."""
        try:
            return self.ranks(metric, forgetting=forgetting)
        except InputError:
            return None

    def __repr__(self) -> str:
        name = one_line(self._design.name)
        done = (
            f"{len(self.runs)} of {len(self.seeds)} seeds" if self.status == "partial" else f"{len(self.seeds)} seeds"
        )
        shown = f"\n{self.table()}" if self.runs else ""
        return f"<Replication of {name}: {self.status}, {done}>{shown}"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()

    def __getstate__(self) -> dict[str, Any]:
        raise TypeError("a Replication cannot be pickled: open its directory with pq.Replication(path)")

    def _finished(self) -> dict[int, Run]:
        runs = self.runs
        if not runs:
            raise InputError(f"{self.path}: no run is finished yet. Continue with resume=True (--resume).")
        return runs

    def _values(self) -> SeedValues:
        runs = self._finished()
        return SeedValues({seed: run.directory for seed, run in runs.items()}, self.path, len(self.seeds))


def _is_mean(at: object) -> bool:
    check_choice(at, "at", "a test over seeds", ("end", "mean"))
    return at == "mean"
