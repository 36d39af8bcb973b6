"""The Data page: samples, tables of one's own, questions about a file, and files that can't be used."""

import gzip
import io
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import streamlit as st

import privbo_core as pb
from pages.ui.bring import ABOUT
from pages.ui.own_table import Answers
from pages.ui.settings_editor import read_rows, rows_of
from privbo_core.data.layout import MAX_ROWS
from privbo_core.diagnostics import judge
from privbo_core.outsourced import Simulation
from tests.helpers.amounts import few
from tests.helpers.charts import charts
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.own_tables import bring, bring_table, csv, kept, plain, small
from tests.helpers.reading import HOSTILE, address, html, marked, press, said
from tests.helpers.scripts import printed, run, with_real_call
from tests.helpers.shown import headline, open_sections, tiles

BIG = small(90)


def opened(content=None, name="mine.csv", **query):
    app = open_page("data", **query)
    return app if content is None else bring_table(app, name, content)


def settings_of(app):
    return kept(app).settings


def press_answer(app, kind, answer):
    """Answer the first question of a kind that is asked."""
    (button,) = [each for each in app.button if each.key and each.key.endswith(f"/{kind}/{answer}")][:1]
    button.click().run()
    return app


def edit(app, name, **cells):
    """Edit cells in the row of a column, as the editor in the browser does."""
    own = kept(app)
    rows = rows_of(own, own.settings)
    place = rows.index[rows["Column"] == name][0]
    for title, text in cells.items():
        rows.loc[place, title.replace("_", " ")] = text
    return read_rows(own, rows)


def test_the_limits_of_a_file_are_those_that_are_named():
    assert numbers(ABOUT) == [st.get_option("server.maxUploadSize"), MAX_ROWS]


def test_the_script_runs_and_its_real_call_makes_a_release(scripts, tmp_path):
    opened(data="branin")
    (script,) = scripts
    problem = pb.data.sample("branin")
    found = printed(script, tmp_path)
    assert numbers(found["rows"]) == [problem.n]
    assert tells(found["sigma_min"], Simulation(problem).spectrum.sigma_min)
    made = run(with_real_call(script) + "\nprint(release.Z.shape)", tmp_path)
    assert f"({problem.n}, {problem.d})" in made


@pytest.mark.parametrize("name", few(["hospital", "homes"], list(pb.data.SAMPLES)))
def test_a_sample_shows_the_numbers_of_the_engine(name):
    app = open_sections(opened(data=name))
    problem = pb.data.sample(name)
    shown = [tile[1] for tile in tiles(app)]
    assert tells(shown[0], problem.n)
    assert tells(shown[2], round(Simulation(problem).spectrum.sigma_min))
    found = judge(problem, search=pb.data.suited_search(problem))
    assert tells(shown[1], round(100 * found.learned.share))
    assert tells(shown[3], round(found.searched.rank), round(found.searched.chance))
    assert "column" in charts(app)
    assert address(app).get("data", "hospital") == name


def test_a_table_shows_the_numbers_of_the_engine():
    app = opened(csv(BIG))
    problem = kept(app).simulation.problem
    assert (problem.names, problem.output, problem.n) == (("dose", "age"), "response", 90)
    assert not problem.frame.public
    found = judge(problem, search=pb.data.suited_search(problem))
    shown = [tile[1] for tile in tiles(app)]
    assert tells(shown[0], 90)
    assert tells(shown[1], round(100 * found.learned.share))
    assert tells(shown[2], round(kept(app).simulation.spectrum.sigma_min))
    assert tells(headline(app)[1], 90, 3)


def test_a_clean_table_of_two_columns_has_eight_controls_at_most():
    app = opened(csv(BIG[["dose", "response"]]))
    kinds = (
        app.selectbox,
        app.checkbox,
        app.button_group,
        app.text_input,
        app.number_input,
        app.multiselect,
        app.toggle,
    )
    controls = [each for kind in kinds for each in kind]
    buttons = [each.label for each in app.button]
    editor = 1
    assert len(controls) + len(buttons) + editor + len(app.get("file_uploader")) <= 8 + 1  # and a file of settings
    assert kept(app).simulation is not None, "every default is usable as it stands"


