"""What a person takes away: the script computes the figures' numbers again, the report holds the figures themselves."""

import json
import math
import os
import re
import subprocess
import sys
from datetime import UTC, datetime
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.bring import problems
from pages.parts.federated.words import epsilon_text
from pages.parts.frame.record import KEY, Choice, Figure, Record
from pages.parts.show.explained import as_html
from pages.parts.show.look import LIGHT, plain
from pages.parts.take_away.report import About, Made, in_script, report
from pages.parts.tradeoff.words import amount
from pages.parts.values.picture import Picture
from privbo_core.data import clean, finish, fitting, rule_of_thumb
from privbo_core.outsourced import Simulation

ROOT = Path(__file__).parents[2]
NOW = datetime(2026, 1, 2, 3, 4, tzinfo=UTC)
MADE = Made("http://127.0.0.1:8501/outsourced?T=10&data=synthetic", dark=False, script="print('</script><b>')")
LARGEST = 6_000_000


def visit(page, query=None, widgets=None):
    """Return the page with the popover open, and what it has drawn."""
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    app.switch_page(f"pages/{page}.py")
    for name, value in (query or {}).items():
        app.query_params[name] = value
    for key, value in {"take-away": True, **(widgets or {})}.items():
        app.session_state[key] = value
    app.run()
    assert not app.exception
    return app, app.session_state[KEY]


def code_of(app):
    """Return the script that the page offers."""
    (code,) = [block.value for block in app.get("code") if "prints the numbers behind" in block.value]
    assert len(code.splitlines()) <= 45
    assert all(len(line) <= 160 for line in code.splitlines())
    return code


