"""What is set before the first release; the release itself, never twice by accident; and what goes out."""

import re
from dataclasses import replace
from functools import partial
from typing import Literal

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.export.record import offer_record
from pages.parts.live.desk import START
from pages.parts.live.sliders import of_epsilon
from pages.parts.shell.address import choose
from pages.parts.shell.depth import simple
from pages.parts.system import system
from pages.parts.table.framing import ask_sure, numbers_typed
from pages.parts.table.upload import unnamed
from pages.parts.views.drawing import heading, note
from pages.parts.views.text import as_markdown, unmarked
from pages.parts.workbench.holder import words
from pages.parts.workbench.holder.ledger import HolderState
from pages.parts.workbench.holder.table import Held
from pages.parts.workbench.seats import forget_fault, mine
from privbo_core.data.columns import decimal_mark
from privbo_core.deployment import searched
from privbo_core.errors import DataError
from privbo_core.outsourced import Setting
from privbo_core.outsourced.parties.terms import Private

KEY = "workbench"
SLIDERS = [
    of_epsilon(*system.EPSILONS, START, "How much the release may tell about one record.", present=True),
    system.ASKED_DELTA,
    replace(system.ASKED_TESTS, help="For the simulated searches alone: as many outcomes as you mean to answer."),
]
EXACT, PRIVATE, LAPLACE = "exact", "private", "laplace"
KINDS = {EXACT: "exact", PRIVATE: "private", LAPLACE: "private, without δ"}
PARTS = {
    "low": ("from", "The least value that an outcome can have. What is below counts as this."),
    "high": ("to", "The greatest value that an outcome can have. What is above counts as this."),
    "hide": ("hide ±", "So much of an outcome stays hidden; the noise is made for it."),
    "epsilon": ("ε of an answer", "How much one answer may tell about that record’s outcome."),
}
WIDE = (
    "A range wider than what is hidden costs nothing: noise follows the smaller. Beyond an end, outcomes cannot be "
    "told apart."
)


def pick_terms(held: Held, delta: float) -> Private | None:
    """Ask how outcomes will be answered: None for exactly. Raises DataError for terms that cannot be."""
    kind = choose(
        st.segmented_control,
        "Answers",
        list(KINDS),
        key="answers",
        required=True,
        persist_state="session",
        format_func=KINDS.__getitem__,
        help="Exact answers tell the whole outcome. Private ones are clipped to a range and carry noise: Gaussian, or "
        "without δ Laplace noise, which is less at the same ε and tells its attacker more.",
    )
    if kind == EXACT:
        return None
    proposed = held.sample.answers
    texts = {}
    for place, (part, (label, meaning)), before in zip(
        (*st.columns(2), *st.columns(2)), PARTS.items(), proposed, strict=True
    ):
        texts[part] = place.text_input(
            label, before, key=mine(f"{held.identity}/{part}"), help=meaning, max_chars=30, persist_state="session"
        )
    note(WIDE)
    known_from = st.text_input(
        "range known from",
        key=mine(f"{held.identity}/known_from"),
        max_chars=300,
        persist_state="session",
        help="From where range and hidden change were known before anyone looked at the outcomes: "
        "what the instrument can measure, a scale’s ends. Empty: the promise is conditional.",
    )
    asked = {part: (f"“{PARTS[part][0]}” of private answers", text) for part, text in texts.items()}
    usually = Private(
        **numbers_typed(asked, decimal_mark(held.table)),
        delta=delta,
        known_from=unmarked(known_from.strip()),
        noise="gaussian",
    )
    if kind == PRIVATE:
        return usually
    private = replace(usually, delta=0.0, noise="laplace")
    note(less_noise(usually, private, held.outcome.unit))
    return private


def less_noise(usually: Private, private: Private, unit: str) -> str:
    """Return what Laplace noise changes, at the same ε: how much noise, and what the best attacker can do."""
    unit = f" {unit}" if unit else ""
    return (
        f"Noise of ± {private.sigma:.3g}{unit} instead of ± {usually.sigma:.3g}{unit} at this ε. It is less noise, not "
        f"more protection: the best attacker is right {100 * private.mechanism.guessed:.0f} times in 100 instead of "
        f"{100 * usually.mechanism.guessed:.0f}."
    )


def show_release(held: Held, kept: HolderState, setting: Setting, terms: Private | None, *, ready: bool) -> None:
    """Show the button that releases; then the files, and folded away the way to a second release."""
    heading("Release")
    ledger = kept.ledger
    place = st.container()
    if not ledger.releases:
        _show_button(held, kept, setting, terms, (ready, place))
        return
    with place:
        if kept.package is not None:
            _offer(held, kept)
        elif not ledger.releases[-1].finished:
            st.info(words.BEGUN)
            offer_ledger(held, kept)
        else:
            note(f"{words.ELSEWHERE} {_rows(kept)}".rstrip())
            offer_ledger(held, kept)
        if kept.released:
            offer_record(partial(searched, ledger), file_name(held))
    with st.expander("Release it again"):
        _show_button(held, kept, setting, terms, (ready, place))


