"""Where the sweep is computed, here or on the cluster; and what explains the figure and the two answers."""

from dataclasses import replace
from hashlib import sha256

import streamlit as st

from pages.parts import systems
from pages.parts.live.work import CONNECTION
from pages.parts.shell.session import OWN
from pages.parts.system.question import Inquiry
from pages.parts.views.drawing import note
from pages.parts.views.templates import explaining
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
    first, second = st.columns(2, gap="medium")
    with first, explaining("the figure") as say:
        say(_figure(asked, sweep))
    with second, explaining("the two answers") as say:
        say(_answers(asked, budget))
    with st.expander("Neighbours here, and why tasks are not compared"):
        st.markdown(neighbours := f"{asked.relation}\n\n{apart()}")
    keep_explanation("neighbours here", neighbours)


def _figure(asked: Inquiry, sweep: Sweep) -> str:
    on_front = front(asked.question.curves, sweep.marks)
    stairs = ", ".join(f"{epsilon_text(mark.epsilon)} ({name})" for name, mark in on_front) or "no mark yet"
    return f"""Each mark is one value of ε, and the mean over {asked.runs} runs of the {asked.cost_is}. Run k has the
same dice at every ε, in every
mechanism and without privacy, so marks differ because ε differs.

The x-axis is {asked.epsilon_is}. The sweep begins with a coarse grid, then puts more values where neighbouring marks
differ most for their error, up to twelve for each mechanism.

**The front** joins the marks that no other mark beats in both ε and regret. Only proved mechanisms count: an ε that is
refuted, claimed or
conditional is nobody’s protection for certain, so being to the left is worth nothing. On it now: ε = {stairs}. Marks on
it differ by their errors too: do not read
small steps as facts."""


def _answers(asked: Inquiry, budget: float) -> str:
    size = f"{budget:.3g} {as_markdown(asked.units[0].text)}"
    return f"""**What does this ε cost?** Every mechanism is run at exactly this ε, {asked.runs} times, and compared run
by run with the search
without privacy ({_compared(asked)}). ± is one standard error of the mean difference.

**Which ε do I need?** More ε cannot make a mechanism worse, so a curve that never rises is fitted to the marks, each
weighted by
1/(standard error)²: $\\min \\sum_i w_i\\,(c_i-g_i)^2$ over $g_1\\ge g_2\\ge\\dots$ The answer is the smallest ε at
which it is at most
{size} above the search without privacy. Then ε next to the answer are tried until it is one that was itself measured.

The brackets: the {asked.runs} runs are drawn again with replacement 400 times, the same ones at each ε, and fit and
answer found anew; 95 % of
these answers lie within, and every ε at which what is allowed lies within the fit’s error. On invented
curves whose true answer is known, such brackets held it about nine times in ten. Put the answer into the box on the
left: the cost comes back, within its error."""


def _compared(asked: Inquiry) -> str:
    """Return which search without privacy each mechanism is compared with, if there are several."""
    question = asked.question
    if len({question.reference(curve).name for curve in question.curves}) == 1:
        return question.plain.name
    each = "; ".join(f"{curve.name}: {question.reference(curve).name}" for curve in question.curves)
    return f"{each}: the one that uses the same model, for a better or worse model is not a cost of privacy"
