"""The section of the report that ranks the learners at every stage, where labels come late."""

from __future__ import annotations

from html import escape
from itertools import groupby

from prequential.report.markup import details, section
from prequential.report.stage import is_delayed
from prequential.report.stage_ranking import StageRanking, stage_rankings
from prequential.report.typeset import html
from prequential.runs.directory import RunDirectory


def ranking(directory: RunDirectory) -> str:
    """Return the ranks by the first measure under every forgetting, then those by the others; nothing of other runs."""
    manifest = directory.manifest
    if not is_delayed(manifest) or len(manifest.learners) < 2:
        return ""
    found = [one for one in stage_rankings(directory) if any(row.n for row in one.rows)]
    parts = ["".join(map(_ranked, group)) for _, group in groupby(found, key=lambda one: one.measure)]
    others = parts[1:]
    folded = details(f"By the other measures ({len(others)})", "\n".join(others)) if others else ""
    return section("ranking", "Ranking", *parts[:1], folded)


def _ranked(one: StageRanking) -> str:
    return html(one.sheet()) + (f"<p>{escape(one.conclusion)}</p>" if one.conclusion else "")
