"""From scene to scene: the page changes, its settings are those of the scene, and the presenter view follows."""

from collections.abc import Mapping, Set
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.navigation.page import StreamlitPage

from pages.parts.export import scenes
from pages.parts.export.scene_files import from_file, from_link, to_file, to_link
from pages.parts.export.scenes import ANSWERED, LONGEST, MOST, NOW, SHOWING, Scene
from pages.parts.export.slides import Slide, deck, document, slides, take, taken
from pages.parts.shell import address
from pages.parts.shell.session import read_once
from pages.parts.views.drawing import component, download
from pages.parts.views.text import as_markdown
from privbo_core.errors import DataError

LINK, TARGET, SAID, OPEN = "scenes", "scenes/target", "scenes/said", "scenes"
HERE = Path(__file__).parent
_traveller = component("scene", HERE / "stage.js", HERE / "stage.css", isolate_styles=False)
_listing = component("scenes", HERE / "listing.js", HERE / "listing.css")


def go(which: str) -> None:
    """Go to a scene in the next run."""
    scene = scenes.scene(which)
    if scene is None:
        return
    st.session_state[NOW], st.session_state[TARGET] = which, (scene.page, scene.settings)
    if scene.own:
        st.session_state.update(st.session_state.get(scenes.OWN_SECRETS, {}).get(which, {}))
    address.come_anew()


def follow(pages: Mapping[str, StreamlitPage], bound: Set[str]) -> None:
    """Go where somebody has asked to go, and take in the scenes of a link. Call it before the visitor has arrived.

    ``bound``: the keys of the widgets that Streamlit itself keeps in the address.
    """
    packed = st.query_params.get(LINK)
    if packed is not None:
        del st.query_params[LINK]
        try:
            brought = from_link(packed, pages)
        except DataError as problem:
            st.session_state[SAID] = str(problem)
        else:
            take_in(brought)
    if TARGET in st.session_state:
        page, settings = st.session_state.pop(TARGET)
        st.switch_page(pages[page], query_params=_bound(settings, bound))


def _bound(settings: Mapping[str, str], bound: Set[str]) -> dict[str, str]:
    """Set what Streamlit itself keeps in the address, which only the widget can change; return what is left to set."""
    left = dict(settings)
    for name in bound - left.keys():
        now = st.session_state.get(name)
        if isinstance(now, bool):
            st.session_state[name] = False
        elif isinstance(now, str):
            st.session_state[name] = ""  # no tab’s name: the first one opens
    for name in bound & left.keys():
        try:
            st.query_params[name] = left[name]
        except StreamlitAPIException:  # its widget is on the page that is being left
            value, now = left.pop(name), st.session_state.get(name)
            if isinstance(now, bool):
                st.session_state[name] = value.lower() == "true"
            elif isinstance(now, str):
                st.session_state[name] = value
    return left


def take_in(brought: list[Scene]) -> None:
    """Put scenes from elsewhere after those there are, and go to the first of them."""
    scenes.put([*scenes.scenes(), *brought])
    many = "1 scene opened: it stands" if len(brought) == 1 else f"{len(brought)} scenes opened: they stand"
    st.session_state[SAID] = f"{many} under Scenes, at the top."
    go(brought[0].id)


def say() -> None:
    """Say what came of a link or a file, once."""
    if said := st.session_state.pop(SAID, ""):
        st.toast(as_markdown(said), icon=":material/theaters:")


def present() -> None:
    """Begin with the scene that is shown, otherwise with the first."""
    known = [scene.id for scene in scenes.scenes()]
    if known:
        st.session_state[SHOWING] = True
        now = st.session_state.get(NOW)
        go(now if now in known else known[0])
    st.session_state[OPEN] = False


def step(where: str) -> None:
    known = [scene.id for scene in scenes.scenes()]
    if not known:
        return leave()
    now, last = known.index(st.session_state[NOW]) if st.session_state.get(NOW) in known else 0, len(known) - 1
    return go(known[{"first": 0, "previous": max(now - 1, 0), "next": min(now + 1, last), "last": last}[where]])


def leave() -> None:
    st.session_state[SHOWING] = False


def stage() -> None:
    """While scenes are presented: the buttons that the arrow keys press, which scene this is, the speaker's note."""
    known = scenes.scenes() if st.session_state.get(SHOWING) else []
    now = next((k for k, scene in enumerate(known) if scene.id == st.session_state.get(NOW)), None)
    scene = None if now is None else known[now]
    with st.container(key="scenes-stage"):
        if scene:
            for name in ("first", "previous", "next", "last"):
                nowhere = now == (0 if name in ("first", "previous") else len(known) - 1)
                label, key = f"{name.capitalize()} scene", f"scenes-{name}"
                st.button(label, key=key, on_click=step, args=(name,), disabled=nowhere)
            st.button("Leave the scenes", key="scenes-leave", on_click=leave)
        said = dict.fromkeys(("scene", "slot", "count", "note", "title"), "")
        if scene:
            count = f"Scene {(now or 0) + 1} / {len(known)}"
            said = {"scene": scene.id, "slot": scene.figure(), "count": count, "note": scene.note, "title": scene.title}
        data = {"showing": scene is not None, **said, "visit": address.visit()}
        _traveller(key="scenes-now", data=data, height=1)


KEY = "scenes-list"


