"""Pairs of learners that were counted by their initial and final predictions, when labels arrive late."""

from __future__ import annotations

import pyarrow as pa
import pyarrow.compute as pc

from prequential.errors import InputError
from prequential.protocols.late_verdicts import STAGES
from prequential.runs.manifest import Manifest
from prequential.runs.stage import is_delayed
from prequential.wording import listing


def stage_of(stage: object, manifest: Manifest) -> str:
    """Return the stage by which to compare: with late labels by default the initial prediction, otherwise empty.

    Raises
    ------
    InputError
        For an unknown stage, or one of a run whose labels are not late.
    """
    late = is_delayed(manifest)
    if stage is None:
        return STAGES[0] if late else ""
    if not isinstance(stage, str) or stage not in STAGES:
        raise InputError(
            f"compare: stage (--stage) must be one of {listing(STAGES)}. Got {stage!r}. Of predictions in between "
            "only the metrics are kept, by bin: see run.delays.bins() and run.psi(…)."
        )
    if not late:
        raise InputError(
            f"compare: stage={stage!r} (--stage) needs a run with late labels; in {manifest.name} each learner "
            "predicts a record once."
        )
    return stage


def pairs_of_stage(pairs: pa.Table, stage: str) -> pa.Table:
    """Return the pairs by one stage; all of them if the run has no stages."""
    if "stage" not in pairs.column_names:
        return pairs
    return pairs.filter(pc.equal(pairs["stage"].cast(pa.string()), stage)).drop_columns(["stage"])
