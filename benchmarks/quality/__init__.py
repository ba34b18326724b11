"""Every reference learner on real streams, beside MOA's and River's: ``make quality`` writes docs/quality.md."""