def show_list(pages: Mapping[str, str]) -> None:
    rows = [
        {
            "id": scene.id,
            "page": pages.get(scene.page, ""),
            "title": scene.heading() or pages.get(scene.page, ""),
            "note": scene.note,
            "own": scene.own,
            "slot": scene.figure(),
            "shots": [[shot.slot, shot.title] for shot in scene.snapshot.shots] if scene.snapshot else [],
        }
        for scene in scenes.scenes()
    ]
    now, answered = st.session_state.get(NOW, ""), int(st.session_state.get(ANSWERED, 0))
    longest = {name: LONGEST[name] for name in ("title", "note")}
    data = {"rows": rows, "now": now, "ack": answered, "longest": longest}
    _listing(key=KEY, data=data, default={"said": None}, on_said_change=_act)


def _act() -> None:
    state: Any = st.session_state.get(KEY)
    if where := scenes.act(state.get("said") if isinstance(state, Mapping) else None):
        go(where)


READ, DRAWING = "scenes/read", "scenes/drawing"


def offer_scenes(pages: Mapping[str, str]) -> None:
    """Put the popover into the bar at the top; ``pages``: their titles, by their addresses."""
    with st.container(key="scenes-bar"):
        wide = st.popover("Scenes", icon=":material/theaters:", key=OPEN, on_change="rerun")
    if not wide.open:
        return
    known = scenes.scenes()
    with wide:
        with st.container(horizontal=True):
            said, full = "The page as it is now: what is shown, and all its settings", len(known) >= MOST["scenes"]
            nowhere, icon = full or not address.page(), ":material/add:"
            st.button("Keep as scene", "scenes-keep", said, scenes.keep, icon=icon, disabled=nowhere)
            if known:
                icon, said = ":material/slideshow:", "Arrow keys go from scene to scene; N shows your note; Esc ends"
                st.button("Present the scenes", key="scenes-present", on_click=present, icon=icon, help=said)
        if known:
            show_list(pages)
            _show_slides(known, pages)
        else:
            how = "Keep a view, go on, keep the next: then present them with the arrow keys"
            st.caption(f"{how}, or take them away as slides.")
        more = st.expander("Save, share, open", key="scenes-more", on_change="rerun")
        if more.open:
            with more:
                _show_files(known, pages)


def _show_slides(known: list[Scene], pages: Mapping[str, str]) -> None:
    name = f"privbo-scenes-{datetime.now().astimezone():%Y-%m-%d}"
    wanted = slides(known, pages, _where())
    unseen = sum(not scene.snapshot for scene in known)
    if unseen:
        few = "One scene has" if unseen == 1 else f"{unseen} scenes have"
        st.caption(f"{few} no picture yet: present the scenes once, then make slides.")
    left, right = st.columns(2)
    with left:
        said = "A file that your browser prints: open it, then press “Print, or save as PDF”"
        pdf = f"{name}.html"
        download("Slides as PDF", lambda: document(wanted), pdf, "print", key="scenes-pdf", help=said, width="stretch")
    with right:
        _offer_deck(wanted, f"{name}.pptx")


@st.fragment
def _offer_deck(wanted: list[Slide], name: str) -> None:
    """Show the button that has the pictures drawn; once they are, the one that saves them."""
    which = [(slide.scene.id, slide.scene.slot) for slide in wanted]
    if st.session_state.get(DRAWING) != which:
        said, draw = "Titles and notes can be edited there", st.session_state.__setitem__
        look: dict[str, Any] = {"icon": ":material/co_present:", "width": "stretch"}
        st.button("Slides for PowerPoint", "scenes-draw", said, draw, (DRAWING, which), **look)
        return
    done, of = take(wanted)
    if done < of:
        st.button(f"Drawing {done + 1} of {of}", key="scenes-drawing", disabled=True, width="stretch")
    else:
        pictures, key = taken(wanted), "scenes-pptx"
        download("Save for PowerPoint", lambda: deck(wanted, pictures), name, "download", key=key, width="stretch")


def _show_files(known: list[Scene], pages: Mapping[str, str]) -> None:
    own = sum(scene.own for scene in known)
    if known:
        name = f"privbo-scenes-{datetime.now().astimezone():%Y-%m-%d}.json"
        said = "It can be opened here again, or in another browser"
        download("Save as a file", lambda: to_file(known), name, "save", key="scenes-file", help=said)
    if own < len(known):
        try:
            packed = to_link(known)
        except DataError as problem:
            st.caption(str(problem))
        else:
            st.caption("As a link:")
            st.code(f"{_where()}/?{LINK}={packed}", language=None)
    if own:
        saved = "The file has their settings and notes, and nothing that was drawn."
        st.caption(f"Scenes of your own data are in no link. {saved}")
    file = st.file_uploader("Open a file of scenes", type=["json"], key="scenes-open", max_upload_size=20)
    brought, fault = read_once(file, READ, lambda file: from_file(file.getvalue(), pages))
    if fault:
        st.error(as_markdown(fault))
    if brought:
        take_in(brought)
        st.rerun()


def _where() -> str:
    here, base = urlsplit(st.context.url or ""), st.get_option("server.baseUrlPath").strip("/")
    return f"{here.scheme}://{here.netloc}{f'/{base}' if base else ''}" if here.netloc else ""
