"""A seat at the workbench without a browser: what is pressed, typed and brought, and what the session then keeps."""

import io

import numpy as np
import pandas as pd

from pages.parts.workbench.seats import mine
from privbo_core.data import Frame, FrameColumn
from privbo_core.outsourced.parties.curator import Curator
from privbo_core.outsourced.parties.stores import MemoryStore
from privbo_core.outsourced.parties.terms import Outcome
from tests.helpers.opening import open_page
from tests.helpers.reading import press

FEW = {"T": "10"}
ZIP = "The ZIP you were sent"


def sit(seat, **query):
    app = open_page("workbench", seat=seat, **(FEW | query))
    return app


def fill(app, label, text):
    (field,) = [each for each in app.text_input if each.label == label]
    return field.set_value(text)


def bring(app, label, name, content):
    (place,) = [each for each in app.get("file_uploader") if each.label.startswith(label)]
    return place.set_value((name, content, "application/octet-stream"))


def bring_table(app, name, content):
    """Bring a table of one's own, and agree to the outcome that is proposed, if that is asked."""
    bring(app, "A table of your own", name, content).run()
    for button in app.button:
        if button.label.startswith("Yes: look for"):
            button.click().run()
    return app


def said(app):
    """Return all that the page says, errors and warnings too."""
    boxes = [plain(box) for kind in (app.error, app.warning, app.info, app.success) for box in kind]
    return " ".join([*(each.proto.body for each in app.get("html")), *boxes, *(each.value for each in app.markdown)])


def plain(box):
    return box.value.replace("\\", "")


def errors(app):
    return [plain(error) for error in app.error]


def kept(app, identity="sample/hospital"):
    return app.session_state[mine("held")][identity]


def search(app):
    return app.session_state[mine("search")]


def ask_for(app, rows):
    fill(app, "Rows asked for", " ".join(map(str, rows)))
    return press(app, "Find them")


def rows(app, count):
    """Ask for so many rows at once; return those that wait for their outcomes."""
    next(field for field in app.number_input if field.label == "Rows at once").set_value(count).run()
    press(app, "Ask")
    return search(app).modeler.pending


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
        FrameColumn("dose", "mg", 0.0, 10.0, 1.0, known_from="the protocol"),
        FrameColumn("age", "years", 0.0, 100.0, 4.0, known_from="what ages there are"),
    )
)


def released_own(table=None):
    """Return the seat after a release of a table of one's own, although the frame was read off it."""
    app = sit("holder")
    bring_table(app, "trial.csv", csv(small() if table is None else table))
    accept(app)
    return press(app, "Release")


def accept(app):
    next(box for box in app.checkbox if "read off the data" in box.label).check().run()


def choose(app, label, value):
    (box,) = [each for kind in (app.selectbox, app.segmented_control) for each in kind if each.label == label]
    box.set_value(value).run()


def release(n=40, epsilon=20.0, private=None, delta=1e-5, **how):
    curator = Curator(small(n), MemoryStore())
    outcome = Outcome("response", "mmHg")
    return curator, curator.release_whole(FRAME, epsilon, delta, outcome=outcome, private=private, **how)
