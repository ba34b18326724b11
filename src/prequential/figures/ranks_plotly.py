"""The critical-difference diagram of Demšar (2006), drawn with Plotly."""

from __future__ import annotations

from html import escape

import plotly.graph_objects as go

from prequential.comparisons.ranking import Ranking
from prequential.figures.plotly_style import GRID, INK, laid_out
from prequential.figures.ranks import rank_bars
from prequential.runs.status import one_line


def ranks_figure(ranking: Ranking) -> go.Figure:
    """Draw the mean ranks, one line per learner, the best on top; a bar joins learners that do not differ."""
    means = ranking.friedman.mean_ranks
    order = sorted(range(len(means)), key=lambda i: means[i])
    names = [escape(one_line(ranking.learners[i])) for i in order]
    fig = go.Figure()
    for k, (worst, best) in enumerate(rank_bars(ranking)):
        group = [name for name, i in zip(names, order, strict=True) if best <= means[i] <= worst]
        fig.add_scatter(
            x=[(worst + best) / 2] * len(group),
            y=group,
            mode="lines",
            line={"color": INK, "width": 6},
            name="no significant difference",
            legendgroup="bars",
            showlegend=k == 0,
            hoverinfo="skip",
        )
    fig.add_scatter(
        x=[means[i] for i in order],
        y=names,
        mode="markers",
        marker={"size": 11, "color": "#0072B2"},
        name="mean rank",
        hovertemplate="%{y}: %{x:.3f}<extra></extra>",
    )
    cd = ranking.nemenyi.critical_difference
    fig.update_xaxes(title_text="mean rank", range=(0.8, len(means) + 0.2), gridcolor=GRID, zeroline=False)
    fig.update_yaxes(type="category", categoryorder="array", categoryarray=names[::-1], automargin=True, gridcolor=GRID)
    title = f"{escape(one_line(ranking.metric))}: CD = {cd:.3f} (Nemenyi, α = {ranking.alpha:g})"
    return laid_out(fig, height=180 + 34 * len(names)).update_layout(title_text=title)
