"""Run ``python -m privbo_core.classroom.favourite``: how well a class finds its favourite, as docs/class.md has it."""

import sys

from privbo_core.classroom.favourite.class_size import MEASURED, measure, table

if __name__ == "__main__":
    sys.stdout.write(table([measure(size, z) for size, z in MEASURED]) + "\n")
