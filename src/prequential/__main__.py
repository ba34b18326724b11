"""The command line as ``python -m prequential``."""

from prequential.cli import main

if __name__ == "__main__":
    main()
