"""The section of the report that ranks the learners at every stage of delayed labels."""

from __future__ import annotations

from itertools import groupby

from prequential.report.markup import details, section
from prequential.runs.directory import RunDirectory
from prequential.runs.stage import is_delayed
from prequential.tables.stage_ranking import stage_rankings


def ranking(directory: RunDirectory) -> str:
    """Return the ranks by each metric under each forgetting; empty for a run without delayed labels."""
    manifest = directory.manifest
    if not is_delayed(manifest) or len(manifest.learners) < 2:
        return ""
    found = [one for one in stage_rankings(directory) if any(row.n for row in one.rows)]
    parts = ["".join(one._repr_html_() for one in group) for _, group in groupby(found, key=lambda one: one.metric)]
    others = parts[1:]
    folded = details(f"By the other metrics ({len(others)})", "\n".join(others)) if others else ""
    return section("ranking", "Ranking", *parts[:1], folded)