def printed(code, folder):
    """Run a script as a person would; return the numbers that it prints, by name, as text."""
    (folder / "view.py").write_text(code, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "view.py"], cwd=folder, capture_output=True, text=True, encoding="utf-8", timeout=300,
        env={**os.environ, "PYTHONPATH": str(ROOT), "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return {name: values for name, *values in map(str.split, done.stdout.splitlines())}


def six(values):
    """Return numbers as figures and scripts write them."""
    return [f"{value:.6g}" for value in np.asarray(values, dtype=float)]


def traces(record, slot):
    return {trace.get("name"): trace for trace in record.figures[slot].picture.data}


@pytest.mark.parametrize(
    ("release", "mechanisms", "query"),
    [
        ("projection", ["private"], {"T": "12", "runs": "5", "data": "homes"}),
        ("both", ["private", "noisy"], {"T": "10", "runs": "6", "epsilon": "1.7", "delta": "0.0003", "r": "3"}),
        ("noisy", ["noisy"], {"T": "15", "runs": "5", "data": "branin", "distance": "2.5", "delta_ucb": "0.2"}),
    ],
)
def test_the_script_of_outsourced_prints_the_curves(tmp_path, release, mechanisms, query):
    app, record = visit("outsourced", query, {"release": release})
    numbers, drawn = printed(code_of(app), tmp_path), traces(record, "regret")
    names = {"private": "private", "noisy": "noisy release", "plain": "non-private", "random": "random search"}
    for policy in [*mechanisms, "plain", "random"]:
        curve = drawn[names[policy]]
        assert numbers[policy] == six(curve["y"])
        assert numbers[f"{policy}_error"] == six(curve["customdata"])
        assert len(numbers[policy]) == int(query["T"])
    if "private" in mechanisms:
        condition = traces(record, "condition")
        assert numbers["omega"] == six(condition["now"]["y"])
        assert numbers["sigma_min"] == six(condition["σ_min"]["y"][:1])
        assert f"ε* = {float(numbers['smallest_epsilon'][0]):.3g}" in str(record.tiles)
    else:
        assert numbers["noise"] == six(traces(record, "noise")["now"]["y"])
    extra, error = (float(value) for value in numbers[f"{mechanisms[0]}_extra"])
    assert f"{extra:+.2f}".replace("-", "−") in str(record.tiles)
    assert f"± {error:.2f} over" in str(record.tiles)


@pytest.mark.parametrize("name", ["loans", "synthetic"])
def test_the_script_of_data_prints_singular_values_and_histograms(tmp_path, name):
    app, record = visit("data", {"data": name})
    numbers = printed(code_of(app), tmp_path)
    assert numbers["singular_values"] == six(traces(record, "singular")["singular value"]["y"])
    histograms = [figure for slot, figure in record.figures.items() if slot.startswith("histogram")]
    for i, figure in enumerate(histograms):
        (bars,) = figure.picture.data
        assert numbers[f"counts_{i}"] == six(bars["y"])
        edges = np.array(numbers[f"edges_{i}"], dtype=float)
        assert np.allclose(edges[:-1] + edges[1:], 2 * bars["x"], rtol=1e-5, atol=1e-5 * np.abs(edges).max())
    assert f"counts_{len(histograms)}" not in numbers
    columns = app.dataframe[0].value
    assert numbers["lengthscales"] == six(columns["length-scale"])
    assert numbers["unit_distances"] == six(columns["one unit of protected distance"])


@pytest.mark.parametrize(
    ("widgets", "query"),
    [
        ({"algorithm": "1 noisy", "paper": "workshop", "task": "svm"}, {"epsilon": "30", "sigma": "0.3", "T": "20"}),
        ({"algorithm": "2 exact"}, {"epsilon": "2", "A": "0.5", "tau": "0.3"}),
        ({"algorithm": "3 Lipschitz"}, {"lambda_min": "0.001", "epsilon": "7", "T": "15"}),
    ],
)
def test_the_script_of_release_prints_chances_interval_and_bounds(tmp_path, widgets, query):
    app, record = visit("release", query, widgets)
    numbers = printed(code_of(app), tmp_path)
    interval = traces(record, "score")["95 % interval"]
    assert numbers["interval"] == six(interval["x"])
    if widgets["algorithm"] == "3 Lipschitz":
        assert numbers["sensitivity"] == six(traces(record, "setting")["now"]["y"])
    else:
        times = traces(record, "setting")["release probability × number of candidates"]["y"]
        assert numbers["times_as_likely_as_blind"] == six(times)
        assert f"{float(numbers['effective_candidates'][0]):.0f} of {len(times)}" in str(record.tiles)
    make(record, About("Release", "data"))
    assert len(record.explanations) == 3
    sums = sorted(float(values[0]) for name, values in numbers.items() if name.startswith("theorem"))
    assert sums == pytest.approx(sorted(traces(record, "terms")["sum"]["x"]), rel=1e-5)


@pytest.mark.parametrize(
    ("widgets", "query"),
    [
        ({"federated_runs": "5"}, {"T": "6", "N": "60", "z": "1.5", "q": "0.4", "P": "4", "S": "9", "h": "0.3"}),
        (
            {"agents": "schools", "federated_measure": "cumulative", "federated_runs": "5"},
            {"T": "4", "N": "30"},
        ),
    ],
)
def test_the_script_of_federated_prints_both_figures(tmp_path, widgets, query):
    app, record = visit("federated", query, widgets)
    numbers = printed(code_of(app), tmp_path)
    privacy, regret = traces(record, "privacy"), traces(record, "federated-regret")
    make(record, About("Federated", "data"))
    assert len(record.explanations) == 2
    for accountant in ("moments", "rdp", "pld"):
        assert numbers[accountant] == six(privacy[accountant]["y"])
    for name in ("TS", "FTS", "FTS-DE", "DP-FTS", "DP-FTS-DE"):
        assert numbers[name] == six(regret[name]["y"])
        assert numbers[f"{name}_error"] == six(regret[name]["customdata"])
    assert f"{float(numbers['saved'][0]):+.2f}".replace("-", "−") in str(record.tiles)


@pytest.mark.parametrize(
    ("widgets", "query"),
    [
        ({}, {"T": "8", "runs": "5", "data": "homes", "from": "1", "to": "30", "epsilon": "4"}),
        (
            {"tradeoff_r": "Largest feasible r", "tradeoff_measure": "Summed up"},
            {"T": "8", "runs": "5", "distance": "2", "epsilon": "0.5", "budget": "3"},
        ),
        ({"tradeoff_task": "Release"}, {"T": "20", "runs": "6", "k1": "0.95", "epsilon": "30"}),
        (
            {"tradeoff_task": "Release", "tradeoff_published": "Score", "task": "svm"},
            {"T": "12", "runs": "4", "tau": "0.3"},
        ),
        (
            {"tradeoff_task": "Federated", "tradeoff_accountant": "Rényi"},
            {"T": "4", "runs": "3", "N": "30", "z": "1.5", "from": "2", "to": "60", "epsilon": "9"},
        ),
    ],
)  # fmt: skip
def test_the_script_of_trade_off_prints_marks_and_both_answers(tmp_path, widgets, query):
    app, record = visit("tradeoff", query, widgets)
    numbers, drawn = printed(code_of(app), tmp_path), traces(record, "tradeoff")
    answers = " ".join(re.sub(r"<[^>]+>", "", element.proto.body) for element in app.get("html"))
    names = [name[: -len("_cost")] for name in numbers if name.endswith("_cost")]
    assert len(names) >= 2
    for name in names:
        marks = drawn[name.replace("_", " ")]
        assert len(numbers[f"{name}_at"]) >= 5
        assert numbers[f"{name}_at"] == six(marks["x"])
        assert numbers[f"{name}_cost"] == six(marks["y"])
        assert numbers[f"{name}_error"] == six(marks["error_y"]["array"])
        if f"{name}_extra" in numbers:
            extra, _ = (float(value) for value in numbers[f"{name}_extra"])
            shown = amount(extra, 0.0) if abs(extra) >= 100 else f"{extra:+.2f}"[:4].replace("-", "−")
            assert shown in answers
        else:
            assert "cannot be set to this ε" in answers
        needed, low, _ = (float(value) for value in numbers[f"{name}_needs"])
        assert math.isinf(needed) or f"ε = {epsilon_text(needed)}" in answers
        assert low <= needed
    for reference in ("non-private", "random search", "blind draw"):
        if reference in drawn:
            assert numbers[reference.replace(" ", "_")] == six(drawn[reference]["y"][:1])
    make(record, About("Trade-off", "data"))
    assert len(record.explanations) == 3


@pytest.mark.parametrize(
    ("mechanism", "attack"),
    [
        ("projection", "tell"),
        ("projection", "rebuild"),
        ("noisy", "tell"),
        ("noisy", "rebuild"),
        ("noisy", "sharpest"),
        ("choice", "prior"),
        ("choice", "task"),
        ("canary", "all"),
        ("canary", "one"),
        ("textbook", "laplace"),
        ("textbook", "gaussian"),
    ],
)
def test_the_script_of_an_attack_prints_what_the_page_shows(tmp_path, mechanism, attack):
    few = {"trials": "60" if attack == "tell" else "3000", "pairs": "10", "r": "3", "z": "1.2", "noise": "0.8"}
    app, record = visit("audit", few, {"audited": mechanism, f"attack-{mechanism}": attack, "data": "homes"})
    numbers = printed(code_of(app), tmp_path)
    slot = f"audit-{mechanism}-{attack}"
    assert set(record.figures) == {f"{slot}-left", f"{slot}-right"}
    make(record, About("Audit", "data"))
    assert len(record.explanations) == 1
    if attack == "rebuild":
        table = record.figures[f"{slot}-left"].table
        records = {name: values for name, values in numbers.items() if name.startswith("record_")}
        assert len(records) == table.count("<tr>") - 2 == 8
        for name, values in records.items():
            (row,) = re.findall(rf'<th scope="row">{int(name[7:]):,}</th>(.*?)</tr>', table)
            cells = [
                float(cell.replace(",", "").replace("−", "-")) for cell in re.findall(r"<td>([-−\d.,e]+)</td>", row)
            ]
            assert [f"{cell:.6g}" for cell in cells[:2]] == values[:2]
            assert [f"{cell:.6g}" for cell in cells[-3:-1] if "e" not in f"{cell}"][:2] == values[-2:]
    elif mechanism == "choice":
        drawn = traces(record, f"{slot}-left")
        assert numbers["percent_here"] == six(drawn["with V"]["y"])
        assert numbers["percent_there"] == six(drawn["with the neighbour V′"]["y"])
        assert numbers["worst_pair"] == six(traces(record, f"{slot}-right")["this audit shows at least"]["x"])
    else:
        here, there = record.figures[f"{slot}-left"].picture.data
        assert numbers["percent_here"] == six(here["y"])
        assert numbers["percent_there"] == six(there["y"])
        bars = [trace["x"][0] for trace in record.figures[f"{slot}-right"].picture.data]
        claims = [values[0] for name, values in numbers.items() if name.startswith("claimed")]
        assert [*numbers["epsilon_at_least"], *claims] == six(bars)


class Reader(HTMLParser):
    """Collects what a browser would load, and checks that elements are closed in the order they were opened in."""

    EMPTY = ("meta", "link", "br", "hr", "img", "input")

    def __init__(self, text):
        super().__init__()
        self.open, self.loaded, self.tags, self.text = [], [], [], ""
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):  # noqa: D102
        self.tags.append(tag)
        if tag not in self.EMPTY:
            self.open.append(tag)
        given = dict(attributes)
        assert not any(name.startswith("on") for name in given)
        self.loaded += [given[name] for name in ("src", "srcset", "data", "poster", "action") if name in given]
        if "href" in given:
            assert tag == "a"  # leads somewhere when clicked; loads nothing

    def handle_endtag(self, tag):  # noqa: D102
        assert self.open.pop() == tag

    def handle_data(self, data):  # noqa: D102
        if self.open[-1:] not in (["script"], ["style"]):
            self.text += data


