"""The signature: what was decided is frozen with its digest, and goes out as pages and as an order."""

import re
from contextlib import suppress
from dataclasses import replace
from functools import partial
from pathlib import Path

import streamlit as st

from pages.parts.decision.case import Case, Drawn, Sheet, Signature
from pages.parts.decision.case import Weighed as Weighs
from pages.parts.decision.question import Rests, Signed, Who, anything_typed, as_typed, rests_on
from pages.parts.decision.words import ON_DATA, interim, reasons, right, verdict
from pages.parts.export.offer import own_file
from pages.parts.export.record import offer_record
from pages.parts.outsourced.system import OUTSOURCED
from pages.parts.shell.session import OWN, at_stake
from pages.parts.table.orders import hand_over, not_released
from pages.parts.views.drawing import download, note
from pages.parts.views.templates import render
from pages.parts.views.text import as_markdown
from privbo_core.decision import Decision, Person, Weighed, order_bytes, resolution_bytes
from privbo_core.deployment import planned
from privbo_core.errors import DataError
from privbo_core.files import json_bytes
from privbo_core.privacy.guarantee import WORDS

HERE = Path(__file__).parent
_SIGNED, _RESTS = f"{OWN}decision/signed", "/rests on"
NOBODY = (Person("nobody yet"),)
DRAFT, SIGNED, CHANGED = "Draft, not signed", "Signed", "Changed since it was signed"


@at_stake
def _decided() -> str:
    if any(str(key).startswith(_SIGNED) for key in st.session_state):
        return "the decision that you signed"
    return "what you typed on Decide" if anything_typed() else ""


def signature_now(case: Case, drawn: Drawn, who: Who) -> Signature:
    decision = None
    with suppress(DataError):  # the button says why
        decision = _decision(case, drawn, who)
    found, coming = signature_of(who, decision, case.name, rests_on(case.subject)), interim(drawn.weighing)
    if coming and drawn.rule.weighing is not drawn.weighing:  # of the others it stands in the picture how far they are
        coming = coming.replace("interim", f"interim {ON_DATA}")
    return replace(found, state=f"{found.state}; {coming}") if coming else found


def _decision(case: Case, drawn: Drawn, who: Who) -> Signed | None:
    """Return what is decided; None as long as no ε is decided or something is unsure.

    Where nobody is named yet, `NOBODY` decides: who is may be typed, and come with the press of the button.
    """
    if drawn.epsilon is None or who.unsure:
        return None
    return case.decide(drawn.epsilon, replace(who, people=who.people or NOBODY), drawn.looked)


def signature_of(who: Who, decision: Signed | None, system: str = "", rests: Rests | None = None) -> Signature:
    """Signed if exactly this was; ``rests``: on what limit and least protection."""
    signed, before = (st.session_state.get(key) for key in (_key(system), f"{_key(system)}{_RESTS}"))
    state = DRAFT if signed is None else SIGNED if (signed, before) == (decision, rests) else CHANGED
    people = tuple((person.name, person.role) for person in who.people)
    return Signature(
        people, who.day, who.notes, who.subject, decision.digest if decision and state == SIGNED else "", state
    )


def _key(system: str) -> str:
    return _SIGNED if system in ("", OUTSOURCED.name) else f"{_SIGNED}/{system}"


def body_of(sheet: Sheet) -> str:
    return str(render("decision.html", sheet=sheet, css=own_file(HERE / "sheet.css")))


def file_of(sheet: Sheet) -> str:
    body = render("decision.html", sheet=sheet, css=own_file(HERE / "sheet.css"))
    return str(render("decision_file.html", title=sheet.title, css=own_file(HERE / "file.css"), body=body))


def offer_signature(case: Case, drawn: Drawn, who: Who) -> None:
    decision, missing = None, ""
    try:
        decision = _decision(case, drawn, who)
        if drawn.epsilon is None:
            none = who.unsure or "No ε to sign yet: choose one under “Decide for”."
            missing = none if drawn.weighing.complete else "Being simulated …"
        elif not who.people:
            missing = "Write who decides."
        elif decision is None:
            missing = who.unsure
    except DataError as fault:
        if who.people:
            st.error(as_markdown(str(fault)), icon=":material/error:")
        else:
            missing = "Write who decides."
    signature = signature_of(who, decision, case.name, rests_on(case.subject))
    done = signature.state == SIGNED
    with st.container(horizontal=True):
        st.button(
            "Signed" if done else "Sign",
            type="secondary" if done else "primary",
            icon=":material/signature:",
            key="sign",
            disabled=done or decision is None,
            on_click=_sign,
            args=(decision, case),
        )
        if missing:
            note(missing)
        _offer_files(case, drawn, signature, decision if done else None)
    if case.made:
        note(not_released(list(case.made)))
    if done and decision is not None:
        name = _file_name(who.subject or case.subject)
        offer_record(partial(planned, decision, why=" ".join((*_public_reasons(drawn), _right(case, decision)))), name)


