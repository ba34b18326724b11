"""Protocols: who tests and who trains on which record, when."""

from prequential.protocols.delayed import Delayed
from prequential.protocols.holdout import Holdout
from prequential.protocols.kfold import KFold
from prequential.protocols.prequential import Prequential
from prequential.protocols.protocol import Protocol, Replica, Setting

__all__ = ["Delayed", "Holdout", "KFold", "Prequential", "Protocol", "Replica", "Setting"]
