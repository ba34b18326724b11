"""Settings of drift detectors compared: the delay against the false alarms."""
