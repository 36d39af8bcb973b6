"""What publishes: private selection, in one of two ways, or one of DP-BO’s algorithms by one of two papers."""

import streamlit as st

from pages.parts.frame.address import choose
from pages.parts.release import words
from pages.parts.release.setup import WAYS, Algorithm
from privbo_core.release import Variant

ALGORITHMS: dict[str, Algorithm] = {"selection": 0, "1 noisy": 1, "2 exact": 2, "3 Lipschitz": 3}
VARIANTS: dict[str, Variant] = {"ICML": "icml", "workshop": "workshop"}


def pick_algorithm() -> tuple[Algorithm, Variant]:
    """Show the pickers and return what is chosen."""
    name = choose(st.segmented_control, "Algorithm", list(ALGORITHMS), key="algorithm", required=True,
                  help=words.ALGORITHMS, persist_state="session")  # fmt: skip
    algorithm = ALGORITHMS[name]
    if algorithm == 3:
        return algorithm, "icml"
    if algorithm == 0:
        by = {way: number for number, way in WAYS.items()}
        way = choose(st.segmented_control, "Drawn by", list(by), key="way", required=True,
                     help=words.DRAWN_BY, persist_state="session")  # fmt: skip
        return by[way], "icml"
    paper = choose(st.segmented_control, "Paper", list(VARIANTS), key="paper", required=True, persist_state="session")
    return algorithm, VARIANTS[paper]