def make(record, about, share_only=False, made=MADE):
    text = report(record, about, made, share_only, NOW)
    assert len(text.encode()) < LARGEST
    reader = Reader(text)
    assert reader.loaded == []
    style = re.search("<style>(.*?)</style>", text, re.DOTALL)[1]
    assert "url(" not in style
    assert "@import" not in style
    assert "default-src 'none'" in text
    for explanation in record.explanations.values():
        assert share_only == (as_html(explanation) not in text)
        assert "$" not in as_html(explanation)
        assert "://" not in as_html(explanation)
        assert "<code>" not in as_html(explanation)  # a formula that could not be written
    return text, reader


def shown_in(text):
    """Return the figures in a report, read as a browser reads them."""
    return json.loads(re.search(r"<script>const shown = (.*?);\n", text)[1])["pictures"]


def test_the_report_holds_the_figures_of_the_page():
    _, record = visit("outsourced", {"T": "10", "runs": "5", "data": "loans"})
    text, reader = make(record, About("Outsourced optimisation", "Loans", steps=("9,669 rows are used.",)))
    assert set(record.figures) == {"condition", "regret", "curator-map", "modeler-map"}
    assert shown_in(text) == {slot: json.loads(figure.picture.as_json()) for slot, figure in record.figures.items()}
    for figure in record.figures.values():
        assert f"<h2>{figure.title}</h2>" in text
        assert f'role="figure" aria-label="{figure.alt}"' in text
    for words in ("curator’s eyes only", "refuted: see Audit", "Dimension of the random projection",
                  "9,669 rows are used.",
                  "02 January 2026 at 03:04 (UTC)", "plotly 7.1.0", "print('</script><b>')"):  # fmt: skip
        assert words in reader.text
    assert "http://127.0.0.1:8501/outsourced?T=10&data=synthetic" in reader.text


