"""The buttons at the right end of the bar: *Present*, and *Export* with figures, an interactive report and a script."""

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.ui.cards import Place, progress, remark
from pages.ui.numbers import count
from pages.ui.report import MAX_BYTES, MIN_FRAMES, Report, report_data, write_report
from pages.ui.sliders import OWN_DATA

HERE = Path(__file__).parent
SECONDS = 60.0
"""How long a report may take to compute. It has `MIN_FRAMES` settings in any case."""
ROOM = 0.85
"""The share of `MAX_BYTES` up to which settings are added. The rest is for the styles and the font."""
ABOUT = "PrivBO computes the page at as many settings as a minute allows."
OWN_FIGURES = "These figures were computed from your table. Share them only with people who may see it."
NOT_COVERED = (
    "No proven guarantee covers anything on this page, so the report would be empty. Tick the box to include what was "
    "computed from your table."
)
_presenter = st.components.v2.component(
    "privbo_ui_present", js=(HERE / "present.js").read_text("utf-8"), isolate_styles=False
)
_downloads = st.components.v2.component(
    "privbo_ui_downloads", js=(HERE / "downloads.js").read_text("utf-8"), isolate_styles=False
)


@dataclass(frozen=True)
class Made:
    """The frames of a report that answer one question, by the value of its slider, and the seconds that they took."""

    question: object
    frames: tuple[tuple[float, str], ...] = ()
    seconds: float = 0.0


def bar(
    name: str,
    charts: Mapping[str, str],
    script: Callable[[], str] | None = None,
    report: Report | None = None,
) -> "Export":
    """Show *Present* and *Export*. A page with a report ends with ``make_report()`` of the returned value.

    ``charts`` has the slot of each figure and its name. ``script`` is called when its button is pressed.
    """
    with st.container(key="bar", horizontal=True, gap="xsmall"):
        _presenter(key="presenter", data={})
        with st.popover("Export"):
            st.markdown("**Figures**")
            _downloads(
                key="downloads", data={"charts": [{"slot": slot, "name": text} for slot, text in charts.items()]}
            )
            if report is not None and report.own:
                st.caption(OWN_FIGURES)
            export = Export(name, report)
            if script is not None:
                st.markdown("**Python script**")
                st.caption("It computes this page again with privbo_core, and shows the call for a real release.")
                file = f"privbo-{name}.py"
                st.download_button("Download script", script, file, "text/x-python", icon=":material/download:")
    return export


class Export:
    """The interactive report in the *Export* popover: what has been computed of it, and its buttons."""

    def __init__(self, name: str, report: Report | None) -> None:
        self._name, self._report = name, report
        if report is None:
            return
        self._key = f"{OWN_DATA if report.own else ''}{name}/report"
        st.markdown("**Interactive report**")
        st.caption(
            f"One HTML file with this page and its slider “{report.label}”. It works without a network, and has about "
            "5 MB because the plotting library is in it."
        )
        self._covered_only = report.own and not st.checkbox(
            "Include what was computed from my table",
            key=f"{OWN_DATA}{name}/report/all",
            help="Without it, the report has only what is covered by the guarantee.",
        )
        self._drawn = "nothing yet"
        self._bar = Place("report-progress")
        with st.container(key="report-buttons"):
            self._buttons = st.empty()
        self._show()

    @property
    def _made(self) -> Made:
        assert self._report is not None
        made = st.session_state.get(self._key)
        if isinstance(made, Made) and made.question == self._report.question:
            return made
        return Made(self._report.question)

    @property
    def _asked(self) -> bool:
        """Whether more frames are to be computed. Only *Stop* and the end of the work change that."""
        assert self._report is not None
        return bool(st.session_state.get(f"{self._key}/asked") == (self._report.question,))

    def _complete(self, made: Made) -> bool:
        assert self._report is not None
        wanted, frames = self._report.wanted, dict(made.frames)
        if len(frames) < min(MIN_FRAMES, len(wanted)) or self._report.now not in frames:
            return False
        if made.seconds >= SECONDS or all(value in frames for value in wanted):
            return True
        if sum(map(len, frames.values())) < ROOM * MAX_BYTES:
            return False
        return len(report_data(self._report, frames, covered_only=False)) > ROOM * MAX_BYTES

    def make_report(self) -> None:
        """Compute what is still missing of a report that was asked for, and show how far it is."""
        if self._report is None:
            return
        made = self._made
        while self._asked and not self._complete(made):
            began = time.perf_counter()
            value = next(each for each in self._report.wanted if each not in dict(made.frames))
            frame = self._report.frame(value).packed()
            made = replace(
                made, frames=(*made.frames, (value, frame)), seconds=made.seconds + time.perf_counter() - began
            )
            st.session_state[self._key] = made
            self._show()
        if self._asked:
            self._ask(False)
            self._show()

    def _show(self) -> None:
        """Show how far the report is, and the button that suits: *Make*, *Stop*, *Continue* or *Download*."""
        assert self._report is not None
        made, total = self._made, len(self._report.wanted)
        done = len(made.frames)
        shown = f"{count(done, 'setting is', 'settings are')} computed."
        enough = done >= min(MIN_FRAMES, total) and self._report.now in dict(made.frames)
        if self._asked:
            state, share = "Stop", max(done / total, min(made.seconds / SECONDS, done / MIN_FRAMES))
            self._bar.html(progress(round(100 * min(share, 1)), 100, shown))
        elif not enough:
            state = "Continue" if done else "Make the report"
            least = f"A report has at least {MIN_FRAMES}."
            self._bar.html(progress(done, MIN_FRAMES, f"{shown} {least}") if done else remark(ABOUT))
        elif self._covered_only and not self._report.guaranteed:
            state = ""
            self._bar.html(remark(NOT_COVERED))
        else:
            state = "Download the report"
            self._bar.html(progress(1, 1, shown))
        if state == self._drawn:  # a button can be drawn once in a run
            return
        self._drawn = state
        if state == "Download the report":
            self._download(self._buttons, made)
        elif state:
            self._buttons.button(state, key=f"report/{state}", on_click=self._ask, args=(state != "Stop",))
        else:
            self._buttons.empty()

    def _download(self, place: DeltaGenerator, made: Made) -> None:
        report, covered_only = self._report, self._covered_only
        assert report is not None

        def write() -> str:
            return write_report(report, dict(made.frames), covered_only=covered_only)

        part = "-covered-by-the-guarantee" if covered_only else ""
        file = f"privbo-{self._name}{part}.html"
        place.download_button("Download the report", write, file, "text/html", icon=":material/download:")

    def _ask(self, asked: bool) -> None:
        assert self._report is not None
        st.session_state[f"{self._key}/asked"] = (self._report.question,) if asked else None
