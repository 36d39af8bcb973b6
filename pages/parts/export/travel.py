"""From scene to scene: the page changes, its settings are those of the scene, and the presenter view follows."""

from collections.abc import Mapping, Set
from pathlib import Path

import streamlit as st
from streamlit.errors import StreamlitAPIException
from streamlit.navigation.page import StreamlitPage

from pages.parts.export import scenes
from pages.parts.export.scene_files import ScenesError, from_link
from pages.parts.export.scenes import NOW, OWN_SECRETS, SHOWING, Scene
from pages.parts.shell import address
from pages.parts.views.text import as_markdown

HERE = Path(__file__).parent
LINK, TARGET, SAID, OPEN = "scenes", "scenes/target", "scenes/said", "scenes"
_component = st.components.v2.component(
    "privbo_scene",
    js=(HERE / "stage.js").read_text(encoding="utf-8"),
    css=(HERE / "stage.css").read_text(encoding="utf-8"),
    isolate_styles=False,
)


def go(which: str) -> None:
    """Go to a scene in the next run."""
    scene = scenes.scene(which)
    if scene is None:
        return
    st.session_state[NOW], st.session_state[TARGET] = which, (scene.page, scene.settings)
    if scene.own:
        for key, choice in st.session_state.get(OWN_SECRETS, {}).get(which, {}).items():
            st.session_state[key] = choice
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
        except ScenesError as problem:
            st.session_state[SAID] = str(problem)
        else:
            take_in(brought)
    if TARGET in st.session_state:
        page, settings = st.session_state.pop(TARGET)
        st.switch_page(pages[page], query_params=_bound(settings, bound))


def _bound(settings: Mapping[str, str], bound: Set[str]) -> dict[str, str]:
    """Set what Streamlit itself keeps in the address, which only the widget can change.

    Return what is left to be set.
    """
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
    had = scenes.scenes()
    scenes.put([*had, *brought])
    one = len(brought) == 1
    st.session_state[SAID] = (
        f"{len(brought)} scene{'' if one else 's'} opened: {'it stands' if one else 'they stand'} under Scenes, at the "
        "top."
    )
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
    """Go on, back, or to either end."""
    known = [scene.id for scene in scenes.scenes()]
    if not known:
        return leave()
    now = known.index(st.session_state[NOW]) if st.session_state.get(NOW) in known else 0
    to = {"first": 0, "previous": max(now - 1, 0), "next": min(now + 1, len(known) - 1), "last": len(known) - 1}[where]
    return go(known[to])


def leave() -> None:
    """End the presentation."""
    st.session_state[SHOWING] = False


def stage() -> None:
    """While scenes are presented.

    The buttons that the arrow keys press, which scene this is, and the speaker's note.
    """
    showing = bool(st.session_state.get(SHOWING))
    known = scenes.scenes()
    now = next((k for k, scene in enumerate(known) if scene.id == st.session_state.get(NOW)), None)
    with st.container(key="scenes-stage"):
        if showing and now is not None:
            for name in ("first", "previous", "next", "last"):
                nowhere = now == (0 if name in ("first", "previous") else len(known) - 1)
                st.button(
                    f"{name.capitalize()} scene", key=f"scenes-{name}", on_click=step, args=(name,), disabled=nowhere
                )
            st.button("Leave the scenes", key="scenes-leave", on_click=leave)
        scene = known[now] if showing and now is not None else None
        _component(
            key="scenes-now",
            data={
                "showing": scene is not None,
                "scene": scene.id if scene else "",
                "slot": scene.figure() if scene else "",
                "count": f"Scene {(now or 0) + 1} / {len(known)}" if scene else "",
                "note": scene.note if scene else "",
                "title": scene.title if scene else "",
                "visit": address.visit(),
            },
            height=1,
        )
