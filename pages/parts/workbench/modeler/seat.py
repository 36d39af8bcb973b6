"""The seat of who chooses what to test: the noisy map, the next question, what came out."""

import re
from contextlib import nullcontext

import streamlit as st

from pages.parts.export.offer import About, take_away
from pages.parts.live.desk import Desk
from pages.parts.shell.address import choose
from pages.parts.shell.depth import simple
from pages.parts.views.card import HOLDER, guarantee_card
from pages.parts.views.drawing import Place, download, heading, note, show
from pages.parts.views.templates import render
from pages.parts.views.views import Brief, Figure, keep_brief
from pages.parts.workbench.modeler import words
from pages.parts.workbench.modeler.search import (
    COLOURED,
    TELLING,
    Coloured,
    Search,
    draw_map,
    open_search,
    show_asking,
    show_telling,
    show_told,
)
from pages.parts.workbench.seats import PAGE, mine, offer_seat, say_kept, show_steps

SLOT = "noisy-map"


def show_modeler() -> None:
    desk = Desk(words.QUESTION)
    with desk.left:
        search = open_search()
    if search is None:
        with desk.first:
            show_steps(words.STEPS, words.step(None))
            st.html(render("brief.html", brief=Brief(words.EMPTY, (), (), "share")))
            note(words.NEEDED)
            note(words.NONE_SENT)
            with st.container(horizontal=True):
                offer_seat("rehearsal", "Take the rehearsal", ":material/sports_esports:")
                offer_seat("holder", "Release a sample yourself", ":material/outbox:")
        return
    modeler, package = search.modeler, search.modeler.package
    with desk.left:
        name = "-".join(re.findall(r"\w+", search.name.removesuffix(".zip").lower())) or "search"
        file = f"{name.removesuffix('-search')}-search.zip"
        download("Download the search, to be kept", search.file, file, "save", key="get-search", help=words.STATE)
        note(words.STATE)
        take_away(About(PAGE, f"{package.outcome.name}: a release of {package.rows:,} rows", own=True))
    with desk.first:
        show_steps(words.STEPS, words.step(modeler))
        if simple():
            shown = words.brief(modeler)
            keep_brief(shown)
            st.html(render("brief.html", brief=shown))
            st.html(render("facts.html", brief=shown))
        else:
            show(words.tiles(modeler))
        say_kept(TELLING)
        left, right = st.columns([1.35, 1], gap="medium")
        with left:
            _show_map(search)
            show_told(search)
        with right:
            show_asking(search)
            if modeler.pending:
                show_telling(search)
            if not simple() and modeler.outcomes:
                heading("Learned from what was told")
                show(words.learned_table(modeler))
    with desk.right, st.expander("What the release promises those who are in it") if simple() else nullcontext():
        show(guarantee_card(package.guarantee, conditions="Rests on", line=package.line, word=HOLDER))


def _show_map(search: Search) -> None:
    modeler, package = search.modeler, search.modeler.package
    place = Place(SLOT)
    shown: Coloured = "expected"
    columns = (0, min(1, package.frame.d - 1))
    if not simple():
        shown = choose(
            st.segmented_control,
            "The map shows",
            COLOURED,
            key="workbench_map",
            required=True,
            label_visibility="collapsed",
        )
        if package.frame.d > 2:
            names, places = list(package.frame.names), st.columns(2)
            across = places[0].selectbox("across", names, 0, key=mine("across"), persist_state="session")
            up = places[1].selectbox("up", names, 1, key=mine("up"), persist_state="session")
            # what was chosen of another release may have gone
            columns = (
                names.index(across) if across in names else 0,
                names.index(up) if up in names else 1,
            )
    found = modeler.map()
    values, meaning = (found.mean, package.outcome.name) if shown == "expected" else (found.deviation, "s.d.")
    picture, (right, high) = draw_map(modeler, columns, values, meaning)
    alt = (
        f"The noisy rows by {right} and {high}, coloured by {COLOURED[shown]}; tested rows numbered, "
        "rows asked for starred."
    )
    place.draw(Figure(SLOT, words.titled(modeler), picture, alt))
