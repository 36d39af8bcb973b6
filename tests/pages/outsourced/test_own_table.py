"""The visitor's own table on the Outsourced page: nothing of it is in the address, and any table gets an answer."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

import privbo_core as pb
from privbo_core.data import Frame, FrameColumn, frame_from, normalise
from privbo_core.errors import DataError
from privbo_core.outsourced import Simulation
from tests.helpers.amounts import few
from tests.helpers.charts import charts
from tests.helpers.numbers import tells
from tests.helpers.opening import open_page
from tests.helpers.own_tables import bring_table, csv, made, open_own, random_table, small
from tests.helpers.reading import HOSTILE, address, html, marked, press
from tests.helpers.shown import guarantee, headline, move, open_more, open_sections, tiles, values

FEW = {"T": "10", "runs": "6"}


def own(problem, **query):
    return open_own(problem, **FEW | query)


def test_a_table_that_is_brought_to_data_is_searched_here():
    app = open_page("data", **FEW)
    bring_table(app, "secret-name.csv", csv(small(80)))
    app.query_params.clear()
    app.switch_page("pages/outsourced.py").run()
    assert app.session_state["data"] == "own"
    assert headline(app)
    for release in ("projection", "noisy"):
        app.button_group(key="release").set_value(release).run()
        if release == "noisy":
            open_sections(app)
        words = " ".join(address(app).values())
        for private in ("secret-name", "dose", "age", "response"):
            assert private not in words
    assert "dose" in guarantee(app), "the unit of privacy is told in the table's own columns"


@pytest.mark.parametrize("name", ["projection", "noisy", "both"])
def test_every_number_is_that_of_the_table(name):
    problem = made(random_table(60, 2))
    app = own(problem, release=name, epsilon="2")
    simulation = Simulation(problem)
    if name == "noisy":
        assert tells(tiles(app)[0][1], replace(pb.outsourced.Setting(2.0, 1e-5, 10, 10)).noise(problem.frame))
    else:
        assert tells(tiles(app)[1][1], round(simulation.spectrum.sigma_min))


def homes(frame=None):
    problem = pb.data.sample("homes")
    original = problem.original[:80]
    points, factor = normalise(original)
    fitted = {"unit_distance": np.full(2, 1 / factor), "kernel": pb.gp.SquaredExponential(float(np.std(points)))}
    rows = {"original": original, "points": points, "objective": problem.objective[:80], "known_frame": frame}
    return replace(problem, title="mine.csv", identity=None, **rows, **fitted)


TYPED = Frame(tuple(FrameColumn(name, "°", -180, 180, 0.01) for name in pb.data.sample("homes").names))
FRAMES = {
    "read off": (None, False),
    "read off and kept": (frame_from(homes().original, homes().names), False),
    "one column public": (Frame((TYPED.columns[0], homes().frame.columns[1])), False),
    "typed and public": (TYPED, True),
}


@pytest.mark.parametrize("name", FRAMES)
def test_only_a_table_whose_settings_were_known_beforehand_is_proven(name):
    frame, public = FRAMES[name]
    app = own(homes(frame), release="noisy")
    card = guarantee(app)
    assert ("pb-proven" in card, "pb-caution" in card) == (public, not public)
    assert (" protection." in card) == public, "no word for strength where an assumption is not met"
    assert ("pb-badge pb-proven" in html(app)) == public
    projected = own(homes(frame), release="projection")
    assert "pb-badge pb-proven" not in html(projected)
    assert ("proven" in guarantee(projected).lower()) == public, "not even of the other release"


@pytest.mark.parametrize("data", pb.data.SAMPLES)
def test_every_sample_is_proven_for_the_noisy_release(data):
    app = open_page("outsourced", **FEW, data=data, release="noisy")
    assert "pb-badge pb-proven" in guarantee(app)


@pytest.mark.parametrize("release", few(["both"], ["projection", "noisy", "both"]))
@pytest.mark.parametrize(("rows", "columns"), [(3, 1), (4, 2), (7, 1), (8, 2), (12, 1), (12, 5), (40, 1)])
def test_a_tiny_table_gets_an_answer(rows, columns, release):
    """With twelve rows there are six evaluations, and five initial points."""
    problem = made(random_table(rows, columns))
    app = own(problem, release=release, T=max(1, rows - 6), runs="5")
    now = values(app)
    assert now["T"] == max(1, rows - 6)
    assert headline(app)
    assert tells(headline(app)[1], 5)
    open_sections(app)
    assert "regret" in charts(app)


@pytest.mark.parametrize("rows", few([260], [260, 5000]))
def test_many_evaluations_stay_within_the_rows(rows):
    app = own(made(random_table(rows, 2)), T=200, runs="5", initial="50")
    assert values(app)["T"] == 200
    assert len(charts(app)["regret"]["data"][1]["x"]) == 200


@pytest.mark.parametrize("rows", [30, 60])
def test_evaluations_near_the_number_of_rows_leaves_initial_points(rows):
    app = own(made(random_table(rows, 2)), T=rows - 6, runs="5", release="both")
    assert values(app)["T"] == rows - 6
    move(open_more(app), "outsourced/more", initial=50)
    assert headline(app)
    move(app, "outsourced", T=rows - 6, number=2)
    (curve,) = [each for each in charts(app)["regret"]["data"] if each.get("name") == "projection"]
    assert len(curve["x"]) == rows - 6
    if rows == 60:
        assert curve["y"][-1] >= 0


BASE = random_table(50, 2)
REFUSED = {
    "constant input": (BASE.assign(x1=7.0), "x1"),
    "the same input twice": (BASE.assign(x1=BASE["x0"]), "x0"),
    "nearly the same input twice": (BASE.assign(x1=BASE["x0"] + 1e-9 * BASE["x1"]), "x0"),
    "constant outcome": (BASE.assign(y=1.0), "y"),
}
DEGENERATE = {
    "an input with two values": BASE.assign(x1=np.arange(50) % 2),
    "the same rows again": pd.concat([BASE[:10]] * 5, ignore_index=True),
    "one outcome that differs": BASE.assign(y=(np.arange(50) == 3).astype(float)),
    "huge numbers": BASE * 1e12,
    "tiny numbers": BASE * 1e-12,
    "one input": BASE[["x0", "y"]],
}


@pytest.mark.parametrize("kind", REFUSED)
def test_a_table_that_no_condition_can_hold_for_never_gets_here(kind):
    rows, column = REFUSED[kind]
    with pytest.raises(DataError, match=column):
        made(rows)


@pytest.mark.parametrize("release", ["projection", "noisy", "both"])
@pytest.mark.parametrize("kind", DEGENERATE)
def test_a_degenerate_table_gets_an_answer(kind, release):
    app = open_sections(own(made(DEGENERATE[kind]), release=release))
    assert len(tiles(app)) == 4
    assert {"condition", "regret"} <= charts(app).keys()
    for text in (*headline(app), *(part for tile in tiles(app) for part in tile)):
        assert not {"nan", "inf", "−inf"} & set(text.lower().split())


def test_names_of_columns_are_shown_as_they_are():
    hostile = random_table(40, 2).rename(columns={"x0": HOSTILE, "x1": "<script>alert(1)</script>"})
    app = own(made(hostile, title=HOSTILE), release="noisy")
    open_sections(app)
    for body in html(app), *marked(app):
        for sign in ("<script>alert", "<b>b</b>", "<img", "<b>c</b>"):
            assert sign not in body
    assert "**c**" in guarantee(app), "a name that looks like markup is shown as it is"
    assert "**c**" in tiles(app)[0][2]
    drawn = charts(app)["maps"]["layout"]
    for axis in ("xaxis", "yaxis"):
        assert "<script>" not in drawn[axis]["title"]["text"]
    for text in [each.value for each in app.markdown]:
        assert "![x](http" not in text
    press(app, "Reset")
    assert "alert" not in " ".join(address(app).values())


def test_no_sample_takes_the_place_of_a_table_that_is_not_here():
    app = open_page("outsourced", **FEW, data="own", epsilon="2")
    assert len(app.warning) == 1
    assert [each.proto.page for each in app.get("page_link")] == ["data"]
    assert not charts(app)
    assert not app.info
    for _ in range(2):
        app.run()
        assert address(app)["data"] == "own", "a reload still says so"
    app.selectbox(key="data").set_value("homes").run()
    assert not app.warning
    assert address(app)["data"] == "homes"
    assert values(app)["epsilon"] == 2
    assert headline(app)
