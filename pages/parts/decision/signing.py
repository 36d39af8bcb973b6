"""The signature: what was decided is frozen with its digest, and goes out as pages and as an order."""

import re
from contextlib import suppress
from functools import partial
from pathlib import Path

import streamlit as st

from pages.parts.decision.question import Matter, Who, anything_typed, as_typed, asks_unit
from pages.parts.decision.sheet import Drawn, Sheet, Signature, for_all, inside
from pages.parts.export.record import offer_record
from pages.parts.export.report import own_file
from pages.parts.shell.session import OWN, at_stake
from pages.parts.table.orders import hand_over, not_released
from pages.parts.table.own_table import own_table
from pages.parts.views.drawing import note
from pages.parts.views.templates import render
from pages.parts.views.text import as_markdown
from privbo_core.data.make import STARTS
from privbo_core.decision import Decision, Simulated, order_bytes
from privbo_core.deployment import planned
from privbo_core.errors import DataError

HERE = Path(__file__).parent
_SIGNED = f"{OWN}decision/signed"
DRAFT, SIGNED, CHANGED = "Draft, not signed", "Signed", "Changed since it was signed"


@at_stake
def _decided() -> str:
    if _SIGNED in st.session_state:
        return "the decision that you signed"
    return "what you typed on Decide" if anything_typed() else ""


def decision_of(matter: Matter, epsilon: float | None, who: Who, *, looked: bool = True) -> Decision | None:
    """Return what is decided as it stands; None as long as no ε is decided, nobody decides, or something is unsure.

    ``looked``: ε is not the one that is recommended from the frame alone. Raises DataError, a sentence, for what cannot
    be signed.
    """
    if epsilon is None or not who.people or who.unsure:
        return None
    return Decision(
        matter.frame,
        matter.outcome,
        epsilon,
        matter.setting.noisy_delta,
        matter.setting.iterations,
        who.people,
        who.day,
        subject=who.subject,
        notes=who.notes,
        frame_accepted=who.accepted,
        simulated=_simulated(matter),
        epsilon_from="data" if looked else "frame",
    )


def _simulated(matter: Matter) -> Simulated:
    """Return how the searches are simulated, so that the Workbench simulates the same."""
    recipe = own_table().recipe if matter.own else None
    starts = recipe.starts if recipe else STARTS
    return Simulated(starts, matter.setting.search, matter.setting.once)


def decision_or_none(matter: Matter, drawn: Drawn, who: Who) -> Decision | None:
    """Return what is decided as it stands; None as long as it cannot be signed."""
    try:
        return decision_of(matter, drawn.epsilon, who, looked=drawn.looked)
    except DataError:
        return None


def signature_of(who: Who, decision: Decision | None) -> Signature:
    """Return the bottom of the page: signed if exactly this was."""
    signed: Decision | None = st.session_state.get(_SIGNED)
    state = DRAFT if signed is None else SIGNED if signed == decision else CHANGED
    people = tuple((person.name, person.role) for person in who.people)
    return Signature(
        people, who.day, who.notes, who.subject, decision.digest if decision and state == SIGNED else "", state
    )


def body_of(sheet: Sheet) -> str:
    """Return a page as it stands on the screen."""
    return str(render("decision.html", sheet=sheet, css=own_file(HERE / "sheet.css")))


def file_of(sheet: Sheet) -> str:
    """Return a page as one file that needs nothing from anywhere, and prints on one sheet of A4."""
    body = render("decision.html", sheet=sheet, css=own_file(HERE / "sheet.css"))
    return str(render("decision_file.html", title=sheet.title, css=own_file(HERE / "file.css"), body=body))


def offer_signature(matter: Matter, drawn: Drawn, who: Who) -> None:
    """Show the button that signs, and what can be taken away."""
    try:
        decision = decision_of(matter, drawn.epsilon, who, looked=drawn.looked)
        missing = "" if decision else _missing(drawn, who)
    except DataError as fault:
        decision, missing = None, ""
        st.error(as_markdown(str(fault)), icon=":material/error:")
    signature = signature_of(who, decision)
    done = signature.state == SIGNED
    st.button(
        "Signed" if done else "Sign",
        type="secondary" if done else "primary",
        icon=":material/signature:",
        key="sign",
        disabled=done or decision is None,
        on_click=_sign,
        args=(decision, asks_unit(matter.problem)),
    )
    if missing:
        note(missing)
    if made := _made(matter):
        note(not_released(made))
    name = _file_name(who.subject or matter.problem.title)
    if (
        done
        and decision is not None
        and not made
        and st.button("Take it to the Workbench", icon=":material/handyman:", key="to-workbench", type="primary")
    ):
        hand_over(decision)
        st.session_state["seat"] = "holder"
        st.switch_page("pages/workbench.py")
    page = inside(matter, drawn, signature)
    st.download_button(
        "Page for your eyes (HTML)",
        lambda: file_of(page),
        f"{name}-decision-internal.html",
        "text/html",
        on_click="ignore",
        icon=":material/lock:",
        key="get-inside",
        help="One sheet of A4: open it, then print.",
    )
    if decision is None or not done:
        return
    public = for_all(matter, decision, signature)
    st.download_button(
        "Page for everybody (HTML)",
        lambda: file_of(public),
        f"{name}-decision.html",
        "text/html",
        on_click="ignore",
        icon=":material/description:",
        key="get-public",
        help="Nothing on it was computed from the data.",
    )
    st.download_button(
        "Order for the Workbench (JSON)",
        order_bytes(decision),
        f"{name}-order.json",
        "application/json",
        on_click="ignore",
        icon=":material/download:",
        key="get-order",
        help="Frame, ε, δ, who decided: nothing of the data.",
    )
    offer_record(partial(planned, decision), name, tuple(person.name for person in decision.people))


def _sign(drawn: Decision, unit_asked: bool) -> None:
    """Sign what is on the screen: what was drawn, with the texts as they stand in their fields.

    The browser sends what is typed in a field when it is left, which may be with the very press of this button: then
    it is on the screen, and not yet on the page that was drawn.
    """
    with suppress(DataError):  # the page says why
        st.session_state[_SIGNED] = as_typed(drawn, unit_asked=unit_asked)


def _made(matter: Matter) -> list[str]:
    """Return the columns that Data made of others: the Workbench does not release them."""
    recipe = own_table().recipe if matter.own else None
    if recipe is None:
        return []
    as_they_are = [name for name in recipe.inputs if name not in recipe.encode]
    return [name for name in matter.frame.names if name not in as_they_are]


def _missing(drawn: Drawn, who: Who) -> str:
    """Return what is missing before it can be signed."""
    if drawn.epsilon is None:
        return "No ε to sign yet: choose one under “Decide for”." if drawn.weighing.complete else "Being simulated …"
    return who.unsure if who.people else "Write who decides; then sign."


def _file_name(title: str) -> str:
    return "-".join(re.findall(r"\w+", title.partition(":")[0].partition(".")[0].lower()))[:60] or "table"
