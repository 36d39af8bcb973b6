"""What survives the meeting: the view as a report and as a script. At the same place on every page with figures."""

import re
from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlencode

import streamlit as st

from pages.parts.export.report import About, Made, report
from pages.parts.export.script import FILE, FRAME
from pages.parts.views.record import current, keep_subject
from privbo_core.data import Problem


def about_problem(page: str, problem: Problem, *choices: tuple[str, str]) -> About:
    """Return what a page that works on a problem is about. What has no public identity is somebody's own."""
    steps = (*problem.preparation.steps(), *problem.preparation.warnings) if problem.preparation else ()
    return About(page, problem.title, problem.identity is None, steps, choices)


def take_away(about: About, script: Callable[[], str] | None = None) -> None:
    """Show the popover that offers the report and, if ``script`` makes one, the script. It is called when open.

    Call it where the settings are known and before any long work: what the page draws later is in the report too.
    """
    keep_subject(about.data, about.own)
    name = "-".join(re.findall(r"\w+", about.page.lower()))
    whose = st.container(
        key="own-data" if about.own else "public-data"
    )  # presenter view shows no raw data of a person's own
    wide = whose.popover("Take away", icon=":material/ios_share:", key="take-away", on_change="rerun")
    if not wide.open:
        return
    with wide:
        share_only = st.checkbox(
            "Leave out what was computed from the raw data",
            value=about.own,
            key=f"take-away/share only/{about.own}",
            help=(
                "Then the report holds only what is badged as released under the promise. Ticked beforehand if the "
                "data are your own."
            ),
        )
        code = script() if script else ""
        record = current()
        query = urlencode(st.query_params.to_dict())
        made = Made(f"{st.context.url or ''}?{query}", st.context.theme.type == "dark", code)
        buttons = st.container(horizontal=True)
        buttons.download_button(
            "Report (HTML)",
            lambda: report(record, about, made, share_only, datetime.now().astimezone()),
            f"privbo-{name}.html",
            "text/html",
            on_click="ignore",
            icon=":material/description:",
            help="The figures as they are now, to be opened in any browser. About 5 MB, works without a network.",
        )
        if not code:
            return
        buttons.download_button(
            "Script (Python)",
            code,
            f"privbo-{name}.py",
            "text/x-python",
            on_click="ignore",
            icon=":material/code:",
            help=(
                "Computes the same numbers again, in any folder: to the digit on a machine of this kind with the same "
                "versions, elsewhere within rounding, and then it says so. Its first lines say how."
            ),
        )
        if about.own:
            frame = f" The same with the frame, which Data lets you download, for “{FRAME}”." if FRAME in code else ""
            st.caption(f"Put the name of your file where the script says “{FILE}”.{frame}")
        st.code(code, language="python")
