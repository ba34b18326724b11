"""The learner's card: how a learner does on the nine streams of the testbed."""
