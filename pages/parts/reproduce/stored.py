"""What `make reproduce` has computed and stored, read once for all sessions."""

from dataclasses import dataclass
from pathlib import Path

import streamlit as st

from pages.parts.values.text import as_markdown
from privbo_core.errors import DataError
from privbo_core.experiments import EXPERIMENTS, Report, read, report

STORED = Path(__file__).parents[3] / "results" / "reproduced.jsonl"
WHERE = (
    f"Stored in results/{STORED.name}. “make reproduce” goes on where it was stopped, and leaves finished pieces alone."
)


@dataclass(frozen=True)
class Stored:
    """The report on each experiment, how it was made, and a sentence (Markdown) if the file cannot be used."""

    reports: dict[str, Report]
    made: dict[str, list[dict[str, object]]]
    problem: str = ""


def stored() -> Stored:
    """Return what is stored; empty reports if that cannot be used."""
    try:
        state = STORED.stat()
        return _read(str(STORED), (state.st_mtime_ns, state.st_size))
    except FileNotFoundError:
        problem = "No results are stored. `make reproduce` computes them; here you can run any of them in part."
    except (DataError, OSError) as found:
        cause = as_markdown(str(found))
        problem = f"The stored results cannot be used: {cause} You can still run any of them here, in part."
    return Stored({name: report(each, ()) for name, each in EXPERIMENTS.items()}, {}, problem)


@st.cache_resource(max_entries=2)
def _read(path: str, changed: tuple[int, int]) -> Stored:
    """Read the file anew when it has changed."""
    outcomes, made = read(path)
    reports = {name: report(each, outcomes.values()) for name, each in EXPERIMENTS.items()}
    return Stored(reports, {name: [dict(how) for how in each] for name, each in made.items()})