def _show_button(
    held: Held, kept: HolderState, setting: Setting, terms: Private | None, how: tuple[bool, DeltaGenerator]
) -> None:
    """Show what a release needs to be told first, and the button.

    ``how``: whether all is said, and where it shows how far it is.
    """
    (ready, place), ledger = how, kept.ledger
    again = accepted = False
    if ledger.releases:
        st.warning(
            as_markdown(
                words.further(
                    ledger, ledger.after_release(setting.epsilon, setting.noisy_delta, held.frame, noise=setting.shape)
                )
            )
        )
        again = st.checkbox("Release it once more, at that price", key=mine(f"again/{kept.times}"))
    else:
        note(f"{words.leaves(held)} {words.counted_twice(held)}".rstrip())
    if not simple():
        note(words.noise(held, setting))
    for moved in held.frame.moved(held.cells) if held.own else ():
        st.warning(as_markdown(moved))
    if not held.frame.public:
        accepted = st.checkbox(
            "Release although the frame was read off the data",
            key=mine(f"{held.identity}/read off/{kept.times}"),
            help="The promise then holds only if the frame could have been known without looking.",
        )
    unsure = ask_sure(held.frame, held.read) if held.own else ""
    sure = not unsure and again >= bool(ledger.releases) and accepted >= (not held.frame.public)
    label = "Release again" if ledger.releases else "Release"
    kind: Literal["secondary", "primary"] = "secondary" if ledger.releases else "primary"
    source = "The noise comes from the operating system: nobody can repeat it, and no seed is set."
    # While a page is drawn anew the last table's button still stands there: pressed, it releases no other table.
    if st.button(
        label,
        type=kind,
        icon=":material/outbox:",
        disabled=not (ready and sure),
        key=f"release-{unnamed(held.identity)}-{kept.times}",
        on_click=forget_fault,
        help=source,
    ):
        with place:
            _release(held, kept, setting, terms, (again, accepted))


def _release(
    held: Held, kept: HolderState, setting: Setting, terms: Private | None, confirmed: tuple[bool, bool]
) -> None:
    bar = st.progress(0.0, "Adding noise …")
    again, accepted = confirmed
    try:
        steps = kept.curator.release(
            held.frame,
            setting.epsilon,
            setting.noisy_delta,
            noise=setting.shape,
            outcome=None if kept.released else held.outcome,
            private=None if kept.released else terms,
            accept_read_off=accepted,
            again=again,
            looked=held.looked,
        )
        for step in steps:
            bar.progress(step.done / step.total, "Adding noise …")
            if step.package is not None:
                kept.hand_out(step.package)
    except DataError as fault:
        st.error(as_markdown(str(fault)), icon=":material/error:")
        return
    kept.changed()
    st.rerun()


def _offer(held: Held, kept: HolderState) -> None:
    """Show the buttons that download what goes out, and what stays."""
    name = file_name(held)
    assert kept.package is not None
    kind: Literal["secondary", "primary"] = "secondary" if kept.waiting or kept.given else "primary"
    with st.container(horizontal=True):
        st.download_button(
            "Download the ZIP, to be sent",
            kept.zipped,
            f"{name}-release-{kept.package.release}.zip",
            "application/zip",
            type=kind,
            icon=":material/download:",
            on_click="ignore",
            key="get-zip",
        )
        offer_ledger(held, kept)
    same = kept.package.frame.names == held.frame.names  # else the searches are simulated on other columns
    note(
        f"The ZIP is for {held.sample.chooser}: {kept.package.rows:,} noisy rows in a new order. The ledger "
        f"knows that order: keep it to yourself. {_rows(kept)} {words.counted_twice(held) if same else ''}".rstrip()
    )


def _rows(kept: HolderState) -> str:
    """Return what is to be known of the last release's rows."""
    ledger = kept.ledger
    alike = "" if simple() and ledger.private is None else words.alike(ledger)
    return f"{words.left_out(ledger)} {alike}".strip()


def offer_ledger(held: Held, kept: HolderState, key: str = "get-ledger") -> None:
    """Show the button that downloads the ledger."""
    st.download_button(
        "Download the ledger, to be kept",
        kept.store.data,
        f"{file_name(held)}-ledger.json",
        "application/json",
        icon=":material/lock:",
        on_click=kept.save,
        key=key,
    )


def file_name(held: Held) -> str:
    """Return how files of this table begin."""
    return "-".join(re.findall(r"\w+", held.title.partition(":")[0].partition(".")[0].lower())) or "table"
