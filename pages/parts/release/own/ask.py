"""A table of scores as scikit-learn or Optuna wrote it: what has to be said of it before one setting may be published."""

import re
from typing import Any

import pandas as pd
import streamlit as st

from pages.parts.bring.table import chosen, made
from privbo_core.tuning import Scores, read_scores
from privbo_core.tuning.read import UNADAPTIVE

_METRIC = re.compile(r"split\d+_test_(.+)")
NOT_SAID = "not said"


def ask(table: pd.DataFrame, content: bytes) -> tuple[tuple[object, ...], Scores]:
    """Show what has to be said; return that and the scores in the file. Raises DataError on what gives no sensitivity."""
    names = [str(name) for name in table.columns]
    metrics = sorted({found[1] for name in names if (found := _METRIC.fullmatch(name))})
    study = {"state", "number"} <= set(names)
    st.text("A tuning tool’s table: a score for each setting and fold, part or record.")
    worst, best = st.columns(2)
    low = worst.number_input("Worst possible score", value=0.0, key=chosen("worst"), format="%g")
    high = best.number_input("Best possible score", value=1.0, key=chosen("best"), format="%g")
    records = st.number_input("Records scored in all (0: a column for each)", 0, 10_000_000, 0, key=chosen("records"))
    metric = st.selectbox("Metric", metrics, key=chosen("metric")) if len(metrics) > 1 else None
    sampler = None
    if study:
        said = st.selectbox("Sampler of the study", [NOT_SAID, *UNADAPTIVE], key=chosen("sampler"))
        sampler = None if said == NOT_SAID else said
    known_from = st.text_input(
        "How settings and range were fixed before anyone looked at the records",
        key=chosen("known from"),
        help="In words, as it will stand on the guarantee. Without it the guarantee is conditional.",
    )
    options: dict[str, Any] = {
        "score_range": (low, high),
        "records": int(records) or None,
        "metric": metric,
        "sampler": sampler,
        "known_from": known_from,
    }
    asked, key = tuple(options.items()), made("scores read")
    before, scores = st.session_state.get(key, (None, None))
    if before != asked:
        scores = read_scores(content, **options)
        st.session_state[key] = asked, scores
    return ("results", asked), scores
