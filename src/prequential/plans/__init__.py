"""Plans: evaluations as validated TOML."""
