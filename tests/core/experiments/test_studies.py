"""Studies of one's own: every example of the documentation runs, and whatever is wrong is a sentence."""

import copy
import json
import pickle
import re
import shutil
import tomllib

import pytest

from privbo_core import experiments
from privbo_core.data import load_table, sample
from privbo_core.errors import DataError
from privbo_core.experiments.__main__ import main
from privbo_core.experiments.studies.build import read_study
from privbo_core.experiments.studies.described import described, lines, read_results, results_of, shown
from privbo_core.outsourced import Setting, Simulation
from tests.helpers.paths import ROOT

EXAMPLES = re.findall(r"```toml\n(.*?)```", (ROOT / "docs" / "studies.md").read_text(), re.DOTALL)
BRIEF = """
kind = "regret"
runs = 2
[problem]
sample = "branin"
[search]
iterations = 4
[privacy]
epsilon = [2, 8]
"""


def written(folder, text):
    path = folder / "study.toml"
    path.write_text(text)
    return path


def finish(study, **options):
    *_, last = experiments.run(study, **options)
    return experiments.report(study, last.outcomes)


@pytest.mark.parametrize("text", EXAMPLES, ids=lambda text: tomllib.loads(text)["kind"])
def test_every_example_of_the_documentation_runs(text, tmp_path, capsys):
    for name in ("homes.csv", "homes.frame.json"):
        shutil.copy(ROOT / "sample_data" / name, tmp_path)
    path, results = written(tmp_path, text), tmp_path / "results.jsonl"
    runs = "10" if tomllib.loads(text)["kind"] == "audit" else "1"
    assert main([str(path), "--runs", runs, "--json", str(results)]) == 0
    said = capsys.readouterr().out
    study = read_study(path)
    assert said.splitlines() == lines(experiments.report(study, experiments.read(results)[0].values()))
    (opened,), outcomes, made = read_results(results.read_bytes(), "results.jsonl")
    assert described(opened) == described(study)
    assert lines(experiments.report(opened, outcomes.values())) == said.splitlines()
    assert made[study.name]["command"] == f"python -m privbo_core.experiments study.toml --runs {runs}"
    assert str(tmp_path) not in results.read_text()


def test_a_study_s_numbers_are_the_simulation_s(tmp_path):
    report = finish(read_study(written(tmp_path, BRIEF)))
    simulation = Simulation(sample("branin"), seed=1)
    for arm, policy, epsilon in (("none", "plain", 1.0), ("noisy inputs, ε = 8", "noisy", 8.0)):
        setting = Setting(epsilon, 1e-5, 10, 4, search="ucb/5")
        expected = [simulation.run(policy, setting, run).simple_regret[-1] for run in (0, 1)]
        expected = [each / simulation.problem.sigma_y for each in expected]
        assert report.values[arm]["last"] == pytest.approx(expected, rel=1e-4)
    rows = {row.arm.name: row for row in results_of(report)}
    noisy = rows["noisy inputs, ε = 2"]
    assert noisy.extra == pytest.approx(noisy.mean - rows[noisy.against].mean)
    assert rows["random"].extra is None


def test_a_table_is_known_by_its_content_and_carried_along(tmp_path):
    table = load_table(ROOT / "sample_data" / "homes.csv").head(60)
    own = 'table = "mine.csv"\ninputs = ["longitude", "latitude"]\noutcome = "price_per_area"'
    text = BRIEF.replace('sample = "branin"', own).replace("[2, 8]", "4")
    table.to_csv(tmp_path / "mine.csv", index=False)
    first = read_study(written(tmp_path, text))
    assert [arm.digest for arm in read_study(tmp_path / "study.toml").arms] == [arm.digest for arm in first.arms]
    assert "frame read off the data" in first.about
    (tmp_path / "mine.csv").unlink()  # a worker does not have it
    piece = pickle.loads(pickle.dumps(first.pieces()[0]))
    assert experiments.work(piece) == experiments.work(first.pieces()[0])
    table.loc[3, "price_per_area"] += 1
    table.to_csv(tmp_path / "mine.csv", index=False)
    second = read_study(tmp_path / "study.toml")
    assert not {arm.digest for arm in first.arms} & {arm.digest for arm in second.arms}


def test_only_what_was_changed_is_computed_again(tmp_path):
    results = tmp_path / "results.jsonl"
    assert main([str(written(tmp_path, BRIEF)), "--json", str(results)]) == 0
    more = read_study(written(tmp_path, BRIEF.replace("[2, 8]", "[2, 4, 8]")))
    with experiments.Store(results) as store:
        *_, last = experiments.run(more, store=store)
    assert (last.total - last.reused, main([str(tmp_path / "study.toml"), "--json", str(results)])) == (1, 0)
    (opened,), *_ = read_results(results.read_bytes(), "r")
    assert len(opened.arms) == len(more.arms)


