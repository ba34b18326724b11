"""Protocols: which records test and which train a learner, and when."""

# Each module registers its protocol when it is imported: in the order in which listings show them.
# isort: off
from prequential.protocols.prequential import Prequential
from prequential.protocols.holdout import Holdout
from prequential.protocols.kfold import KFold
from prequential.protocols.delayed import Delayed

# isort: on
from typing import TYPE_CHECKING

from prequential.namespace import namespace
from prequential.protocols.protocol import Protocol, as_protocol, names

__all__ = [
    "Delayed",
    "Holdout",
    "KFold",
    "Prequential",
    "Protocol",
    "as_protocol",
    "names",
]

if not TYPE_CHECKING:
    __getattr__, __dir__ = namespace(__name__, __all__)
