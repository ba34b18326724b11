"""Two learners over the records of a stream, drawn with Plotly: the difference with its confidence sequence, and Q."""

from __future__ import annotations

from collections.abc import Sequence

import plotly.graph_objects as go
from plotly.subplots import make_subplots

from prequential.comparisons.pair_table import PairTable
from prequential.figures.comparison import confidence_band, difference_range, last_record, loss_of, paired_curves
from prequential.figures.curves import thin
from prequential.figures.palette import BAND, forgetting_colours, forgetting_dashes
from prequential.figures.plotly_style import GRID, INK, add_drifts, laid_out
from prequential.runs.known_drift import KnownDrift
from prequential.runs.status import one_line


def comparison_figure(trace: PairTable, *, drifts: Sequence[KnownDrift] = (), unit: str = "record") -> go.Figure:
    """Draw two learners over the records; below 0 the first is better. With several folds the first is drawn."""
    loss = one_line(loss_of(trace))
    panels = {"difference": f"{loss} A − {loss} B", "q": "Q"}
    fig = make_subplots(rows=len(panels), cols=1, shared_xaxes=True, vertical_spacing=0.08)
    colours, dashes = forgetting_colours(trace.forgetting), forgetting_dashes(trace.forgetting)
    _add_band(fig, trace)
    for row, (statistic, title) in enumerate(panels.items(), start=1):
        add_drifts(fig, drifts, row=row)
        for curve in paired_curves(trace, statistic):
            fig.add_scatter(
                x=curve.n,
                y=curve.value,
                name=curve.forgetting,
                legendgroup=curve.forgetting,
                showlegend=row == 1,
                mode="lines" if len(curve.n) > 1 else "markers",
                line={"color": colours[curve.forgetting], "dash": dashes[curve.forgetting], "width": 1.8},
                hovertemplate="%{y:.4f}",
                row=row,
                col=1,
            )
        fig.update_yaxes(title={"text": title, "standoff": 8}, row=row, col=1)
    fig.update_yaxes(range=difference_range(trace), row=1, col=1)
    fig.update_yaxes(gridcolor=GRID, zerolinecolor=INK, automargin=True)
    fig.update_xaxes(gridcolor=GRID, zeroline=False, linecolor=GRID, tickformat=",d", hoverformat=",d")
    fig.update_xaxes(range=(0, last_record(trace)))
    fig.update_xaxes(title_text=f"{unit}s", row=len(panels), col=1)
    return laid_out(fig, height=520).update_layout(hovermode="x unified")


def _add_band(fig: go.Figure, trace: PairTable) -> None:
    band = confidence_band(trace)
    if band is None:
        return
    for edge, fill in ((band.low, None), (band.high, "tonexty")):
        n, value = thin(band.n, edge)
        fig.add_scatter(
            x=n,
            y=value,
            name=band.name,
            legendgroup=band.name,
            showlegend=fill is not None,
            mode="lines",
            line={"color": BAND, "width": 0},
            fill=fill,
            fillcolor="rgba(86,180,233,0.3)",
            hoverinfo="skip",
            row=1,
            col=1,
        )
