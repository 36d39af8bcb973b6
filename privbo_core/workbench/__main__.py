"""`python -m privbo_core.workbench`: two parties optimise together for real, by files that they exchange."""

import sys

from privbo_core.workbench.command_line import main

if __name__ == "__main__":
    sys.exit(main())
