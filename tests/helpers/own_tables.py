"""A table of one's own, brought to a page without a browser, and what the page then says."""

import io

import numpy as np
import pandas as pd

from pages.ui.own_table import OWN_TABLE, OwnTable
from privbo_core.data import Frame, FrameColumn, clean, finish, rule_of_thumb
from privbo_core.outsourced import Simulation
from tests.helpers.opening import open_page


def bring(app, label, name, content):
    (place,) = [each for each in app.get("file_uploader") if each.label.startswith(label)]
    return place.set_value((name, content, "application/octet-stream"))


def bring_table(app, name, content):
    """Bring a table of one's own to Data."""
    bring(app, "Your own table", name, content).run()
    return app


def kept(app):
    """Return the session's own table, or None."""
    return app.session_state[OWN_TABLE] if OWN_TABLE in app.session_state else None  # noqa: SIM401


def said(app):
    """Return all that the page says, errors and warnings too."""
    boxes = [plain(box) for kind in (app.error, app.warning, app.info, app.success) for box in kind]
    return " ".join([*(each.proto.body for each in app.get("html")), *boxes, *(each.value for each in app.markdown)])


def plain(box):
    return box.value.replace("\\", "")


def small(n=40, outcome=True, seed=0):
    """Return a table of one's own: two inputs, and an outcome that follows them."""
    rng = np.random.default_rng(seed)
    table = pd.DataFrame({"dose": rng.uniform(0, 10, n).round(3), "age": rng.integers(20, 80, n).astype(float)})
    response = (table["dose"] - 0.05 * table["age"]).round(3)
    return table.assign(response=response) if outcome else table


def csv(table):
    text = io.StringIO()
    table.to_csv(text, index=False)
    return text.getvalue().encode()


FRAME = Frame(
    (
        FrameColumn("dose", "mg", 0.0, 10.0, 1.0),
        FrameColumn("age", "years", 0.0, 100.0, 4.0),
    )
)


def random_table(rows, columns, seed=0):
    """Return a table of so many inputs, and an outcome y that follows the first one."""
    rng = np.random.default_rng(seed)
    x = rng.normal(50, 10, size=(rows, columns))
    return pd.DataFrame({f"x{k}": x[:, k] for k in range(columns)}).assign(y=x[:, 0] + rng.normal(size=rows))


def made(table, outcome="y", title="mine.csv", frame=None):
    """Return the problem that a table makes, as Data does where somebody doesn't wait for the fit."""
    inputs = [name for name in table.columns if name != outcome]
    cleaned = clean(table, inputs, outcome, maximize=True)
    return finish(cleaned, rule_of_thumb(cleaned), title=title, frame=frame)


def open_own(problem, page="outsourced", **query):
    """Open a page on a table that Data has prepared."""
    cells = pd.DataFrame(problem.original, columns=problem.names)
    table = OwnTable(cells, problem.title, simulation=Simulation(problem))
    return open_page(page, {OWN_TABLE: table, "data": "own"}, **query)
