"""What can be audited of Outsourced: the paper's projection, which is refuted, and the noisy release."""

import streamlit as st

from pages.parts.outsourced.audited.frame import FRAME_FOLLOWS, FRAME_PUBLIC
from pages.parts.outsourced.audited.rebuild import REBUILD_NOISY, REBUILD_PROJECTION
from pages.parts.outsourced.audited.targets import LAPLACE, NOISY, PROJECTION
from pages.parts.outsourced.audited.tell import SHARPEST, SHARPEST_LAPLACE, TELL_NOISY, TELL_PROJECTIONS
from pages.parts.system.attack import Audited

FINDING = """
**What is shown.** The release of Algorithm 1 lies in the column space of its inputs, in both branches. Two datasets that differ in one record
have different column spaces. So a release can be told from its neighbour’s with certainty, at every ε: the privacy theorem (Theorem 1 of
*Kharkovskii, Dai, Low, ICML 2020*) does not hold as stated. Where r ≥ d, anyone who knows d + 1 records can compute all the others.

**Under which conditions.** There are more than d + 1 records, and they are in general position: not all in one plane, as real and random
data are not. Nothing is assumed about ε, δ, r or the branch.

**What is not said.** The results on *utility* are untouched: distances survive the projection as Theorem 2 says, and the search works as well as
reported. Projecting from the *left* (r×n times X), from which the proof borrows, is another mechanism and not affected.

**How to check it.** Five lines of NumPy, on any computer:
"""
"""The finding about the projection, shown above `CHECK`."""

CHECK = """\
import numpy as np
rng = np.random.default_rng(); X = rng.normal(size=(1000, 3)); V = X.copy(); V[0] += 0.5  # neighbours: one row moved
Z = (X - X.mean(0)) @ rng.normal(size=(3, 10)) / 10**0.5                                  # the release of X
away = lambda C: np.linalg.norm(Z - C @ np.linalg.lstsq(C, Z)[0]) / np.linalg.norm(Z)     # how far Z lies outside col(C)
print(away(X - X.mean(0)), away(V - V.mean(0)))                                           # about 1e-15, about 1e-2
"""
"""Five lines that anyone can run; the tests run them too."""


def show_finding() -> None:
    """State the finding about the projection, and lead to the release that keeps its promise."""
    st.markdown(FINDING)
    st.code(CHECK, language="python")
    st.page_link(
        "pages/outsourced.py",
        label="A release that keeps its promise, on Outsourced",
        icon=":material/hub:",
        query_params={"release": "noisy"},
    )


AUDITED: tuple[Audited, ...] = (
    Audited(
        PROJECTION.key,
        "Outsourced: the paper’s projection",
        (TELL_PROJECTIONS, REBUILD_PROJECTION),
        closing=show_finding,
    ),
    Audited(
        NOISY.key, "Outsourced: the noisy release", (TELL_NOISY, REBUILD_NOISY, SHARPEST, FRAME_FOLLOWS, FRAME_PUBLIC)
    ),
    Audited(LAPLACE.key, "Outsourced: the noisy release, Laplace noise", (SHARPEST_LAPLACE,)),
)
