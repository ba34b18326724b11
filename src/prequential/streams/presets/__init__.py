"""The streams of papers by name: one file per paper, with the source of each stream and what is a guess."""
