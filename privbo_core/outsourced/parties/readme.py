"""What the recipient of a release finds in its ZIP, in plain words."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from privbo_core.outsourced.parties.package import Package


def recipient_readme(package: "Package") -> str:
    """Return the text of README.txt."""
    return f"Release {package.release}, {package.rows} rows.\n"
