"""Sliders that report while they are dragged, each with a number box, bound to the page's address.

A page reads its panel first, draws what has to follow the thumb, and only then shows the panel: the browser sends the
next value when the panel has been drawn.
"""

import math
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import streamlit as st

from pages.ui import address
from pages.ui.numbers import parse_number, power_of_ten

HERE = Path(__file__).parent
DIGITS = 6
"""Significant digits of a value, in the address as well."""
EPSILON_RANGE = (0.01, 1000.0)
PAPER_EPSILONS = (math.exp(-1), math.exp(5))
"""The range of ε in the experiments of the papers, which is marked on the slider."""
SHARED = "ui/shared"
OWN_DATA = "own data/"
"""How names in the session begin whose values are dropped when a visitor's own table is cleared."""
_component = st.components.v2.component(
    "privbo_ui_sliders", js=(HERE / "sliders.js").read_text("utf-8"), css=(HERE / "sliders.css").read_text("utf-8")
)


@dataclass(frozen=True)
class Mark:
    """A place on a slider with a label."""

    at: float
    label: str


@dataclass(frozen=True)
class Slider:
    """One setting: its range, what lies towards its ends, and how it is written.

    A ``shared`` slider has one value for all pages. ``docked`` keeps it at the bottom of a phone's screen, and
    ``presented`` shows it in presenter view. ``group`` is a heading above it. ``stops`` are the only values that it
    takes, if there are any, from the smallest to the largest.
    """

    key: str
    label: str
    min: float
    max: float
    value: float
    left: str = ""
    right: str = ""
    help: str = ""
    group: str = ""
    log: bool = False
    whole: bool = False
    shared: bool = False
    docked: bool = False
    presented: bool = False
    marks: tuple[Mark, ...] = ()
    stops: tuple[float, ...] = ()

    def parse(self, raw: object) -> float:
        """Return a reported value, or raise ValueError with a sentence for the visitor."""
        shown = f"“{str(raw)[:20]}”"
        try:
            value = float(raw) if isinstance(raw, int | float) else parse_number(str(raw))
        except (ValueError, OverflowError):
            raise ValueError(f"{shown} is not a number. {self.allowed}") from None
        if not math.isfinite(value):
            raise ValueError(f"{shown} is not a number. {self.allowed}")
        if not self.min - 1e-6 * abs(self.min) <= value <= self.max + 1e-6 * abs(self.max):
            raise ValueError(f"{value:.4g} is out of range. {self.allowed}")
        if self.whole and abs(value - round(value)) > 1e-9:
            raise ValueError(f"{value:.4g} is not a whole number. {self.allowed}")
        if self.stops and value not in self.stops:
            raise ValueError(f"{value:.4g} is not possible here. {self.allowed}")
        return self.nearest(value)

    def nearest(self, value: float) -> float:
        """Return the closest value that the slider can have."""
        if self.stops:
            return min(self.stops, key=lambda stop: abs(math.log(stop / value)) if self.log else abs(stop - value))
        rounded = round(value) if self.whole else float(f"{value:.{DIGITS}g}")
        return min(max(rounded, self.min), self.max)

    @property
    def allowed(self) -> str:
        """A sentence on the values that the slider takes."""
        if self.stops:
            *others, last = map(power_of_ten, self.stops)
            return f"Enter {', '.join(others)} or {last}." if others else f"The only possible value is {last}."
        kind = "a whole number" if self.whole else "a number"
        low, high = (power_of_ten(end) if end < 1e3 else f"{end:,.0f}" for end in (self.min, self.max))
        return f"Enter {kind} from {low} to {high}."


def shared_epsilon() -> float | None:
    """Return the ε that the visitor has chosen on any page, or None."""
    shared: Mapping[str, float] = st.session_state.get(SHARED, {})
    return shared.get("epsilon")


def epsilon_slider(
    value: float,
    help: str,
    *,
    left: str = "more private",
    right: str = "more useful",
    **properties: Any,  # noqa: ANN401
) -> Slider:
    """Return the slider for ε, which has one value for all pages."""
    marks = properties.pop("marks", ())
    return Slider(
        "epsilon", "Privacy loss ε", *EPSILON_RANGE, value, left, right, help,
        log=True, shared=True, docked=True, presented=True, marks=marks, **properties,
    )  # fmt: skip


@dataclass(frozen=True)
class Held:
    """What a session keeps of a panel. It is replaced as a whole, since two runs of a page can overlap.

    ``epoch`` counts the times that values were set from elsewhere. Reports from an earlier epoch no longer count.
    """

    values: tuple[tuple[str, float], ...] = ()
    epoch: int = 0