def _offer_files(case: Case, drawn: Drawn, signature: Signature, signed: Signed | None) -> None:
    name = _file_name(signature.subject or case.subject)
    if isinstance(signed, Decision) and not case.made:
        icon = ":material/handyman:"
        if st.button("Take it to the Workbench", icon=icon, key="to-workbench", type="primary"):
            hand_over(signed)
            st.session_state["seat"] = "holder"
            st.switch_page("pages/workbench.py")
    page, file = case.inside(drawn, signature), f"{name}-decision"
    label, about = "Page for your eyes (HTML)", "One sheet of A4: open it, then print."
    download(label, lambda: file_of(page), f"{file}-internal.html", "lock", key="get-inside", help=about)
    if signed is None:
        return
    public = case.for_all(signed, signature)
    if why := _public_reasons(drawn):
        public = replace(public, verdict=why[0], reasons=why[1:])
    label, about = "Page for everybody (HTML)", "Nothing on it was computed from the data."
    download(label, lambda: file_of(public), f"{file}.html", "description", key="get-public", help=about)
    if isinstance(signed, Decision):
        label, data, file = "Order for the Workbench (JSON)", partial(order_bytes, signed), f"{name}-order"
    else:
        label, data = "Decision (JSON)", partial(resolution_bytes, signed)
    about = "What was decided, by whom: nothing of the data. Keep it with the pages: its digest is on them."
    download(label, data, f"{file}.json", "download", key="get-order", help=about)
    label, data = "What it rests on, for your eyes (JSON)", partial(rested_bytes, case.weighed, drawn, signed)
    about = "limit, least protection, what each ε costs and where, and the digest of what was signed."
    download(label, data, f"{name}-rests-on.json", "lock", key="get-rests", help=f"On what it rests: {about}")


def _public_reasons(drawn: Drawn) -> tuple[str, ...]:
    """Return verdict and reasons where what everybody may know recommends this ε."""
    return (verdict(drawn), *reasons(drawn)) if drawn.rule.public and drawn.epsilon == drawn.recommended else ()


def _right(case: Case, signed: Signed) -> str:
    found = case.weighed.promised(signed.epsilon if isinstance(signed, Decision) else signed.guarantee.epsilon)
    hits = right(found).removesuffix(" of 100")
    guesses = f"of 100 guesses {case.weighed.guess} the best attacker gets {hits} right (blind: 50)"
    return f"If what it rests on holds, {guesses}."


def rested_bytes(weighed: Weighs, drawn: Drawn, signed: Signed) -> bytes:
    """Return the file of what a signature rests on, for the holder alone: costs in it were computed on the data."""

    def known(each: Weighed) -> dict[str, float]:
        cost = each.cost
        runs = {"runs": cost.runs} if cost.runs > 2 else {}  # two alike stand for one that was computed
        return {"epsilon": each.epsilon, "mean": cost.mean, "low": cost.low, "high": cost.high, **runs}

    rule = drawn.rule
    same = rule.weighing is drawn.weighing
    of = {(same and rule.where) or ON_DATA: (weighed.unit, drawn.weighing)}
    if not same:
        of[rule.where] = rule.weighed.unit, rule.weighing
    return json_bytes(
        {
            "format": "privbo decision, what it rests on",
            "version": 1,
            "digest": signed.digest,
            "epsilon": drawn.epsilon,
            "recommended": drawn.recommended,
            "limit": drawn.recommendation.limit if drawn.recommendation else None,
            "limit_of_costs": rule.where,
            "least_protection": WORDS[drawn.least],
            "why": [verdict(drawn), *reasons(drawn)],
            "interval": "95 %",
            "costs": {
                where: {"unit": unit, "each": [known(each) for each in weighing.known]}
                for where, (unit, weighing) in of.items()
            },
        }
    )


def _sign(drawn: Signed, case: Case) -> None:
    """Sign what is on the screen: what was drawn, with the texts as they stand in their fields.

    The browser sends what is typed in a field when it is left, which may be with the very press of this button: then
    it is on the screen, and not yet on the page that was drawn.
    """
    with suppress(DataError):  # the page says why
        st.session_state[_key(case.name)] = as_typed(drawn, case.name, unit_asked=case.asks_unit)
        st.session_state[f"{_key(case.name)}{_RESTS}"] = rests_on(case.subject)


def _file_name(title: str) -> str:
    return "-".join(re.findall(r"\w+", title.partition(":")[0].partition(".")[0].lower()))[:60] or "table"
