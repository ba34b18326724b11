"""Tables of results, read from run directories; each gives a sheet (``prequential.sheets``)."""
