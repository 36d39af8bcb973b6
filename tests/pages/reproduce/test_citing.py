"""Everything on Reproduce can be cited: where it is printed, what computes it, BibTeX, CITATION.cff, a script."""

import ast
import re
from dataclasses import replace

import numpy as np
import pytest

from pages.parts.reproduce import figures
from pages.parts.reproduce.view import reference, view_script
from privbo_core import experiments
from privbo_core.experiments import EXPERIMENTS
from privbo_core.experiments.contents import PAPERS, SOFTWARE, bibtex, command
from privbo_core.experiments.model import Arm
from tests.helpers.opening import open_page
from tests.helpers.paths import ROOT
from tests.helpers.reproduced import NOTHING, REPORTS
from tests.helpers.taken import code_of, printed


@pytest.mark.parametrize("ending", ['"""', '"', "\n", "\r", "\x0c", "\u2028", "\\", '\\"""\n', "'", '"): 0}\n'])
def test_what_a_script_says_of_a_title_and_of_names_is_no_code(ending):
    def tree(name):
        arm = Arm(name, "search", {})
        nothing = dict.fromkeys(("numbers", "claims", "curves"), ())
        named = dict.fromkeys(("title", "measure_name", "unit"), name)
        experiment = replace(EXPERIMENTS["table-1"], **named, arms=(arm,), **nothing)
        stored = experiments.Report(experiment, (), (), {name: {experiment.measure: np.ones(3)}}, {})
        read = ast.parse(view_script(stored))
        return [type(node) for node in ast.walk(read)], [n.value for n in ast.walk(read) if isinstance(n, ast.Constant)]

    (plain, _), (kinds, texts) = tree("harmless"), tree(f"{ending}raise SystemExit{ending}")
    assert kinds == plain
    assert sum("SystemExit" in str(text) for text in texts) == 2  # the docstring and the name


def test_the_citation_file_names_the_papers():
    text = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert text.startswith("cff-version: 1.2.0\n")
    for field in ("message:", "title:", "authors:", "type: software", "license: MIT"):
        assert f"\n{field}" in text
    found = re.findall(r"title: '(.+)'\n    year: (\d+)\n    authors:\n((?:      .+\n)+)", text)
    names = [tuple(re.findall(r"family-names: (.+)\n +given-names: (.+)", authors)) for *_, authors in found]
    assert [(title, int(year), authors) for (title, year, _), authors in zip(found, names, strict=True)] == [
        (re.sub("[{}]", "", each.title), each.year, tuple(name[::-1] for name in each.authors))
        for each in PAPERS.values()
    ]
    for line in text.splitlines():  # a plain scalar of YAML holds no colon and begins with no sign
        value = line.partition(": ")[2]
        assert value.startswith("'") == value.endswith("'") or not value
        assert value.startswith("'") or not re.search(r": |^[&*!|>%@`#\[{]", value)


def test_bibtex_has_an_entry_for_each_paper_and_the_software():
    entries = bibtex().strip().split("\n\n")
    assert len(entries) == 5
    assert [re.match(r"@\w+\{(\w+),", entry)[1] for entry in entries] == [
        each.key for each in (*PAPERS.values(), SOFTWARE)
    ]
    for entry in entries:
        assert entry.count("{") == entry.count("}")
        assert all(f"  {field} = {{" in entry for field in ("author", "title", "year"))


def test_each_has_the_paper_the_item_and_a_command():
    for name, experiment in EXPERIMENTS.items():
        said = reference(experiment)
        assert any(paper.short in said for paper in PAPERS.values())
        number = re.search(r"Table \d+|Fig\. \d+\w?", experiment.title)
        assert not number or name.startswith("bounds") or number[0] in said
        assert command(experiment) in said
        assert name in command(experiment)


@pytest.mark.parametrize(
    "name",
    [*(pytest.param(name, marks=pytest.mark.long) for name in ("table-1", "federated-fig-2b")), "bounds-epsilon"],
)
def test_the_script_prints_what_is_stored_and_computes_it_again(tmp_path, name):
    app = open_page("reproduce", {"take-away": True}, experiment=name)
    code = code_of(app)
    assert command(EXPERIMENTS[name]) in code
    if name == "bounds-epsilon":  # takes a second
        code = code.replace("AGAIN = 0", "AGAIN = 2")
    numbers, found = printed(code, tmp_path), REPORTS[name]
    measure = EXPERIMENTS[name].measure
    for arm in EXPERIMENTS[name].arms:
        if known := found.mean(arm.name, measure):
            values = numbers[arm.name.replace(" ", "_")]
            assert float(values[0]) == pytest.approx(known[0], rel=1e-5)
            assert int(values[2]) == known[2]
            assert (f"again_{arm.name.replace(' ', '_')}" in numbers) == (name == "bounds-epsilon")
    assert app.get("download_button")


def test_a_line_along_a_setting_never_turns_back():
    """The arm that differs in something else stands apart, under its own name."""
    picture = figures.sweep(REPORTS["federated-fig-2b"], NOTHING["federated-fig-2b"])
    line = next(trace for trace in picture.data if trace.get("name") == "ours")
    assert list(line["x"]) == sorted(set(line["x"]))
    assert len(line["x"]) == 7
    (aside,) = [trace for trace in picture.data if trace.get("name") == "S = 11, P = 1"]
    assert list(aside["x"]) == [11.0]
    ticks = picture.layout["xaxis"]["tickvals"]
    assert ticks == sorted(set(ticks))


@pytest.mark.parametrize("name", ["branin", "outsourced-fig-2b", "bounds-epsilon", "table-5", "federated-fig-3"])
def test_names_beside_curves_have_room(name):
    picture = figures.picture(REPORTS[name], NOTHING[name])
    names = [each["text"] for each in picture.layout["annotations"] if each.get("xref") == "paper" and each["x"] == 1]
    assert names
    assert picture.layout["margin"]["r"] >= 6 + 6.5 * max(map(len, names))
