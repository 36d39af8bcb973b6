"""The version of PrivBO, and where the samples lie that come with it."""

from pathlib import Path

VERSION = "1.0.0"  # Said here alone: the package, CITATION.cff, reports, scripts and exchanged files have it from here.
PROGRAM = f"PrivBO {VERSION}"  # What this program writes into its files about itself.

_HERE = Path(__file__).parent
SAMPLE_DATA = next(
    (folder for folder in (_HERE / "sample_data", _HERE.parent / "sample_data") if folder.is_dir()),
    _HERE.parent / "sample_data",
)
"""The folder of the samples: in the engine where it is installed, beside it in the project's own folder."""
