"""The script computes the figures' numbers again."""

import math
import re
from functools import partial

import pytest

from pages.parts.export.offer import About
from pages.parts.views.text import cost_text, epsilon_text
from tests.helpers.taken import code_of, make, printed, six, traces, visit

pytestmark = pytest.mark.more  # there, each script in an interpreter of its own
long = partial(pytest.param, marks=pytest.mark.long)
AGENTS = {"T": "4", "runs": "3", "N": "30", "z": "1.5"}


@pytest.mark.parametrize(
    ("widgets", "query"),
    [
        ({}, {"T": "8", "runs": "5", "data": "homes", "from": "1", "to": "30", "epsilon": "4"}),
        long(
            {"tradeoff_r": "Largest feasible r", "tradeoff_measure": "Summed up"},
            {"T": "8", "runs": "5", "distance": "2", "epsilon": "0.5", "budget": "3"},
        ),
        ({"tradeoff_task": "Release"}, {"T": "20", "runs": "6", "k1": "0.95", "epsilon": "30"}),
        long(
            {"tradeoff_task": "Release", "tradeoff_published": "Score", "task": "svm"},
            {"T": "12", "runs": "4", "tau": "0.3"},
        ),
        long({"tradeoff_task": "Federated"}, {**AGENTS, "from": "2", "to": "60", "epsilon": "9"}),
        long(
            {"tradeoff_task": "Federated", "tradeoff_accountant": "Moments (the paper’s)"},
            {**AGENTS, "from": "1", "to": "20", "epsilon": "4"},
        ),
    ],
)
def test_the_script_of_trade_off_prints_marks_and_both_answers(tmp_path, widgets, query):
    app, record = visit("tradeoff", query, widgets)
    numbers, drawn = printed(code_of(app), tmp_path), traces(record, "tradeoff")
    answers = " ".join(re.sub(r"<[^>]+>", "", element.proto.body) for element in app.get("html"))
    names = [name[: -len("_cost")] for name in numbers if name.endswith("_cost")]
    assert len(names) >= 2
    for name in names:
        if not numbers[f"{name}_at"]:  # what it reaches lies outside the range that is drawn
            assert name.replace("_", " ") not in drawn
            continue
        marks = drawn[name.replace("_", " ")]
        assert len(numbers[f"{name}_at"]) >= 5
        assert numbers[f"{name}_at"] == six(marks["x"])
        assert numbers[f"{name}_cost"] == six(marks["y"])
        assert numbers[f"{name}_error"] == six(marks["error_y"]["array"])
        if f"{name}_extra" in numbers:
            extra, _ = (float(value) for value in numbers[f"{name}_extra"])
            shown = cost_text(extra, 0.0) if abs(extra) >= 100 else f"{extra:+.2f}"[:4].replace("-", "−")
            assert shown in answers
        else:
            costs = {line.key: line.text for line in next(iter(record.answers.values())).lines}
            assert "±" not in costs[name.replace("_", " ")], "what cannot be set to this ε has no cost there"
        needed, low, _ = (float(value) for value in numbers[f"{name}_needs"])
        assert math.isinf(needed) or epsilon_text(needed) in answers
        assert low <= needed
    for reference in ("non-private", "random search", "blind draw"):
        if reference in drawn:
            assert numbers[reference.replace(" ", "_")] == six(drawn[reference]["y"][:1])
    make(record, About("Trade-off", "data"))
    assert len(record.explanations) == 3


def test_the_script_of_trade_off_counts_by_the_accountant_that_was_chosen(tmp_path):
    widgets = {"tradeoff_task": "Federated", "tradeoff_accountant": "Loss distributions"}
    query = {"T": "3", "runs": "3", "N": "20", "z": "1.5", "from": "9", "to": "9", "epsilon": "9"}
    app, record = visit("tradeoff", query, widgets)
    code = code_of(app)
    numbers, drawn = printed(code, tmp_path), traces(record, "tradeoff")
    assert "method='pld'" in code
    assert numbers["by_noise_z_at"] == ["9"]  # no rate q costs as much
    assert numbers["by_noise_z_cost"] == six(drawn["by noise z"]["y"])
