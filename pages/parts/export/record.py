"""The deployment record: what went out or is to, in the form of the public registry; and the sheet for reviewers."""

from collections.abc import Callable
from pathlib import Path
from textwrap import wrap
from typing import get_args

import streamlit as st

from pages.parts.export.offer import own_file
from pages.parts.shell.session import OWN
from pages.parts.views.drawing import download, note
from pages.parts.views.templates import render
from privbo_core.deployment import Curator, Deployment, Sector

HERE = Path(__file__).parent
_FIELDS = {
    "name": ("Who publishes it", "Ward 3 of the city hospital"),
    "region": ("Region, and whose law applies", "Bavaria; GDPR"),
    "use": ("For what it is meant", "To choose the next patients to be examined, and for nothing else"),
    "recipient": ("Who receives it", "The group of Dr Weber at the university"),
    "contract": ("What was agreed with them", "In writing: not to be passed on, nobody is to be looked for"),
    "retention": ("What is kept for how long", "The ledger as long as the table; what was released, two years"),
    "access": ("Who may see the data where they lie", "Two named doctors, on the ward’s own machine"),
}


def offer_record(made: Callable[[Curator], Deployment], name: str) -> None:
    """Show what only whoever publishes can say, and the buttons that download the record and the review sheet."""
    label, icon = "For reviewers: deployment record", ":material/assured_workload:"
    with st.expander(label, icon=icon, key="record", on_change="rerun") as box:
        if not box.open:
            return
        form = "In the form of the public registry of deployments."
        note(f"{form} What you leave empty is marked as open, never guessed.")
        said = {
            key: st.text_input(label, key=f"{OWN}record/{key}", placeholder=example, max_chars=300)
            for key, (label, example) in _FIELDS.items()
        }
        author = st.text_input("Who fills this in", key=f"{OWN}record/author", max_chars=300)
        sector = st.selectbox("Sector", get_args(Sector), index=None, key=f"{OWN}record/sector")
        deployment = made(Curator(**said, sector=sector, authors=(author,)))
        with st.container(horizontal=True):
            download("Record (YAML)", deployment.to_yaml, f"{name}-deployment.yaml", "download", key="get-record")
            look = {"key": "get-review", "help": "One page to print: who vouches for what."}
            sheet = f"{name}-review.html"
            download("Review sheet (HTML)", lambda: review_sheet(deployment), sheet, "fact_check", **look)


def review_sheet(deployment: Deployment) -> str:
    """Return the review sheet, with the whole record below it, as one file that needs nothing from anywhere."""
    parts = {
        part.replace("_", " ").replace("dp ", "DP "): {
            name.replace("_", " "): _words(value) for name, value in fields.items()
        }
        for part, fields in deployment.fields["deployment"].items()
    }
    body = render("review.html", deployment=deployment, parts=parts, fit=f"{_fit(deployment):g}")
    return str(render("decision_file.html", title=deployment.title, css=own_file(HERE / "review.css"), body=body))


WIDTHS, LINES = (46, 29, 16), 64
"""Letters that the columns of the printed sheet have room for in a line, and the lines of a page, at full size."""
SIZES = [0.02 * step for step in range(50, 24, -1)]


def _fit(deployment: Deployment) -> float:
    """Return the largest size of letters at which the sheet prints on one page, or the smallest there is."""

    def lines(size: float) -> int:
        cells = [(level.program, level.holder, level.nobody) for level in deployment.levels]
        return sum(max(len(wrap(text, int(w / size))) for text, w in zip(row, WIDTHS, strict=True)) for row in cells)

    return next((size for size in SIZES if size * lines(size) <= LINES), SIZES[-1])


def _words(value: object) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name} {each:g}" for name, each in value.items())
    return ", ".join(value) if isinstance(value, list) else str(value)