class Panel:
    """The current values of some sliders, and whether one of them is being dragged."""

    def __init__(self, key: str, sliders: Sequence[Slider]) -> None:
        self.key, self.sliders = key, tuple(sliders)
        self.errors: dict[str, str] = {}
        self._notices: list[str] = []
        held = _held(key)
        self._values = dict(held.values)
        shared: Mapping[str, float] = st.session_state.get(SHARED, {})
        for slider in self.sliders:
            known = shared.get(slider.key, self._values.get(slider.key)) if slider.shared else None
            value = known if known is not None else self._values.get(slider.key, slider.value)
            self._values[slider.key] = slider.nearest(value)
        epoch = held.epoch + self._read_address()
        self.number, self.dragging = self._read_report(epoch)
        self.changed = any(map(self._moved, self.sliders))
        _put(key, replace(held, values=tuple(self._values.items()), epoch=epoch))
        # A page opens with its own value until the visitor has chosen one anywhere.
        chosen = [each for each in self.sliders if each.shared and (each.key in shared or self._moved(each))]
        st.session_state[SHARED] = {**shared, **{each.key: self[each.key] for each in chosen}}

    def _moved(self, slider: Slider) -> bool:
        return self._values[slider.key] != slider.nearest(slider.value)

    def __getitem__(self, key: str) -> float:
        return self._values[key]

    def get(self, key: str, otherwise: float) -> float:
        """Return a value, or another one if the panel has no such slider."""
        return self._values[key] if any(each.key == key for each in self.sliders) else otherwise

    def whole(self, key: str) -> int:
        """Return a value as an integer."""
        return round(self._values[key])

    def _read_address(self) -> bool:
        """Take over values from a link, and return whether they change anything."""
        before = dict(self._values)
        for slider in self.sliders:
            text = st.query_params.get(slider.key)
            if text is None or not address.is_news(slider.key, text):
                continue
            try:
                self._values[slider.key] = slider.parse(text)
            except ValueError as problem:
                self._notices.append(f"The address asks for {slider.label} = {text[:20]}. {problem}")
        return self._values != before

    def _read_report(self, epoch: int) -> tuple[int, bool]:
        """Take over what the browser reports. It can send anything, so what doesn't fit is ignored."""
        state = st.session_state.get(self.key)
        report = state.get("report") if isinstance(state, Mapping) else None
        if not isinstance(report, Mapping) or report.get("epoch") != epoch:
            return 0, False
        values, number = report.get("values"), report.get("number")
        for slider in self.sliders:
            if isinstance(values, Mapping) and slider.key in values:
                try:
                    self._values[slider.key] = slider.parse(values[slider.key])
                except ValueError as problem:
                    self.errors[slider.key] = str(problem)
        if not isinstance(number, int) or not 0 <= number < 2**53:
            number = 0
        return int(number), report.get("dragging") is True

    def show(
        self,
        marks: Mapping[str, Sequence[Mark]] | None = None,
        hidden: Sequence[str] = (),
        *,
        drawn: bool = True,
    ) -> None:
        """Draw the panel. Whatever was drawn before it follows the thumb.

        A panel that isn't ``drawn``, such as one in a closed expander, still keeps its values in the address.
        """
        if drawn:
            self._draw(marks or {}, hidden)
        elif not self.dragging:
            self._write_address()
        for sentence in self._notices:
            address.notice(sentence)

    def _draw(self, marks: Mapping[str, Sequence[Mark]], hidden: Sequence[str]) -> None:
        specs = []
        for slider in self.sliders:
            if slider.key not in hidden:
                extra = tuple(marks.get(slider.key, ()))
                specs.append(asdict(replace(slider, marks=slider.marks + extra, value=self[slider.key])))
        held = _held(self.key)
        data = {
            "name": self.key,
            "sliders": specs,
            "errors": self.errors,
            "ack": self.number,
            "epoch": held.epoch,
            "session": st.session_state.setdefault("ui/session", secrets.token_hex(4)),
        }
        if not self.dragging:  # before the panel, after which the browser sends its next value
            self._write_address()
        _component(key=self.key, data=data, default={"report": None}, on_report_change=lambda: None)

    def _write_address(self) -> None:
        address.write({slider.key: f"{self[slider.key]:.{DIGITS}g}" for slider in self.sliders})

    def hold(self, name: str, value: Any, *, private: bool = False) -> Any:  # noqa: ANN401
        """Return ``value``, or while a thumb is held the value from before, so that an axis stays where it is."""
        known = self.recall(name, private=private)
        if self.dragging and known is not None:
            return known
        self.remember(name, value, private=private)
        return value

    def remember(self, name: str, value: object, *, private: bool = False) -> None:
        """Keep an immutable value, such as a result, for the next run of the page.

        A ``private`` one was computed from the visitor's own table, and is dropped when that is cleared.
        """
        st.session_state[self._name(name, private)] = value

    def recall(self, name: str, *, private: bool = False) -> Any:  # noqa: ANN401
        """Return the value that was remembered under a name, or None."""
        return st.session_state.get(self._name(name, private))

    def _name(self, name: str, private: bool) -> str:
        return f"{OWN_DATA if private else ''}{self.key}/remembered/{name}"

    def set(self, values: Mapping[str, float]) -> None:
        """Set some sliders. To be used in a callback."""
        set_sliders(self.key, values)

    def reset(self) -> None:
        """Set all sliders to their first values. To be used as a callback."""
        set_sliders(self.key, {slider.key: slider.value for slider in self.sliders})


def set_sliders(key: str, values: Mapping[str, float]) -> None:
    """Set sliders of a panel from elsewhere, such as a preset."""
    held = _held(key)
    _put(key, replace(held, values=tuple({**dict(held.values), **values}.items()), epoch=held.epoch + 1))
    shared: Mapping[str, float] = st.session_state.get(SHARED, {})
    st.session_state[SHARED] = {**shared, **{name: value for name, value in values.items() if name == "epsilon"}}
    address.write({name: f"{value:.{DIGITS}g}" for name, value in values.items()})


def _held(key: str) -> Held:
    held = st.session_state.get(f"{key}/held")
    return held if isinstance(held, Held) else Held()


def _put(key: str, held: Held) -> None:
    st.session_state[f"{key}/held"] = held
