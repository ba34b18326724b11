"""A Matplotlib figure in our style that shows itself in a notebook."""

from __future__ import annotations

from io import BytesIO

import matplotlib as mpl
from matplotlib.figure import Figure

from prequential.report.printed import STYLE


class PaperFigure(Figure):
    """A figure for print; ``figure.savefig(path)`` writes it."""

    def _repr_png_(self) -> bytes:
        content = BytesIO()
        with mpl.rc_context(STYLE):
            self.savefig(content, format="png", dpi=144)
        return content.getvalue()
