"""What is set before the first release; the release itself, never twice by accident; and what goes out."""

import re
from dataclasses import replace
from functools import partial
from typing import Any

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.export.record import offer_record
from pages.parts.live.desk import START
from pages.parts.live.sliders import of_epsilon
from pages.parts.outsourced.shape import noise_in
from pages.parts.shell.depth import simple
from pages.parts.system import system
from pages.parts.table.framing import ask_sure
from pages.parts.table.upload import unnamed
from pages.parts.views.drawing import download, heading, note
from pages.parts.views.text import as_markdown
from pages.parts.workbench.holder import words
from pages.parts.workbench.holder.ledger import HolderState
from pages.parts.workbench.holder.table import Held
from pages.parts.workbench.seats import forget_fault, mine
from privbo_core.deployment import searched
from privbo_core.errors import DataError
from privbo_core.outsourced import Setting
from privbo_core.outsourced.answers import Private

KEY = "workbench"
SLIDERS = [
    of_epsilon(*system.EPSILONS, START, "How much the release may tell about one record.", present=True),
    system.ASKED_DELTA,
    replace(system.ASKED_TESTS, help="For the simulated searches alone: as many outcomes as you mean to answer."),
]


def show_release(held: Held, kept: HolderState, setting: Setting, terms: Private | None, *, ready: bool) -> None:
    heading("Release")
    ledger, place = kept.ledger, st.container()
    if not ledger.releases:
        _show_button(held, kept, setting, terms, ready, place)
        return
    with place:
        if kept.package is not None:
            _offer(held, kept)
        else:
            if ledger.releases[-1].finished:
                note(f"{words.ELSEWHERE} {words.missed(ledger, short=simple())}".rstrip())
            else:
                st.info(words.BEGUN)
            offer_ledger(held, kept)
        if kept.released:
            offer_record(partial(searched, ledger), file_name(held))
    with st.expander("Release it again"):
        _show_button(held, kept, setting, terms, ready, place)


def _show_button(
    held: Held, kept: HolderState, setting: Setting, terms: Private | None, ready: bool, place: DeltaGenerator
) -> None:
    ledger, again, accepted = kept.ledger, False, False
    if ledger.releases:
        after = ledger.after_release(setting.epsilon, setting.noisy_delta, held.frame, noise=setting.shape)
        st.warning(as_markdown(words.further(ledger, after)))
        again = st.checkbox("Release it once more, at that price", key=mine(f"again/{kept.times}"))
    else:
        note(f"{words.leaves(held)} {words.counted_twice(held)}".rstrip())
    if not simple():
        note(noise_in(setting, held.frame))
    for moved in held.frame.moved(held.cells) if held.own else ():
        st.warning(as_markdown(moved))
    if not held.frame.public:
        said = "The promise then holds only if the frame could have been known without looking."
        key = mine(f"{held.identity}/read off/{kept.times}")
        accepted = st.checkbox("Release although the frame was read off the data", key=key, help=said)
    unsure = ask_sure(held.frame, held.read) if held.own else ""
    sure = not unsure and again >= bool(ledger.releases) and accepted >= (not held.frame.public)
    # While a page is drawn anew the last table's button still stands there: pressed, it releases no other table.
    pressed = st.button(
        "Release again" if ledger.releases else "Release",
        type="secondary" if ledger.releases else "primary",
        icon=":material/outbox:",
        disabled=not (ready and sure),
        key=f"release-{unnamed(held.identity)}-{kept.times}",
        on_click=forget_fault,
        help="The noise comes from the operating system: nobody can repeat it, and no seed is set.",
    )
    if not pressed:
        return
    how: dict[str, Any] = {"noise": setting.shape, "accept_read_off": accepted, "again": again, "looked": held.looked}
    if not kept.released:
        how |= {"outcome": held.outcome, "private": terms}
    bar = place.progress(0.0, "Adding noise …")
    try:
        for step in kept.curator.release(held.frame, setting.epsilon, setting.noisy_delta, **how):
            bar.progress(step.done / step.total, "Adding noise …")
            if step.package is not None:
                kept.hand_out(step.package)
    except DataError as fault:
        place.error(as_markdown(str(fault)), icon=":material/error:")
        return
    kept.changed()
    st.rerun()


def _offer(held: Held, kept: HolderState) -> None:
    name = file_name(held)
    assert kept.package is not None
    kind, file = "secondary" if kept.waiting or kept.given else "primary", f"{name}-release-{kept.package.release}.zip"
    with st.container(horizontal=True):
        download("Download the ZIP, to be sent", kept.zipped, file, "download", type=kind, key="get-zip")
        offer_ledger(held, kept)
    same = kept.package.frame.names == held.frame.names  # else the searches are simulated on other columns
    sent = f"The ZIP is for {held.sample.chooser}: {kept.package.rows:,} noisy rows in a new order."
    missed, twice = words.missed(kept.ledger, short=simple()), words.counted_twice(held) if same else ""
    note(f"{sent} The ledger knows that order: keep it to yourself. {missed} {twice}".rstrip())


def offer_ledger(held: Held, kept: HolderState, key: str = "get-ledger") -> None:
    label, file = "Download the ledger, to be kept", f"{file_name(held)}-ledger.json"
    download(label, kept.store.data, file, "lock", on_click=kept.save, key=key)


def file_name(held: Held) -> str:
    return "-".join(re.findall(r"\w+", held.title.partition(":")[0].partition(".")[0].lower())) or "table"