def test_nothing_of_a_table_is_in_the_address_and_no_other_page_asks_for_it_again():
    app = opened(csv(BIG), "secret-name.csv")
    app.selectbox(key="own data/chosen/shown").set_value("age").run()
    words = " ".join([*address(app), *address(app).values()])
    for private in ("secret-name", "dose", "age", "response"):
        assert private not in words
    for page, query in {"outsourced": "data", "release": "task", "federated": "agents"}.items():
        app.query_params.clear()
        app.query_params[query] = "my scores" if page == "release" else "own"
        app.query_params |= {"T": "5", "runs": "5"}
        app.switch_page(f"pages/{page}.py").run()
        assert not [box for box in app.warning if "isn’t here" in box.value], page
        assert not app.get("file_uploader")


@pytest.mark.parametrize("query", [{"data": "own"}, {"bring": "table"}])
def test_a_reload_or_a_link_shows_no_sample_in_place_of_a_table(query):
    app = opened(**query)
    assert bool(app.warning) == ("data" in query)
    assert charts(app) == {}
    assert tiles(app) == []
    bring_table(app, "mine.csv", csv(BIG))
    assert not app.warning
    assert "column" in charts(app)


def test_clearing_forgets_the_table_and_shows_a_sample():
    app = opened(csv(BIG), "secret-name.csv")
    press(app, "Clear my data")
    assert kept(app) is None
    assert "secret-name" not in said(app)
    assert address(app).get("data") in (None, "hospital")
    assert "column" in charts(app)


CODES = "\n".join(
    ["age;dose;effect", *(f"{-9 if i % 9 == 4 else 30 + i % 40};{i % 7},5;{i % 11},{i % 10}" for i in range(90))]
)


def test_a_code_for_missing_is_asked_about_and_the_answer_holds_on_every_page():
    app = opened(CODES.encode())
    assert kept(app).simulation.problem.n == 90
    press_answer(app, "missing", True)
    assert kept(app).answers.missing == {"age": (-9.0,)}
    assert kept(app).simulation.problem.n == 80
    assert min(column.low for column in settings_of(app).columns if column.name == "age") == 30
    assert not [each for each in app.button if each.key and "/question/" in each.key]
    again = press_answer(opened(CODES.encode()), "missing", False)
    assert kept(again).simulation.problem.n == 90


def test_answers_are_listed_and_can_all_be_taken_back():
    app = opened(CODES.encode())
    settings, _ = edit(app, "dose", High="20", Protected_difference="0,5", Unit="mg")
    app.session_state["own data/table"] = replace(kept(app), settings=settings)
    assert tells(headline(app.run())[1], 1), "an open question is named beside the verdict"
    press_answer(app, "missing", False)
    assert [text for text in (each.value for each in app.caption) if "age" in text and tells(text, -9)]
    press(app, "Ask again")
    own = kept(app)
    assert (own.answers, own.answered) == (Answers(), ())
    assert len(own.questions) == 1
    dose = next(column for column in own.settings.columns if column.name == "dose")
    assert (dose.high, dose.hide, dose.unit) == (20.0, 0.5, "mg")
    press_answer(app, "missing", True)
    assert kept(app).simulation.problem.n == 80


def test_open_questions_are_named_on_the_pages_that_use_the_table():
    app = opened(CODES.encode())
    app.query_params.clear()
    app.query_params |= {"data": "own", "T": "5", "runs": "5"}
    app.switch_page("pages/outsourced.py").run()
    (sentence,) = {each for each in html(app).split("<") if "open" in each and "Data" in each and "question" in each}
    assert tells(sentence, 1)
    own = kept(app)
    app.session_state["own data/table"] = replace(own, questions=())
    assert sentence not in html(app.run())


def test_mixed_units_and_letters_are_asked_about():
    cells = ["$120,259", "98100", "$88,400", "120.3k", "1.2M", ""] * 15
    rows = [f'"{cell}",{i % 13},{i % 5}' for i, cell in enumerate(cells)]
    app = opened("\n".join(["price,area,rooms", *rows]).encode())
    assert {question.kind for question in kept(app).questions} == {"unit", "multiplier"}
    assert "price" in [column.name for column in kept(app).columns if column.kind == "number"]
    for kind in ("unit", "multiplier"):
        press_answer(app, kind, True)
    assert not kept(app).questions
    assert kept(app).table["price"].max() == 1.2e6
    press_answer(again := opened("\n".join(["price,area,rooms", *rows]).encode()), "unit", False)
    assert kept(again).answers.text == ("price",)


