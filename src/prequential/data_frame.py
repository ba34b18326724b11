"""Arrow tables as pandas DataFrames."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa

from prequential.errors import MissingExtraError

if TYPE_CHECKING:
    import pandas as pd


def data_frame(table: pa.Table, caller: str) -> pd.DataFrame:
    """Convert a table; if pandas is missing, the error names ``caller`` and the command that installs it."""
    try:
        import pandas  # noqa: F401  # only to see whether it is installed
    except ImportError as error:
        raise MissingExtraError(caller, "pandas") from error
    frame: pd.DataFrame = table.to_pandas()
    return frame
