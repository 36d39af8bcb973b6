"""One computation, watched across the runs of a page; and results that are computed beside it, never waited for.

Every move of a slider runs the page's script anew. What was drawn before stays, dimmed, until there is something newer;
axes stay while a thumb is held; a newer setting ends the computation of the old one; a person can stop it and go on.
"""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Generator, Hashable, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts.shell.session import OWN
from pages.ui.follow import interrupt as give_way
from privbo_core.bo.parallel import lower_priority

REDRAW = 0.25  # seconds between two pictures of something that is still being computed
ANNOUNCE = 0.12  # seconds between two counts of what is finished
RESTING = 0.4  # seconds after which a thumb that is still held counts as resting
HELD = 30.0  # seconds for which the rest of a page waits for a held thumb

Step = TypeVar("Step")
Steps = Generator[Step, None, None]


def wait(seconds: float) -> None:
    """Do nothing for a while, except give way."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        time.sleep(0.01)
        give_way()


def follow(
    steps: Steps[Step],
    draw: Callable[[Step], None],
    *,
    ready: Callable[[Step], bool] = lambda step: True,
    whole: Callable[[Step], bool] = lambda step: False,
    announce: Callable[[Step], None] = lambda step: None,
    rest: float = 0.0,
) -> Step | None:
    """Draw steps as they are computed, at most every `REDRAW` seconds, and the last in any case; give way. Return it.

    The first picture waits for a step that is ``ready``, but not long; a ``whole`` one is drawn at once. In between,
    ``announce`` may count. After the first picture the computation rests for ``rest`` seconds.
    """
    began, drawn, announced = time.perf_counter(), 0.0, 0.0
    last: Step | None = None
    shown = True
    with closing(steps):
        for last in steps:
            give_way()
            now = time.perf_counter()
            due = now - drawn >= REDRAW if drawn else ready(last) or now - began >= REDRAW
            shown = due or whole(last)
            if shown:
                first, drawn, announced = not drawn, now, now
                draw(last)
                if first and rest:
                    wait(rest)
            elif now - announced > ANNOUNCE:
                announced = now
                announce(last)
    if last is not None and not shown:
        draw(last)
    return last


@dataclass(frozen=True)
class Memory:
    """What one run of a page leaves to the next under a name: never changed, only replaced.

    ``kind``: what its pictures are of; ``kept`` and ``axes`` by name; ``stopped``: what a person has stopped, as a
    tuple of one, or nothing.
    """

    kind: Hashable = None
    kept: Mapping[str, Any] = field(default_factory=dict)
    axes: Mapping[str, Any] = field(default_factory=dict)
    stopped: tuple[Hashable, ...] = ()


class Live:
    """A computation under a name of its own on its page.

    ``kind`` tells what its pictures are of: while that stays the same, an old picture may be dimmed below a new one and
    axes may be held. ``asked`` tells exactly what is computed, if that is more: a stop lasts as long as it. ``held``: a
    thumb is being held.

    A run that a newer one has overtaken may still be ending, so each keeps what it knows and writes it whole.
    """

    def __init__(self, name: str, kind: Hashable, *, asked: Hashable = None, held: bool = False) -> None:
        self.held = held
        self._name = name
        self._key = f"{OWN}live/{name}"
        self._of = kind if asked is None else asked
        known: Memory | None = st.session_state.get(self._key)
        if known is None or known.kind != kind:
            known = Memory(kind, stopped=known.stopped if known else ())
        self._keep(known)

    def _keep(self, memory: Memory) -> None:
        self._memory = st.session_state[self._key] = memory

    def before(self, name: str, otherwise: Any = None) -> Any:  # noqa: ANN401
        return self._memory.kept.get(name, otherwise)

    def remember(self, **values: object) -> None:
        self._keep(replace(self._memory, kept={**self._memory.kept, **values}))

    def axis(self, name: str = "top") -> Any:  # noqa: ANN401
        """Where an axis must stay: a thumb is held, and the pictures are of the same kind."""
        return self._memory.axes.get(name) if self.held else None

    def put_axis(self, value: Any, name: str = "top") -> Any:  # noqa: ANN401
        stays = self.axis(name)
        if stays is None:
            self._keep(replace(self._memory, axes={**self._memory.axes, name: value}))
            stays = value
        return stays

    @property
    def stopped(self) -> bool:
        return self._memory.stopped == (self._of,)

    def offer_stop(self, place: DeltaGenerator, *, complete: bool = False) -> None:
        if complete:
            place.empty()
        elif self.stopped:
            place.button("Go on", on_click=self._stop, args=((),), key=f"{self._name}_go")
        else:
            place.button("Stop", on_click=self._stop, args=((self._of,),), key=f"{self._name}_stop")

    def _stop(self, what: tuple[Hashable, ...]) -> None:
        """Called by a later run, before it draws: what is in the session may be newer than what is known here."""
        known: Memory = st.session_state.get(self._key, self._memory)
        st.session_state[self._key] = replace(known, stopped=what)

    def follow(
        self,
        steps: Steps[Step],
        draw: Callable[[Step], None],
        *,
        ready: Callable[[Step], bool] = lambda step: True,
        whole: Callable[[Step], bool] = lambda step: False,
        announce: Callable[[Step], None] = lambda step: None,
    ) -> Step | None:
        """While a thumb is held, it rests for a moment after its first picture."""
        rest = RESTING if self.held else 0.0
        return follow(steps, draw, ready=ready, whole=whole, announce=announce, rest=rest)

    def rest(self) -> None:
        """While a thumb is held, wait: what lies below stays as it is until it is let go.

        To finish the script now would take what lies below off the page.
        """
        if self.held:
            wait(HELD)


KEPT = 256


class Later:
    """Computes one thing at a time in the background and remembers it; ``behind`` the pages, unless they wait for it.

    Not for anything that depends on private data.
    """

    def __init__(self, behind: bool) -> None:
        first = lower_priority if behind else None
        self._pool = ThreadPoolExecutor(max_workers=1, thread_name_prefix="privbo-later", initializer=first)
        self._known: OrderedDict[Hashable, Any] = OrderedDict()
        self._busy: tuple[Hashable, Future[Any]] | None = None
        self._lock = threading.Lock()

    def ask(self, key: Hashable, compute: Callable[[], Any]) -> Any:  # noqa: ANN401
        """Return the result, an error too; None if it is not there: then begin, unless something else is under way."""
        with self._lock:
            if self._busy is not None and self._busy[1].done():
                done, future = self._busy
                self._known[done] = future.exception() or future.result()
                self._busy = None
                while len(self._known) > KEPT:
                    self._known.popitem(last=False)
            if key not in self._known and self._busy is None:
                self._busy = key, self._pool.submit(compute)
            return self._known.get(key)

    def soon(self, key: Hashable, compute: Callable[[], Any], patience: float) -> Any:  # noqa: ANN401
        """Return the result as `ask` does, for which the script waits so many seconds at most."""
        end = time.monotonic() + patience
        while (found := self.ask(key, compute)) is None and time.monotonic() < end:
            wait(0.02)
        return found

    def known(self, key: Hashable) -> Any:  # noqa: ANN401
        """Return the result if it is there, else None; begin nothing."""
        with self._lock:
            return self._known.get(key)


@st.cache_resource
def later(lane: str = "") -> Later:
    """Return the one of this name that all sessions share: slow work does not hold up what a page waits for."""
    return Later(behind=not lane)