def test_a_file_without_a_header_is_asked_about_and_no_row_is_lost():
    rows = "\n".join(f"{150 + i % 40},{50 + i % 30},{i % 17}.5" for i in range(60))
    app = opened(rows.encode())
    assert len(kept(app).table) == 60
    press_answer(app, "header", False)
    assert (len(kept(app).table), kept(app).questions) == (60, ())
    named = press_answer(opened(rows.encode()), "header", True)
    assert (len(kept(named).table), next(iter(kept(named).table.columns))) == (59, "150")


def test_heights_in_metres_among_centimetres_are_asked_about():
    rows = [f"{150 + i % 40};{50 + i % 30};{i % 17}" for i in range(60)]
    rows[5:7] = ["1,74;70;3", "1,81;82;4"]
    app = opened("\n".join(["height;weight;effect", *rows]).encode())
    press_answer(app, "hundredth", True)
    assert kept(app).table["height"].tolist()[5:7] == [174.0, 181.0]


def test_settings_that_were_made_outlive_an_answer():
    app = opened(CODES.encode())
    own = kept(app)
    settings, faults = edit(app, "dose", High="20", Protected_difference="0,5", Unit="mg")
    assert faults == []
    app.session_state["own data/table"] = replace(own, settings=settings)
    app.run()
    press_answer(app, "missing", True)
    dose = next(column for column in settings_of(app).columns if column.name == "dose")
    assert (dose.high, dose.hide, dose.unit) == (20.0, 0.5, "mg")


def test_ticking_the_box_meets_the_assumption_about_the_limits():
    app = opened(csv(BIG))
    before = kept(app).simulation
    app.checkbox(key="own data/chosen/known").check().run()
    after = kept(app).simulation
    assert (before.problem.frame.public, after.problem.frame.public) == (False, True)
    assert np.array_equal(before.problem.points, after.problem.points), "the limits change nothing that was fitted"
    assert after.spectrum.sigma_min == before.spectrum.sigma_min


def test_lowest_looks_for_the_smallest_outcome():
    app = opened(csv(BIG))
    app.button_group(key="own data/chosen/goal").set_value("lowest").run()
    problem = kept(app).simulation.problem
    assert not problem.maximize
    assert problem.original[problem.objective.argmax()] == pytest.approx(
        BIG.loc[BIG["response"].idxmin(), ["dose", "age"]].to_numpy(float)
    )


def test_the_unused_columns_are_tried():
    rng = np.random.default_rng(0)
    table = small(150).assign(kind=rng.choice(["a", "b"], 150), extra=rng.normal(size=150))
    table["response"] += 2.0 * (table["kind"] == "b")
    shown = said(opened(csv(table[["dose", "age", "kind", "extra", "response"]])))
    assert "kind" in shown
    assert tells(shown.partition("kind would explain a further ")[2][:5], *numbers(shown.partition("further ")[2][:5]))


UNUSABLE = {
    "book.csv": b"PK\x03\x04" + bytes(200),
    "empty.csv": b"",
    "one.csv": b"a,b\n1,2\n",
    "wide.csv": b"a,b\n1,2\n1,2,3\n4,5\n",
    "quote.csv": b'a,b\n1,"2\n3,4\n',
    "binary.csv": bytes(range(256)) * 20,
    "damaged.csv.gz": gzip.compress(b"a,b\n1,2\n" * 99)[:-20],
    "one column.csv": b"a\n1\n2\n3\n",
}


@pytest.mark.parametrize("name", UNUSABLE)
def test_a_file_that_is_no_table_gets_a_sentence_and_the_table_before_stays(name):
    app = opened(csv(BIG))
    before = kept(app)
    bring_table(app, name, UNUSABLE[name])
    assert [plain(box).startswith(name) for box in app.error] == [True]
    assert kept(app).table is before.table
    assert "column" in charts(app)
    first = opened(UNUSABLE[name], name)
    assert first.error
    assert kept(first) is None


ODD = {
    "no numbers": pd.DataFrame({"a": ["x", "y", "z"] * 10, "b": ["p", "q"] * 15}),
    "constant outcome": small(40).assign(response=1.0),
    "constant input": small(40).assign(dose=1.0),
    "everything constant": pd.DataFrame({"a": [1.0] * 9, "b": [2.0] * 9}),
    "two rows": small(2),
    "the same column twice": small(40).assign(again=lambda rows: rows["dose"]),
    "all gaps": small(40).assign(age=np.nan),
    "huge": small(40) * 1e90,
    "tiny": small(40) * 1e-90,
    "a date": small(40).assign(day=pd.date_range("2025-01-01", periods=40).astype(str)),
}


