"""The section of the report that ranks the learners at every stage, where labels come late."""

from __future__ import annotations

from html import escape

from prequential.report.markup import details, section
from prequential.report.stage import is_delayed
from prequential.report.stage_ranking import StageRanking, stage_ranking
from prequential.report.typeset import html
from prequential.report.values import Values, measure_of
from prequential.runs.directory import RunDirectory


def ranking(directory: RunDirectory) -> str:
    """Return the ranks by the first measure under every forgetting, then those by the others; nothing of other runs."""
    manifest = directory.manifest
    if not is_delayed(manifest) or len(manifest.learners) < 2:
        return ""
    values = Values(directory)
    measures = dict.fromkeys(stage.measure for stage in values.stages.values())
    by = [one for one in measures if (known := measure_of(manifest, one)) is not None and known.better is not None]
    if values.is_empty or not by:
        return ""
    first, *others = (
        "".join(_ranked(stage_ranking(directory, measure, f)) for f in values.choose_forgetting(None)) for measure in by
    )
    named = f"By the other measures ({len(others)})"
    return section("ranking", "Ranking", first, details(named, "\n".join(others)) if others else "")


def _ranked(one: StageRanking) -> str:
    return html(one.sheet()) + (f"<p>{escape(one.conclusion)}</p>" if one.conclusion else "")
