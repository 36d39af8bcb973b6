"""The list of scenes, dragged into order and edited in place; and what can be made of it."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import streamlit as st

from pages.parts.export import scenes
from pages.parts.export.scene_files import ScenesError, from_file, to_file, to_link
from pages.parts.export.scenes import ANSWERED, LONGEST_NOTE, LONGEST_TITLE, MOST_SCENES, NOW, Scene
from pages.parts.export.slides import deck, document, slides, take, taken
from pages.parts.export.travel import LINK, OPEN, go, present, take_in
from pages.parts.shell import address
from pages.parts.shell.session import attended
from pages.parts.views.text import as_markdown
from privbo_core.errors import DataError

HERE = Path(__file__).parent
KEY = "scenes-list"
_component = st.components.v2.component(
    "privbo_scenes",
    js=(HERE / "listing.js").read_text(encoding="utf-8"),
    css=(HERE / "listing.css").read_text(encoding="utf-8"),
)


def show_list(pages: Mapping[str, str]) -> None:
    """Show the list; ``pages``: their titles."""
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
    _component(
        key=KEY,
        data={
            "rows": rows,
            "now": st.session_state.get(NOW, ""),
            "ack": int(st.session_state.get(ANSWERED, 0)),
            "longest": {"title": LONGEST_TITLE, "note": LONGEST_NOTE},
        },
        default={"said": None},
        on_said_change=_said,
    )


def _said() -> None:
    state: Any = st.session_state.get(KEY)
    where = scenes.act(state.get("said") if isinstance(state, Mapping) else None)
    if where:
        go(where)


POWERPOINT = "application/vnd.openxmlformats-officedocument.presentationml.presentation"
READ, DRAWING = "scenes/read", "scenes/drawing"


def offer_scenes(pages: Mapping[str, str]) -> None:
    """Put the popover into the bar at the top; ``pages``: their titles, by their addresses."""
    with st.container(key="scenes-bar"):
        wide = st.popover(
            "Scenes",
            icon=":material/theaters:",
            key=OPEN,
            on_change="rerun",
        )
    if not wide.open:
        return
    known = scenes.scenes()
    with wide:
        with st.container(horizontal=True):
            st.button(
                "Keep as scene",
                key="scenes-keep",
                on_click=scenes.keep,
                icon=":material/add:",
                disabled=len(known) >= MOST_SCENES or not address.page(),
                help="The page as it is now: what is shown, and all its settings",
            )
            if known:
                st.button(
                    "Present the scenes",
                    key="scenes-present",
                    on_click=present,
                    icon=":material/slideshow:",
                    help="Arrow keys go from scene to scene; N shows your note; Esc ends",
                )
        if known:
            show_list(pages)
            _show_ways_out(pages)
        else:
            st.caption(
                "Keep a view, go on, keep the next: then present them with the arrow keys, or take them away as slides."
            )
        more = st.expander("Save, share, open", key="scenes-more", on_change="rerun")
        if more.open:
            with more:
                _show_files(pages)


def _show_ways_out(pages: Mapping[str, str]) -> None:
    known = scenes.scenes()
    name = f"privbo-scenes-{datetime.now().astimezone():%Y-%m-%d}"
    wanted = slides(known, pages, _where())
    unseen = sum(not scene.snapshot for scene in known)
    if unseen:
        few = "One scene has" if unseen == 1 else f"{unseen} scenes have"
        st.caption(f"{few} no picture yet: present the scenes once, then make slides.")
    left, right = st.columns(2)
    left.download_button(
        "Slides as PDF",
        lambda: document(wanted),
        f"{name}.html",
        "text/html",
        on_click="ignore",
        width="stretch",
        icon=":material/print:",
        key="scenes-pdf",
        help="A file that your browser prints: open it, then press “Print, or save as PDF”",
    )
    with right:
        _offer_deck(known, pages, name)


@st.fragment
def _offer_deck(known: list[Scene], pages: Mapping[str, str], name: str) -> None:
    """Show the button that has the pictures drawn; once they are, the one that saves them."""
    wanted = slides(known, pages, _where())
    which = [(slide.scene.id, slide.scene.slot) for slide in wanted]
    if st.session_state.get(DRAWING) != which:
        st.button(
            "Slides for PowerPoint",
            key="scenes-draw",
            icon=":material/co_present:",
            on_click=st.session_state.update,
            width="stretch",
            args=({DRAWING: which},),
            help="Titles and notes can be edited there",
        )
        return
    done, of = take(wanted)
    if done < of:
        st.button(f"Drawing {done + 1} of {of}", key="scenes-drawing", disabled=True, width="stretch")
    else:
        pictures = taken(wanted)
        st.download_button(
            "Save for PowerPoint",
            lambda: deck(wanted, pictures),
            f"{name}.pptx",
            POWERPOINT,
            on_click="ignore",
            key="scenes-pptx",
            icon=":material/download:",
            width="stretch",
        )


def _show_files(pages: Mapping[str, str]) -> None:
    """Show how scenes are saved, shared and opened again."""
    known = scenes.scenes()
    own = sum(scene.own for scene in known)
    if known:
        name = f"privbo-scenes-{datetime.now().astimezone():%Y-%m-%d}.json"
        st.download_button(
            "Save as a file",
            lambda: to_file(known),
            name,
            "application/json",
            on_click="ignore",
            icon=":material/save:",
            key="scenes-file",
            help="It can be opened here again, or in another browser",
        )
    if own < len(known):
        try:
            packed = to_link(known)
        except ScenesError as problem:
            st.caption(str(problem))
        else:
            st.caption("As a link:")
            st.code(f"{_where()}/?{LINK}={packed}", language=None)
    if own:
        st.caption(
            "Scenes of your own data are in no link. The file has their settings and notes, and nothing that was drawn."
        )
    file = st.file_uploader("Open a file of scenes", type=["json"], key="scenes-open", max_upload_size=20)
    if file is None or st.session_state.get(READ) == file.file_id:
        return
    try:
        with attended():
            brought = from_file(file.getvalue(), pages)
    except (ScenesError, DataError) as problem:
        st.session_state[READ] = file.file_id
        st.error(as_markdown(str(problem)))
    else:
        st.session_state[READ] = file.file_id
        take_in(brought)
        st.rerun()


def _where() -> str:
    """Return the address at which PrivBO runs."""
    here, base = urlsplit(st.context.url or ""), st.get_option("server.baseUrlPath").strip("/")
    return f"{here.scheme}://{here.netloc}{f'/{base}' if base else ''}" if here.netloc else ""
