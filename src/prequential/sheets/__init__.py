"""Tables of text, and the formats that they are written in.

A `Sheet` (``sheet.py``) is written as plain text, Markdown, HTML or LaTeX. A result that is `Printable` gives a sheet
and its data, and has all formats. The tables of runs are in ``prequential.tables``.
"""
