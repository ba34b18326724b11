"""Real streams by name: what is known of them, where their files are, and whether a file is the right one."""
