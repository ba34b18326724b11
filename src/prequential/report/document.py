"""An HTML page that needs nothing else, not even a network: style and scripts are in it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from plotly.offline import get_plotlyjs

# Says to the browser what is true anyway: nothing is loaded from anywhere.
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
)


def document(title: str, content: Sequence[str], footer: str, *, styles: Sequence[str] = ("page.css",)) -> str:
    """Return the whole page.

    Parameters
    ----------
    title
        What the browser's tab says.
    content
        Markup; empty pieces are left out.
    footer
        One line of text.
    styles
        Style sheets beside this file.
    """
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="Content-Security-Policy" content="{_POLICY}">
<title>{escape(title)} – Prequential</title>
<style>
{"".join(map(_asset, styles))}</style>
</head>
<body>
<main>
{chr(10).join(filter(None, content))}
</main>
<footer>{escape(footer)}</footer>
<script>{get_plotlyjs()}</script>
<script>
{_asset("page.js")}</script>
</body>
</html>
"""


def _asset(name: str) -> str:
    return Path(__file__).with_name(name).read_text(encoding="utf-8")
