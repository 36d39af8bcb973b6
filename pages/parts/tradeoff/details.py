"""Where the sweep is computed, here or on the cluster; and what explains the figure and the two answers."""

from dataclasses import replace
from hashlib import sha256

import streamlit as st

from pages.parts import systems
from pages.parts.live.work import CONNECTION
from pages.parts.shell.session import OWN
from pages.parts.system.question import Inquiry
from pages.parts.views.content import explanation
from pages.parts.views.drawing import note
from pages.parts.views.templates import explain_beside
from pages.parts.views.text import as_markdown, epsilon_text
from pages.parts.views.views import keep_explanation
from privbo_core.experiments.cluster.question import Costs, shared_out
from privbo_core.tradeoff import Sweep, front

KNOWN = f"{OWN}tradeoff/costs"
MOST = 4  # Questions whose costs are remembered.


def sent_out(asked: Inquiry) -> Inquiry:
    """Return what is asked with its runs sent to the cluster, if there is one and it may have them; and say so."""
    if asked.recipe is None:
        return asked
    where = CONNECTION.where(asked.recipe.own)
    if not where.note:
        return asked
    remarks = (*asked.remarks, where.note)
    if where.cluster is None:
        return replace(asked, remarks=remarks)
    packed = asked.recipe.packed()
    question = shared_out(asked.question, packed, where.cluster, _known(packed), CONNECTION.lost)
    return replace(asked, question=question, remarks=remarks)


def _known(packed: bytes) -> Costs:
    kept: dict[str, Costs] = st.session_state.setdefault(KNOWN, {})
    name = sha256(packed).hexdigest()
    kept[name] = known = kept.pop(name, {})
    while len(kept) > MOST:
        del kept[next(iter(kept))]
    return known


def apart() -> str:
    (name, who), *others = ((each.name, each.neighbours) for each in systems.SYSTEMS if each.question)
    said = ", ".join([f"{name} protects {who}", *(f"{name} {who}" for name, who in others)])
    return f"**An ε of one task says nothing about another task.** {said}. Compare within one task only."


def show_details(asked: Inquiry, sweep: Sweep, budget: float) -> None:
    # Where it was computed, if that is not what was said before: it is known only afterwards.
    said = CONNECTION.where(asked.recipe.own).note if asked.recipe else ""
    if said not in ("", *asked.remarks):
        note(said)
    on_front = front(asked.question.curves, sweep.marks)
    stairs = ", ".join(f"{epsilon_text(mark.epsilon)} ({name})" for name, mark in on_front) or "no mark yet"
    allowed = f"{budget:.3g} {as_markdown(asked.units[0].text)}"
    explain_beside(
        explanation("tradeoff", "the figure", asked=asked, stairs=stairs),
        explanation("tradeoff", "the two answers", runs=asked.runs, budget=allowed, compared=_compared(asked)),
    )
    with st.expander("Neighbours here, and why tasks are not compared"):
        st.markdown(neighbours := f"{asked.relation}\n\n{apart()}")
    keep_explanation("neighbours here", neighbours)


def _compared(asked: Inquiry) -> str:
    """Return which search without privacy each mechanism is compared with, if there are several."""
    question = asked.question
    if len({question.reference(curve).name for curve in question.curves}) == 1:
        return question.plain.name
    each = "; ".join(f"{curve.name}: {question.reference(curve).name}" for curve in question.curves)
    return f"{each}: the one that uses the same model, for a better or worse model is not a cost of privacy"
