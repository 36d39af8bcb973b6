"""After *Clear my data* the app holds nothing of a table: in no session, in no cache, nowhere else of its own."""

import gc
import io
import math
import sys
from types import BuiltinFunctionType, FunctionType, ModuleType

import numpy as np
import pandas as pd
import streamlit as st

from pages.ui.own_data import what_stays
from pages.ui.own_table import made_key
from tests.helpers.amounts import few
from tests.helpers.numbers import numbers
from tests.helpers.opening import open_page
from tests.helpers.own_tables import bring_table, said
from tests.helpers.reading import press
from tests.helpers.shown import open_sections

MARK = "hushhush"  # In the name of the file, of each of its columns, and in its cells.
AMOUNT = 77123.4567
LITTLE = {"runs": "5", "T": "10"}
ROUND = few(("outsourced", "tradeoff"), ["outsourced", "tradeoff", "audit", "tour"])
OURS = ("pages", "privbo_core")
CACHES = "streamlit.runtime.caching"


def csv(rows, *names):
    return pd.DataFrame(rows, columns=[f"{MARK} {name}" for name in names]).to_csv(index=False).encode()


def table():
    x = np.random.default_rng(0).random((80, 2))
    rows = [(f"{MARK}{k}", round(AMOUNT * a, 4), b, np.sin(5 * a) + b) for k, (a, b) in enumerate(x)]
    return csv([(MARK, AMOUNT, 0.3, 1.4), *rows], "who", "first", "second", "outcome")


def scores():
    settings = np.geomspace(AMOUNT / 1e4, AMOUNT, 40)
    return csv([(setting, 0.8 - 0.02 * k / 40) for k, setting in enumerate(settings)], "setting", "score")


def sites():
    rows = [(f"{MARK} {n}", dose, np.sin(dose / 2e4 + n / 10)) for n in range(4) for dose in np.linspace(0, AMOUNT, 12)]
    return csv(rows, "site", "dose", "effect")


def inside(each):
    kind = getattr(type(each), "__module__", "") or ""
    if isinstance(each, ModuleType | BuiltinFunctionType) or (kind.startswith("streamlit") and CACHES not in kind):
        return []
    if isinstance(each, FunctionType):
        return [each.__closure__, each.__defaults__, each.__kwdefaults__, each.__dict__]
    if isinstance(each, type):
        return list(vars(each).values()) if each.__module__.startswith(OURS) else []
    return gc.get_referents(each)


def holds(each):
    if isinstance(each, str):
        return MARK in each
    if isinstance(each, bytes | bytearray):
        return MARK.encode() in each
    if isinstance(each, io.BytesIO):
        return not each.closed and MARK.encode() in each.getvalue()
    if isinstance(each, pd.api.extensions.ExtensionArray):
        return any(isinstance(cell, str) and MARK in cell for cell in each)
    if isinstance(each, np.ndarray) and each.dtype.kind == "f":
        return bool(np.isclose(each, AMOUNT, rtol=1e-9).any())
    return isinstance(each, float) and math.isclose(each, AMOUNT, rel_tol=1e-9)


def known(app):
    gc.collect()
    caches = [each for each in gc.get_objects() if str(type(each).__module__).startswith(CACHES)]
    own = [vars(module) for name, module in list(sys.modules.items()) if name.partition(".")[0] in OURS]
    waiting = [(each, "a cache") for each in caches] + [(each, str(each.get("__name__"))) for each in own]
    kept = app.session_state._state.filtered_state
    waiting += [*((value, name) for name, value in kept.items()), *((name, "a name in the session") for name in kept)]
    seen, found = {}, []
    while waiting:
        each, way = waiting.pop()
        if id(each) in seen:
            continue
        seen[id(each)] = each
        if holds(each):
            found.append(f"{way}: {str(each)[:60]!r}")
        waiting += [(one, f"{way} → {type(one).__name__}") for one in inside(each)]
    return found


def go(app, page):
    app.query_params.clear()
    for name, value in LITTLE.items():
        app.query_params[name] = value
    app.switch_page(f"pages/{page}.py").run()
    return open_sections(app)


def around(app, *pages):
    for each in pages:
        go(app, each)
    assert known(app)


def forgotten(app):
    press(app, "Clear my data")
    assert known(app) == []


def test_nothing_is_held_of_a_forgotten_table_whatever_was_made_of_it():
    app = open_page("data", **LITTLE)
    assert known(app) == []
    bring_table(app, f"{MARK}.csv", table())
    app.session_state[made_key("anything")] = MARK
    around(app, *ROUND, "data")
    forgotten(app)
    go(app, "outsourced")  # and it goes on as with any visitor
    assert known(app) == []
    assert MARK not in said(app)


def test_nothing_is_held_of_agents_that_were_brought_as_a_table():
    app = open_page("data", **LITTLE)
    bring_table(app, f"{MARK}.csv", sites())
    go(app, "federated")
    app.selectbox(key="agents").set_value("own").run()
    open_sections(app)
    around(app, "outsourced", "data")
    forgotten(app)
    go(app, "federated")
    assert known(app) == []


def test_nothing_is_held_of_a_table_of_scores():
    app = open_page("data", **LITTLE)
    bring_table(app, f"{MARK}.csv", scores())
    go(app, "release")
    app.selectbox(key="task").set_value("my scores").run()
    open_sections(app)
    around(app, "outsourced", "data")
    forgotten(app)
    go(app, "release")
    assert known(app) == []


def test_what_stays_is_said_with_the_time_that_the_server_is_set_to(monkeypatch):
    monkeypatch.setattr(st, "get_option", lambda name: 77 if name == "server.disconnectedSessionTTL" else None)
    assert numbers(what_stays()) == [77]