def test_a_report_before_any_figure_says_so():
    _, reader = make(Record(), About("Outsourced optimisation", "Homes"))
    assert "Nothing was drawn yet" in reader.text
    assert "script" not in reader.tags


HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(2)><!--"


def test_hostile_names_stay_text():
    picture = Picture(LIGHT)
    picture.line([0, 1], [0, 1], LIGHT.private, name=HOSTILE)
    figure = Figure('"><b>', plain(HOSTILE), "curator", picture, HOSTILE)
    record = Record({figure.slot: figure}, settings={"x": Choice(HOSTILE, HOSTILE, HOSTILE)})
    about = About(HOSTILE, HOSTILE, own=False, steps=(HOSTILE,), choices=((HOSTILE, HOSTILE),))
    text, reader = make(record, about, made=Made("javascript:alert(3)", dark=False, script=HOSTILE))
    assert reader.tags.count("script") == 2
    assert "img" not in reader.tags
    assert "javascript:" not in text.split("<script>")[0]
    assert shown_in(text)['"><b>']["data"][0]["name"] == HOSTILE
    assert "<" not in in_script({"<": ["</script>", "\u2028"]})
    assert "\u2028" not in in_script("\u2028")


def test_explanations_become_paragraphs_lists_and_formulas():
    html = as_html("Say **a** and *b*\\_1 < c:\n\n$x^2$ is \\*not\\* <b>.\n- one\n- two\n\n$\\frac{$")
    assert html.startswith("<p>Say <strong>a</strong> and <em>b</em>_1 &lt; c:</p><p><math")
    assert "is *not* &lt;b&gt;.</p><ul><li>one</li><li>two</li></ul><p><code>\\frac{</code></p>" in html


