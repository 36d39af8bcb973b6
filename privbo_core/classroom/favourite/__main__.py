"""``python -m privbo_core.classroom.favourite``: print how well a class finds its favourite, as docs/class.md has it."""

from privbo_core.classroom.favourite.class_size import MEASURED, measure, table

if __name__ == "__main__":
    print(table([measure(size, z) for size, z in MEASURED]))
