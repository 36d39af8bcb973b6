"""The Simple page of Reproduce: its sentence, its facts and its bars are counted from the same reports as Expert's."""

from collections import Counter

from pages.parts.reproduce import view, words
from pages.parts.reproduce.figures import LOOKS, short, stacked
from pages.parts.reproduce.view import KINDS, View, tally
from privbo_core.experiments import EXPERIMENTS
from tests.helpers.numbers import numbers
from tests.helpers.opening import open_page
from tests.helpers.reading import plotly_takes, record
from tests.helpers.reproduced import NOTHING, REPORTS


def page():
    app = open_page("reproduce", view="simple")
    return app, record(app)


def test_the_counts_are_those_of_expert():
    counts = View(REPORTS).counts
    own = [report for report in REPORTS.values() if report.experiment.data == "own"]
    elsewhere = [report for report in REPORTS.values() if report.experiment.data == "other"]
    agree = sum(words.count([*own, *elsewhere], exact)[0] for exact in (True, False))
    of = sum(words.count([*own, *elsewhere], exact)[1] for exact in (True, False))
    verdicts = Counter(judged.verdict for report in own for judged in report.claims)
    assert counts["agree"] == agree + verdicts["holds"]
    assert counts["not clear"] == verdicts["inconclusive"]
    assert counts["near"] + counts["apart"] == of - agree + verdicts["fails"]
    assert counts.total() - counts["other data"] == of + verdicts.total()
    assert counts["other data"] > 0


def test_what_is_on_other_or_made_up_data_counts_neither_for_nor_against():
    other = tally(REPORTS["table-4"])
    assert set(other) == {"other data"}
    without = {name: report for name, report in REPORTS.items() if report.experiment.data != "made up"}
    assert View(without).tallies == View(REPORTS).tallies


def test_the_sentence_and_the_facts_hold_the_counts():
    whole = View(REPORTS)
    counts, brief = whole.counts, whole.brief
    checked = counts.total() - counts["other data"]
    assert numbers(brief.answer) == [checked, *(counts[kind] for kind in KINDS)]
    worst = max(whole.tallies, key=lambda name: whole.tallies[name]["apart"])
    assert worst in brief.facts[2].remark
    agreeing = View({name: report for name, report in REPORTS.items() if not tally(report)["apart"]}).brief
    assert numbers(agreeing.facts[2].text)[0] == 0
    assert agreeing.facts[2].tone == ""


def test_each_bar_is_as_long_as_what_was_counted_and_no_colour_stands_alone():
    whole = View(REPORTS)
    picture = stacked(whole.tallies)
    lengths = {trace["name"]: sum(trace["x"]) for trace in picture.data}
    assert lengths == {LOOKS[kind][0]: whole.counts[kind] for kind in KINDS}
    assert len({(colour.role, pattern) for _, colour, pattern in LOOKS.values()}) == len(KINDS)
    labels = picture.layout["yaxis"]["ticktext"]
    assert len(set(labels)) == len(whole.tallies)
    assert max(map(len, labels)) <= 32
    assert short("Outsourced, Table 1") == "Outsourced, Table 1"
    assert plotly_takes(picture).data


def test_the_page_shows_it_without_a_slider_and_leads_to_expert():
    app, shown = page()
    assert shown.brief == View(REPORTS).brief
    assert shown.figures["reproduce-all"].finding.title == shown.brief.answer
    assert not app.get("selectbox")
    app.button_group(key="view").set_value("expert").run()
    assert app.selectbox(key="experiment").value in EXPERIMENTS


def test_without_results_it_says_so(monkeypatch, tmp_path):
    assert not numbers(View(NOTHING).brief.answer)
    monkeypatch.setattr(view, "STORED", tmp_path / "none.jsonl")
    app, shown = page()
    assert shown.brief == View(NOTHING).brief
    assert not shown.figures
    assert app.warning