def upload(rows, columns, page, stop=False):
    """Return a page on a table of one's own, made as the page Data makes it, and what was drawn; and the table."""
    rng = np.random.default_rng(3)
    x = rng.normal(size=(rows, 2))
    table = pd.DataFrame(
        {columns[0]: x[:, 0], columns[1]: x[:, 1], columns[2]: np.sin(x[:, 0]) + 0.1 * rng.normal(size=rows)}
    )
    cleaned = clean(table, columns[:2], columns[2], maximize=False)
    *_, last = fitting(cleaned) if not stop else [None]
    fit = rule_of_thumb(cleaned) if stop else last.best
    problem = finish(cleaned, fit, title="mine.csv")
    recipe = problems.Recipe(tuple(columns[:2]), columns[2], False, False, {}, fit if stop else None)
    app = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).run()
    app.switch_page(f"pages/{page}.py")
    app.session_state["own data/simulation"] = Simulation(problem)
    app.session_state["own data/recipe"] = recipe
    app.session_state["data"] = "own"
    app.session_state["take-away"] = True
    app.query_params["runs"] = app.query_params["T"] = "10"
    app.run()
    assert not app.exception
    return app, table


@pytest.mark.parametrize("stop", [False, True])
def test_the_script_of_an_upload_computes_the_same_from_the_file(tmp_path, stop):
    app, table = upload(300, ['it\'s "x"', "<b>é</b>", "y\\n"], "data", stop)
    table.to_csv(tmp_path / "your file.csv", index=False)
    numbers = printed(code_of(app), tmp_path)
    singular = traces(app.session_state[KEY], "singular")
    assert numbers["singular_values"] == six(singular["singular value"]["y"])
    assert numbers["lengthscales"] == six(app.dataframe[0].value["length-scale"])
    text, reader = make(app.session_state[KEY], About("Data", "mine.csv", own=True))
    assert "<b>é</b>" not in text.split("<script>")[0]
    assert "<b>é</b>" in reader.text


