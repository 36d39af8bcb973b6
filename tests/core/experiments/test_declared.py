"""What is declared: every table and figure of the documents, and every deviation."""

import re

import pytest

import privbo_core as pb
from privbo_core.experiments import EXPERIMENTS
from privbo_core.experiments.papers.contents import CONTENTS, DEVIATIONS, FEDERATED, OUTSOURCED, Item, deviations
from privbo_core.federated import Settings
from tests.helpers.paths import ROOT


def items(document):
    return [each.item for each in CONTENTS if each.document == document]


def test_every_table_figure_and_experiment_has_a_line_and_every_line_an_experiment_or_a_reason():
    assert [each for each in items(OUTSOURCED) if each.startswith("Table")] == [f"Table {n}" for n in range(1, 10)]
    named = " ".join(items(OUTSOURCED))
    assert all(figure in named for figure in ("Fig. 1", "Fig. 2a", "Fig. 2b", "Fig. 2c", "Appendix A"))
    named = ", ".join(items(FEDERATED))
    for figure in ("1", "2a", "2b", "2c", "2d", "3a–c", "3d–f", "4", "5", "6", "7", "8", "9", "10", "11"):
        assert re.search(rf"Fig\. {figure}(,|$)", named), figure
    assert len({each.document for each in CONTENTS}) == 4  # two of the five files are one paper
    reproduced = {name for each in CONTENTS for name in each.experiments}
    assert reproduced == set(EXPERIMENTS)
    with pytest.raises(ValueError, match="experiments or a reason"):
        Item(FEDERATED, "Fig. 0", "nothing")


def test_deviations_name_a_place_that_exists_and_choices_that_run():
    assert {each.system for each in DEVIATIONS} == {"outsourced", "release", "federated"}
    for each in DEVIATIONS:
        file, _, name = each.where.partition(", ")
        assert name.split(".")[0] in (ROOT / file).read_text(), each.where
    subjects = " ".join(each.subject for each in deviations("federated"))
    assert all(word in subjects for word in ("β_t", "λ", "sub-regions", "weights"))
    chosen = {each.subject: eval(each.own_choice, {"pb": pb}) for each in DEVIATIONS if each.own_choice}
    assert (chosen["β_t"].beta, chosen["λ, the regularisation"].regularisation) == ("theory", 1 + 2 / 40)
    assert Settings(chosen["β_t"].kernel, 0.01).beta == "one"
