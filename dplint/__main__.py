"""`python -m dplint`."""

import sys

from dplint.main import main

if __name__ == "__main__":
    sys.exit(main())
