"""What is documented is so: the API's pages are those of the docstrings, and every example in them and in docs runs."""

import contextlib
import doctest
import importlib
import inspect
import io
import json
import math
import pkgutil
import re
import runpy
import socket
from collections import Counter
from types import ModuleType

import pytest

import privbo_core as pb
from privbo_core import experiments
from tests.benchmarks import choosing, training
from tests.helpers import guides
from tests.helpers.environments import ROOT

MAKE = runpy.run_path(str(ROOT / "docs" / "make_api.py"))
ELSEWHERE = {
    "docs/tuning.md": "tests/core/release/test_documented.py",
}
"""The guides whose Python is run by a test of their own, with what it prints."""
PUBLIC = {
    "data": "load_table make_problem sample Frame",
    "gp": "SquaredExponential Matern52 Posterior fit",
    "bo": "gp_ucb",
    "outsourced": "omega smallest_epsilon largest_r curate noisy_release publish Modeler",
    "release": "noisy noise_free lipschitz selection publish_best publish_tries read_scores",
    "federated": "run losses",
    "privacy": "epsilon noise_for gaussian_sigma",
    "audit": "epsilon_lower_bound column_space_test reconstruct",
}
"""The names that notebooks and scripts use, and that keep what they promise."""
OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE | doctest.REPORT_ONLY_FIRST_FAILURE


def modules():
    """Return the engine's modules that can be loaded here; others are tested where what they need is."""
    yield pb
    for found in pkgutil.walk_packages(pb.__path__, "privbo_core.", onerror=lambda name: None):
        if not found.name.endswith("__main__"):
            with contextlib.suppress(ImportError, pb.DataError):
                yield importlib.import_module(found.name)


def examples():
    """Return each docstring with examples, to be run on its own: with nothing at hand that it does not import."""
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = {test.name: test for module in modules() for test in finder.find(module, globs={}) if test.examples}
    return [found[name] for name in sorted(found)]


EXAMPLES = examples()


@pytest.mark.parametrize("test", EXAMPLES, ids=lambda test: test.name)
def test_an_example_prints_what_it_says(test):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        result = doctest.DocTestRunner(optionflags=OPTIONS).run(test, out=out.write, clear_globs=True)
    assert result.attempted
    assert not result.failed, out.getvalue()


@pytest.mark.parametrize(("package", "member"), [(name, each) for name in PUBLIC for each in PUBLIC[name].split()])
def test_each_public_name_has_an_example(package, member):
    assert member in getattr(pb, package).__all__
    source = "".join(example.source for test in EXAMPLES for example in test.examples)
    assert re.search(rf"\bpb\.{package}\.{member}\(", source)


def test_each_function_and_class_in_the_packages_lists_is_documented():
    packages = [found for found in (getattr(pb, name) for name in pb.__all__) if isinstance(found, ModuleType)]
    for package, name in ((each, name) for each in packages for name in getattr(each, "__all__", ())):
        found = getattr(package, name)
        if inspect.isclass(found) or inspect.isfunction(inspect.unwrap(found)):
            assert found.__doc__, f"{package.__name__}.{name}"
            assert not found.__doc__.startswith(f"{name}("), f"{package.__name__}.{name}: what every dataclass says"


def test_the_pages_of_the_api_are_those_of_the_docstrings():
    made, kept = MAKE["pages"](), {path.name: path for path in (ROOT / "docs" / "api").glob("*.md")}
    assert set(kept) == set(made), "make docs writes them anew"
    stale = [name for name, text in made.items() if kept[name].read_text(encoding="utf-8") != text]
    assert not stale, "make docs writes them anew"


FOLDERS = ("README.md", "docs/*.md", "sample_data/*.md", "deploy/*.md")
GUIDES = sorted(path.relative_to(ROOT).as_posix() for pattern in FOLDERS for path in ROOT.glob(pattern))
"""The texts that may hold Python, but those that are made of docstrings."""


BLOCK = re.compile(r"^```python\n(.*?)^```$(?:\n```text\n(.*?)^```$)?", re.MULTILINE | re.DOTALL)


def outputs(name):
    """Return each block of Python, and the block of text right after it, which states what it prints."""
    return BLOCK.findall((ROOT / name).read_text(encoding="utf-8"))


def blocks(name):
    return [text for text, _ in outputs(name)]


def printed(text, name, names):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(compile(text, name, "exec"), names)
    return out.getvalue()


