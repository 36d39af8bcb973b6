"""Ask for rows, and send the questions off."""

from typing import Literal

import streamlit as st

from pages.parts.frame.depth import simple
from pages.parts.show.show import heading, note, show
from pages.parts.values.text import as_markdown
from pages.parts.workbench.faults import faults_said, forget_fault
from pages.parts.workbench.modeler import words
from pages.parts.workbench.modeler.search import Search
from pages.parts.workbench.seats import mine
from privbo_core.outsourced.parties.exchange import write_questions

MOST = 20
HOW = "Several at once are chosen to differ: each is reckoned as if those before it had been told already."


def show_asking(search: Search) -> None:
    """Show the button that asks, the open questions with their reasons, and the file to be sent."""
    heading("Ask")
    modeler = search.modeler
    stop = modeler.advice.stop
    if stop and not simple():
        st.success(as_markdown(f"You may stop. {modeler.advice.sentence}"), icon=":material/flag:")
    elif modeler.told and not simple():
        note(modeler.advice.sentence)
    with st.container(horizontal=True, vertical_alignment="bottom"):
        count = st.number_input(
            "Rows at once", 1, MOST, 1, key=mine("ask count"), help=HOW, width=130, persist_state="session"
        )
        kind: Literal["secondary", "primary"] = "secondary" if modeler.pending or stop else "primary"
        if st.button(
            "Ask for more" if modeler.pending else "Ask",
            type=kind,
            icon=":material/help:",
            on_click=forget_fault,
            key=f"ask-{search.times}",
        ):
            with faults_said():
                modeler.ask(int(count))
                search.changed()
                st.rerun()
    if not modeler.pending:
        return
    asked = [modeler.suggestion(row) for row in modeler.pending]
    if len({each.why for each in asked}) == 1 and not modeler.told:  # nothing is known that tells them apart
        note(f"Row{'s' if len(asked) > 1 else ''} {', '.join(str(each.row) for each in asked)}. {asked[0].why}")
    else:
        show(words.suggestions(asked, modeler.package, plain=simple()))
    if len(modeler.pending) > 1 and modeler.told and not simple():
        note(HOW)
    st.download_button("Download the questions, to be sent", write_questions(modeler.pending, modeler.package.name), "questions.csv", "text/csv",
                       type="primary", icon=":material/download:", on_click="ignore", key="get-questions")  # fmt: skip
