"""Protocols: which records test and which train a learner, and when."""

# Each module registers its protocol when it is imported: in the order in which listings show them.
# isort: off
from prequential.protocols.prequential import Prequential
from prequential.protocols.holdout import Holdout
from prequential.protocols.kfold import KFold
from prequential.protocols.delayed import Delayed

# isort: on
from prequential.protocols.protocol import PROTOCOLS, Protocol, as_protocol, names
from prequential.protocols.replica import Replica
from prequential.protocols.setting import Setting
from prequential.protocols.tally import Tally

__all__ = [
    "PROTOCOLS",
    "Delayed",
    "Holdout",
    "KFold",
    "Prequential",
    "Protocol",
    "Replica",
    "Setting",
    "Tally",
    "as_protocol",
    "names",
]
