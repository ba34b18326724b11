"""Protocols: which records test and which train a learner, and when."""

from prequential.protocols.delayed import Delayed
from prequential.protocols.holdout import Holdout
from prequential.protocols.kfold import KFold
from prequential.protocols.prequential import Prequential
from prequential.protocols.protocol import Protocol
from prequential.protocols.replica import Replica
from prequential.protocols.setting import Setting
from prequential.protocols.tally import Tally

__all__ = ["Delayed", "Holdout", "KFold", "Prequential", "Protocol", "Replica", "Setting", "Tally"]
