"""``python -m prequential``: the command line."""

from prequential.cli import main

if __name__ == "__main__":
    main()
