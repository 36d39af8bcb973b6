"""Somebody who decides, without a browser: what is set, typed and signed, and what the page then says and hands out."""

import html
import re

import numpy as np
import pandas as pd

from pages.parts.export.offer import Recipe
from pages.parts.table.own_table import OWN_TABLE, OwnTable
from pages.parts.table.upload import INPUTS
from privbo_core.data import Frame, FrameColumn, clean, finish, rule_of_thumb
from privbo_core.outsourced import Simulation
from tests.helpers.opening import open_page

FRAME = Frame(
    (
        FrameColumn("age", "years", 0, 110, 4, known_from="the register"),
        FrameColumn("dose", "mg", 0, 20, 0.5, known_from="the label"),
    )
)


def a_table(seed=0, rows=120):
    rng = np.random.default_rng(seed)
    age, dose = rng.uniform(20, 90, rows), rng.uniform(0, 20, rows)
    return pd.DataFrame(
        {"age": age, "dose": dose, "marker": np.sin(age / 20) + 0.05 * dose + 0.05 * rng.normal(size=rows)}
    )


def simulation_of(table, frame=FRAME, title="ward.csv"):
    cleaned = clean(table, ("age", "dose"), "marker")
    return Simulation(finish(cleaned, rule_of_thumb(cleaned), title=title, frame=frame))


def come(simulation=None, table=None, **query):
    state, mine = {}, OwnTable()
    if simulation is not None:
        mine.simulation, mine.recipe = simulation, Recipe(("age", "dose"), "marker", True, False, {}, None)
        state |= {OWN_TABLE: mine, "data": "own"}
    if table is not None:
        mine.table, mine.name, mine.upload, mine.content = table, "ward.csv", "1", table.to_csv(index=False).encode()
        state |= {OWN_TABLE: mine, INPUTS: ["age", "dose"]}
    app = open_page("decision", state, **({"T": 10, "view": "expert"} | query))
    return app


def field(app, label):
    """Return the field that is called so, or whose name begins so."""
    (found,) = [
        each for kind in (app.text_input, app.text_area, app.checkbox, app.selectbox) for each in kind
        if each.label.startswith(label)
    ]  # fmt: skip
    return found


def fill(app, label, value):
    field(app, label).set_value(value).run()
    return app


def button(app, key):
    return app.button(key=key)


def sign(app, people="A. Muster, head of the ward", **typed):
    for label, text in {"Who decides": people, **typed}.items():
        fill(app, label, text)
    button(app, "sign").click().run()
    return app


def handed_out(app, key):
    (found,) = [each for each in app.get("download_button") if each.proto.id.endswith(f"-{key}")]
    return found


def seen(app):
    (sheet,) = [each.proto.body for each in app.get("html") if "<article" in each.proto.body]
    return text_of(sheet)


def head(app):
    (body,) = [text_of(each.proto.body) for each in app.get("html") if 'class="pb-answer"' in each.proto.body]
    return body


def text_of(page):
    without_style = re.sub(r"<(style|title)>.*?</\1>", "", page, flags=re.DOTALL)
    return re.sub(r"\s+", " ", html.unescape(re.sub(r"<[^>]+>", " ", without_style)))
