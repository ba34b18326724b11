"""Two learners over time as a Plotly figure: the difference with its confidence sequence, and Q."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import plotly.graph_objects as go
from plotly.subplots import make_subplots

from prequential.comparisons.paired import PairedTrace
from prequential.report.curves import KnownDrift, thin
from prequential.report.difference_range import difference_range
from prequential.report.interactive import GRID, INK, add_drifts, laid_out
from prequential.report.palette import BAND, forgetting_colours, forgetting_dashes

_PANELS = {"difference": "error A − error B", "q": "Q"}


def comparison_curves(trace: PairedTrace, *, drifts: Sequence[KnownDrift] = ()) -> go.Figure:
    """Draw two learners over the records; below 0 the first is better. Of several folds the first is drawn."""
    fig = make_subplots(rows=len(_PANELS), cols=1, shared_xaxes=True, vertical_spacing=0.08)
    colours, dashes = forgetting_colours(trace.forgetting), forgetting_dashes(trace.forgetting)
    _add_band(fig, trace)
    for row, (name, title) in enumerate(_PANELS.items(), start=1):
        add_drifts(fig, drifts, row=row)
        for forgetting in trace.forgetting:
            series = trace.series(forgetting, trace.folds[0])
            value = np.where(np.isfinite(series[name]), series[name], np.nan)  # an infinite Q is a gap
            n, value = thin(series["n"].astype(np.int64), value)
            fig.add_scatter(
                x=n,
                y=value,
                name=forgetting,
                legendgroup=forgetting,
                showlegend=row == 1,
                mode="lines" if len(n) > 1 else "markers",
                line={"color": colours[forgetting], "dash": dashes[forgetting], "width": 1.8},
                hovertemplate="%{y:.4f}",
                row=row,
                col=1,
            )
        fig.update_yaxes(title={"text": title, "standoff": 8}, row=row, col=1)
    fig.update_yaxes(range=difference_range(trace), row=1, col=1)
    fig.update_yaxes(gridcolor=GRID, zerolinecolor=INK, automargin=True)
    fig.update_xaxes(gridcolor=GRID, zeroline=False, linecolor=GRID, tickformat=",d", hoverformat=",d")
    fig.update_xaxes(range=(0, int(np.max(trace.table["n"].to_numpy()))))
    fig.update_xaxes(title_text="records", row=len(_PANELS), col=1)
    return laid_out(fig, height=520).update_layout(hovermode="x unified")


def _add_band(fig: go.Figure, trace: PairedTrace) -> None:
    if "cumulative" not in trace.forgetting:
        return
    series = trace.series("cumulative", trace.folds[0])
    if np.isnan(series["sequence_low"]).all():
        return
    name = f"confidence sequence, {100 * (1 - trace.alpha):g} %"
    for column, filled in (("sequence_low", None), ("sequence_high", "tonexty")):
        n, value = thin(series["n"].astype(np.int64), series[column])
        fig.add_scatter(
            x=n,
            y=value,
            name=name,
            legendgroup=name,
            showlegend=filled is not None,
            mode="lines",
            line={"color": BAND, "width": 0},
            fill=filled,
            fillcolor="rgba(86,180,233,0.3)",
            hoverinfo="skip",
            row=1,
            col=1,
        )
