"""Where the project's parts lie."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
APP, SAMPLES, RESULTS, DOCS = ROOT / "app.py", ROOT / "sample_data", ROOT / "results", ROOT / "docs"
