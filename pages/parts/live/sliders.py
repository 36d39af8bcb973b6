"""A panel of sliders that report while they are dragged, with a number box each, bound to the page's address."""

import math
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import streamlit as st

from pages.parts.shell import address, session
from pages.parts.views.content import facts
from pages.parts.views.drawing import component
from pages.parts.views.picture import Picture
from pages.parts.views.text import unmarked
from pages.parts.views.views import Choice, current
from privbo_core.data.numbers import typed_numbers

HERE = Path(__file__).parent
PRESENTED = 2  # sliders that presenter view has room for
_component = component("live_sliders", HERE / "live_sliders.js", HERE / "live_sliders.css")


@dataclass(frozen=True)
class Notch:
    """A place on a slider where something happens."""

    at: float
    label: str


@dataclass(frozen=True)
class Slider:
    """One slider: its range, what its two ends mean, and how its value is written.

    ``step`` is in thumb units: of log(value) where ``log`` is set. ``exponential`` shows the value as a power of e too.
    ``play`` adds a button that lets the thumb run from its place to the end. ``allowed``: the only values, if not all.
    ``present``: it is among the few that presenter view shows.
    """

    key: str
    label: str
    min: float
    max: float
    value: float
    left: str
    right: str
    help: str
    step: float = 1.0
    log: bool = False
    whole: bool = False
    exponential: bool = False
    play: bool = False
    marks: tuple[Notch, ...] = ()
    allowed: tuple[float, ...] = ()
    present: bool = False

    @classmethod
    def of(cls, text: str, low: float, high: float, value: float, *, key: str = "", **rest: Any) -> "Slider":  # noqa: ANN401
        """Return the slider of which pages/content/sliders.toml says, under ``text`` ("room.name"), what it is called.

        Its ``key`` is that name, unless another slider of the room has it. ``rest``: the fields from ``step`` on.
        """
        room, name = text.split(".")
        said = facts("sliders.toml")[room][name]
        left, right = said["ends"]
        return cls(key or name, said["label"], low, high, value, left, right, said["help"], **rest)

    def read(self, raw: object) -> float:
        """A value has six significant digits, as in the address. Raises ValueError with a sentence for a person."""
        found, low, high = typed_numbers(str(raw)), self.min - 1e-6 * abs(self.min), self.max + 1e-6 * abs(self.max)
        shown = f"“{unmarked(str(raw))[:20]}”"
        if not found:
            raise ValueError(f"{shown} is not a number; {self._allowed()}")
        able = [value for value in found if low <= value <= high]
        able = [value for value in able if self.whole and value == int(value)] or able
        if len(able) > 1:
            raise ValueError(f"{shown} can be read in two ways: as {found[0]:.0f} or {found[1]:.3f}.")
        value = able[0] if able else found[0]
        if not able or not math.isfinite(value):
            raise ValueError(f"{value:.4g} is out of range; {self._allowed()}")
        if self.whole and value != int(value):
            raise ValueError(f"{value:.4g} is not whole; {self._allowed()}")
        if self.allowed and value not in self.allowed:
            raise ValueError(f"{value:.4g} is not possible; {self._allowed()}")
        return self.nearest(value)

    def nearest(self, value: float) -> float:
        if self.whole:
            return int(min(max(round(value), self.min), self.max))
        return min(max(float(f"{value:.6g}"), self.min), self.max)

    def _allowed(self) -> str:
        if self.allowed:
            return f"“{self.label}” takes {', '.join(f'{value:g}' for value in self.allowed)}."
        kind = "a whole number" if self.whole else "a number"
        low, high = (f"{end:.0f}" if 1e3 <= abs(end) < 1e6 else f"{end:.3g}" for end in (self.min, self.max))
        return f"“{self.label}” takes {kind} from {low} to {high}."


def human_above(value: float) -> float:
    """Return the first value from ``value`` on at which a logarithmic slider stops when it is dragged.

    These are values of two digits, and between 1 and 2 of each decade those in steps of 0.05, as in live_sliders.js.
    """
    decade = 10.0 ** math.floor(math.log10(value) + 1e-9)
    step = decade * (0.05 if value / decade < 1.999 else 0.1)
    return float(f"{math.ceil(value / step - 1e-9) * step:.3g}")