def test_the_report_of_an_upload_of_36000_rows_is_small_and_can_leave_out_what_is_the_curator_s():
    app, _ = upload(36_000, ["<b>a</b>", "b", "y"], "outsourced", stop=True)
    record = app.session_state[KEY]
    (leave_out,) = [box for box in app.checkbox if "Leave out" in box.label]
    assert leave_out.value  # with one's own data, unless one says otherwise
    about = About("Outsourced optimisation", "mine.csv", own=True, steps=("Row 3 holds 17.",))
    text, reader = make(record, about)
    assert "<b>a</b>" not in text.split("<script>")[0]
    assert len(shown_in(text)) == 4
    assert "reveals something" in reader.text
    assert "http://" not in text.split("<script>")[0]  # a link brings no upload back
    text, reader = make(record, about, share_only=True)
    assert 'class="plot"' not in text
    assert "4 figures and tables were left out" in reader.text
    assert "Row 3 holds 17." not in reader.text
    assert "Neighbours" not in reader.text
    assert "refuted" in reader.text


def test_what_was_recorded_is_forgotten_with_the_data_and_never_shared():
    mine, _ = upload(300, ["a", "b", "y"], "outsourced", stop=True)
    _, record = visit("outsourced", {"T": "10", "runs": "5"})
    kept = mine.session_state[KEY]
    assert kept is not record
    assert len(kept.figures) == len(record.figures) == 4
    ours, others = (json.loads(each.figures["curator-map"].picture.as_json())["data"][0] for each in (kept, record))
    assert len(ours["x"]) == 300
    assert len(others["x"]) != 300

    def page():
        import streamlit as st

        from pages.parts.bring.problems import forget_own
        from pages.parts.frame import record

        if "begun" not in st.session_state:
            record.begin()
            record.keep_card("mine")
            st.session_state["begun"] = True
        st.button("Forget my data", on_click=forget_own)

    app = AppTest.from_function(page).run()
    last = app.session_state[KEY]
    assert list(last.cards) == ["mine"]
    app.button[0].click().run()
    assert last.cards == {}  # so that a button that still holds it has nothing to hand out
    assert KEY not in app.session_state


def test_a_page_without_a_task_offers_nothing_and_says_why():
    app, record = visit("release", widgets={"task": "my scores"})
    assert record.figures == {}
    assert not any("prints the numbers" in block.value for block in app.get("code"))
    assert any("nothing to tune yet" in box.value for box in app.info)


def test_a_page_without_a_script_offers_the_report():
    app, record = visit("reproduce")
    assert "compared" in record.figures
    assert not any("prints the numbers" in block.value for block in app.get("code"))
    assert any("Leave out" in box.label for box in app.checkbox)
    text, _ = make(record, About("reproduce", "data"))
    assert all(f"<h2>{figure.title}</h2>" in text for figure in record.figures.values())


def test_the_report_of_trade_off_has_the_answers_and_who_neighbours_are():
    app, record = visit("tradeoff", {"T": "6", "runs": "4", "from": "2", "to": "9", "epsilon": "3"})
    assert not app.exception
    assert [question.split(":")[0] for question in record.answers] == [
        "What does ε = 3 cost?",
        "Which ε do I need for at most this much more than non-private (σ_y)",
    ]
    assert set(record.explanations) == {"the figure", "the two answers", "neighbours here"}
    assert "<sub>" not in record.explanations["the two answers"]
    text, reader = make(record, About("Trade-off", "data"))
    for question, answer in record.answers.items():
        assert question in reader.text
        assert answer in text
    without, _ = make(record, About("Trade-off", "data"), share_only=True)
    assert not any(answer in without for answer in record.answers.values())


def test_names_of_one_s_own_columns_stay_text_on_trade_off():
    app, _ = upload(200, ["![x](//a.bc/p.png)", "<b>b</b>", "**y**"], "tradeoff", stop=True)
    shown = [element.value for element in app.get("markdown")]
    said = next(text for text in shown if "Neighbours here" in text)
    assert "](" not in said
    assert "<b>" not in said
    assert r"\!\[x\]\(//a\.bc/p\.png\)" in said
    make(app.session_state[KEY], About("Trade-off", "mine.csv", own=True))