LINKED = sorted({*GUIDES, *(path.relative_to(ROOT).as_posix() for path in ROOT.glob("docs/**/*.md"))})
"""All texts whose links are followed, those that are made of docstrings included."""


def without_code(text):
    return re.sub(r"`[^`\n]*`", "", re.sub(r"^(```|~~~).*?^\1", "", text, flags=re.MULTILINE | re.DOTALL))


def anchors(path):
    """Return the anchors that GitHub gives to the headings of a page."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ +(.+?) *$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("name", LINKED)
def test_every_relative_link_leads_somewhere(name):
    lost = []
    for target in re.findall(r"\]\(([^)\s]+)\)", without_code((ROOT / name).read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        place, _, anchor = target.partition("#")
        path = ((ROOT / name).parent / place).resolve() if place else ROOT / name
        if not path.exists() or (anchor and path.suffix == ".md" and anchor not in anchors(path)):
            lost.append(target)
    assert not lost


def test_every_guide_is_in_the_index():
    index = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    guides = {path.name for path in (ROOT / "docs").iterdir() if path.suffix in (".md", ".ipynb")} - {"README.md"}
    assert not {name for name in guides if f"]({name})" not in index}


@pytest.mark.parametrize("name", [name for name in GUIDES if blocks(name) and name not in ELSEWHERE])
def test_the_python_of_a_guide_runs_from_top_to_bottom(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names = {}
    for text, expected in outputs(name):
        said = printed(text, name, names)
        assert "print(" not in text or said.strip()
        if expected:
            guides.check(said, expected)


def row(head, values):
    return f"| {head} | {' | '.join(values)} |"


def test_the_reproduction_guide_states_the_stored_results():
    text = (ROOT / "docs" / "reproduction.md").read_text(encoding="utf-8")
    outcomes, _ = experiments.read(ROOT / "results" / "reproduced.jsonl")
    reports = {name: experiments.report(each, outcomes.values()) for name, each in experiments.EXPERIMENTS.items()}
    for name in ("table-1", "table-2", "table-3", "outsourced-fig-2a"):
        found = [each for each in reports[name].counted if each.error is not None]
        spread = [each.error * math.sqrt(each.replicates) for each in found]
        for head, values in (
            ("paper", [each.number.printed for each in found]),
            ("PrivBO", [each.ours for each in found]),
            ("spread", spread),
        ):
            assert row(head, [f"{value:.3f}" for value in values]) in text
    losses = [
        (report, each)
        for report in (reports["federated-fig-2c"], reports["federated-fig-2d"])
        for each in report.counted[(report is reports["federated-fig-2d"]) :]  # Both have the same first setting.
    ]
    assert row("paper", [f"{each.number.printed:.2f}" for _, each in losses]) in text
    assert row("PrivBO, moments", [f"{each.ours:.2f}" for _, each in losses]) in text
    tight = [report.mean(each.number.arm, "tight")[0] for report, each in losses]
    assert row("PrivBO, tight", [f"{value:.2f}" for value in tight]) in text
    counts = experiments.count_all(reports.values())
    others = [each for report in reports.values() if report.experiment.data == "other" for each in report.claims]
    verdicts = Counter(each.verdict for each in others)
    plain = " ".join(text.replace("*", "").split())
    for sentence in (
        f"The papers print {counts.printed} numbers. Of these, {counts.checked} are",
        f"{counts.reproduces} of these {counts.checked} reproduce. The other {counts.other_data} are",
        f"Of {counts.judged} claims about data like the paper's, {counts.holds} hold, {counts.inconclusive} are "
        f"inconclusive and {counts.fails} fail",
        f"{counts.chosen} of the {counts.reproduces} numbers rest on that choice. The other {counts.exact} are exact",
        f"Of the {len(others)} claims about these, {verdicts['holds']} hold, {verdicts['fails']} fail and "
        f"{verdicts['inconclusive']} are inconclusive",
    ):
        assert sentence in plain


def stored(name):
    return json.loads((ROOT / "results" / f"{name}.json").read_text(encoding="utf-8"))


def missing(guide, rows):
    lines = set((ROOT / "docs" / guide).read_text(encoding="utf-8").splitlines())
    return [each for each in rows if each not in lines]


def test_the_guide_to_choosing_has_the_stored_tables():
    kept = stored("choosing")
    lost = [choosing.Lost(**each) for each in kept["results"]]
    texts = [choosing.table(lost, "logistic"), choosing.table(lost, "svm")]
    texts.append(training.table([training.Reached(**each) for each in kept["trained"]]))
    rows = [each for text in texts for each in text.splitlines() if each.startswith("|")]
    assert len(rows) > 50
    assert missing("choosing.md", rows) == []


def test_the_guide_to_searches_has_the_stored_tables():
    of = {
        (each["sample"], each["search"], each["once"], each["policy"], each["epsilon"]): each
        for each in stored("searches")["results"]
    }
    modelled = ("plain", None), ("noisy", 3.0), ("noisy", 1.0)

    def lead(each):
        words = f"{each['lead']:.2f} ({each['lead_low']:.2f} to {each['lead_high']:.2f})".replace("-", "−")
        return f"**{words}**" if each["lead_low"] > 0 else words

    def cost(each):
        return f"{each['cost']:.3f} ± {each['cost_error']:.3f}".replace("-", "−")

    def rank(each):
        return f"{each['rank']:g} ({each['rank_low']:g} to {each['rank_high']:g})"

    rows = []
    for sample, suited in pb.data.SEARCHES.items():
        for search in ("ucb", "ucb/5", "ei", "thompson"):
            name = f"{search} ←" if search == suited else search
            for once in (False, True):
                leads = [lead(of[sample, search, once, *each]) for each in modelled]
                rows.append(row(sample, [name, "yes" if once else "no", *leads]))
        for epsilon in (3.0, 1.0):
            costs = [cost(of[sample, suited, once, "noisy", epsilon]) for once in (False, True)]
            rows.append(row(sample, [suited, f"{epsilon:g}", *costs]))
        baselines = [(policy, 3.0) for policy in ("neighbour", "local")]
        others = [next(each for key, each in of.items() if (key[0], *key[3:]) == (sample, *how)) for how in baselines]
        chance = next(each for key, each in of.items() if key[0] == sample and key[3] == "random")
        ours = [of[sample, "ucb", True, *how] for how in (("noisy", 3.0), ("plain", None))]
        rows.append(row(sample, [rank(each) for each in (chance, *others, *ours)]))
    assert missing("searches.md", rows) == []


def test_the_mathematics_names_functions_that_exist():
    text = (ROOT / "docs" / "mathematics.md").read_text(encoding="utf-8")
    packages = [name for name in pb.__all__ if isinstance(getattr(pb, name), ModuleType)]
    named = set(re.findall(rf"`((?:{'|'.join(packages)})(?:\.\w+)+)`", text))
    assert len(named) > 40
    for name in sorted(named):
        package, *path = name.split(".")
        assert path[0] in getattr(pb, package).__all__, name
        found = getattr(pb, package)
        for each in path:
            found = getattr(found, each)


def test_the_notebook_runs_from_top_to_bottom_without_a_network(monkeypatch, tmp_path):
    """Its code cells run in one namespace, as a notebook's do. It is kept without the outputs of an earlier run."""

    def refuse(*_):
        raise AssertionError("the notebook asks for a network")

    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(socket.socket, "connect", refuse)
    notebook = json.loads((ROOT / "docs" / "notebook.ipynb").read_text(encoding="utf-8"))
    assert (notebook["nbformat"], len({cell["id"] for cell in notebook["cells"]})) == (4, len(notebook["cells"]))
    names = {}
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            assert (cell["outputs"], cell["execution_count"]) == ([], None)
            printed("".join(cell["source"]), cell["id"], names)
    assert names["error"] < 1e-6
    assert names["extra"].private > names["extra"].plain
    assert names["modeler"].best.outcome in names["people"]["score"].to_numpy()


def test_the_readme_s_engine_does_what_it_says():
    """The numbers that its lines print: what Theorem 1 asks of σ_min, and a regret near 0."""
    (text,) = (text for text in blocks("README.md") if "pb.outsourced.omega" in text)
    asked, regret = map(float, printed(text, "README.md", {}).split())
    assert asked == pytest.approx(977, abs=1)
    assert 0 <= regret < 0.5


@pytest.mark.parametrize(("guide", "test"), ELSEWHERE.items())
def test_a_guide_that_is_left_to_another_test_is_run_there(guide, test):
    text = (ROOT / test).read_text(encoding="utf-8")
    assert f', "{guide}")' in text
    assert blocks(guide)
