"""Sending a sweep's runs to the cluster, where one is named; what has come back stays in the session."""

from dataclasses import replace
from hashlib import sha256

import streamlit as st

from pages.parts.computing.where import CONNECTION
from pages.parts.frame.session import OWN
from pages.parts.system.question import Asked
from privbo_core.experiments.cluster.question import Costs, shared_out

KNOWN = f"{OWN}tradeoff/costs"
MOST = 4
"""Questions whose costs are remembered."""


def sent_out(asked: Asked) -> Asked:
    """Return what is asked with its runs sent to the cluster, if there is one and it may have them; and say so."""
    if asked.recipe is None:
        return asked
    where = CONNECTION.where(asked.recipe.own)
    if not where.said:
        return asked
    remarks = (*asked.remarks, where.said)
    if where.cluster is None:
        return replace(asked, remarks=remarks)
    packed = asked.recipe.packed()
    question = shared_out(asked.question, packed, where.cluster, _known(packed), CONNECTION.lost)
    return replace(asked, question=question, remarks=remarks)


def said_since(asked: Asked) -> tuple[str, ...]:
    """Return where it was computed, if that is not what was said before: it is known only afterwards."""
    said = CONNECTION.where(asked.recipe.own).said if asked.recipe else ""
    return () if said in ("", *asked.remarks) else (said,)


def _known(packed: bytes) -> Costs:
    """Return what this session has heard of the same question before."""
    kept: dict[str, Costs] = st.session_state.setdefault(KNOWN, {})
    name = sha256(packed).hexdigest()
    kept[name] = known = kept.pop(name, {})
    while len(kept) > MOST:
        del kept[next(iter(kept))]
    return known
