"""A study's results, opened on Reproduce: shown like the papers', kept to the session, and refused in a sentence."""

import pytest

from pages.parts.reproduce import own
from pages.parts.reproduce.own import OPENED, read
from pages.parts.shell.session import OWN
from privbo_core.arithmetic import elsewhere, fingerprint
from privbo_core.experiments.__main__ import main
from tests.helpers.opening import open_page
from tests.helpers.reading import plotly_takes, said
from tests.helpers.reproduced import STORED

STUDIES = {
    "trade-off": 'kind = "trade-off"\n[problem]\nsample = "branin"\n[search]\niterations = 4\n[privacy]\n'
    'epsilon = [1, 8]\nmechanisms = ["noisy inputs", "projection", "random"]\n',
    "regret": 'kind = "regret"\n[problem]\nsample = "branin"\n[search]\niterations = 4\n[privacy]\nepsilon = 4\n',
    "audit": 'kind = "audit"\n[problem]\nsample = "branin"\n[privacy]\nepsilon = [0.5, 4]\n',
}


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder, found = tmp_path_factory.mktemp("studies"), {}
    for kind, text in STUDIES.items():
        study = folder / f"{kind}.toml"
        study.write_text(f'title = "My {kind} <b>study</b>"\n{text}')
        path = folder / f"{kind}.jsonl"
        assert main([str(study), "--runs", "60" if kind == "audit" else "3", "--json", str(path)]) == 0
        found[kind] = path.read_bytes()
    return found


def opened(data):
    return bring(open_page("reproduce", experiment="table-1"), data)


def bring(app, data):
    (place,) = [each for each in app.get("file_uploader") if each.label == "Results (JSONL)"]
    place.upload("mine.jsonl", data, "application/json").run()
    return app


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        ("trade-off", {"noisy inputs", "projection"}),
        ("regret", {"none", "noisy inputs, ε = 4"}),
        ("audit", {"noisy inputs", "projection", "claimed"}),
    ],
)
def test_a_study_is_shown_with_its_numbers_and_what_it_was_run_on(kind, expected, results):
    app = opened(results[kind])
    text = said(app)
    assert f"My {kind} <b>study</b>" in text
    assert f"python -m privbo_core.experiments {kind}.toml" in text
    assert "numpy" in text
    assert f"Arithmetic {fingerprint()}, as here." in text
    (report,) = app.session_state[OPENED][0].values()
    assert expected <= {trace.name for trace in plotly_takes(own.picture(report)).data}
    for row in own.table_of(report).body:
        for cell in row.cells:
            assert cell.text in text or cell.text.replace("“", "") == ""
    if kind != "regret":
        assert own.PROJECTION in text or kind == "audit"


def study_in(data):
    (report,) = read(data, "mine")[0].values()
    return report


def test_the_title_counts_what_clearly_costs(results):
    report = study_in(results["trade-off"])
    title = own.finding(report).title
    rows = [row for row in own.results_of(report) if row.extra is not None]
    clear = sum(row.extra > 2 * row.extra_error for row in rows)
    assert title == f"{clear} of 4 private settings clearly cost more than no privacy"
    assert own.finding(report).audience == "simulation"


def test_a_study_of_an_own_table_is_for_the_curator_s_eyes(results):
    changed = results["regret"].replace(b'"data": "branin"', b'"data": "table 0123456789abcdef"')
    assert changed != results["regret"]
    report = study_in(changed)
    assert own.finding(report).audience == "inside"


def test_it_says_which_arithmetic_is_not_this_machine_s(results):
    data = results["regret"]
    for mark, ends in ((b',"arithmetic":"0123abcd"', elsewhere(["0123abcd"])), (b"", "")):
        report = study_in(data.replace(f',"arithmetic":"{fingerprint()}"'.encode(), mark))
        text = own.run_with(report, {})
        assert text.endswith(ends)
        assert bool(ends) == ("arithmetic" in text.lower())


def test_a_file_that_still_grows_shows_what_is_finished(results):
    some = b"".join(results["trade-off"].splitlines(keepends=True)[:6])
    app = opened(some + b'{"experiment":"trade-off","arm":"no')
    assert not app.error
    assert "private setting" in said(app)
    only = results["trade-off"].splitlines(keepends=True)[0]
    assert own.NOTHING_FINISHED in said(opened(only))


def test_other_files_get_one_sentence_and_the_page_stays():
    app = open_page("reproduce", experiment="table-1")
    for data in (b"", b"hello\n", b"\xff\xfe\x00\n", b'{"made": "x", "study": {}}\n', b"[" * 9999 + b"\n"):
        (error,) = bring(app, data).error
        assert error.value.count(". ") <= 2
        assert "Open the file that" in error.value or "earlier run" in error.value
        assert "Where the stored numbers come from" in said(app)
    papers = b"".join(STORED.read_bytes().splitlines(keepends=True)[:50])
    assert "holds no study" in bring(app, papers).error[0].value


def test_what_was_opened_is_forgotten_with_one_s_own_data():
    assert OPENED.startswith(OWN)