def presented(sliders: Sequence[Slider]) -> list[str]:
    """Those that ask for it, then the first ones; two at most."""
    return [slider.key for slider in sorted(sliders, key=lambda slider: not slider.present)][:PRESENTED]


def of_epsilon(low: float, high: float, value: float, says: str, **more: Any) -> Slider:  # noqa: ANN401
    return Slider("epsilon", "ε", low, high, value, "more private", "more useful", says, step=0.01, log=True, **more)


def of_delta(low: float, high: float, value: float, says: str) -> Slider:
    return Slider("delta", "δ", low, high, value, "more private", "more useful", says, step=0.01, log=True)


@dataclass
class Controls:
    """What the panel says now: the last usable value of each slider, and whether a thumb is being held."""

    values: dict[str, float]
    dragging: bool = False
    errors: dict[str, str] = field(default_factory=dict)
    notices: list[str] = field(default_factory=list)
    number: int = 0

    def __getitem__(self, key: str) -> float:
        return self.values[key]

    def whole(self, key: str) -> int:
        return int(self.values[key])


class Problem(NamedTuple):
    """What an address asked of a slider that cannot be had, in a sentence, and the value that counts instead."""

    slider: str
    sentence: str
    instead: float


class Asked(NamedTuple):
    """What the address asked for when somebody arrived; ``number``: the panel's last change, which counts no more."""

    visit: int
    number: int
    problems: tuple[Problem, ...]


def read_controls(key: str, sliders: Sequence[Slider]) -> Controls:
    """Return the panel's state at the start of a run, before anything is drawn: from the panel, else from the address.

    A value that cannot be used leaves the last usable one in place and comes with a sentence to show beside the slider.
    """
    memory_key = f"{key}/last"
    last: dict[str, float] | None = st.session_state.get(memory_key)
    asked: Asked | None = st.session_state.get(f"{key}/asked")
    arrived = asked is None or asked.visit != address.visit()
    last = None if arrived and address.bare() else last
    controls = Controls(values=dict(last) if last else {slider.key: slider.nearest(slider.value) for slider in sliders})
    reported, controls.number, controls.dragging = _reported(key)
    if asked is None or arrived:
        problems: list[Problem] = []
        for slider in sliders:
            if slider.key in st.query_params:
                try:
                    controls.values[slider.key] = slider.read(st.query_params[slider.key])
                except ValueError as problem:
                    instead = controls.values.get(slider.key, slider.value)
                    problems.append(Problem(slider.key, str(problem), instead))
        # What the panel said before somebody arrived counts no more.
        asked = Asked(address.visit(), controls.number if address.bare() else -1, tuple(problems))
        st.session_state[f"{key}/asked"] = asked
    for slider in sliders:
        if slider.key in reported and controls.number != asked.number:
            try:
                controls.values[slider.key] = slider.read(reported[slider.key])
            except ValueError as problem:
                controls.errors[slider.key] = str(problem)
    for slider in sliders:  # a range may have shrunk since (T with another dataset, say)
        value = controls.values.get(slider.key, slider.nearest(slider.value))
        controls.values[slider.key] = min(max(value, slider.min), slider.max)
    for each in asked.problems:  # said until something else is chosen there
        if controls.values.get(each.slider, each.instead) == each.instead:
            controls.notices.append(each.sentence)
    st.session_state[memory_key] = dict(controls.values)
    for slider in sliders:
        written = f"{controls.values[slider.key]:.6g}"
        current().settings[slider.label] = Choice(slider.label, written, slider.help)
    return controls


