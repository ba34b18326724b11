"""Tables, figures and the report of a run, read from its directory alone; tables and figures of detections."""

from __future__ import annotations

from prequential.report.detections import DetectionTable, detection_table
from prequential.report.interactive import figure
from prequential.report.page import write_page
from prequential.report.printed import save_figure
from prequential.report.table import ResultTable, result_table
from prequential.report.terminal import rich_table
from prequential.report.timeline import save_timeline, timeline_figure

__all__ = [
    "DetectionTable",
    "ResultTable",
    "detection_table",
    "figure",
    "result_table",
    "rich_table",
    "save_figure",
    "save_timeline",
    "timeline_figure",
    "write_page",
]
