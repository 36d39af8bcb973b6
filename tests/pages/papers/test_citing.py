"""Everything on Papers can be cited: where it is printed, what computes it, BibTeX, CITATION.cff, a script."""

import ast
import re
import runpy
from contextlib import redirect_stdout
from io import StringIO

import pytest
import streamlit as st

from privbo_core import experiments
from privbo_core.experiments import EXPERIMENTS
from privbo_core.experiments.contents import PAPERS, SOFTWARE, bibtex, command, source
from tests.helpers.numbers import numbers
from tests.helpers.opening import open_page
from tests.helpers.paths import ROOT
from tests.helpers.shown import open_sections


@pytest.fixture
def given(monkeypatch):
    """Return what the buttons of a page hand out, by the names of the files."""
    files = {}

    def button(label, data, name, *_, **__):
        files[name] = data() if callable(data) else data

    monkeypatch.setattr(st, "download_button", button)
    return files


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


def test_bibtex_has_an_entry_for_each_paper_and_the_software(given):
    entries = bibtex().strip().split("\n\n")
    assert [re.match(r"@\w+\{(\w+),", entry)[1] for entry in entries] == [
        each.key for each in (*PAPERS.values(), SOFTWARE)
    ]
    for entry in entries:
        assert entry.count("{") == entry.count("}")
        assert all(f"  {field} = {{" in entry for field in ("author", "title", "year"))
    open_sections(open_page("papers"))
    assert given["privbo.bib"] == bibtex()


def test_each_experiment_has_its_paper_its_item_and_a_command():
    for name, experiment in EXPERIMENTS.items():
        assert any(paper.short in source(experiment) for paper in PAPERS.values())
        number = re.search(r"Table \d+|Figure \d+\w?", experiment.title)
        assert not number or number[0] in source(experiment)
        assert name in command(experiment)


@pytest.mark.parametrize("name", ["bounds-epsilon", "table-1", "federated-fig-2c"])
def test_the_script_computes_the_experiment_again(name, given, tmp_path):
    app = open_page("papers", experiment=name)
    assert not app.exception
    script = given["privbo-papers.py"]
    ast.parse(script)
    assert command(EXPERIMENTS[name]) in script
    if name != "bounds-epsilon":  # the others take minutes
        return
    (tmp_path / "page.py").write_text(script, encoding="utf-8")
    with redirect_stdout(StringIO()) as output:
        runpy.run_path(str(tmp_path / "page.py"), run_name="__main__")
    experiment = EXPERIMENTS[name]
    outcomes = [experiments.work(piece) for piece in experiment.pieces(2)]
    found = experiments.report(experiment, outcomes)
    for arm in experiment.arms:
        (line,) = [line for line in output.getvalue().splitlines() if re.match(rf"\s+{arm.name}\s", line)]
        mean = found.mean(arm.name, experiment.measure)[0]
        assert numbers(line)[1] == pytest.approx(mean, abs=1e-4)
