"""Tables, figures and the report of a run, read from its directory alone; tables and figures of detections.

Figures and the page are in ``interactive``, ``printed``, ``timeline`` and ``page``, and are not imported here: Plotly
and Matplotlib take as long to import as all the rest, and only who draws should wait for them.
"""

from __future__ import annotations

from prequential.report.comparison import Comparison
from prequential.report.detections import DetectionTable, detection_table
from prequential.report.power import Power
from prequential.report.rank_table import RankTable
from prequential.report.significance_table import SignificanceTable, significance_table
from prequential.report.stage_ranking import StageRanking, stage_ranking
from prequential.report.table import ResultTable, result_table
from prequential.report.terminal import rich_table

__all__ = [
    "Comparison",
    "DetectionTable",
    "Power",
    "RankTable",
    "ResultTable",
    "SignificanceTable",
    "StageRanking",
    "detection_table",
    "result_table",
    "rich_table",
    "significance_table",
    "stage_ranking",
]
