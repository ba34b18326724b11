"""Tables, figures and the report of a run, read from its directory alone."""

from __future__ import annotations

from prequential.report.comparison import Comparison
from prequential.report.interactive import figure
from prequential.report.page import write_page
from prequential.report.printed import save_figure
from prequential.report.rank_table import RankTable
from prequential.report.table import ResultTable, result_table
from prequential.report.terminal import rich_table

__all__ = [
    "Comparison",
    "RankTable",
    "ResultTable",
    "figure",
    "result_table",
    "rich_table",
    "save_figure",
    "write_page",
]
