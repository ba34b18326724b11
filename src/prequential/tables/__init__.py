"""Tables of results.

A table is built as a `Sheet` of text (``sheet.py``), which is then written as plain text, Markdown, HTML or LaTeX.
"""