def _reported(key: str) -> tuple[Mapping[str, object], int, bool]:
    """Return what the panel says: values, the number of the change, whether a thumb is held.

    It comes from a browser, so it may be anything; what has not the form that the panel sends is as good as unsaid.
    """
    state: Any = st.session_state.get(key)
    said = state.get("controls") if isinstance(state, Mapping) else None
    if not isinstance(said, Mapping):
        return {}, 0, False
    values, number = said.get("values"), said.get("number")
    values = values if isinstance(values, Mapping) else {}
    number = number if isinstance(number, int) and 0 <= number < 2**53 else 0
    since, elsewhere = st.session_state.get(f"{key}/put", (None, {}))
    if since != number:
        st.session_state.pop(f"{key}/put", None)
        elsewhere = {}
    return {name: elsewhere.get(name, value) for name, value in values.items()}, number, said.get("dragging") is True


def put(key: str, values: Mapping[str, float]) -> None:
    """Put sliders of a panel elsewhere, whatever it has said of them so far; what it says from now on counts again."""
    _, number, _ = _reported(key)
    _, before = st.session_state.get(f"{key}/put", (None, {}))
    st.session_state[f"{key}/put"] = number, {**before, **values}
    st.session_state[f"{key}/last"] = {**last_values(key), **values}


def last_values(key: str) -> dict[str, float]:
    """Return what a panel said last, on whichever page; nothing if it was never there."""
    values: dict[str, float] = st.session_state.get(f"{key}/last", {})
    return values


def below(picture: Picture, slider: Slider) -> dict[str, float]:
    """Return how far the axis is from the edges, and which share of it the slider leaves on either side."""
    margin, (low, high) = picture.layout["margin"], picture.layout["xaxis"]["range"]
    first, last = (math.log10(end) if slider.log else end for end in (slider.min, slider.max))
    shares = {"from": (first - low) / (high - low), "rest": (high - last) / (high - low)}
    return {"left": margin["l"], "right": margin["r"], **shares}


def show_sliders(
    key: str, sliders: Sequence[Slider], controls: Controls, only: Sequence[str] = (), under: Picture | None = None
) -> None:
    """Draw the panel. Draw what should follow the thumb *before* it: the panel sends its next change only after this.

    When no thumb is held, the values are written into the page's address, so that a link brings them back. ``only``:
    the keys of the sliders that are drawn, if not all; the others keep their values. ``under``: the picture right
    above, on whose x-axis is what they set: each value stands below its place there.
    """
    drawn = [
        asdict(slider) | {"value": controls.values[slider.key], "under": below(under, slider) if under else None}
        for slider in sliders
        if not only or slider.key in only
    ]
    said = {"errors": controls.errors, "presented": presented(sliders), "ack": controls.number}
    session_id = st.session_state.setdefault(f"{key}/session", secrets.token_hex(4))
    data = {"sliders": drawn, **said, "session": session_id}
    _component(key=key, data=data, default={"controls": None}, on_controls_change=lambda: None)
    if not controls.dragging:
        written = {slider.key: f"{controls.values[slider.key]:.6g}" for slider in sliders}
        if any(st.query_params.get(name) != text for name, text in written.items()):
            st.query_params.update(written)
    for sentence in controls.notices:
        address.notice(sentence)


def start_from(key: str, sliders: Sequence[Slider]) -> None:
    """Let a panel start from its sliders' values; call it before the panel is read.

    If they start elsewhere than they did when this was called last, those that still stand where they started then are
    moved. What a person has set, or a link, stays where it is.
    """
    before: dict[str, float] = st.session_state.get(f"{key}/start", {})
    now = {slider.key: slider.nearest(slider.value) for slider in sliders}
    last = last_values(key)
    moved = {name: value for name, value in now.items() if name in last and last[name] == before.get(name) != value}
    st.session_state[f"{key}/start"] = now
    if moved:
        put(key, moved)


def offer_undo(controls: Controls, sliders: Sequence[Slider]) -> None:
    if not controls.dragging:
        session.note({slider.key for slider in sliders})
    with st.container(horizontal=True, key="taking-back"):
        for label, icon, take_back, able, said in (
            ("Undo", "undo", session.undo, session.can_undo(), "Take back the last change"),
            ("Reset", "restart_alt", session.reset, True, "All settings as they were at first; the data stay"),
        ):
            look = f":material/{icon}:"
            st.button(label, label.lower(), said, take_back, icon=look, type="tertiary", disabled=not able)
