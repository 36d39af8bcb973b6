"""Audit: does the guarantee hold? Pick a mechanism, watch the attack run."""

import streamlit as st

from pages.parts.audit import script as audit_scripts
from pages.parts.audit import words as audit_words
from pages.parts.audit.attacks import MECHANISMS, Panel, Scene, View
from pages.parts.bring.problems import own_recipe, pick_problem
from pages.parts.controls.live_sliders import read_controls, show_sliders
from pages.parts.frame.address import choose
from pages.parts.frame.pace import follow
from pages.parts.frame.record import keep_figure, under
from pages.parts.front_door import come_in
from pages.parts.show.chart import Chart
from pages.parts.show.explained import explaining
from pages.parts.show.look import apply_style
from pages.parts.show.meaning import show_meaning
from pages.parts.take_away.offer import about_problem, take_away
from pages.parts.take_away.report import About

PAGE = "Does the guarantee hold?"


class Half:
    """One half of the stage: a title and a figure or a table, redrawn in place."""

    def __init__(self, slot: str) -> None:
        self._title = st.empty()
        self._table = st.empty()
        self._slot = slot
        self._chart: Chart | None = None

    def draw(self, panel: Panel) -> None:
        """Show the panel as it is now."""
        self._title.html(panel.title)
        under(panel.title)
        if panel.table:
            self._table.html(panel.table)
            keep_figure(self._slot, None, panel.alt, panel.table)
        if panel.picture:
            self._chart = self._chart or Chart(self._slot)
            self._chart.draw(panel.picture, panel.alt)


come_in()
colours = apply_style()
left, right = st.columns([1, 3.6], gap="medium")
with left:
    st.html(f"<h1 class='pb-page'>{PAGE}</h1>")
    mechanism = choose(
        st.selectbox, "Mechanism", list(MECHANISMS), key="audited", format_func=lambda key: MECHANISMS[key][0]
    )
    attacks = MECHANISMS[mechanism][1]
    attack_key = choose(
        st.radio, "Attack", list(attacks), key=f"attack-{mechanism}", format_func=lambda key: attacks[key].name
    )
    attack = attacks[attack_key]
    simulation = pick_problem() if attack.data else None
    panel_place = st.container(key="controls")
which = f"{mechanism}/{attack_key}"
if st.session_state.get("audit/which", which) != which:
    # The address still holds the settings of another attack, whose sliders have other ranges.
    for slider in attack.sliders:
        st.query_params.pop(slider.key, None)
st.session_state["audit/which"] = which
controls = read_controls(which, attack.sliders)
scene = Scene(controls, simulation, colours)

with right:
    st.html(f'<p class="pb-note" style="margin:0;font-size:0.95rem">{audit_words.LEADS[which]}</p>')
    tiles_place = st.empty()
    # A table of records needs more room than a histogram.
    columns = st.columns([1.35, 1] if attack_key == "rebuild" else 2, gap="medium")
    halves: list[Half] = []
    for column, name in zip(columns, ("left", "right"), strict=True):
        with column:
            halves.append(Half(f"audit-{mechanism}-{attack_key}-{name}"))


def draw(view: View) -> None:
    """Show what the attack has found so far."""
    tiles_place.html(view.tiles)
    for column, half, panel in zip(columns, halves, (view.left, view.right), strict=True):
        with column:
            half.draw(panel)


views = attack.run(scene)
view = next(views)
draw(view)
with panel_place:
    # Only now, so that the panel sends its next change after the pictures above have been sent.
    show_sliders(which, attack.sliders, controls)
picked = ("Mechanism", MECHANISMS[mechanism][0]), ("Attack", attack.name)
with panel_place:
    take_away(
        about_problem(PAGE, simulation.problem, *picked)
        if simulation
        else About(PAGE, audit_words.DATA[mechanism], choices=picked),
        lambda: audit_scripts.audit(which, scene, own_recipe()),
    )
with right:
    heading, text = audit_words.explain(which, scene)
    with explaining(heading) as say:
        say(text)
    st.caption(audit_words.NEVER)
    show_meaning(*audit_words.claim(which, scene), colours)
    if mechanism == "projection":
        st.html('<h2 class="pb-heading">The finding, soberly</h2>')
        st.markdown(audit_words.FINDING)
        st.code(audit_words.CHECK, language="python")
        st.page_link("pages/outsourced.py", label="A release that keeps its promise, on Outsourced", icon=":material/hub:",
                     query_params={"release": "noisy"})  # fmt: skip

follow(views, draw)