@pytest.mark.parametrize("name", ODD)
def test_an_odd_table_gets_an_answer_or_a_sentence(name):
    app = opened(csv(ODD[name]))
    assert kept(app) is not None
    assert app.error or tiles(app)
    assert headline(app)
    for text in (*headline(app), *(part for tile in tiles(app) for part in tile)):
        assert not {"nan", "inf"} & set(text.lower().split())


def test_names_and_cells_of_a_table_never_become_markup():
    table = small(60).rename(columns={"dose": HOSTILE, "age": "<script>alert(1)</script>", "response": "=cmd|' /C'!A0"})
    table[f"kind {HOSTILE}"] = [HOSTILE, "b", "c"] * 20
    app = open_sections(opened(csv(table), f"{HOSTILE}.csv"))
    for column in kept(app).columns:
        if column.name in app.selectbox(key="own data/chosen/shown").options:
            app.selectbox(key="own data/chosen/shown").set_value(column.name).run()
            drawn = str([(chart["data"], chart["layout"], chart["legend"]) for chart in charts(app).values()])
            assert "<b>b" not in drawn
            assert "<script" not in drawn
    assert "<script" not in html(app)
    assert "<img" not in html(app)
    for text in marked(app):
        assert "](http" not in text


@pytest.mark.parametrize("many", [1, 120])
def test_every_column_is_named_with_a_reason_if_it_is_not_used(many):
    table = small(60).assign(**{f"x{i}": np.random.default_rng(i).normal(size=60) for i in range(many)}, id=range(60))
    app = opened(csv(table))
    own = kept(app)
    rows = rows_of(own, own.settings)
    assert sorted(rows["Column"]) == sorted(table.columns)
    assert (rows["Hides"] != "").all()


def test_more_rows_than_are_searched_are_all_counted():
    rows = 22_000
    x = np.random.default_rng(0).normal(50, 9, size=(rows, 2)).round(3)
    text = io.StringIO()
    pd.DataFrame({"a": x[:, 0], "b": x[:, 1], "y": (x[:, 0] - x[:, 1] ** 2 / 9).round(3)}).to_csv(text, index=False)
    app = opened(text.getvalue().encode())
    simulation = kept(app).simulation
    assert (simulation.problem.n, simulation.searched.n) == (rows, 20_000)
    assert tells(" ".join(tiles(app)[0]), rows, 20_000)
    app.query_params.clear()
    app.query_params |= {"T": "5", "runs": "5"}
    app.switch_page("pages/outsourced.py").run()
    assert tells(said(app), rows)
    assert tells(said(app), 20_000)


def test_two_visitors_have_two_tables():
    one, two = opened(csv(BIG), "one.csv"), opened(csv(small(70, seed=4)), "two.csv")
    assert (kept(one.run()).name, kept(two.run()).name) == ("one.csv", "two.csv")
    assert "one.csv" not in said(two)


def test_a_file_of_settings_is_used_and_a_hostile_one_gets_a_sentence():
    app = opened(csv(BIG))
    settings, _ = edit(app, "age", High="120", Protected_difference="4")
    bring(app, "Load settings", "settings.json", settings.to_json().encode()).run()
    assert settings_of(app) == settings
    assert kept(app).simulation.problem.frame.columns[1].hide == 4
    bring(app, "Load settings", "hostile.json", b'{"columns": [{"name": "<img src=x>"}]}').run()
    assert settings_of(app) == settings
    assert app.caption


def links(app):
    return [each.proto.page for each in app.get("page_link")]


def agents(name, counts):
    table = small(sum(counts))
    table.insert(0, name, [f"{name} {i}" for i, rows in enumerate(counts) for _ in range(rows)])
    return table


def test_the_likeliest_use_of_a_table_comes_first():
    clinics = agents("clinic", [6] * 15).rename(columns={"response": "score"})
    assert links(opened(csv(clinics))) == ["federated", "release", "outsourced", "tradeoff"]


def test_persons_of_whom_most_have_one_row_or_two_are_no_agents():
    names = agents("patient", [8] * 10 + [1, 2] * 30)
    assert links(opened(csv(names))) == ["outsourced", "tradeoff"]