def test_an_audit_refutes_the_projection_and_not_the_noisy_inputs(tmp_path):
    text = 'kind = "audit"\nruns = 60\n[problem]\nsample = "branin"\n[privacy]\nepsilon = 1\n'
    bounds = {arm.name: bound for arm, bound in shown(finish(read_study(written(tmp_path, text))))}
    assert bounds["projection, ε = 1"].verdict(1.0) == "refuted"
    assert bounds["noisy inputs, ε = 1"].verdict(1.0) == "not refuted"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('kind = "regret"', "", "'kind' is missing; add it."),
        ('kind = "regret"', 'kind = "best"', "'kind' is 'best'; it must be one of 'regret', 'trade-off', 'audit'."),
        ("runs = 2", "runs = 1", "'runs' is 1; it must be a whole number from 2 to 2000."),
        ("runs = 2", "runs = true", "'runs' is True; it must be a whole number"),
        ("runs = 2", "runs = 2\nrun = 3", "'run' is not a key of such a study"),
        ("runs = 2", 'name = "table-1"', "which is the name of a paper's experiment"),
        ("runs = 2", 'name = "A/B"', "small letters, digits and hyphens"),
        ('sample = "branin"', "", "[problem] must have exactly one of"),
        ('sample = "branin"', 'sample = "branin"\ntuning = "svm"', "[problem] must have exactly one of"),
        ('sample = "branin"', 'sample = "mars"', "'sample' in [problem] is 'mars'; it must be one of 'synthetic'"),
        ('sample = "branin"', 'tuning = "svm"', "a release has no curve"),
        ('sample = "branin"', 'table = "no.csv"\ninputs = ["a"]\noutcome = "b"', "'no.csv' cannot be read"),
        ("iterations = 4", "iterations = 4.5", "'iterations' in [search] is 4.5; it must be a whole number"),
        ("iterations = 4", 'rule = "magic"', "'rule' in [search] is 'magic'; it must be one of 'ucb'"),
        ("[2, 8]", "[2, -8]", "'epsilon' in [privacy] is [2, -8]; it must be a number above 0, or a list"),
        ("[2, 8]", "[2, 2]", "each of them once"), ("[2, 8]", "nan", "'epsilon' in [privacy] is nan"),
        ("[2, 8]", "1\ndelta = 0.7", "'delta' in [privacy] is 0.7; it must be a number above 0 and at most 0.5."),
        ("[2, 8]", '1\nmechanisms = ["magic"]', "'mechanisms' in [privacy] is 'magic'; it may name 'projection'"),
        ("[privacy]", "[secrecy]", "'secrecy' is not a key of such a study"),
        ("epsilon = [2, 8]", "", "'epsilon' in [privacy] is missing"), ("[2, 8]", "[2, 8", "is not TOML"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_a_sentence_that_names_the_key(old, new, said, tmp_path, capsys):
    assert old in BRIEF
    path = written(tmp_path, BRIEF.replace(old, new))
    with pytest.raises(DataError) as complaint:
        read_study(path)
    assert said in str(complaint.value)
    assert (main([str(path)]), capsys.readouterr().err) == (2, f"{complaint.value}\n")


NO_STUDY = [b"", b"3\n", b"{}\n", b"\0", b"\xff\xfe\x00", b"x" * 200_000, b"k = " + b"[" * 5000]


@pytest.mark.parametrize("data", [*NO_STUDY, b"problem = 3\nkind = 'regret'"])
def test_files_that_are_no_study_or_results_are_a_sentence(tmp_path, data):
    with pytest.raises(DataError):
        read_results(data, "mine")
    (tmp_path / "study.toml").write_bytes(data)
    for name, words in (("study.toml", "[.?]$"), ("none.toml", "cannot be read")):
        with pytest.raises(DataError, match=words):
            read_study(tmp_path / name)


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    folder = tmp_path_factory.mktemp("results")
    assert main([str(written(folder, BRIEF)), "--json", str(folder / "results.jsonl")]) == 0
    return [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]


def change(field, **fields):
    """Return what changes some fields of a part of a line: the dotted path leads there."""

    def made(line):
        for name in filter(None, field.split(".")):
            line = line[int(name) if name.isdigit() else name]
        line.update(fields)

    return made


@pytest.mark.parametrize(
    ("number", "hostile"),
    [
        (0, lambda line: line.pop("study")),
        (0, change("", study=3)),
        (0, change("study", kind="privacy")),
        (0, change("study", arms=[])),
        (0, lambda line: line["study"].update(arms=line["study"]["arms"] * 100)),
        (0, change("study", title="x" * 10_000)),
        (0, change("study", title={"a": "b"})),
        (0, change("study", curves=["nobody"])),
        (0, change("study", against={"nobody": "none"})),
        (0, change("study.arms.0", task="shell")),
        (0, change("study.arms.0.settings", epsilon=[1])),
        (0, change("study.arms.0.settings", epsilon=float("nan"))),
        (1, change("measures", last=[float("inf")] * 2)),
        (1, change("measures", last=[1.0])),
        (1, change("", measures={})),
        (1, change("", curve=[1.0])),
        (1, change("", first=-1)),
        (1, change("", first="many")),
    ],
)
def test_a_hostile_description_or_outcome_is_a_sentence(results, number, hostile):
    lines = copy.deepcopy(results)
    hostile(lines[number])
    with pytest.raises(DataError, match=r"^(What |line 1 of )?mine(\.jsonl)? .*[.]$" if number == 0 else "mine"):
        read_results("".join(json.dumps(line) + "\n" for line in lines).encode(), "mine.jsonl")
