"""An HTML page that needs no other file and no network: style and scripts are in it."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from pathlib import Path

from plotly.offline import get_plotlyjs

# The page loads nothing; the policy lets the browser enforce it.
_POLICY = (
    "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:"
)


def document(title: str, content: Sequence[str], footer: str, *, style: str = "") -> str:
    """Return the whole page.

    Parameters
    ----------
    title
        The title of the browser's tab.
    content
        Pieces of markup; empty ones are left out.
    footer
        One line of text.
    style
        CSS in addition to that of every page.
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
{_asset("page.css")}{style}</style>
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
