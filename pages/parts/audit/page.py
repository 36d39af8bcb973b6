"""Audit: does the guarantee hold? Pick a mechanism, watch the attack run."""

from dataclasses import dataclass

import streamlit as st

from pages.parts import systems
from pages.parts.audit.plain.page import run as show_simply
from pages.parts.audit.stage import Stage
from pages.parts.audit.textbook import TEXTBOOK
from pages.parts.bring.problems import own_recipe, pick_problem
from pages.parts.frame.address import choose, visit
from pages.parts.frame.depth import simple
from pages.parts.frame.live import follow
from pages.parts.show.desk import Desk
from pages.parts.show.explained import explaining
from pages.parts.show.meaning import show_meaning
from pages.parts.system.attack import Attack, Audited, Scene
from pages.parts.system.trials import TITLE
from pages.parts.take_away.offer import about_problem, take_away
from pages.parts.take_away.report import About
from privbo_core.privacy import Status

NEVER = "An audit can refute a claim. It can never prove one: “not refuted” means that this attack, with this many trials, found nothing."
BEFORE = "audit/which"


@dataclass(frozen=True)
class Picked:
    """The mechanism that is audited and the attack on it."""

    mechanism: Audited
    attack: Attack

    @property
    def which(self) -> str:
        """The name of the attack's panel of sliders."""
        return f"{self.mechanism.key}/{self.attack.key}"


def run() -> None:
    """Show the page."""
    if simple():
        show_simply()
        return
    desk = Desk(TITLE)
    with desk.left:
        picked = pick()
        attack = picked.attack
        simulation = pick_problem() if attack.data else None
    scene = Scene(desk.read(picked.which, attack.sliders), simulation)
    with desk.at_once():
        stage = Stage(picked.mechanism, attack, refuted=attack.claim(scene)[0].status is Status.REFUTED)
        if refused := attack.refused(scene):
            st.info(refused)
        else:
            views = attack.run(scene)
            stage.draw(next(views))
    with desk.below_panel:
        take_away(about(picked, scene), None if refused else lambda: attack.script(scene, own_recipe()))
    with desk.right:
        heading, text = attack.explain(scene)
        with explaining(heading) as say:
            say(text)
        st.caption(NEVER)
        show_meaning(*attack.claim(scene))
        if picked.mechanism.closing:
            with st.expander("The finding, soberly"):
                picked.mechanism.closing()
    if not refused:
        follow(views, stage.draw)


def pick() -> Picked:
    """Show the pickers of a mechanism and of an attack on it."""
    audited = {each.key: each for each in (*(a for system in systems.SYSTEMS for a in system.audited), TEXTBOOK)}
    key = choose(st.selectbox, "Mechanism", list(audited), key="audited", format_func=lambda key: audited[key].name)
    attacks = {each.key: each for each in audited[key].attacks}
    attack = choose(st.radio, "Attack", list(attacks), key=f"attack-{key}", format_func=lambda key: attacks[key].name)
    picked = Picked(audited[key], attacks[attack])
    now = visit(), picked.which
    before = st.session_state.get(BEFORE, now)
    if before[0] == now[0] and before != now:
        # Chosen here: the address still holds the settings of another attack, whose sliders have other ranges. Whoever
        # comes by a link brings the settings that are meant.
        for slider in picked.attack.sliders:
            st.query_params.pop(slider.key, None)
    st.session_state[BEFORE] = now
    return picked


def about(picked: Picked, scene: Scene) -> About:
    """Return what the report is about."""
    choices = ("Mechanism", picked.mechanism.name), ("Attack", picked.attack.name)
    if scene.simulation:
        return about_problem(TITLE, scene.problem, *choices)
    return About(TITLE, picked.mechanism.data, choices=choices)
