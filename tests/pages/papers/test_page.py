"""The Papers page without a browser: it shows what the papers print beside what the engine computes."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import streamlit as st

import privbo_core as pb
from pages.ui.explanations import explanation
from privbo_core import experiments
from privbo_core.experiments import EXPERIMENTS, count_all
from privbo_core.experiments.contents import NEEDS, deviations, edge_of, sizes_of, trends
from tests.helpers.charts import charts
from tests.helpers.numbers import numbers, tells
from tests.helpers.opening import open_page
from tests.helpers.own_tables import made, open_own, random_table
from tests.helpers.reading import HOSTILE, address, marked, press, said
from tests.helpers.reproduced import MADE, OUTCOMES, REPORTS, STORED
from tests.helpers.shown import headline, open_sections, sections, tables, tiles, titles

KINDS = list({
    (each.title.split(",")[0], each.kind, each.data, not each.numbers): name for name, each in EXPERIMENTS.items()
}.values())  # fmt: skip
"""One experiment of each kind."""
BADGES = {"reproduces": "Reproduces", "nearly": "Nearly", "does not reproduce": "Does not reproduce"}
VERDICTS = {"holds": "Holds", "inconclusive": "Inconclusive", "fails": "Fails", "no results": "Not run yet"}
PRINTED = {**VERDICTS, "not judged": "Not judged"}


def page(name, state=None, **query):
    return open_page("papers", state, experiment=name, **query)


def rows_of(app, first):
    """Return the rows of the table whose head begins with these cells, by their first cell."""
    (found,) = [table for table in tables(app) if table and table[0][: len(first)] == first]
    return {row[0]: row[1:] for row in found[1:]}


def shown(text):
    """Return a text as the page shows it, without the marks of powers and subscripts."""
    return re.sub(r"\be\^", "e", re.sub(r"σ_(?=min|y|f)", "σ", text))


def test_all_results_are_stored_and_small():
    """Every piece of every experiment is there, and the command that computed it is named."""
    keys = {piece.key for each in EXPERIMENTS.values() for piece in each.pieces()}
    assert keys == set(OUTCOMES)
    assert set(MADE) == set(EXPERIMENTS)
    for notes in MADE.values():
        assert all(how["command"] == "python -m privbo_core.experiments all" for how in notes)
        assert not any(re.search(r"\d{4}-\d\d|20\d\d", str(how.get("date", ""))) for how in notes)
    assert STORED.stat().st_size < 12_500 * len(EXPERIMENTS)


def test_every_printed_number_is_on_one_tile():
    app, counts = page("table-1"), count_all(REPORTS.values())
    whole = counts.printed
    found = [(numbers(value), remark) for _, value, remark in tiles(app)]
    expected = (counts.reproduces, counts.nearly, counts.does_not_reproduce, counts.other_data)
    assert [value for value, _ in found[:4]] == [[part, whole] for part in expected]
    assert sum(expected) == whole
    assert found[4][0] == [counts.holds, counts.judged]
    assert numbers(found[4][1]) == [counts.inconclusive, counts.fails, counts.claims_on_other_data]
    # What kind of agreement it is, and that a choice was made so that numbers reproduce, is beside them.
    assert numbers(found[0][1])[:2] == [counts.exact, counts.chosen]
    assert counts.exact + counts.chosen == counts.reproduces
    assert numbers(headline(app)[0]) == [counts.checked, counts.reproduces]


def test_how_many_regrets_would_agree_with_zero():
    """The spread over functions is wide, and the explanation counts how often it is wider than half of our number."""
    cells = [each for n in (1, 2, 3) for each in REPORTS[f"table-{n}"].counted if each.number.exact is None]
    lenient = sum(abs(each.ours) <= 2 * each.difference_error for each in cells)
    assert (lenient, len(cells)) == (12, 18)
    assert f"in {lenient} of the {len(cells)} regrets" in explanation("papers", "difference")


def test_sigma_min_does_not_depend_on_how_far_the_grid_reaches():
    """The inputs are normalised, so the largest r rests on no choice of ours."""
    spread = REPORTS["table-1"].mean("condition", "sigma_min")[0]
    for half_width in (0.5, 4.0, 20.0):
        line = np.linspace(-half_width, half_width, 100)
        grid = np.stack(np.meshgrid(line, line), axis=-1).reshape(-1, 2)
        scaled = grid * 25 / np.linalg.norm(grid, axis=1).max()
        assert np.linalg.svd(scaled, compute_uv=False).min() == pytest.approx(spread, abs=0.05)


def test_the_non_private_regret_that_the_paper_implies():
    (why,) = [each.why for each in deviations("outsourced") if each.subject == "initial points"]
    mean, error, functions = REPORTS["table-1"].mean("non-private", "last")
    printed = EXPERIMENTS["table-1"].printed("r = 10", "last")[0]
    added = EXPERIMENTS["outsourced-fig-2a"].printed("ε = e^1.1", "last")[0]
    found = [f"{each:.3f}" for each in (mean, error * functions**0.5, printed - added, printed, added)]
    assert re.findall(r"0\.\d{3}", why) == found
    assert f"our {functions} functions" in why


def test_what_does_not_reproduce_is_named():
    app = page("table-1")
    named = tiles(app)[2][2]
    for report in REPORTS.values():
        fails = any(each.standing(report.experiment) == "does not reproduce" for each in report.counted)
        assert (report.experiment.title.partition(":")[0] in named) == fails


def test_the_counts_of_all_tables_add_up():
    app = open_sections(page("table-1"))
    found = [table for table in tables(app) if table[0][1:3] == ["Printed", "Reproduce"]]
    head, *rows, total = found[0]
    assert len(rows) == sum(each.data != "made up" for each in EXPERIMENTS.values())
    columns = zip(*([int(cell) for cell in row[1:]] for row in rows), strict=True)
    assert [sum(column) for column in columns] == [int(cell) for cell in total[1:]]
    counts = count_all(REPORTS.values())
    assert int(total[1]) == counts.printed
    assert len(head) == len(total)


@pytest.mark.parametrize("name", [name for name, each in EXPERIMENTS.items() if each.numbers])
def test_each_cell_is_the_engine_s(name):
    report, app = REPORTS[name], page(name)
    rows = rows_of(app, ["", "Paper", "Ours", "Difference"])
    for each in report.compared:
        if not each.number.counted:
            continue
        printed, ours, difference, grade = rows[shown(each.number.label)]
        assert float(printed) == each.number.printed
        standing = each.standing(report.experiment)
        if each.number.exact is not None:
            assert float(ours) == pytest.approx(each.ours, abs=0.5 * 10**-each.number.exact)
            assert (float(difference.replace("−", "-")) == 0) == (round(each.ours, each.number.exact) == float(printed))
        else:
            assert numbers(ours)[0] == pytest.approx(each.ours, abs=0.2 * each.error)
            assert numbers(difference)[0] == pytest.approx(each.difference, abs=0.2 * each.error + 5e-4)
        if standing in BADGES:
            assert grade == BADGES[standing]
            if each.number.exact is None:
                mean, error = numbers(difference)
                assert error == pytest.approx(each.difference_error, rel=0.1)
                # What is shown is the yardstick: the grade follows from the two numbers in the cell.
                if abs(abs(mean / error) - 2) > 0.2:
                    assert (abs(mean / error) < 2) == (grade == "Reproduces")
        else:
            assert grade not in BADGES.values()
            assert len(numbers(difference)) == 1, "a difference from other data has no error"


def test_what_was_chosen_stands_beside_the_numbers():
    for name in ("table-1", "table-2", "table-3", "outsourced-fig-2a"):
        (note,) = [note for title, note in titles(page(name)) if note == REPORTS[name].experiment.chosen]
        assert numbers(note)[:2] == [4, 1.25]


def test_fifteen_of_the_eighteen_cells_of_tables_1_to_3_reproduce():
    reports = [REPORTS[f"table-{number}"] for number in (1, 2, 3)]
    cells = [each for report in reports for each in report.counted if each.number.exact is None]
    assert len(cells) == 18
    assert sum(each.grade == "reproduces" for each in cells) >= 15
    for report in reports:
        best, *others = report.claims
        assert {each.verdict for each in others} == {"holds"}
        # In Table 3 the best r is not clearly better than the next, and the paper's own 0.001 is not either.
        clear = report.experiment.name != "table-3"
        assert best.verdict == ("holds" if clear else "inconclusive")
        assert best.paper.verdict == "inconclusive"


@pytest.mark.parametrize("name", ["table-1", "table-2", "table-3", "table-5", "table-8"])
def test_the_largest_r_is_that_of_those_tried(name):
    report, app = REPORTS[name], page(name)
    settings = EXPERIMENTS[name].arm("condition").settings
    sigma_min = report.mean("condition", "sigma_min")[0]
    largest = pb.outsourced.largest_r(sigma_min, settings["epsilon"], settings["delta"])
    tried = sizes_of(EXPERIMENTS[name])
    (sentence,) = re.findall(r"The paper tried r = [^<]*<sup>", " ".join(e.proto.body for e in app.get("html")))
    assert numbers(sentence)[:7] == [*tried, largest]
    row = next(row for label, row in rows_of(app, ["", "Paper", "Ours"]).items() if label.startswith("Largest r"))
    assert float(row[0]) == edge_of(EXPERIMENTS[name])
    assert float(row[1]) == max((r for r in tried if r <= largest), default=0)


def test_claims_about_other_experiments_are_not_counted():
    """The text that we have states no result for Branin–Hoo."""
    app, report = page("branin"), REPORTS["branin"]
    assert report.judged
    assert (report.claims, experiments.count(report)) == ((), experiments.Counts())
    assert not [table for table in tables(app) if table and table[0][0] == "Claim"]
    rows = rows_of(open_sections(app), ["Claim", "Here", "Margin"])
    assert [row[0] for row in rows.values()] == [VERDICTS[each.verdict] for each in report.judged]


@pytest.mark.parametrize("name", [name for name in KINDS if REPORTS[name].claims])
def test_claims_have_the_engine_s_verdicts(name):
    report = REPORTS[name]
    rows = rows_of(page(name), ["Claim", "Here", "Margin"])
    claims = [each for each in report.judged if each.claim.counted]
    assert set(rows) == {shown(each.claim.text) for each in claims}
    for each in claims:
        verdict, margin, *paper = rows[shown(each.claim.text)]
        assert verdict == VERDICTS[each.verdict]
        assert numbers(margin)[0] == pytest.approx(each.difference, abs=0.2 * each.error + 1e-12)
        if each.paper is not None and each.paper.difference is not None:
            assert numbers(paper[0])[0] == pytest.approx(each.paper.difference, abs=0.1 * (each.paper.error or 0.01))
            assert paper[0].startswith(PRINTED[each.paper.verdict])
            assert (each.paper.verdict == "not judged") == (each.paper.error is None), "without an error, no verdict"


@pytest.mark.parametrize("name", KINDS)
def test_an_experiment_is_shown_with_its_data_reasons_and_gaps(name):
    experiment, app = EXPERIMENTS[name], open_sections(page(name))
    text = said(app)
    for sentence in (experiment.about, experiment.stands_in, *experiment.why, *experiment.left_open):
        words = re.sub(r"\s+", " ", re.sub(r"[_^]", " ", sentence))
        assert re.sub(r"\s+", "", words) in re.sub(r"\s+", "", text), name
    assert experiments.contents.command(experiment) in " ".join(each.value for each in app.code)
    outsourced = experiment.title.startswith("Outsourced")
    assert ("needs" in charts(app)) == outsourced
    system = experiment.title.split(",")[0].lower()
    for each in deviations(system):
        assert each.subject.split()[0] in text
    uncounted = any(not each.counted for each in (*experiment.numbers, *experiment.claims))
    assert any("not counted" in each for each in sections(app)) == uncounted


def test_numbers_at_other_settings_have_no_grade():
    app = open_sections(page("federated-fig-11"))
    rows = [row for table in tables(app) if table[0][:3] == ["", "Paper", "Ours"] for row in table[1:]]
    uncounted = [each.number for each in REPORTS["federated-fig-11"].compared if not each.number.counted]
    for number in uncounted:
        (row,) = [row for row in rows if row[0] == number.label]
        assert row[-1] == ""


def test_early_and_late_losses_are_in_their_own_columns():
    (name,) = [name for name, each in EXPERIMENTS.items() if each.kind == "privacy"]
    rows = rows_of(page(name), ["", "ε"])
    for arm, (loss, early, last) in rows.items():
        assert tells(early, REPORTS[name].mean(arm, "early")[0])
        assert tells(last, REPORTS[name].mean(arm, "last")[0])
        known = REPORTS[name].values.get(f"privacy loss, {arm}")
        assert (loss == "–") == (known is None)
        assert known is None or tells(loss, known["epsilon"][0])


@pytest.mark.parametrize("data", ["loans", "synthetic", "homes"])
def test_a_dataset_is_set_beside_what_the_tables_need(data):
    app = open_sections(page("table-5", data=data))
    sigma_min = pb.outsourced.Simulation(pb.data.sample(data)).spectrum.sigma_min
    met = [need.table for need in NEEDS if need.met(sigma_min)]
    (title,) = [title for title, note in titles(app) if "data holder only" in title and tells(note, round(sigma_min))]
    assert numbers(title) == met
    results = trends(REPORTS)
    rows = rows_of(app, ["Tables 4 to 9 on made-up data"])
    assert len(rows) == len(results) == 4
    for row, each in zip(rows.values(), results, strict=True):
        assert numbers(row[0])[0] == pytest.approx(each.judged.difference, abs=0.1 * each.judged.error)
        assert row[1] == VERDICTS[each.judged.verdict]


def test_an_own_table_is_set_beside_them_and_stays_out_of_the_address():
    problem = made(random_table(60, 2))
    app = open_own(problem, page="papers", experiment="table-5")
    app = open_sections(app)
    sigma_min = pb.outsourced.Simulation(problem).spectrum.sigma_min
    assert any(tells(note, round(sigma_min)) for _, note in titles(app))
    assert problem.title not in " ".join(address(app).values())


def test_names_of_an_own_table_stay_text():
    app = open_sections(open_own(replace(made(random_table(60, 2)), title=HOSTILE), page="papers"))
    assert "<b>b</b>" not in " ".join(each.proto.body for each in app.get("html"))
    assert not any("![x](" in text for text in marked(app))


def test_a_link_to_an_own_table_that_is_not_here_asks_for_it():
    app = open_sections(page("table-5", data="own"))
    assert app.warning
    assert "needs" not in charts(app), "no sample takes its place"
    assert headline(app)


@pytest.mark.parametrize("content", [None, "Dear all,\n", '{"experiment":"table-1"}\n'])
def test_without_usable_results_no_number_is_ours(tmp_path, monkeypatch, content):
    stat, read, path = Path.stat, experiments.read, tmp_path / "reproduced.jsonl"
    if content is not None:
        path.write_text(content)
        monkeypatch.setattr(experiments, "read", lambda _: read(path))
    else:

        def missing(self, **how):
            if self.name == path.name:
                raise FileNotFoundError
            return stat(self, **how)

        monkeypatch.setattr(Path, "stat", missing)
    st.cache_resource.clear()
    app = page("table-1")
    assert len(app.warning) == 1
    rows = rows_of(app, ["", "Paper", "Ours"])
    assert {row[1] for row in rows.values()} == {"–"}
    assert not numbers(headline(app)[0])
    assert numbers(tiles(app)[0][1])[0] == 0
    open_sections(app)
    monkeypatch.undo()
    st.cache_resource.clear()


def test_a_live_run_gives_what_is_stored_and_a_finished_one_begins_anew(monkeypatch):
    computed = []

    def counted(piece):
        computed.append(piece)
        return experiments.work(piece)

    monkeypatch.setattr(experiments.runner, "work", counted)
    app = page("bounds-epsilon", {"papers/running": ("table-1", 2)})
    assert app.session_state["papers/running"] is None, "another experiment does not inherit a run"
    assert not computed
    press(app, "Run live")
    assert len(computed) == 10
    assert tells(said(app), 70), "all live values are those that are stored"
    # Five more on top: what is known is not run again, and the run ends by itself.
    app.segmented_control(key="runs_live").set_value("5").run()
    assert len(computed) == 10
    for pieces in (25, 50):
        app.button(key="run").click().run()
        assert app.session_state["papers/running"] is None
        assert len(computed) == pieces


def test_live_values_stand_beside_the_stored_ones():
    app = page("bounds-epsilon")
    press(app, "Run live")
    found = experiments.report(EXPERIMENTS["bounds-epsilon"], app.session_state["papers/results/bounds-epsilon"])
    rows = rows_of(app, [""])
    for arm in EXPERIMENTS["bounds-epsilon"].arms:
        live = found.mean(arm.name, "setting_loss")
        assert live[2] == 2
        assert numbers(rows[arm.name][-1])[0] == pytest.approx(live[0], abs=0.1 * live[1])
    drawn = next(trace for trace in charts(app)["papers"]["data"] if trace["name"] == "run live")
    assert found.mean("ε = 1", "setting_loss")[0] == pytest.approx(drawn["y"][1], rel=1e-4)


def test_a_live_value_that_differs_is_told():
    arm = EXPERIMENTS["table-1"].arm("r = 3")
    changed = experiments.Outcome("table-1", "r = 3", arm.digest, 0, {"last": (9.0,)})
    app = page("table-1", {"papers/results/table-1": (changed,)})
    assert re.search(r"\b1 of 1 live values differ", said(app))
    assert rows_of(app, ["", "Paper", "Ours", "Live"])["r = 3"][2] == "9.0000"


def test_a_stopped_run_continues_from_there():
    experiment = EXPERIMENTS["bounds-epsilon"]
    finished = tuple(experiments.work(piece) for piece in experiment.pieces(2, 1)[:3])
    app = page("bounds-epsilon", {"papers/results/bounds-epsilon": finished})
    press(app, "Continue")
    assert len(app.session_state["papers/results/bounds-epsilon"]) == 10
    assert app.session_state["papers/results/bounds-epsilon"][:3] == finished


def test_the_address_brings_the_choices_back():
    app = page("federated-fig-2b", runs_live="5")
    assert address(app) == {"experiment": "federated-fig-2b", "runs_live": "5"}
    again = open_page("papers", **address(app))
    assert tables(again) == tables(app)
    assert not again.info


@pytest.mark.parametrize(("name", "bad"), [
    ("experiment", "<b>x</b>"), ("experiment", "x" * 10_000), ("experiment", ""), ("runs_live", "3"),
    ("runs_live", "🦊"),
])  # fmt: skip
def test_a_bad_address_gets_a_sentence(name, bad):
    app = open_page("papers", **{name: bad})
    (notice,) = [each.value for each in app.info]
    assert len(notice) < 300
    assert "<b>" not in notice.replace("\\", "") or "\\<" in notice
    assert headline(app)


def test_the_former_address_leads_here():
    app = open_page("reproduce", experiment="table-5")
    assert "Table 5" in " ".join(title for title, _ in titles(app))
    assert address(app)["experiment"] == "table-5"
