"""The seat of who chooses what to test: the noisy map, the next question, what came out."""

import re

import streamlit as st

from pages.parts.export.offer import About, take_away
from pages.parts.live.desk import Desk
from pages.parts.shell.address import choose
from pages.parts.shell.depth import simple
from pages.parts.views.card import HOLDER, guarantee_card
from pages.parts.views.drawing import Place, heading, note, show
from pages.parts.views.templates import render
from pages.parts.views.views import Brief, Figure, keep_brief
from pages.parts.workbench.modeler import words
from pages.parts.workbench.modeler.search import (
    COLOURED,
    TELLING,
    Coloured,
    Search,
    map_of,
    open_search,
    show_asking,
    show_telling,
    show_told,
)
from pages.parts.workbench.seats import PAGE, mine, offer_seat, say_kept, show_steps
from privbo_core.outsourced.parties.package import Package

SLOT = "noisy-map"


def show_modeler() -> None:
    desk = Desk(words.QUESTION)
    with desk.left:
        search = open_search()
    if search is None:
        with desk.first:
            _invite()
        return
    modeler, package = search.modeler, search.modeler.package
    with desk.left:
        _keep(search)
        take_away(About(PAGE, f"{package.outcome.name}: a release of {package.rows:,} rows", own=True))
    with desk.first:
        _head(search)
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
    with desk.right:
        if simple():
            with st.expander("What the release promises those who are in it"):
                _show_promise(package)
        else:
            _show_promise(package)


def _invite() -> None:
    show_steps(words.STEPS, words.step(None))
    st.html(render("brief.html", brief=Brief(words.EMPTY, (), (), "share")))
    note(words.NEEDED)
    note(words.NONE_SENT)
    with st.container(horizontal=True):
        offer_seat("rehearsal", "Take the rehearsal", ":material/sports_esports:")
        offer_seat("holder", "Release a sample yourself", ":material/outbox:")


def _keep(search: Search) -> None:
    name = "-".join(re.findall(r"\w+", search.name.removesuffix(".zip").lower())) or "search"
    st.download_button(
        "Download the search, to be kept",
        search.file,
        f"{name.removesuffix('-search')}-search.zip",
        "application/zip",
        icon=":material/save:",
        on_click="ignore",
        key="get-search",
        help=words.STATE,
    )
    note(words.STATE)


def _head(search: Search) -> None:
    show_steps(words.STEPS, words.step(search.modeler))
    if not simple():
        show(words.tiles(search.modeler))
        return
    shown = words.brief(search.modeler)
    keep_brief(shown)
    st.html(render("brief.html", brief=shown))
    st.html(render("facts.html", brief=shown))


def _show_map(search: Search) -> None:
    modeler, package = search.modeler, search.modeler.package
    place = Place(SLOT)
    shown: Coloured = "expected"
    columns = (0, min(1, package.frame.d - 1))
    if not simple():
        shown = choose(
            st.segmented_control,
            "The map shows",
            list(COLOURED),
            key="workbench_map",
            required=True,
            format_func=COLOURED.__getitem__,
            label_visibility="collapsed",
        )
        if package.frame.d > 2:
            columns = _pick_columns(package)
    drawn = map_of(package.values, package.frame.names, [c.unit for c in package.frame.columns], columns)
    found = modeler.map()
    values = found.mean if shown == "expected" else found.deviation
    meaning = package.outcome.name if shown == "expected" else "s.d."
    picture = drawn.picture(values, meaning, list(modeler.outcomes), list(modeler.pending))
    alt = (
        f"The noisy rows by {drawn.axes[0]} and {drawn.axes[1]}, coloured by {COLOURED[shown]}; tested rows numbered, "
        "rows asked for starred."
    )
    place.draw(Figure(SLOT, words.titled(modeler), picture, alt))


def _pick_columns(package: Package) -> tuple[int, int]:
    names = list(package.frame.names)
    places = st.columns(2)
    across = places[0].selectbox("across", names, 0, key=mine("across"), persist_state="session")
    up = places[1].selectbox("up", names, 1, key=mine("up"), persist_state="session")
    known = [names.index(name) if name in names else k for k, name in enumerate((across, up))]
    return known[0], known[1]


def _show_promise(package: Package) -> None:
    show(guarantee_card(package.guarantee, conditions="Rests on", line=package.line, word=HOLDER))
