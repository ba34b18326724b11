"""Figures of runs.

For each figure one module holds the data to draw (``curves.py``), which needs no drawing library; others draw it, with
Plotly for the screen (``curves_plotly.py``) and with Matplotlib for print (``curves_matplotlib.py``).
"""
