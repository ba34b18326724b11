"""The papers that this package is built on, reproduced: each table and figure, ours beside the paper's.

One module per paper, written with the public API only, so that it can be read as an example of it.
"""

from typing import TYPE_CHECKING

from prequential.namespace import namespace
from prequential.papers.catalogue import names
from prequential.papers.reproduce import reproduce
from prequential.papers.reproduction import Reproduction

__all__ = ["Reproduction", "names", "reproduce"]

if not TYPE_CHECKING:
    __getattr__, __dir__ = namespace(__name__, __all__)
