"""What the teacher does in “Our favourite”: how large the class is, how much noise, begin, go on, again."""

from collections.abc import Callable
from functools import partial
from weakref import WeakKeyDictionary

import streamlit as st

from pages.parts.frame.later import later
from pages.parts.values.numbers import epsilon_text
from privbo_core.classroom import News, Room
from privbo_core.classroom.favourite import (
    ROUNDS,
    Favourite,
    Ledger,
    Phase,
    Seen,
    most_right,
    planned,
    spent,
    usually_sure,
)
from privbo_core.privacy import release

SIZES = (20, 30, 60, 200)
SIZE, USUAL_SIZE = "favourite/size", 30
NOISES = {"weak": 1.0, "strong": 2.0}
"""Noise multipliers, by the word on the desk. Whether there is noise at all is for the vote, or the button."""
NOISE, USUAL_NOISE = "favourite/noise", "strong"
LEDGERS: WeakKeyDictionary[Room, Ledger] = WeakKeyDictionary()
"""What has been broadcast in each room, also by an experiment that was begun anew. It goes with the room."""


def start() -> Favourite:
    """Return a new experiment; what takes a second to count is counted beside it."""
    later().ask("favourite", partial(count, ()))
    return Favourite()


def count(uses: tuple[float, ...]) -> bool:
    """Count what another run would cost after these broadcasts, so that it is known when it begins."""
    release.noisy([0.0], 1.0, 1.0)  # the first release imports its library
    for z in NOISES.values():
        for each in (planned((), z, ROUNDS), planned(uses, z, ROUNDS)):
            most_right(each)
            usually_sure(each)
        spent(planned(uses, z, ROUNDS), USUAL_SIZE)
    return True


def desk(room: Room, favourite: Favourite) -> None:
    """Draw the next acts."""
    _account(room, favourite)
    seen = favourite.seen()
    if seen.phase in (Phase.OWN, Phase.ROUNDS):
        st.button(
            "Go on",
            key="favourite/go",
            type="primary",
            icon=":material/skip_next:",
            on_click=_do,
            args=(room, Favourite.go_on),
        )
        return
    uses = tuple(favourite.ledger.uses)
    if uses:
        later().ask(("favourite", uses), partial(count, uses))
    _settings()
    if seen.phase is Phase.VOTE:
        st.button("Begin as voted", key="favourite/begin", type="primary", icon=":material/play_arrow:", on_click=_begin,
                  args=(room, None))  # fmt: skip
        return
    for place, noise in enumerate(_next(seen)):
        st.button("Again, with noise" if noise else "Again, without noise", key=f"favourite/again/{noise}",
                  type="secondary" if place else "primary", icon=":material/replay:", on_click=_begin, args=(room, noise))  # fmt: skip
    st.button(
        "Vote again",
        key="favourite/vote",
        icon=":material/how_to_vote:",
        on_click=_do,
        args=(room, Favourite.vote_again),
    )


def _account(room: Room, favourite: Favourite) -> None:
    """See to it that an experiment that is begun anew goes on with the room's account."""
    ledger = LEDGERS.setdefault(room, favourite.ledger)
    if not favourite.ledger.uses:
        favourite.ledger = ledger


def _settings() -> None:
    if st.session_state.get(SIZE) not in SIZES:
        st.session_state[SIZE] = USUAL_SIZE
    if st.session_state.get(NOISE) not in NOISES:
        st.session_state[NOISE] = USUAL_NOISE
    size = st.segmented_control("Class filled up to", SIZES, key=SIZE)

    def named(word: str) -> str:
        loss = spent(planned((), NOISES[word], ROUNDS), size or USUAL_SIZE)[-1]
        return f"{word} · ε = {epsilon_text(loss)}"

    st.segmented_control("If with noise", list(NOISES), key=NOISE, format_func=named)


def _next(seen: Seen) -> tuple[bool, ...]:
    """Return how another run may be: first the other way than the last."""
    return (False, True) if seen.course is not None and seen.course.z else (True, False)


def _do(room: Room, doing: Callable[[Favourite], News]) -> None:
    room.act(doing)


def _begin(room: Room, noise: bool | None) -> None:
    size, word = st.session_state.get(SIZE), st.session_state.get(NOISE)
    size = size if size in SIZES else USUAL_SIZE
    z = NOISES.get(word or USUAL_NOISE, NOISES[USUAL_NOISE])
    room.act(lambda favourite: favourite.begin(size, z, noise))
