"""An order that was signed on Decide, taken by the holder’s seat: frame, outcome, ε, δ and tests stand as in it."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

import pandas as pd
import streamlit as st

from pages.parts.live.sliders import Controls, Slider, put
from pages.parts.outsourced.setup import search_by
from pages.parts.outsourced.shape import and_delta, chosen_shape, shape_by
from pages.parts.shell.session import own_file, read_once
from pages.parts.table import orders
from pages.parts.table.frame_file import checked, frame_unmarked
from pages.parts.table.own_table import own_table
from pages.parts.table.upload import answer_codes, chosen, outcome_chosen, unnamed
from pages.parts.views.drawing import note
from pages.parts.views.text import unmarked
from pages.parts.workbench.seats import forget_fault, keep_fault, mine, say_fault, say_kept
from privbo_core.data import Frame, frame_from
from privbo_core.data.frame import frame_as_json
from privbo_core.data.rows import usable
from privbo_core.decision import Decision, Simulated, read_order
from privbo_core.errors import DataError
from privbo_core.outsourced import SEEN, Search
from privbo_core.outsourced.answers import Private
from privbo_core.outsourced.parties.terms import Outcome

_READ, _SETTLED, PLACE = mine("order read"), chosen("workbench/order settled"), "order"
MANY = 3


def offer_order(
    controls: Controls, frame: Frame, outcome: Outcome, private: Private | None, now: Simulated | None
) -> None:
    """``private``: how outcomes are answered here. ``now``: how searches are simulated here, None if they are not."""
    order = orders.order()
    if order is not None and not orders.waits():
        note(_sentence(order))
        if order.epsilon_from == "data":
            note(SEEN)
        if now is not None:
            then = order.simulated
            same = {
                "tests planned": controls.whole("T") == order.tests,
                "the search": (now.search, now.once) == (then.search, then.once),
                "learning, which was stopped": now.starts == then.starts,
            }
            if different := " and ".join(what for what in same if not same[what]):
                so = "So what it will cost may be another number."
                note(f"Simulated otherwise than for the order: {different}. {so}")
        other = _otherwise(order, controls, frame, outcome)
        if private != order.private:
            other.append("how outcomes are answered")
        if other:
            st.warning(f"Not as in the order: {' and '.join(other)}. Nobody has signed for that.")
        st.button(
            "Put the order aside", on_click=orders.drop, icon=":material/close:", type="tertiary", key="drop-order"
        )
        return
    open_order()


def open_order() -> None:
    with st.expander("Open an order"):
        said = "Frame, outcome, ε, δ and tests are then set as was decided. It stays in this session’s memory."
        file = own_file("An order from Decide (JSON)", ["json"], "order file", max_upload_size=1, help=said)
        say_kept(PLACE)
    order, fault = read_once(file, _READ, lambda file: _unmarked(read_order(file)))
    if order or fault:
        forget_fault()
        if order:
            orders.hand_over(order)
        else:
            keep_fault(PLACE, fault)
        st.rerun()


def fit_own(table: pd.DataFrame, numeric: Sequence[str], later: str) -> None:
    """Choose as an order that waits says, once for each order and table. Raises DataError where columns are others."""
    order, state = orders.order(), st.session_state
    if order is None or not orders.waits() or state.get(_SETTLED) == order.digest:
        return
    missing = [name for name in order.frame.names if name not in numeric]
    if missing:
        made_there = orders.made_of_others(missing, list(table.columns), numeric)
        raise DataError(orders.not_released(made_there) if made_there == missing else _other_columns(missing))
    marks = {column.name: column.marks for column in order.frame.columns} | {order.outcome.name: order.outcome.marks}
    if answer_codes(marks):
        st.rerun()
    state[_SETTLED] = order.digest
    own_table().say(checked(order.frame, frame_from(usable(table, order.frame.names).amounts, order.frame.names)))
    output = order.outcome.name if order.outcome.name in numeric else later
    outcome_chosen()
    state[chosen("workbench/output")] = output
    if output == later:
        state[chosen("workbench/name")] = order.outcome.name
    state[unit_key(output)] = order.outcome.unit
    state[chosen("workbench/goal")] = "highest" if order.outcome.larger_is_better else "lowest"
    state[chosen(f"workbench/inputs/{unnamed(output)}")] = list(order.frame.names)


def unit_key(column: str) -> str:
    return chosen(f"workbench/unit/{unnamed(column)}")


def settle(
    frame: Frame,
    outcome: Outcome,
    panel: tuple[str, Sequence[Slider]],
    suited: Search | None,
    table: tuple[str, str],
) -> None:
    """Set sliders, search and answers as an order says that waits, if it is about this frame and outcome.

    Else say what differs. ``panel``: the sliders, and the key that they are kept under. ``suited``: the search that
    these data start with. ``table``: which one it is, and its decimal mark.
    """
    order, (key, sliders) = orders.order(), panel
    if order is None or not orders.waits():
        return
    try:
        _same(order, frame, outcome)
        delta = order.delta or (order.private.delta if order.private else 0.0)
        asked = {"epsilon": order.epsilon, "delta": delta, "T": float(order.tests)}
        without = () if delta else ("delta",)
        put(key, {slider.key: slider.read(asked[slider.key]) for slider in sliders if slider.key not in without})
    except (DataError, ValueError) as fault:
        say_fault(f"The order that was opened waits. {fault}")
        st.button("Put the order aside", on_click=orders.drop, icon=":material/close:", key="drop-order-waiting")
        return
    search_by("suited" if order.simulated.search == suited else order.simulated.search, once=order.simulated.once)
    shape_by(order.noise)
    orders.answer_as(table[0], order.private, table[1])
    orders.taken()


def simulated_for(frame: Frame, outcome: Outcome) -> Simulated | None:
    order = orders.order()
    if order is None:
        return None
    with suppress(DataError):
        _same(order, frame, outcome)
        return order.simulated
    return None


def _same(order: Decision, frame: Frame, outcome: Outcome) -> None:
    missing = [name for name in order.frame.names if name not in frame.names]
    if missing:
        raise DataError(_other_columns(missing))
    if (outcome.name, outcome.larger_is_better) != (order.outcome.name, order.outcome.larger_is_better):
        wanted = "highest" if order.outcome.larger_is_better else "lowest"
        other = f"It is about the {wanted} {order.outcome.name}; here another outcome is looked for."
        raise DataError(f"{other} Choose the table and outcome that it was signed for.")
    said = order.frame.marked  # a frame need not say how its table is written
    if frame_as_json(frame if said else frame.unwritten) != frame_as_json(order.frame):
        raise DataError("Its frame is not the one of this table. Choose the table that it was signed for.")


def _other_columns(missing: Sequence[str]) -> str:
    more = f" and {len(missing) - MANY} more" if len(missing) > MANY else ""
    return (
        "The order is about columns that are not among this table’s numbers: "
        f"{', '.join(map(repr, missing[:MANY]))}{more}. Choose or bring the table that it was signed for."
    )


def _sentence(order: Decision) -> str:
    people, private = ", ".join(person.name for person in order.people), order.private
    answers = "exact answers" if private is None else f"private answers at ε = {private.epsilon:g}"
    return (
        f"By the order of {order.day}, signed by {people}: ε = {order.epsilon:g} "
        f"({order.protection.partition('. ')[0]} protection) {and_delta(order.delta)}, {order.tests} tests planned, "
        f"{answers} (digest {order.digest.removeprefix('sha256:')[:8]}…)."
    )


def stands(controls: Controls, frame: Frame, outcome: Outcome) -> bool:
    """Return whether an order stands as set, whose ε was chosen by what is public."""
    order = orders.order()
    if order is None or orders.waits() or order.epsilon_from == "data":
        return False
    return not _otherwise(order, controls, frame, outcome)


def _otherwise(order: Decision, controls: Controls, frame: Frame, outcome: Outcome) -> list[str]:
    delta = controls["delta"] if chosen_shape() == "gaussian" else 0.0
    asked = (("ε", controls["epsilon"], order.epsilon), ("δ", delta, order.delta))
    other = [sign for sign, now, then in asked if f"{now:.6g}" != f"{then:.6g}"]
    try:
        _same(order, frame, outcome)
    except DataError:
        other.insert(0, "the table, its frame, or what is looked for")
    return other


def _unmarked(order: Decision) -> Decision:
    """Return an order without anything that could be taken for a mark; its digest may be another then."""
    people = tuple(replace(p, name=unmarked(p.name) or "?", role=unmarked(p.role)) for p in order.people)
    outcome = replace(order.outcome, name=unmarked(order.outcome.name) or "?", unit=unmarked(order.outcome.unit))
    private = order.private and replace(order.private, known_from=unmarked(order.private.known_from))
    frame, subject, notes = frame_unmarked(order.frame), unmarked(order.subject), unmarked(order.notes)
    return replace(order, subject=subject, notes=notes, frame=frame, people=people, outcome=outcome, private=private)
