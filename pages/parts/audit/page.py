"""Audit: does the guarantee hold? Pick a mechanism, watch the attack run, at either depth."""

from dataclasses import replace
from typing import TypeVar

import streamlit as st

from pages.parts.audit.setup import pick, pick_plainly
from pages.parts.audit.view import QUESTION, SLOT, Plainly
from pages.parts.export.offer import take_away
from pages.parts.live.desk import Desk, Sheet, plain
from pages.parts.live.meaning import show_meaning
from pages.parts.live.work import follow
from pages.parts.shell.depth import offer_expert, simple
from pages.parts.system.system import Aim
from pages.parts.system.trials import TITLE, slot
from pages.parts.table.own_table import own_recipe, pick_problem
from pages.parts.views.content import prose
from pages.parts.views.drawing import Place, show
from pages.parts.views.templates import explain, render
from pages.parts.views.views import PROMISED, REFUTED_STAMP, Finding, Tile, View, Views
from privbo_core.privacy import Status

Stamped = TypeVar("Stamped", Tile, Finding)


def run() -> None:
    depth = Simple() if simple() else Expert()
    if views := depth.begin():
        follow(views, depth.draw)


class Simple:
    """One mechanism, one attack, and what it got."""

    def begin(self) -> Views | None:
        """Draw all but what is still to be found out, and return that; None where nothing can be attacked."""
        sheet = self._sheet = Sheet(SLOT, picture=False)
        with sheet.picker:
            choice = pick_plainly()
            attack = choice.attacked
            simulation = pick_problem("hospital") if attack.data else None
        shown, label = choice.simply.slider, choice.simply.label
        panel = [plain(slider) for slider in attack.sliders]
        panel = [replace(each, label=label) if label and each.key == shown else each for each in panel]
        aim = Aim(sheet.read(choice.which, panel, [shown]), simulation)
        self._plainly = Plainly(choice, aim)
        sheet.open(QUESTION, self._plainly.story)
        views = None if attack.refused(aim) else attack.run(aim)
        if views:
            self.draw(next(views))
        else:
            sheet.say(self._plainly.too_few)
        sheet.close_panel()
        with sheet.rest:
            take_away(choice.about(aim), (lambda: attack.script(aim, own_recipe())) if views else None)
            show_meaning(*attack.claim(aim))
            offer_expert("All attacks, and how they work: Expert", **{f"attack-{choice.key}": choice.attack})
        return views

    def draw(self, view: View) -> None:
        brief = self._plainly.brief(view)
        self._sheet.say(brief)
        self._sheet.place.draw(self._plainly.figure(view, brief))


class Expert:
    """All attacks: each in plain words, headline numbers above two figures, and a third below, redrawn in place."""

    def begin(self) -> Views | None:
        """Draw all but what is still to be found out, and return that; None where nothing can be attacked."""
        desk = Desk(TITLE)
        with desk.left:
            picked = pick()
            attack = picked.attacked
            simulation = pick_problem() if attack.data else None
        aim = Aim(desk.read(picked.which, attack.sliders), simulation)
        refused = attack.refused(aim)
        views = None if refused else attack.run(aim)
        self._refuted, key = attack.claim(aim)[0].status is Status.REFUTED, f"{picked.key}-{picked.attack}"
        with desk.at_once():
            st.html(render("attack_lead.html", text=attack.lead))
            self._tiles, (left, right) = st.empty(), st.columns(attack.ratio, gap="medium")
            with left:
                first = Place(slot(key, "left"), picture=False)
            with right:
                second = Place(slot(key, "right"), picture=False)
            self._places = first, second, Place(slot(key, "testing"), picture=False)
            if views:
                self.draw(next(views))
            else:
                st.info(refused)
        with desk.below_panel:
            take_away(picked.about(aim), (lambda: attack.script(aim, own_recipe())) if views else None)
        with desk.right:
            explain(*attack.explain(aim))
            st.caption(prose("audit", "what an audit can say"))
            show_meaning(*attack.claim(aim))
            if closing := picked.mechanism.closing:
                with st.expander("The finding, soberly"):
                    closing()
        return views

    def draw(self, view: View) -> None:
        show([self._stamped(tile) for tile in view.tiles], self._tiles)
        for place, figure in zip(self._places, view.figures, strict=False):
            place.draw(replace(figure, finding=self._stamped(figure.finding)))

    def _stamped(self, shown: Stamped) -> Stamped:
        """Return a tile or a finding with the stamp of a promise that is refuted, where this one is."""
        if not self._refuted:
            return shown
        return replace(shown, audience="refuted" if shown.audience in PROMISED else shown.audience, stamp=REFUTED_STAMP)
